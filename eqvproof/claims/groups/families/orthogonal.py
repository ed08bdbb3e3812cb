"""O and SO: orthogonal matrices, and those of determinant 1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice, pairwise
from math import gcd, lcm
from typing import Any

from eqvproof.claims.groups.families.linear import GL
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.kinds import Matrices
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal_matrix,
    from_flint,
    householder_matrix,
    index_pairs,
    matrix_text,
    permutation_matrix,
    plane_rotation,
    product_of,
    small_vectors,
    to_flint,
    unit,
    why_not_square,
)
from eqvproof.claims.groups.permutation import cycle, cycles_of, cycles_text, list_places

_PRODUCTS = 24
_PYTHAGORAS = [
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(4, 5), Fraction(3, 5)),
    (Fraction(-3, 5), Fraction(4, 5)),
    (Fraction(5, 13), Fraction(12, 13)),
]


def flip(size: int, *places: int) -> Matrix:
    """Returns the matrix that turns some coordinates into their negatives."""
    return diagonal_matrix([1 - 2 * (i in places) for i in range(size)])


class OrthogonalMatrices(Matrices):
    """Orthogonal matrices."""

    rotates = True
    has_dual = False
    verb = "rotates"
    variable = "q"

    def describe(self, data: Matrix, axis: str | int) -> str:
        size = len(data)
        if all(data[i][j] == 0 for i in range(size) for j in range(size) if i != j):
            places = [i for i in range(size) if data[i][i] == -1]
            if len(places) == size > 1:
                return "turn every vector into its negative"
            return f"reflect coordinate{'s' if len(places) > 1 else ''} {list_places(places)}"
        changed = [
            i for i, (row, plain) in enumerate(zip(data, unit(size), strict=True)) if row != plain
        ]
        if len(changed) == 2:
            return _describe_in_plane(data, *changed)
        if u := _reflected_vector(data):
            return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
        if all(v in (0, 1) for row in data for v in row):
            return "move coordinates " + cycles_text(
                cycles_of([row.index(Fraction(1)) for row in data])
            )
        if size > MOST_SHOWN:
            return f"apply an orthogonal {size} x {size} matrix"
        return f"apply the orthogonal matrix {matrix_text(data)}"


def _describe_in_plane(q: Matrix, i: int, j: int) -> str:
    """Describes an orthogonal matrix that changes two coordinates only."""
    cosine, sine = q[i][i], q[j][i]
    if q[i][j] == sine:
        if sine == 1:
            return f"swap coordinates {list_places((i, j))}"
        u = _reflected_vector(q) or ()
        return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
    if cosine == 0:
        return f"quarter turn in the plane {i}-{j}" + " backwards" * (sine == -1)
    return f"rotate the plane {i}-{j} by the angle with cosine {cosine} and sine {sine}"


def _reflected_vector(q: Matrix) -> tuple[int, ...] | None:
    """Returns the primitive integer vector u with ``q = I - 2 u u^T / |u|^2``, or None."""
    size = len(q)
    for j in range(size):
        column = [Fraction(int(i == j)) - q[i][j] for i in range(size)]
        if any(column):
            scale = lcm(*(v.denominator for v in column))
            whole = [int(v * scale) for v in column]
            divisor = gcd(*whole)
            if next(v for v in whole if v) < 0:
                divisor = -divisor
            u = tuple(v // divisor for v in whole)
            if householder_matrix(u) == q:
                return u
            return None
    return None


class Orthogonal(LieFamily):
    """O, and SO where it is special."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_square(data):
            return reason
        matrix = to_flint(data)
        if matrix.transpose() * matrix != to_flint(unit(size)):
            return "Q^T Q is not the identity"
        if self.special and matrix.det() != 1:
            return "the determinant is -1"
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields simple orthogonal matrices, simplest first.

        These are reflections, swaps, quarter turns, -1, the 3-4-5 rotation, Householder
        reflections, and products of reflections; if special, those of determinant 1.
        """
        both = index_pairs(size)
        if not self.special:
            yield from (flip(size, i) for i in range(size))
            yield from (permutation_matrix(cycle(size, pair)) for pair in both)
        for i, j in both:
            yield plane_rotation(size, i, j, Fraction(0), Fraction(1))
        yield from (flip(size, *pair) for pair in both)
        if not self.special or size % 2 == 0:
            yield diagonal_matrix((-1,) * size)
        for triple in combinations(range(min(size, 5)), 3):
            yield permutation_matrix(cycle(size, triple))
        for i, j in both:
            yield plane_rotation(size, i, j, *_PYTHAGORAS[0])
        for i, j in both:
            yield plane_rotation(size, i, j, Fraction(0), Fraction(-1))
            yield plane_rotation(size, i, j, Fraction(3, 5), Fraction(-4, 5))
        if not self.special:
            yield from map(householder_matrix, small_vectors(size))
        for i, j in both:
            for cosine, sine in _PYTHAGORAS[1:]:
                yield plane_rotation(size, i, j, cosine, sine)
        reflections = list(map(householder_matrix, islice(small_vectors(size), _PRODUCTS)))
        first = flip(size, 0)
        yield from (product_of(first, r) for r in reflections)
        for r, s in pairwise(reflections):
            yield product_of(r, s)
            if not self.special:
                yield product_of(first, product_of(r, s))

    def revealing_element(self, size: int) -> Matrix | None:
        """Returns the rotation of the first plane by the angle with cosine 3/5 and sine 4/5."""
        if size > 1:
            return plane_rotation(size, 0, 1, *_PYTHAGORAS[0])
        return None

    def sample(self, size: int, rng: random.Random) -> Matrix:
        """Draws ``D (I - A)^-1 (I + A)``, A skew of small rationals, D signs (of determinant 1).

        Every orthogonal matrix is such a product over the reals. **Cost**: one rational inverse;
        entries have some size^2 digits.
        """
        skew = [[Fraction(0)] * size for _ in range(size)]
        for i in range(size):
            for j in range(i):
                skew[i][j] = Fraction(rng.randint(-4, 4), rng.randint(1, 3))
                skew[j][i] = -skew[i][j]
        signs = [rng.choice((1, -1)) for _ in range(size)]
        if self.special and signs.count(-1) % 2:
            signs[0] = -signs[0]
        a, one = to_flint(tuple(map(tuple, skew))), to_flint(unit(size))
        rows = from_flint((one - a).inv() * (one + a))
        return tuple(tuple(s * v for v in row) for s, row in zip(signs, rows, strict=True))

    def lie(self, size: int) -> list[list[list[int]]]:
        """Returns the skew matrices E[k, k+1] - E[k+1, k]; these generate so(size)."""
        return [
            [
                [int(i == k and j == k + 1) - int(i == k + 1 and j == k) for j in range(size)]
                for i in range(size)
            ]
            for k in range(size - 1)
        ]

    def components(self, size: int) -> list[Matrix]:
        if self.special:
            return []
        return [flip(size, 0)]


ORTHOGONAL = OrthogonalMatrices()
O = Orthogonal(  # noqa: E741
    letter="O",
    names=("Orthogonal",),
    meaning="orthogonal matrices",
    element="an orthogonal matrix",
    symbol="Q",
    kind=ORTHOGONAL,
    default_axis="d",
    mirrors=1,
    irreps=True,
    inside=(GL,),
    rocq="O",
)
SO = Orthogonal(
    letter="SO",
    names=("Rot", "Rotations"),
    meaning="rotations",
    element="a rotation matrix",
    symbol="R",
    kind=ORTHOGONAL,
    default_axis="d",
    mirrors=2,
    trivial_below=2,
    special=True,
    irreps=True,
    inside=(O,),
    rocq="SO",
)
