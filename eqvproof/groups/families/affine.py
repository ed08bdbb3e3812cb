"""T, E, SE: translations of points, and rotations with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from eqvproof.groups.families import orthogonal
from eqvproof.groups.family import Family
from eqvproof.groups.matrices import Matrix, Vector, unit


def _why_not_vector(data: Any, size: int) -> str:
    return "expected Fractions" if any(type(v) is not Fraction for v in data) else ""


def _why_not_motion(data: Any, size: int, *, special: bool) -> str:
    if len(data) != 2 or not all(isinstance(part, tuple) for part in data):
        return "expected a matrix and a vector"
    reason = orthogonal.why_not(data[0], len(data[0]), special=special)
    if not reason and len(data[1]) != len(data[0]):
        reason = "the matrix and the vector have different sizes"
    return reason or _why_not_vector(data[1], size)


def _vectors(size: int) -> Iterator[Vector]:
    """Unit vectors, all ones, their negatives, longer and fractional ones."""
    units = unit(size)
    yield from units
    yield (Fraction(1),) * size
    for length in (Fraction(-1), Fraction(2), Fraction(1, 2), Fraction(100)):
        yield from (tuple(length * x for x in u) for u in units)
    yield tuple(Fraction(i + 1) for i in range(size))


def _simple(size: int, *, special: bool) -> Iterator[tuple[Matrix, Vector]]:
    """Pure translations and pure rotations in turn, then both at once."""
    still = (Fraction(0),) * size
    shifts, turns = list(_vectors(size)), list(islice(orthogonal.simple(size, special=special), 40))
    for k in range(max(len(shifts), len(turns))):
        if k < len(shifts):
            yield unit(size), shifts[k]
        if k < len(turns):
            yield turns[k], still
    for turn in turns[:6]:
        yield turn, shifts[0]


def _sample_vector(size: int, rng: random.Random) -> Vector:
    return tuple(Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(size))


def _sample(size: int, rng: random.Random, *, special: bool) -> tuple[Matrix, Vector]:
    vector = _sample_vector(size, rng)
    return orthogonal.sample(size, rng, special=special), vector


T = Family(
    letter="T", meaning="translations", element="a vector", symbol="t", kind="shift", default_axis="d",
    why_not=_why_not_vector, simple=_vectors, sample=_sample_vector,
)  # fmt: skip
E = Family(
    letter="E", meaning="rigid motions", element="a rigid motion", symbol="g", kind="rigid", default_axis="d",
    why_not=lambda data, size: _why_not_motion(data, size, special=False),
    simple=lambda size: _simple(size, special=False),
    sample=lambda size, rng: _sample(size, rng, special=False), parts=("T", "O"),
)  # fmt: skip
SE = Family(
    letter="SE", meaning="proper rigid motions", element="a proper rigid motion", symbol="g", kind="rigid",
    default_axis="d", why_not=lambda data, size: _why_not_motion(data, size, special=True),
    simple=lambda size: _simple(size, special=True),
    sample=lambda size, rng: _sample(size, rng, special=True), parts=("T", "SO"),
)  # fmt: skip
