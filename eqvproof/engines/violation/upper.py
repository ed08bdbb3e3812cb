"""Upper bounds of the violation of a claim over a box, for every element of the group.

Polynomials. Where f is a polynomial of the entries, both sides are computed as polynomials, and
what is symmetric cancels exactly. What remains is bounded term by term where its variables lie in balls
that hold all images of the box.

* A finite group: for each element, ``f(g x) - g f(x)`` is bounded in this way.
* Rotations: let ``y = exp(s A) x`` for a skew matrix A, and let g act on the result by orthogonal
  matrices. Then ``h(s) = exp(-s A) f(y)`` has the derivative ``exp(-s A) (Df(y)[A y] - A f(y))``,
  so that ``|f(g x) - g f(x)| = |h(1) - h(0)|`` is at most the greatest ``|L f(y)|`` for the
  derivation ``L f(y) = Df(y)[A y] - A f(y)``, over all rotations y of points of the box. Every
  rotation is ``exp(A)`` with k = d // 2 angles of at most pi, so that ``sum_{i<j} a_ij^2 <= k
  pi^2``; with ``L_ij`` for the rotation of the plane i-j, by Cauchy and Schwarz, ``|L f| <= pi
  sqrt(k sum_{i<j} |L_ij f|^2)``. A g of determinant -1 is ``r h`` with one reflection r and a
  rotation h, and ``|f(r h x) - r h f(x)| <= |f(r y) - r f(y)| + |f(h x) - h f(x)|`` for ``y = h x``.
* Products: for elements that act on the result by orthogonal matrices likewise the sum of the
  bounds of the factors, each over all images of the box.

Other functions under finite groups: both sides are enclosed by balls (FLINT's ``arb``) over parts of
the box; the part with the greatest bound is cut in two, again and again. The greatest bound of all
parts holds for the whole box.

**Exactness**: rationals and balls, rounded outwards. **Source**: the
fundamental theorem of calculus, in the proof above.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Factor, act_all, act_on_point, element_of
from eqvproof.claims.groups.family import FiniteFamily, LieFamily
from eqvproof.claims.groups.matrices import Matrix
from eqvproof.claims.signature import Axis
from eqvproof.engines.claim import Claim
from eqvproof.engines.violation.points import Ends, as_fractions
from eqvproof.engines.violation.polynomials import Ball, NotPolynomial, Variables
from eqvproof.engines.violation.result import NoBound, root_above, root_below, round_up
from eqvproof.numbers import ExactSignal, Real, Undecided
from eqvproof.numbers.arithmetic import hull
from eqvproof.numbers.scalar import to_scalar
from eqvproof.numbers.tensor import objects
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import GroupError

Array = np.ndarray[Any, np.dtype[Any]]
#: A rational above pi.
ABOVE_PI = Fraction(355, 113)
#: Largest numbers of elements of a finite group: of polynomials, and of other functions.
MOST_ELEMENTS, MOST_WITH_BALLS = 120, 24
#: Largest number of entries that vary in a box that is cut, and of its parts.
FEW, PARTS = 8, 200
#: Bits of the balls.
BITS = 64
#: Every relative violation is at most this: each side is at most as large as the larger one.
TRIVIAL = 2


def upper_bound(
    claim: Claim, program: Program, sizes: Mapping[str, int], ends: Ends, *, is_relative: bool
) -> float | NoBound:
    """Returns a number that no violation in a box exceeds, or why none is known.

    Args:
        claim: the claim.
        program: its function.
        sizes: the sizes of the axes.
        ends: the ends of the box, for each argument.
        is_relative: whether violations are relative to the size of the result.
    """
    if any(a.kind != "real" for a in claim.signature.inputs):
        return NoBound.DISCRETE
    if claim.signature.irreps or any(f.each for f in claim.group.factors):
        return NoBound.UNBOUNDED_GROUP
    if not all(f.generators or isinstance(f.record, FiniteFamily) or _rotates(f)
               for f in claim.group.factors):  # fmt: skip
        return NoBound.UNBOUNDED_GROUP
    bounds = _Bounds(claim, program, sizes, ends)
    try:
        found = bounds.of_polynomial()
    except NotPolynomial:
        return bounds.by_balls(is_relative=is_relative)
    except GroupError:
        return NoBound.UNBOUNDED_GROUP
    if isinstance(found, NoBound) or not is_relative or not found:
        return found if isinstance(found, NoBound) else round_up(found)
    least = bounds.least_size()
    if not least:
        return NoBound.VANISHES
    return _useful(found / least, is_relative=True)


def _useful(bound: Fraction, *, is_relative: bool) -> float | NoBound:
    """Returns a bound as a float; that every function has it is no news."""
    if is_relative and bound >= TRIVIAL:
        return NoBound.WIDE
    return round_up(bound)


def _rotates(factor: Factor) -> bool:
    """Checks whether a factor is O(d) or SO(d): connected but for reflections, and orthogonal."""
    return isinstance(factor.record, LieFamily) and factor.kind.rotates and factor.record.reals == 1


class _Bounds:
    """Bounds of the violation of one claim over one box."""

    def __init__(
        self, claim: Claim, program: Program, sizes: Mapping[str, int], ends: Ends
    ) -> None:
        self._claim, self._program, self._sizes, self._ends = claim, program, sizes, ends
        shape = [s.value(sizes) for s in program.shape]
        self._known = claim.signature.output_sizes(shape, sizes)

    # -- polynomials -----------------------------------------------------------------------------
    def of_polynomial(self) -> Fraction | NoBound:
        """Returns a bound of ``|f(g x) - g f(x)|`` for a polynomial f.

        Raises:
            NotPolynomial: the Program is none.
            GroupError: a factor acts in a way that has no bound here.
        """
        total = Fraction(0)
        variables = Variables({n: low.shape for n, (low, _) in self._ends.items()})
        value = variables.value(self._program, self._sizes, variables.arrays)
        parts = self._images()
        for factor in self._claim.group.factors:
            if _rotates(factor):
                total += self._of_rotations(factor, variables, value, parts)
                continue
            elements = self._elements(factor, MOST_ELEMENTS)
            if elements is None:
                return NoBound.MANY_ELEMENTS
            total += max(self._of_element(e, variables, value, parts) for e in elements)
        return total

    def _of_element(
        self, element: Element, variables: Variables, value: Array, parts: Sequence[Ball]
    ) -> Fraction:
        """Bounds ``|f(g x) - g f(x)|`` for one element that moves entries and changes signs."""
        if any(v not in (-1, 0, 1) for row in element.matrix() for v in row):
            raise GroupError("only moves and signs are applied to polynomials",
                             given=str(element.factor), expected="permutations or signs")  # fmt: skip
        move = act_on_point((element,), variables.arrays, self._claim.signature, self._sizes)
        left = variables.value(self._program, self._sizes, move)
        right = act_all([element], value, self._claim.signature.output, self._known)
        return _size(
            [variables.bound(a - b, parts) for a, b in zip(left.flat, right.flat, strict=True)]
        )

    def _of_rotations(
        self, factor: Factor, variables: Variables, value: Array, parts: Sequence[Ball]
    ) -> Fraction:
        """Bounds ``|f(g x) - g f(x)|`` for all elements of O(d) or SO(d)."""
        size, squares = factor.size(self._sizes), Fraction(0)
        signature = self._claim.signature
        for i in range(size):
            for j in range(i + 1, size):
                require_time()
                direction = {
                    a.name: _rotated_in_plane(
                        factor, variables.arrays[a.name], a.axes, (i, j), variables
                    )
                    for a in signature.inputs
                }
                along = variables.derivative(value, direction)
                turned = _rotated_in_plane(factor, value, signature.output, (i, j), variables)
                pairs = zip(along.flat, turned.flat, strict=True)
                squares += sum((variables.bound(a - b, parts) ** 2 for a, b in pairs), Fraction(0))
        found = ABOVE_PI * root_above(size // 2 * squares) if squares else squares
        reflections: list[Matrix] = factor.record.components(size)  # type: ignore[attr-defined]
        for reflection in reflections:
            element = element_of(factor, reflection)
            found += self._of_element(element, variables, value, parts)
        return found

    def _images(self) -> list[Ball]:
        """Returns balls that hold all images of points of the box under the group.

        Entries along axes that are rotated belong to one ball, whose radius is the norm of the
        largest absolute values; along axes that are permuted the radii are the largest of them.
        """
        found: list[Ball] = []
        start = 0
        for argument in self._claim.signature.inputs:
            low, high = self._ends[argument.name]
            most = as_fractions({"": np.maximum(np.abs(low), np.abs(high))})[""]
            numbers = np.arange(start, start + most.size).reshape(most.shape)
            start += most.size
            for factor in self._claim.group.factors:
                for place, axis in enumerate(argument.axes):
                    if any(map(factor.acts_on, axis.terms)):
                        most = _over_axis(most, place, rotates=_rotates(factor))
                        if _rotates(factor):
                            numbers = numbers.min(axis=place, keepdims=True) + 0 * numbers
            balls: dict[int, tuple[list[int], Fraction]] = {}
            first = start - most.size
            for k, (ball, radius) in enumerate(zip(numbers.flat, most.flat, strict=True)):
                balls.setdefault(int(ball), ([], radius))[0].append(first + k)
            found += balls.values()
        return found

    def _elements(self, factor: Factor, most: int) -> list[Element] | None:
        """Returns all elements of a finite factor, or None if there are too many."""
        size = factor.size(self._sizes)
        record = factor.record
        if factor.generators or not isinstance(record, FiniteFamily) or record.order(size) > most:
            return None
        return [element_of(factor, data) for data in islice(record.members(size), most)]

    # -- balls -----------------------------------------------------------------------------------
    def least_size(self) -> Fraction:
        """Returns a number that is at most the norm of f(x), for all x of the box."""
        try:
            value = self._balls(self._ends)
        except ExactSignal:
            return Fraction(0)
        return root_below(sum((_ends_of_square(v)[0] for v in value.flat), Fraction(0)))

    def by_balls(self, *, is_relative: bool) -> float | NoBound:
        """Returns a bound for a finite group, by balls over parts of the box."""
        if any(map(_rotates, self._claim.group.factors)):
            return NoBound.NOT_A_POLYNOMIAL
        choices = [self._elements(f, MOST_WITH_BALLS) for f in self._claim.group.factors]
        known = [c for c in choices if c is not None]
        if len(known) < len(choices) or prod(map(len, known)) > MOST_WITH_BALLS:
            return NoBound.MANY_ELEMENTS
        moves = [m for m in product(*known) if not all(e.is_identity for e in m)]

        def at(ends: Ends) -> Fraction | None:
            require_time()
            try:
                return max(self._of_part(ends, m, is_relative=is_relative) for m in moves)
            except (ExactSignal, ZeroDivisionError, AttributeError):
                return None

        found = _over_parts(self._ends, at) if moves else Fraction(0)
        if found is None:
            return NoBound.WIDE
        return _useful(found, is_relative=is_relative)

    def _of_part(self, ends: Ends, move: Sequence[Element], *, is_relative: bool) -> Fraction:
        """Bounds the violation of one element over one part of the box."""
        ends_apart = [{n: pair[side].astype(object) for n, pair in ends.items()} for side in (0, 1)]
        first, second = (
            act_on_point(move, point, self._claim.signature, self._sizes) for point in ends_apart
        )
        moved = {
            n: (np.minimum(first[n], second[n]), np.maximum(first[n], second[n])) for n in ends
        }
        value = self._balls(ends)
        left = self._balls(moved)
        right = act_all(
            [e for e in move if not e.is_identity], value, self._claim.signature.output, self._known
        )
        gaps = [_ends_of_square(a - b)[1] for a, b in zip(left.flat, right.flat, strict=True)]
        gap = root_above(sum(gaps, Fraction(0)))
        if not is_relative:
            return gap
        sides = (sum((_ends_of_square(v)[0] for v in s.flat), Fraction(0)) for s in (left, right))
        least = root_below(max(sides))
        return gap / least if least else Fraction(TRIVIAL)

    def _balls(self, ends: Ends) -> Array:
        """Encloses f over a part of the box."""
        inputs = {n: _enclose(*pair) for n, pair in ends.items()}
        return np.asarray(
            evaluate_exact(self._program, inputs, self._sizes, precision=BITS, max_precision=BITS)
        )


def _over_parts(ends: Ends, at: Any) -> Fraction | None:
    """Returns the greatest bound of the parts of a box, cut where it is greatest."""
    places = [(n, i) for n, (low, high) in ends.items() for i in np.ndindex(low.shape)
              if low[i] < high[i]]  # fmt: skip

    def rated(part: Ends) -> tuple[bool, Fraction]:
        bound = at(part)
        return bound is None, bound or Fraction(0)

    worst = rated(ends)
    parts = [(not worst[0], -worst[1], 0, 0, ends)]
    if not 0 < len(places) <= FEW:
        return None if worst[0] else worst[1]
    for number in range(1, PARTS):
        is_known, bound, _, depth, part = heapq.heappop(parts)
        if is_known and not bound:  # the greatest
            return Fraction(0)
        name, i = places[depth % len(places)]
        low, high = part[name]
        middle = min(high[i], max(low[i], low[i] + (high[i] - low[i]) / 2))
        for side in (0, 1):
            cut = (low.copy(), high.copy())
            cut[1 - side][i] = middle
            new = {**part, name: cut}
            found = rated(new)
            heapq.heappush(parts, (not found[0], -found[1], 2 * number + side, depth + 1, new))
    is_known, bound, *_ = parts[0]
    return -bound if is_known else None


def _enclose(low: Array, high: Array) -> Array:
    """Returns balls around the intervals between two arrays of floats."""
    pairs = zip(low.flat, high.flat, strict=True)
    return objects(
        [Real(hull(to_scalar(float(a)), to_scalar(float(b)))) for a, b in pairs], low.shape
    )


def _ends_of_square(value: Any) -> tuple[Fraction, Fraction]:
    """Returns rationals between which the square of a number lies.

    Raises:
        Undecided: it is no number.
    """
    if not isinstance(value, Real) or not value.is_finite:
        raise Undecided("no number")
    low, high = value.bounds()
    squares = low * low, high * high
    if low <= 0 <= high:
        return Fraction(0), max(squares)
    return min(squares), max(squares)


def _size(entries: Sequence[Fraction]) -> Fraction:
    """Returns a number that is at least the Euclidean norm."""
    total = sum((v * v for v in entries), Fraction(0))
    if not total:
        return total
    return root_above(total)


def _over_axis(most: Array, place: int, *, rotates: bool) -> Array:
    """Bounds entries once they are moved along an axis: by their norm, or by the largest of them."""
    front = np.moveaxis(most, place, 0)
    if rotates:
        rows = front.reshape((front.shape[0], -1))
        sizes = [_size([*rows[:, k]]) for k in range(rows.shape[1])]
        along = objects(sizes, front.shape[1:])
    else:
        along = front.max(axis=0)
    return np.moveaxis(np.broadcast_to(along, front.shape), 0, place)


def _rotated_in_plane(
    factor: Factor, array: Array, axes: Sequence[Axis], plane: tuple[int, int],
    variables: Variables,
) -> Array:  # fmt: skip
    """Returns A x for the rotation of a plane, ``A e_i = e_j`` and ``A e_j = -e_i``.

    It acts along each axis of the factor, and the sum over these is returned.

    Raises:
        GroupError: an axis is a sum or a multiple of the one on which the factor acts.
    """
    zero = objects([variables.ring.constant(0)] * array.size, array.shape)
    found = zero
    i, j = plane
    for place, axis in enumerate(axes):
        if not any(map(factor.acts_on, axis.terms)):
            continue
        if len(axis.terms) > 1 or axis.terms[0].coefficient not in (1, factor.axis):
            raise GroupError("rotations of a part of an axis have no bound here", given=str(axis),
                             expected="an axis of its own")  # fmt: skip
        part, front = zero.copy(), np.moveaxis(array, place, 0)
        rows = np.moveaxis(part, place, 0)
        rows[i, ...], rows[j, ...] = -front[j, ...], front[i, ...]
        found = found + part
    return found
