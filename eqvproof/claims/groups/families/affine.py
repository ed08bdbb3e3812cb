"""T, E, SE: translations of points, and rotations with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from eqvproof.claims.groups.families import orthogonal
from eqvproof.claims.groups.families.orthogonal import SO, O
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind, objects, write_rows, zeros
from eqvproof.claims.groups.matrices import Matrix, Vector, along, product_of, times, unit


def _why_not_vector(data: Any, size: int) -> str:
    if any(type(v) is not Fraction for v in data):
        return "expected Fractions"
    return ""


def _why_not_motion(data: Any, size: int, *, special: bool) -> str:
    if len(data) != 2 or not all(isinstance(part, tuple) for part in data):
        return "expected a matrix and a vector"
    reason = orthogonal.why_not(data[0], len(data[0]), special=special)
    if not reason and len(data[1]) != len(data[0]):
        reason = "the matrix and the vector have different sizes"
    return reason or _why_not_vector(data[1], size)


def _vectors(size: int) -> Iterator[Vector]:
    """Yields unit vectors, all ones, their negatives, longer and fractional ones."""
    units = unit(size)
    yield from units
    yield (Fraction(1),) * size
    for length in (Fraction(-1), Fraction(2), Fraction(1, 2), Fraction(100)):
        yield from (tuple(length * x for x in u) for u in units)
    yield tuple(Fraction(i + 1) for i in range(size))


def _simple(size: int, *, special: bool) -> Iterator[tuple[Matrix, Vector]]:
    """Yields pure translations and pure rotations in turn, then both at once."""
    shifts, turns = list(_vectors(size)), list(islice(orthogonal.simple(size, special=special), 40))
    for k in range(max(len(shifts), len(turns))):
        if k < len(shifts):
            yield unit(size), shifts[k]
        if k < len(turns):
            yield turns[k], zeros(size)
    for turn in turns[:6]:
        yield turn, shifts[0]


def _sample_vector(size: int, rng: random.Random) -> Vector:
    return tuple(Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(size))


def _sample(size: int, rng: random.Random, *, special: bool) -> tuple[Matrix, Vector]:
    vector = _sample_vector(size, rng)
    return orthogonal.sample(size, rng, special=special), vector


def _translate(vector: Vector) -> str:
    return "translate by (" + ", ".join(map(str, vector)) + ")"


def _motion_words(g: tuple[Matrix, Vector], axis: str | int) -> str:
    if g[0] != unit(len(g[0])):
        turned = [orthogonal.words(g[0], axis)]
    else:
        turned = []
    return ", then ".join([*turned, *([_translate(g[1])] if any(g[1]) else [])])


def _telling(size: int) -> tuple[Matrix, Vector] | None:
    turn = orthogonal.telling(size)
    if turn is None:
        return None
    return (turn, zeros(size))


def _inverse_motion(g: tuple[Matrix, Vector]) -> tuple[Matrix, Vector]:
    rows = tuple(zip(*g[0], strict=True))
    return rows, tuple(-v for v in times(rows, g[1]))


def _sum(v: Vector, w: Vector) -> Vector:
    return tuple(a + b for a, b in zip(v, w, strict=True))


VECTORS = Kind(
    name="shift", identity=zeros, compose=_sum, inverse=lambda g: tuple(-v for v in g),
    matrix=lambda g: unit(len(g)), write=lambda g: {"vector": [str(v) for v in g]},
    words=lambda g, axis: _translate(g), variable="t", vector=lambda g: g,
)  # fmt: skip
MOTIONS = Kind(
    name="rigid",
    identity=lambda n: (unit(n), zeros(n)),
    compose=lambda g, h: (product_of(g[0], h[0]), _sum(times(g[0], h[1]), g[1])),
    inverse=_inverse_motion,
    matrix=lambda g: g[0],
    write=lambda g: {"matrix": write_rows(g[0]), "vector": [str(v) for v in g[1]]},
    words=_motion_words,
    variable="q",
    size=lambda g: len(g[1]),
    along=lambda g, array: along(g[0], array),
    vector=lambda g: g[1],
    takes="a matrix Q",
    shown=lambda g: (objects(g[0]), g[1]),
)
T = Family(
    letter="T",
    meaning="translations",
    element="a vector",
    symbol="t",
    elements=VECTORS,
    default_axis="d",
    why_not=_why_not_vector,
    simple=_vectors,
    sample=_sample_vector,
    rocq="T",
)
E = Family(
    letter="E",
    names=("Affine", "ISO"),
    meaning="rigid motions",
    element="a rigid motion",
    symbol="g",
    elements=MOTIONS,
    default_axis="d",
    why_not=lambda data, size: _why_not_motion(data, size, special=False),
    simple=lambda size: _simple(size, special=False),
    telling=_telling,
    sample=lambda size, rng: _sample(size, rng, special=False),
    parts=(T, O),
    irreps=True,
)
SE = Family(
    letter="SE",
    meaning="proper rigid motions",
    element="a proper rigid motion",
    symbol="g",
    elements=MOTIONS,
    default_axis="d",
    why_not=lambda data, size: _why_not_motion(data, size, special=True),
    simple=lambda size: _simple(size, special=True),
    telling=_telling,
    sample=lambda size, rng: _sample(size, rng, special=True),
    parts=(T, SO),
    special=True,
    irreps=True,
    inside=(E,),
)
