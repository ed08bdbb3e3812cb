"""GL and SL: invertible matrices, and those of determinant 1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import matrices
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal,
    in_rows,
    of_permutation,
    pairs,
    plane_rotation,
    product_of,
    to_flint,
    unit,
    why_not_square,
)
from eqvproof.claims.groups.permutation import cycle, numbered

NOT_ONE = "the determinant is not 1"


def why_not(data: Any, size: int) -> str:
    """Says why the data are no invertible matrix; empty if they are one."""
    return why_not_square(data) or ("" if to_flint(data).det() != 0 else "the matrix is singular")


def _shear(size: int, to: int, source: int) -> Matrix:
    """Returns the matrix that adds one coordinate to another."""
    return tuple(
        tuple(v + int((a, b) == (to, source)) for b, v in enumerate(row))
        for a, row in enumerate(unit(size))
    )


def _shears(size: int) -> Iterator[Matrix]:
    return (_shear(size, *way) for i, j in pairs(size) for way in ((i, j), (j, i)))


def _simple(size: int) -> Iterator[Matrix]:
    """Yields scalings of one coordinate, shears, swaps, multiples of 1, and a few others."""
    for i in range(size):
        yield diagonal([2 if j == i else 1 for j in range(size)])
    yield from _shears(size)
    for i in range(size):
        yield diagonal([-1 if j == i else 1 for j in range(size)])
    yield from (of_permutation(cycle(size, pair)) for pair in pairs(size))
    yield from (diagonal((factor,) * size) for factor in (2, -1, 3))
    yield diagonal(range(2, size + 2))
    yield tuple(tuple(Fraction(int(b >= a)) for b in range(size)) for a in range(size))


def _sample(size: int, rng: random.Random) -> Matrix:
    while True:
        found = tuple(
            tuple(Fraction(rng.randint(-3, 3), rng.choice((1, 1, 1, 2))) for _ in range(size))
            for _ in range(size)
        )
        if to_flint(found).det() != 0:
            return found


def _simple_special(size: int) -> Iterator[Matrix]:
    """Yields shears, squeezes of two coordinates, quarter turns, and products of two shears."""
    yield from _shears(size)
    for i, j in pairs(size):
        yield diagonal([2 if k == i else Fraction(1, 2) if k == j else 1 for k in range(size)])
        yield plane_rotation(size, i, j, Fraction(0), Fraction(1))
        yield product_of(_shear(size, i, j), _shear(size, j, i))


def _sample_special(size: int, rng: random.Random) -> Matrix:
    first, *rest = _sample(size, rng)
    det = to_flint((first, *rest)).det()
    return (tuple(v / Fraction(int(det.p), int(det.q)) for v in first), *rest)


def _lie(size: int) -> list[list[list[int]]]:
    """Returns the matrices E[i, j] with i, j equal or neighbours; these generate gl(size)."""
    return [
        [[int((a, b) == (i, j)) for b in range(size)] for a in range(size)]
        for i in range(size)
        for j in range(max(0, i - 1), min(size, i + 2))
    ]


def _words(g: Matrix, axis: str | int) -> str:
    size = len(g)
    off = [(i, j) for i in range(size) for j in range(size) if i != j and g[i][j] != 0]
    scaled = [i for i in range(size) if g[i][i] != 1]
    if not off and len({g[i][i] for i in scaled}) == 1:
        some = f"coordinate{'s' * (len(scaled) > 1)} {numbered(scaled)}"
        return f"multiply {'every vector' if len(scaled) == size > 1 else some} by {g[scaled[0]][scaled[0]]}"
    if len(off) == 1 and not scaled and g[off[0][0]][off[0][1]] == 1:
        return f"add coordinate {off[0][1] + 1} to coordinate {off[0][0] + 1}"
    if size > MOST_SHOWN:
        return f"apply an invertible {size} x {size} matrix"
    return f"apply the matrix {in_rows(g)}"


GL = Family(
    letter="GL",
    names=("L",),
    meaning="invertible matrices",
    element="an invertible matrix",
    symbol="G",
    elements=matrices("lin", _words, "g", has_dual=True),
    default_axis="d",
    why_not=why_not,
    simple=_simple,
    sample=_sample,
    lie=_lie,
    components=lambda size: [diagonal([-1, *[1] * (size - 1)])],
    rocq="GL",
)
SL = Family(
    letter="SL",
    meaning="matrices of determinant 1",
    element="a matrix of determinant 1",
    symbol="G",
    elements=GL.elements,
    default_axis="d",
    why_not=lambda data, size: (
        why_not(data, size) or ("" if to_flint(data).det() == 1 else NOT_ONE)
    ),
    simple=_simple_special,
    sample=_sample_special,
    trivial_below=2,
    special=True,
    inside=(GL,),
    lie=lambda size: [a for a in _lie(size) if not any(a[k][k] for k in range(size))],
    components=lambda size: [],
    rocq="SL",
)
