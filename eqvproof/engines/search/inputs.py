"""Points at which a claim is tried: structured ones, simplest first, then random ones.

All values are Fractions whose denominators are powers of 2 (except for constants of the function),
so that floats hold them without rounding.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.claims.signature import Argument, Signature
from eqvproof.engines.search.cost import SIMPLE_VALUES, inputs_cost, key_of
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.numbers.tensor import map_entries, objects

if TYPE_CHECKING:
    from eqvproof.engines.search.constants import Number

#: Approximate largest number of entries of all structured points together.
_MOST_NUMBERS = 60_000
#: Largest numbers of entries for which all points with entries among the first five, three or two
#: simple values are listed.
_ALL_FIVE, _ALL_THREE, _ALL_TWO = 4, 5, 7
_ONE = Fraction(1)
_MAGNITUDES = tuple(
    Fraction(m)
    for m in (1000, Fraction(1, 1024), 10**6, Fraction(1, 2**20), 10**12, Fraction(1, 2**40))
)


#: For each constant c of the function, points have entries up to these multiples of ``2^k / 2``,
#: where ``2^k <= c < 2^(k + 1)``: some of their differences are below c, and some above.
_SPREADS = (2, 3, 8)


def _power_below(number: Number) -> Fraction:
    """Returns the greatest power of 2 that is not above a positive number."""
    value = Fraction(number)
    found = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length())
    if found <= value:
        return found
    return found / 2


#: Cached, since the same few integers occur in most points.
_rational = lru_cache(maxsize=1024)(Fraction)


class Points:
    """A generator of points for a signature at given sizes.

    Attributes:
        signature: the typing.
        sizes: the sizes of the names of the inputs.

    Args:
        constants: numbers in the function's code.
        towards: maps a point to one that is likely to belong to a domain.
    """

    def __init__(
        self,
        signature: Signature,
        sizes: Mapping[str, int],
        constants: Sequence[Number],
        towards: Callable[[Inputs], Inputs] | None = None,
    ) -> None:
        self._towards = towards
        self.signature = signature
        self.sizes = sizes
        self._shapes = {a.name: tuple(x.at(sizes) for x in a.axes) for a in signature.inputs}
        self._places: dict[str, list[tuple[int, ...]]] = {}
        self._marks = [Fraction(c) for c in constants if c > 2]
        self._tolerances = list(
            dict.fromkeys(_power_below(c) for c in constants if c not in (1, 2))
        )

    @property
    def count(self) -> int:
        """Counts the entries of all arguments."""
        return sum(prod(s) for s in self._shapes.values())

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of an argument."""
        return self._shapes[name]

    # -------------------------------------------------------------------------- making points
    def fill(self, value: Callable[[Argument, tuple[int, ...], int], Any]) -> Inputs:
        """Builds the point whose entries are value(argument, index, running number)."""
        inputs: dict[str, Array] = {}
        number = 0
        for argument in self.signature.inputs:
            if argument.name not in self._places:
                self._places[argument.name] = list(np.ndindex(self._shapes[argument.name]))
            places = self._places[argument.name]
            entries = [
                self._fit(argument, value(argument, i, number + k)) for k, i in enumerate(places)
            ]
            number += len(places)
            inputs[argument.name] = objects(entries, self._shapes[argument.name])
        return self._moved(inputs)

    def _moved(self, inputs: Inputs) -> Inputs:
        if self._towards is None:
            return inputs
        return self._towards(inputs)

    def _fit(self, argument: Argument, value: Any) -> Any:
        """Converts a value to the argument's kind: bools for masks, positions for index arrays."""
        if argument.kind == "bool":
            return bool(value)
        if argument.kind == "index":
            return int(abs(value)) % self.sizes[argument.indexes or ""]
        if type(value) is Fraction:
            return value
        return _rational(value)

    def _listed(self, values: Sequence[Any]) -> Iterator[Inputs]:
        """Yields all points with entries among some values, first entries changing last."""
        for entries in product(values, repeat=self.count):
            yield self.fill(lambda a, i, k, entries=entries: entries[k])  # type: ignore[misc]

    # ---------------------------------------------------------------------- structured points
    def structured(self, rng: random.Random, most: int) -> list[Inputs]:
        """Returns distinct points with small entries, simplest first; fewer if they are large."""
        most = min(most, max(16, _MOST_NUMBERS // max(1, self.count)))
        found: list[Inputs] = list(self._patterns())
        if self.count <= _ALL_FIVE:
            found += self._listed(SIMPLE_VALUES[:5])
        elif self.count <= _ALL_THREE:
            found += self._listed(SIMPLE_VALUES[:3])
        elif self.count <= _ALL_TWO:
            found += self._listed(SIMPLE_VALUES[:2])
        found += [self._random_small(rng) for _ in range(most)]
        distinct = list({key_of(p): p for p in found}.values())
        if len(distinct) > most:  # keeps patterns and simple ones, and an even choice of the others
            head, tail = distinct[: most // 2], sorted(distinct[most // 2 :], key=inputs_cost)
            rest = most - len(head)
            distinct = head + [tail[i * len(tail) // rest] for i in range(rest)]
        return sorted(distinct, key=inputs_cost)

    def _patterns(self) -> Iterator[Inputs]:
        """Yields the patterns in all arguments at once, then in each argument alone.

        In the latter case the other arguments have small numbers.
        """
        for pattern in PATTERNS:
            yield self.fill(lambda a, i, k, p=pattern: p(i, self._shapes[a.name]))  # type: ignore[misc]
        if len(self.signature.inputs) < 2:
            return
        for chosen in self.signature.inputs:
            for pattern in PATTERNS:
                yield self.fill(
                    lambda a, i, k, p=pattern, c=chosen: (  # type: ignore[misc]
                        p(i, self._shapes[a.name]) if a is c else (1, 2, -1)[k % 3]
                    )
                )

    def _random_small(self, rng: random.Random) -> Inputs:
        values = rng.choice(((0, 1), (0, 0, 1, -1), (1, -1), (0, 1, 2), (-2, -1, 0, 1, 2), (1, 2)))
        return self.fill(lambda a, i, k: rng.choice(values))

    # ---------------------------------------------------------------------------- wide points
    def _drawn(self, rng: random.Random, number: Callable[[], int | Fraction]) -> Inputs:
        """Returns a point with drawn numbers, and masks that hold at about half of the places."""
        return self.fill(lambda a, i, k: rng.randrange(2) if a.kind == "bool" else number())

    def generic(self, rng: random.Random) -> Inputs:
        """Returns nonzero integers without structure, at which most violations appear."""
        return self._drawn(rng, lambda: rng.choice((1, -1)) * rng.randint(1, 9))

    def fractional(self, rng: random.Random) -> Inputs:
        """Returns odd multiples of 1/4 without structure."""
        return self._drawn(
            rng, lambda: rng.choice((1, -1)) * Fraction(2 * rng.randint(0, 8) + 1, 4)
        )

    def untied(self, rng: random.Random) -> Inputs:
        """Returns odd multiples of 2^-16, whose sums and distances hardly ever coincide."""
        return self._drawn(rng, lambda: Fraction(2 * rng.randint(-(1 << 18), 1 << 18) + 1, 1 << 16))

    def positive(self, rng: random.Random) -> Inputs:
        """Returns positive integers without structure."""
        return self._drawn(rng, lambda: rng.randint(1, 9))

    def seeded(self, rng: random.Random) -> Iterator[Inputs]:
        """Yields points of large and tiny magnitude, and points near the constants of the function.

        Some have entries equal to such constants.
        """
        for unit in self._tolerances:
            for most in _SPREADS:
                yield self.fill(lambda a, i, k, u=unit, m=most: u * Fraction(rng.randint(-m, m), 2))  # type: ignore[misc]
        base = self.generic(rng)
        for mark in self._marks:
            for scale in (mark, mark + 1, mark / 8):
                yield self._moved(scaled_point(base, scale))
            values = (mark, -mark, _ONE, mark + 1, Fraction(0))
            yield self.fill(lambda a, i, k, v=values: rng.choice(v))  # type: ignore[misc]
            yield self.fill(lambda a, i, k, m=mark: m if k == 0 else 0)  # type: ignore[misc]
        for scale in _MAGNITUDES:
            yield self._moved(scaled_point(base, scale))

    def random(self, rng: random.Random) -> Inputs:
        """Returns a random point: sparse, tied, fractional, or of mixed magnitude."""
        kind = rng.randrange(6)
        if kind == 0:
            return self._random_small(rng)
        if kind == 1:
            return self.fill(lambda a, i, k: Fraction(rng.randint(-80, 80), 8))
        if kind == 2:
            pool = [Fraction(rng.randint(-9, 9), rng.choice((1, 2, 4))) for _ in range(2)]
            return self.fill(lambda a, i, k: rng.choice(pool))
        if kind == 3:
            size = Fraction(2) ** rng.randint(-12, 12)
            return self.fill(lambda a, i, k: size * rng.randint(-9, 9))
        if kind == 4:
            return self.fill(
                lambda a, i, k: Fraction(2) ** rng.randint(-8, 8) * rng.choice((-1, 0, 1, 3))
            )
        if self._marks:
            pool = [*self._marks, _ONE]
        else:
            pool = [_ONE, Fraction(3)]
        return self.fill(lambda a, i, k: rng.choice(pool) * rng.choice((-1, 0, 1, Fraction(1, 2))))


def scaled_point(inputs: Inputs, factor: Fraction) -> Inputs:
    """Returns the point with all real entries multiplied by a factor."""

    def scaled_entry(value: Any) -> Any:
        if isinstance(value, Fraction):
            return value * factor
        return value

    return {n: map_entries(scaled_entry, a) for n, a in inputs.items()}


# ------------------------------------------------------------------------------------ patterns
Pattern = Callable[[tuple[int, ...], tuple[int, ...]], int | Fraction]


def _flat(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    position = 0
    for i, n in zip(index, shape, strict=True):
        position = position * n + i
    return position


def _last(index: tuple[int, ...]) -> int:
    if index:
        return index[-1]
    return 0


def _first(index: tuple[int, ...]) -> int:
    if index:
        return index[0]
    return 0


_CYCLE = (1, 2, 0, -1, -2)

#: Functions from an index and a shape to an entry.
PATTERNS: tuple[Pattern, ...] = (
    lambda i, s: 0,
    lambda i, s: 1,
    lambda i, s: -1,
    lambda i, s: int(_flat(i, s) == 0),  # one entry
    lambda i, s: -int(_flat(i, s) == 0),
    lambda i, s: int(_flat(i, s) == prod(s) - 1),
    lambda i, s: int(len(set(i)) <= 1),  # identity matrix
    lambda i, s: int(_first(i) == 0),  # first row
    lambda i, s: int(_last(i) == 0),  # first column
    lambda i, s: int(_last(i) == _first(i) % prod(s[-1:])),  # one-hot rows
    lambda i, s: int(_first(i) == _last(i) % prod(s[:1])),  # one-hot columns
    lambda i, s: _CYCLE[_first(i) % 5],  # equal columns, different rows
    lambda i, s: _CYCLE[_last(i) % 5],  # equal rows, different columns
    lambda i, s: (1, 2)[_first(i) % 2] * (1, -1)[_last(i) % 2],  # collinear
    lambda i, s: (1, 1, 2)[_last(i) % 3] * (1, 0)[_first(i) % 2],  # ties, a zero row
    lambda i, s: (0, 1, -1)[_last(i) % 3] * (1, 2)[_first(i) % 2],  # a zero column
    lambda i, s: (1, -1)[_flat(i, s) % 2],
    lambda i, s: _CYCLE[_flat(i, s) % 5],
    lambda i, s: (2, 1, 0)[_flat(i, s) % 3],
    lambda i, s: Fraction(1, 2),
    lambda i, s: Fraction(int(_flat(i, s) == 0), 2),
    lambda i, s: Fraction((1, -1, 3)[_flat(i, s) % 3], 2),
    lambda i, s: int(_flat(i, s) % 3 == 0) - int(_flat(i, s) % 3 == 1),
)
