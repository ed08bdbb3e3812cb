"""Scale: multiplication by a positive number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Array, Kind
from eqvproof.claims.groups.matrices import Matrix

Multiple = tuple[Fraction]


class PositiveMultiples(Kind):
    """Positive numbers, as tuples of one Fraction; they multiply whole values."""

    permutes = False
    flips_signs = False
    rotates = False
    has_dual = False
    translates = False
    multiplies = True
    moves_directions = True
    rounds = True
    verb = "multiplies"
    variable = "c"
    takes = ""

    def identity(self, size: int) -> Multiple:
        return (Fraction(1),)

    def compose(self, g: Multiple, h: Multiple) -> Multiple:
        return (g[0] * h[0],)

    def inverse(self, data: Multiple) -> Multiple:
        return (1 / data[0],)

    def matrix(self, data: Multiple) -> Matrix:
        return ()

    def to_json(self, data: Multiple) -> dict[str, object]:
        return {"factor": str(data[0])}

    def describe(self, data: Multiple, axis: str | int) -> str:
        return f"multiply by {data[0]}"

    def apply(self, data: Multiple, array: Array) -> Array:
        return array

    def size(self, data: Multiple) -> int:
        return 0

    def multiple(self, data: Multiple) -> Fraction:
        return data[0]

    def shown(self, data: Multiple) -> Fraction:
        return data[0]


class Scalings(Family):
    """Scale: all positive multiples."""

    def why_not(self, data: Any, size: int) -> str:
        if len(data) == 1 and isinstance(data[0], Fraction) and data[0] > 0:
            return ""
        return "expected one positive Fraction"

    def simple(self, size: int) -> Iterator[Multiple]:
        return (
            (c,) for c in (Fraction(2), Fraction(1, 2), Fraction(3), Fraction(1, 3), Fraction(10))
        )

    def sample(self, size: int, rng: random.Random) -> Multiple:
        return (Fraction(rng.randint(1, 9), rng.randint(1, 9)),)


Scale = Scalings(
    letter="Scale",
    meaning="positive multiples",
    element="a positive number",
    symbol="c",
    kind=PositiveMultiples(),
    default_axis="d",
    rocq="Scale",
)
