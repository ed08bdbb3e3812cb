"""Searches for points at which two compared values tie, for any function of the inputs.

Where ``argsort(s)`` decides an order, a claim may fail just where two entries of s are equal. Such
points are computed, not met by chance, in this order:

- structured: small numbers, many of them equal (points on a line, squares, permuted or negated
  rows, one argument constant), screened in floats and confirmed exactly;
- solved: along a line in one coordinate ``s_i - s_j`` is a rational function, found by
  interpolation; its rational roots are ties;
- for functions that run on floats alone: its real roots, to the last bit (`real_tie_points`).

All of it is deterministic in the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from eqvproof.claims.signature import Argument, Signature
from eqvproof.engines.search.compared_values import (
    ComparedValue,
    Values,
    exact_or_none,
    is_certainly_zero,
)
from eqvproof.engines.search.cost import inputs_cost, key_of
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.numbers.scalar import to_fraction
from eqvproof.programs import Program
from eqvproof.programs.evaluate.opaque import Functions
from eqvproof.support.deadline import require_time

#: Largest numbers of structured points that are screened, and of entries computed for that.
_SCREENED, _SCREENING = 1000, 4_000_000
#: Differences below this part of the largest value may be ties.
_NEAR = 1e-9
#: Number of lines that are searched for rational roots, number of values on each, and distance
#: between their arguments.
_LINES, _VALUES, _STEP = 24, 16, Fraction(1, 32)
#: Largest sum of numerator and denominator of a root that is used.
_LONGEST_ROOT = 10**4
#: Share of points that may have zeros in vectors: these often are weights, and zeros hide effects.
_ZEROS = 0.25
#: Ways in which the entries of an argument are chosen.
_WAYS = ("distinct", "distinct", "halves", "few", "few", "signs", "constant", "line", "rows")
#: Number of steps along a line between which a sign may change, and their length.
_REACH, _STRIDE = 24, 0.37

#: Checks whether a point belongs to a domain; moves a point into a domain.
Allowed = Callable[[Inputs], Any]
Towards = Callable[[Inputs], Inputs]


def tie_points(
    program: Program,
    signature: Signature,
    sizes: Mapping[str, int],
    seed: int = 0,
    count: int = 16,
    *,
    screened: int = _SCREENED,
    opaque: Functions | None = None,
    towards: Towards | None = None,
    allowed: Allowed | None = None,
) -> Iterator[Inputs]:
    """Yields points at which entries of a compared value tie exactly, but not by a symmetry.

    Args:
        program: for all sizes, or at these.
        signature: the typing.
        sizes: of the names of the inputs.
        seed: of the random choices; equal seeds, equal points.
        count: largest number of points yielded.
        screened: largest number of structured points inspected.
        opaque: implementations of uninterpreted functions.
        towards: moves points towards a domain.
        allowed: checks whether a point belongs to it.

    Exactness: the ties are exact; entries of real arguments are Fractions.
    """
    ties = _Ties(program, signature, sizes, seed, opaque, towards, allowed)
    if not ties.targets:
        return
    found = sorted(ties.structured(screened), key=_plainness)
    yield from _mixed(found, random.Random(seed))[:count]
    if len(found) < count:
        yield from islice(ties.solved(), count - len(found))


def _mixed(points: list[Inputs], rng: random.Random) -> list[Inputs]:
    """Reorders points: in turn the first that is left and a random one.

    Simple points are often similar to one another.
    """
    left, mixed = list(points), list[Inputs]()
    while left:
        mixed.append(left.pop(0))
        if left:
            mixed.append(left.pop(rng.randrange(len(left))))
    return mixed


def _plainness(inputs: Inputs) -> tuple[int, tuple[int, int]]:
    """Returns the sort key of points: fewer zeros first (they hide ties), then simple ones."""
    return sum(not v for array in inputs.values() for v in array.flat), inputs_cost(inputs)


def real_tie_points(
    program: Program,
    signature: Signature,
    sizes: Mapping[str, int],
    seed: int = 0,
    count: int = 8,
    *,
    opaque: Functions | None = None,
) -> Iterator[Inputs]:
    """Yields points of floats next to which two compared entries change their order.

    Entries tie there up to their last bits.

    Exactness: none; they are for functions that run on floats alone.
    """
    ties = _Ties(program, signature, sizes, seed, opaque, None, None)
    if ties.targets:
        yield from islice(ties.bisected(), count)


class _Ties:
    def __init__(
        self, program: Program, signature: Signature, sizes: Mapping[str, int], seed: int,
        opaque: Functions | None, towards: Towards | None, allowed: Allowed | None,
    ) -> None:  # fmt: skip
        self._values = Values(program, sizes, opaque)
        self._points = Points(signature, sizes, (), towards)
        self._signature, self._sizes, self._allowed = signature, sizes, allowed
        self._rng = random.Random(f"ties|{seed}|{sorted(sizes.items())!r}")
        self.targets = [t for t in self._values.targets if self._values.is_small(t)]
        self._always: dict[ComparedValue, Array] = {}
        if self.targets:
            self._always = self._tied_everywhere()
        self._seen: set[Any] = set()

    # ------------------------------------------------------------------------------- which ties
    def _differences(self, inputs: Inputs) -> dict[ComparedValue, Array]:
        """Returns the differences of all compared_values, in floats."""
        found = self._values.floats(inputs)
        with np.errstate(all="ignore"):
            return {t: self._values.differences(found, t) for t in self.targets}

    def _tied_everywhere(self) -> dict[ComparedValue, Array]:
        """Returns masks of the differences that are 0 at all unstructured points if defined."""
        points = [self._points.untied(self._rng) for _ in range(2)]
        points += [self._points.positive(self._rng) for _ in range(4)]
        rows = [self._differences(point) for point in points]
        always: dict[ComparedValue, Array] = {}
        for t in self.targets:
            zero = np.array([row[t] == 0 for row in rows])
            none = np.array([np.isnan(row[t]) for row in rows])
            always[t] = np.asarray((zero | none).all(0) & zero.any(0))
        return always

    def _is_candidate(self, inputs: Inputs) -> bool:
        """Checks whether entries tie up to rounding that do not tie everywhere."""
        for target, gaps in self._differences(inputs).items():
            finite = gaps[np.isfinite(gaps)]
            scale = float(np.max(np.abs(finite), initial=0.0))
            near = (np.abs(gaps) <= _NEAR * scale) & ~self._always[target]
            if near.any() and self._tells(inputs, target, near):
                return True
        return False

    def _is_tied(self, inputs: Inputs) -> bool:
        """Checks whether entries tie exactly that do not tie everywhere."""
        found = exact_or_none(self._values, inputs)
        if found is None:
            return False
        for target in self.targets:
            gaps = self._values.differences(found, target)
            zero = (
                np.array([is_certainly_zero(v) for v in gaps.flat], bool).reshape(gaps.shape)
                & ~self._always[target]
            )
            if zero.any() and self._tells(inputs, target, zero):
                return True
        return False

    def _tells(self, inputs: Inputs, target: ComparedValue, tied: Array) -> bool:
        """Checks whether two positions tie at which the inputs differ."""
        axes = self._values.moved_axes(target)
        for k, (i, j) in enumerate(self._values.pairs(target)):
            if tied[k].any() and not _is_symmetric(inputs, axes, i, j):
                return True
        return target.axis < 0

    def _is_new(self, inputs: Inputs) -> bool:
        key = key_of(inputs)
        if key in self._seen or (self._allowed is not None and not self._allowed(inputs)):
            return False
        self._seen.add(key)
        return True

    # ------------------------------------------------------------------------------- structured
    def structured(self, screened: int) -> Iterator[Inputs]:
        """Yields small points with ties."""
        work = max(1, self._values.work)
        for _ in range(min(screened, max(24, _SCREENING // work))):
            require_time()
            inputs = self._small()
            if self._is_new(inputs) and self._is_candidate(inputs) and self._is_tied(inputs):
                yield inputs

    def _small(self) -> Inputs:
        """Returns a point of small numbers, with a random way to choose entries per argument."""
        made = {a.name: self._array(a) for a in self._signature.inputs}
        return self._points.fill(lambda a, i, k: made[a.name][i])

    def _array(self, argument: Argument) -> Array:
        shape = tuple(axis.at(self._sizes) for axis in argument.axes)
        rng, size = self._rng, prod(shape)
        if argument.kind != "real":
            return np.array([rng.randint(0, 3) for _ in range(size)], object).reshape(shape)
        way = rng.choice(_WAYS)
        if way == "constant" or not shape:
            return np.full(shape, Fraction(rng.choice((1, 1, 2, -1))), object)
        if way == "few":
            values = [rng.choice((1, 2)) for _ in range(size)]
        elif way == "signs":
            values = [rng.choice((1, -1)) for _ in range(size)]
        elif way == "line":  # points on a line, all other coordinates 0
            values = [0] * size
            step = size // shape[0]
            values[::step] = rng.sample(range(shape[0] + 2), shape[0])
        elif way == "rows":  # one row, permuted and with other signs
            row = [rng.randint(0, 2) for _ in range(shape[-1])]
            rows = (rng.sample(row, len(row)) for _ in range(size // shape[-1]))
            values = [rng.choice((1, 1, -1)) * v for r in rows for v in r]
        else:
            most = min(size, 12) + 1
            reach = [
                v for v in range(-most, most + 1) if v or len(shape) > 1 or rng.random() < _ZEROS
            ]
            if size <= most:
                values = rng.sample(reach, size)
            else:
                values = [rng.choice(reach) for _ in range(size)]
        half = 2 if way == "halves" else 1
        return np.array([Fraction(v, half) for v in values], object).reshape(shape)

    # ----------------------------------------------------------------------------------- solved
    def _places(self) -> list[tuple[str, tuple[int, ...]]]:
        """Returns the entries of the real arguments, in random order."""
        found = [
            (a.name, place)
            for a in self._signature.inputs
            if a.kind == "real"
            for place in np.ndindex(tuple(axis.at(self._sizes) for axis in a.axes))
        ]
        self._rng.shuffle(found)
        return found

    def solved(self) -> Iterator[Inputs]:
        """Yields points with ties on lines through small points."""
        for k in range(_LINES):
            base, places = self._small(), self._places()
            if not places:
                return
            name, place = places[k % len(places)]
            for root in self._roots(base, name, place):
                inputs = _with(base, name, place, root)
                if self._is_new(inputs) and self._is_tied(inputs):
                    yield inputs

    def _roots(self, base: Inputs, name: str, place: tuple[int, ...]) -> list[Fraction]:
        """Returns rational roots of differences along one coordinate, simplest first."""
        start: Fraction = base[name][place]
        at = [start + (k + 1) * _STEP for k in range(_VALUES)]
        rows: list[dict[ComparedValue, Array]] = []
        for t in at:
            require_time()
            found = exact_or_none(self._values, _with(base, name, place, t))
            if found is None:
                return []
            rows.append(
                {target: self._values.differences(found, target) for target in self.targets}
            )
        roots: set[Fraction] = set()
        for target in self.targets:
            for index in np.ndindex(rows[0][target].shape):
                values = [row[target][index] for row in rows]
                if all(isinstance(v, fmpq) for v in values) and not self._always[target][index]:
                    roots.update(rational_roots(at, values))
        return sorted(roots, key=lambda r: (abs(r.numerator) + r.denominator, r))

    # --------------------------------------------------------------------------------- bisected
    def bisected(self) -> Iterator[Inputs]:
        """Yields points of floats on such lines at which a difference changes its sign."""
        for k in range(_LINES):
            base, places = self._small(), self._places()
            if not places:
                return
            name, place = places[k % len(places)]
            for target in self.targets:
                for index in np.argwhere(~self._always[target]):
                    entry = tuple(int(i) for i in index)
                    root = self._change(base, name, place, target, entry)
                    if root is not None:
                        inputs = _with(base, name, place, Fraction(root))
                        if self._is_new(inputs):
                            yield inputs

    def _change(
        self,
        base: Inputs,
        name: str,
        place: tuple[int, ...],
        target: ComparedValue,
        entry: tuple[int, ...],
    ) -> float | None:
        """Returns the float at which a difference is 0, or changes its sign without a jump."""

        def gap(t: float) -> float:
            return float(self._differences(_with(base, name, place, Fraction(t)))[target][entry])

        start = float(base[name][place])
        for k in range(_REACH):
            require_time()
            low, high = start + k * _STRIDE, start + (k + 1) * _STRIDE
            before, after = gap(low), gap(high)
            if not before * after < 0:
                continue
            first = max(abs(before), abs(after))
            while low < (middle := (low + high) / 2) < high:
                now = gap(middle)
                if now == 0:
                    return middle
                if now * before > 0:
                    low, high = (middle, high)
                else:
                    low, high = (low, middle)
            if abs(gap(low)) <= _NEAR * first:
                return low
            return None
        return None


def _with(inputs: Inputs, name: str, place: tuple[int, ...], value: Fraction) -> Inputs:
    array = inputs[name].copy()
    array[place] = value
    return {**inputs, name: array}


def _is_symmetric(inputs: Inputs, axes: Mapping[str, list[int]], i: int, j: int) -> bool:
    """Checks whether the inputs are unchanged when positions i and j of some axes are swapped."""
    for name, along in axes.items():
        moved = inputs[name]
        for axis in along:
            order = list(range(moved.shape[axis]))
            order[i], order[j] = j, i
            moved = np.take(moved, order, axis=axis)
        if not np.array_equal(moved, inputs[name]):
            return False
    return True


def rational_roots(at: list[Fraction], values: list[Any]) -> list[Fraction]:
    """Returns the rational roots of the rational function with these values, if they determine it.

    Numerator and denominator of least degrees are found by Euclid's algorithm on the interpolating
    polynomial; they are known if two values more than coefficients agree. Source: J. von zur
    Gathen, J. Gerhard, Modern Computer Algebra, 5.8 (Cauchy interpolation).
    """
    points = [fmpq(t.numerator, t.denominator) for t in at]
    zero, one, x = fmpq_poly([0]), fmpq_poly([1]), fmpq_poly([0, 1])
    whole, through = one, zero
    for t, value in zip(points, values, strict=True):  # Newton's interpolation
        through = through + whole * ((value - through(t)) / whole(t))
        whole = whole * (x - t)
    before, now, s, t_ = whole, through, zero, one
    best: tuple[int, fmpq_poly] | None = None
    while now != zero:
        size = now.degree() + t_.degree()
        if best is None or size < best[0]:
            best = size, now
        quotient, rest = divmod(before, now)
        before, now, s, t_ = now, rest, t_, s - quotient * t_
    if best is None or best[0] > len(at) - 4 or best[1].degree() < 1:
        return []
    found = [-f[0] / f[1] for f, _ in best[1].factor()[1] if f.degree() == 1]
    roots = [to_fraction(root) for root in found]
    return [r for r in roots if abs(r.numerator) + r.denominator <= _LONGEST_ROOT]
