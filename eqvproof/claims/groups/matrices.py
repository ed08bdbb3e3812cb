"""Rational matrices as rows of Fractions: the ones that group elements are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.support.errors import GroupError

if TYPE_CHECKING:
    import flint

Matrix = tuple[tuple[Fraction, ...], ...]
Vector = tuple[Fraction, ...]
Array = np.ndarray[Any, Any]

_VECTOR_SUPPORT = 4
#: Largest size of a matrix that is written out.
MOST_SHOWN = 4


def to_flint(rows: Matrix) -> flint.fmpq_mat:
    """Converts a matrix of Fractions to a FLINT matrix."""
    import flint

    from eqvproof.numbers.scalar import from_fraction

    return flint.fmpq_mat(len(rows), len(rows[0]), [from_fraction(v) for row in rows for v in row])


def from_flint(matrix: flint.fmpq_mat) -> Matrix:
    """Converts a FLINT matrix to rows of Fractions."""
    from eqvproof.numbers.scalar import to_fraction

    return tuple(tuple(to_fraction(v) for v in row) for row in matrix.tolist())


def product_of(a: Matrix, b: Matrix) -> Matrix:
    """Returns A B."""
    return from_flint(to_flint(a) * to_flint(b))


def inverse_of(a: Matrix) -> Matrix:
    """Returns A^-1."""
    return from_flint(to_flint(a).inv())


def multiply_vector(a: Matrix, vector: Vector) -> Vector:
    """Returns A v."""
    return tuple(sum((q * t for q, t in zip(row, vector, strict=True)), Fraction(0)) for row in a)


def multiply_along(rows: Matrix, array: Array) -> Array:
    """Multiplies x by Q along its first axis; entries that meet a 0 of Q do not count.

    Entries that do not count may be undefined.

    **Exactness**: exact on object arrays and, in Fractions, on integers; floats are rounded.
    """
    if array.dtype.kind in "iub" and any(v.denominator != 1 for row in rows for v in row):
        array = array.astype(object)
    exact = array.dtype == object
    if not exact and np.isfinite(array).all():
        q = np.array([[float(v) for v in row] for row in rows], dtype=array.dtype)
        return np.tensordot(q, array, axes=(1, 0))
    result = array.copy()
    for i, row in enumerate(rows):
        total: Any = None
        for j, value in enumerate(row):
            if value == 0:
                continue
            part = array[j : j + 1]
            if value == -1:
                part = -part
            elif value != 1:
                part = part * (value if exact else float(value))
            if total is None:
                total = part
            else:
                total = total + part
        result[i : i + 1] = total
    return result


def diagonal_matrix(entries: Sequence[int | Fraction]) -> Matrix:
    """Returns the diagonal matrix of these entries."""
    return tuple(
        tuple(Fraction(v if i == j else 0) for j in range(len(entries)))
        for i, v in enumerate(entries)
    )


def unit(size: int) -> Matrix:
    """Returns the identity matrix."""
    return diagonal_matrix((1,) * size)


def permutation_matrix(p: Sequence[int]) -> Matrix:
    """Returns the matrix M with ``(M x)[i] = x[p[i]]``."""
    return tuple(tuple(Fraction(int(j == k)) for j in range(len(p))) for k in p)


def plane_rotation(size: int, i: int, j: int, cosine: Fraction, sine: Fraction) -> Matrix:
    """Returns the rotation of the plane i-j that takes e_i to ``cosine e_i + sine e_j``."""
    rows = [list(row) for row in unit(size)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = cosine, -sine, sine, cosine
    return tuple(tuple(r) for r in rows)


def householder_matrix(u: Sequence[int | Fraction]) -> Matrix:
    """Returns the reflection ``I - 2 u u^T / |u|^2`` in the hyperplane orthogonal to u."""
    norm = sum(Fraction(v) * v for v in u)
    if norm == 0:
        raise GroupError(
            "the zero vector has no orthogonal hyperplane",
            hint="give a vector other than 0",
            given="0",
            expected="a vector with an entry that is not 0",
        )
    return tuple(
        tuple(Fraction(int(i == j)) - 2 * Fraction(a) * b / norm for j, b in enumerate(u))
        for i, a in enumerate(u)
    )


def small_vectors(size: int) -> Iterator[tuple[int, ...]]:
    """Yields primitive integer vectors with two or more nonzero entries, shortest first.

    Of each pair u, -u it yields one.
    """
    found = []
    for support in range(2, min(size, _VECTOR_SUPPORT) + 1):
        if support == 2:
            bound = 3
        elif support == 3:
            bound = 2
        else:
            bound = 1
        values = [v for v in range(-bound, bound + 1) if v]
        for body in product(values, repeat=support):
            if body[0] > 0 and gcd(*body) == 1:
                found.append(body)
    found.sort(key=lambda b: (sum(v * v for v in b), len(b), sum(v < 0 for v in b), b))
    for body in found:
        for places in combinations(range(min(size, 5)), len(body)):
            u = [0] * size
            for place, value in zip(places, body, strict=True):
                u[place] = value
            yield tuple(u)
    if size > _VECTOR_SUPPORT:
        yield (1,) * size


def index_pairs(size: int) -> list[tuple[int, int]]:
    """Returns the pairs i < j, adjacent ones first."""
    return sorted(
        combinations(range(size), 2), key=lambda ij: (ij[1] - ij[0] > 1, ij[1] - ij[0], ij[0])
    )


def why_not_square(data: Any) -> str:
    """Says why the data are no square matrix of Fractions; empty if they are one."""
    for row in data:
        if (
            not isinstance(row, tuple)
            or len(row) != len(data)
            or any(type(v) is not Fraction for v in row)
        ):
            return "expected a square matrix, as a tuple of rows of Fractions"
    return ""


def matrix_text(rows: Matrix) -> str:
    """Writes a matrix as text."""
    return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"
