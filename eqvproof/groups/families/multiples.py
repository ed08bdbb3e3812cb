"""Scale: multiplication by a positive number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.groups.family import Family


def _why_not(data: Any, size: int) -> str:
    good = len(data) == 1 and isinstance(data[0], Fraction) and data[0] > 0
    return "" if good else "expected one positive Fraction"


def _simple(size: int) -> Iterator[tuple[Fraction]]:
    return ((c,) for c in (Fraction(2), Fraction(1, 2), Fraction(3), Fraction(1, 3), Fraction(10)))


def _sample(size: int, rng: random.Random) -> tuple[Fraction]:
    return (Fraction(rng.randint(1, 9), rng.randint(1, 9)),)


Scale = Family(
    letter="Scale", meaning="positive multiples", element="a positive number", symbol="c", kind="scale",
    default_axis="d", why_not=_why_not, simple=_simple, sample=_sample,
)  # fmt: skip
