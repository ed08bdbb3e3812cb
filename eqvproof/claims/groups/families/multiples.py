"""Scale: multiplication by a positive number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind


def _why_not(data: Any, size: int) -> str:
    good = len(data) == 1 and isinstance(data[0], Fraction) and data[0] > 0
    if good:
        return ""
    return "expected one positive Fraction"


def _simple(size: int) -> Iterator[tuple[Fraction]]:
    return ((c,) for c in (Fraction(2), Fraction(1, 2), Fraction(3), Fraction(1, 3), Fraction(10)))


def _sample(size: int, rng: random.Random) -> tuple[Fraction]:
    return (Fraction(rng.randint(1, 9), rng.randint(1, 9)),)


MULTIPLES = Kind(
    name="scale", identity=lambda n: (Fraction(1),), compose=lambda g, h: (g[0] * h[0],),
    inverse=lambda g: (1 / g[0],), matrix=lambda g: (), write=lambda g: {"factor": str(g[0])},
    words=lambda g, axis: f"multiply by {g[0]}", variable="c", size=lambda g: 0,
    multiple=lambda g: g[0], shown=lambda g: g[0],
)  # fmt: skip
Scale = Family(
    letter="Scale",
    meaning="positive multiples",
    element="a positive number",
    symbol="c",
    elements=MULTIPLES,
    default_axis="d",
    why_not=_why_not,
    simple=_simple,
    sample=_sample,
    rocq="Scale",
)
