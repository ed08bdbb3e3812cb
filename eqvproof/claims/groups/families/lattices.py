"""Z: translations by whole numbers, as of points in fractional coordinates of a periodic cell."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from eqvproof.claims.groups.families.affine import TRANSLATIONS, T
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.matrices import Vector, unit


class WholeTranslations(Family):
    """Z: all translations by vectors of integers."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := T.why_not(data, size):
            return reason
        if all(v.denominator == 1 for v in data):
            return ""
        return "translations by whole numbers alone"

    def simple(self, size: int) -> Iterator[Vector]:
        """Yields unit vectors, all ones, negative unit vectors, and multiples of unit vectors."""
        units = unit(size)
        yield from units
        yield (Fraction(1),) * size
        for length, u in product((-1, 2, 3), units):
            yield tuple(length * x for x in u)

    def sample(self, size: int, rng: random.Random) -> Vector:
        return tuple(Fraction(rng.randint(-4, 4)) for _ in range(size))


Z = WholeTranslations(
    letter="Z",
    meaning="translations by whole numbers",
    element="a vector of integers",
    symbol="m",
    kind=TRANSLATIONS,
    default_axis="d",
    integral=True,
    inside=(T,),
    rocq="T",
)
