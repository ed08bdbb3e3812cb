"""Checks that permutations, and matrices of rationals, belong to a group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .claims import Factor
from .exact import paid, sum_of_products
from .groups import FAMILIES, Family
from .loading import part
from .report import Rejected, spend

Rows = Sequence[Sequence[Fraction]]
_ONE = Fraction(1), Fraction(0)


def check_generators(factor: Factor, path: str) -> None:
    """Checks that the generators are permutations or matrices as the family requires."""
    for g in factor.generators:
        if factor.kind == "perm":
            check_permutation(g, factor.family, path)
        else:
            check_matrix(g, factor.family, path)


def has_determinants_one(factor: Factor) -> bool:
    """Checks whether all generators have determinant 1."""
    if factor.kind == "perm":
        return all(is_even(list(g)) for g in factor.generators)
    return all(rational_determinant(g) == 1 for g in factor.generators)


def check_permutation(p: Sequence[int], family: str, path: str) -> None:
    """Checks that p is a permutation of 0..n-1 in the family."""
    if len(set(p)) != len(p):
        raise Rejected(f"{path}: not a permutation")
    if not is_member(FAMILIES[family], list(p)):
        raise Rejected(f"{path}: a permutation that is not in {family}")


def is_member(about: Family, p: list[int]) -> bool:
    """Checks whether a permutation belongs to the family."""
    n = len(p)
    turned = all(p[i] == (p[0] + i) % n for i in range(n))
    reflected = all(p[i] == (p[0] - i) % n for i in range(n))
    return {"cycles": is_even(p), "turns": turned, "polygon": turned or reflected}.get(
        about.moves, True
    )


def is_even(p: list[int]) -> bool:
    """Checks whether a permutation has an even number of cycles of even length."""
    seen, odd = [False] * len(p), False
    for start in range(len(p)):
        length, at = 0, start
        while not seen[at]:
            seen[at], at, length = True, p[at], length + 1
        odd ^= length > 0 and length % 2 == 0
    return not odd


def check_matrix(matrix: Rows, family: str, path: str) -> None:
    """Checks that a matrix is invertible and belongs to the family.

    It must be orthogonal, integral, of determinant 1, or have g^T B g = B, as the family says; and
    be the identity at sizes at which the family has no form.
    """
    about, size = FAMILIES[family], len(matrix)
    if any(len(row) != size for row in matrix):
        raise Rejected(f"{path}: not a square matrix")
    spend(3 * size**3)
    if about.kind != "lin" and any(
        sum_of_products(zip(u, w, strict=True)) != int(i == j)
        for i, u in enumerate(matrix) for j, w in enumerate(matrix[: i + 1])
    ):  # fmt: skip
        raise Rejected(f"{path}: not an orthogonal matrix")
    if about.integral and any(x.denominator != 1 for row in matrix for x in row):
        raise Rejected(f"{path}: not a matrix of integers")
    if about.kind == "lin" or about.special:
        found = rational_determinant(matrix)
    else:
        found = Fraction(1)
    if found == 0:
        raise Rejected(f"{path}: a singular matrix")
    if about.special and found != 1:
        raise Rejected(f"{path}: the determinant is not 1")
    if about.form:
        _check_form(matrix, about, path)


def _check_form(matrix: Rows, about: Family, path: str) -> None:
    size = len(matrix)
    given = part("generators").bilinear_form(about, size)
    order, signs = given or ([*range(size)], [1] * size)
    spend(2 * size**3)
    for i in range(size):
        for j in range(size):
            entry = matrix[i][j]
            if given is not None:
                entry = sum_of_products(
                    (signs[k] * matrix[k][i], matrix[order[k]][j]) for k in range(size)
                )
            if entry != signs[i] * int(order[i] == j):
                raise Rejected(f"{path}: a matrix that does not keep the form")
    if about.unit and given is not None and complex_determinant(matrix) != _ONE:
        raise Rejected(f"{path}: the complex determinant is not 1")


def complex_determinant(matrix: Rows) -> tuple[Fraction, Fraction]:
    """Returns det(X + iY) for [[X, -Y], [Y, X]], as real and imaginary part, by elimination."""
    half = len(matrix) // 2
    spend(16 * half**3)
    rows = [[(matrix[i][j], matrix[half + i][j]) for j in range(half)] for i in range(half)]
    result = _ONE
    for k in range(half):
        pivot = next((i for i in range(k, half) if any(rows[i][k])), None)
        if pivot is None:
            return Fraction(0), Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], (-result[0], -result[1])
        a, b = rows[k][k]
        result = _complex_product(result, (a, b))
        norm = a * a + b * b
        for i in range(k + 1, half):
            factor = _complex_product(rows[i][k], (a / norm, -b / norm))
            gone = (_complex_product(factor, y) for y in rows[k])
            rows[i] = [
                (paid(x[0] - y[0]), paid(x[1] - y[1])) for x, y in zip(rows[i], gone, strict=True)
            ]
    return result


def _complex_product(
    x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    return paid(x[0] * y[0] - x[1] * y[1]), paid(x[0] * y[1] + x[1] * y[0])


def rational_determinant(matrix: Rows) -> Fraction:
    """Returns the determinant, by elimination."""
    spend(3 * len(matrix) ** 3)
    rows, result = [list(row) for row in matrix], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result = paid(result * rows[k][k])
        for i in range(k + 1, len(rows)):
            if rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [paid(x - factor * y) for x, y in zip(rows[i], rows[k], strict=True)]
    return result
