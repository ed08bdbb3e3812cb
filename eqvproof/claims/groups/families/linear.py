"""GL and SL: invertible matrices, and those of determinant 1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.kinds import Matrices
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal_matrix,
    index_pairs,
    matrix_text,
    permutation_matrix,
    plane_rotation,
    product_of,
    to_flint,
    unit,
    why_not_square,
)
from eqvproof.claims.groups.permutation import cycle, list_places

NOT_ONE = "the determinant is not 1"


def _shear(size: int, to: int, source: int) -> Matrix:
    """Returns the matrix that adds one coordinate to another."""
    return tuple(
        tuple(v + int((a, b) == (to, source)) for b, v in enumerate(row))
        for a, row in enumerate(unit(size))
    )


def _shears(size: int) -> Iterator[Matrix]:
    return (_shear(size, *way) for i, j in index_pairs(size) for way in ((i, j), (j, i)))


def _with_entry(size: int, place: int, value: Fraction | int) -> Matrix:
    """Returns the identity matrix with another entry at one place of the diagonal."""
    return diagonal_matrix([*[1] * place, value, *[1] * (size - place - 1)])


class LinearMatrices(Matrices):
    """Invertible matrices, which act on dual axes by their inverse transposes."""

    rotates = False
    has_dual = True
    verb = "mixes"
    variable = "g"

    def describe(self, data: Matrix, axis: str | int) -> str:
        size = len(data)
        off = [(i, j) for i in range(size) for j in range(size) if i != j and data[i][j] != 0]
        scaled = [i for i in range(size) if data[i][i] != 1]
        if not off and len({data[i][i] for i in scaled}) == 1:
            some = f"coordinate{'s' * (len(scaled) > 1)} {list_places(scaled)}"
            if len(scaled) == size > 1:
                some = "every vector"
            return f"multiply {some} by {data[scaled[0]][scaled[0]]}"
        if len(off) == 1 and not scaled and data[off[0][0]][off[0][1]] == 1:
            return f"add coordinate {off[0][1]} to coordinate {off[0][0]}"
        if size > MOST_SHOWN:
            return f"apply an invertible {size} x {size} matrix"
        return f"apply the matrix {matrix_text(data)}"


class GeneralLinear(LieFamily):
    """GL: all invertible matrices."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_square(data):
            return reason
        if to_flint(data).det() == 0:
            return "the matrix is singular"
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields scalings of one coordinate, shears, swaps, multiples of 1, and a few others."""
        for i in range(size):
            yield _with_entry(size, i, 2)
        yield from _shears(size)
        for i in range(size):
            yield _with_entry(size, i, -1)
        yield from (permutation_matrix(cycle(size, pair)) for pair in index_pairs(size))
        yield from (diagonal_matrix((factor,) * size) for factor in (2, -1, 3))
        yield diagonal_matrix(range(2, size + 2))
        yield tuple(tuple(Fraction(int(b >= a)) for b in range(size)) for a in range(size))

    def sample(self, size: int, rng: random.Random) -> Matrix:
        while True:
            found = tuple(
                tuple(Fraction(rng.randint(-3, 3), rng.choice((1, 1, 1, 2))) for _ in range(size))
                for _ in range(size)
            )
            if to_flint(found).det() != 0:
                return found

    def lie(self, size: int) -> list[list[list[int]]]:
        """Returns the matrices E[i, j] with i, j equal or neighbours; these generate gl(size)."""
        return [
            [[int((a, b) == (i, j)) for b in range(size)] for a in range(size)]
            for i in range(size)
            for j in range(max(0, i - 1), min(size, i + 2))
        ]

    def components(self, size: int) -> list[Matrix]:
        return [_with_entry(size, 0, -1)]


class SpecialLinear(GeneralLinear):
    """SL: matrices of determinant 1."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := GeneralLinear.why_not(self, data, size):
            return reason
        if to_flint(data).det() != 1:
            return NOT_ONE
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields shears, squeezes of two coordinates, quarter turns, products of two shears."""
        yield from _shears(size)
        for i, j in index_pairs(size):
            squeeze: dict[int, Fraction] = {i: Fraction(2), j: Fraction(1, 2)}
            yield diagonal_matrix([squeeze.get(k, Fraction(1)) for k in range(size)])
            yield plane_rotation(size, i, j, Fraction(0), Fraction(1))
            yield product_of(_shear(size, i, j), _shear(size, j, i))

    def sample(self, size: int, rng: random.Random) -> Matrix:
        first, *rest = GeneralLinear.sample(self, size, rng)
        det = to_flint((first, *rest)).det()
        return (tuple(v / Fraction(int(det.p), int(det.q)) for v in first), *rest)

    def lie(self, size: int) -> list[list[list[int]]]:
        everything = GeneralLinear.lie(self, size)
        return [a for a in everything if not any(a[k][k] for k in range(size))]

    def components(self, size: int) -> list[Matrix]:
        return []


LINEAR = LinearMatrices()
GL = GeneralLinear(
    letter="GL",
    names=("L",),
    meaning="invertible matrices",
    element="an invertible matrix",
    symbol="G",
    kind=LINEAR,
    default_axis="d",
    rocq="GL",
)
SL = SpecialLinear(
    letter="SL",
    meaning="matrices of determinant 1",
    element="a matrix of determinant 1",
    symbol="G",
    kind=LINEAR,
    default_axis="d",
    trivial_below=2,
    special=True,
    inside=(GL,),
    rocq="SL",
)
