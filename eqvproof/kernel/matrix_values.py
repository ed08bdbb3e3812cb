"""Functions of matrices whose entries are numbers of `interval`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from .elementary import sqrt
from .functions import SERIES
from .interval import F0, F1, Arithmetic, Number, Real, hi, lo
from .pseudo import pseudo_inverse
from .report import Limited, Undecided, spend
from .symmetric import spectral, symmetric_eigenvalues
from .tensors import Tensor, matrix_and_weights, multiply_rows

#: Largest number of terms of the series of a matrix function.
MOST_TERMS = 1_000


def _inv(matrix: list[list[Number]], _: list[Number], a: Arithmetic) -> list[Any]:
    n = len(matrix)
    unit = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    rows = eliminate([[*row, *more] for row, more in zip(matrix, unit, strict=True)], a)[1]
    if rows is None:
        return [None] * (n * n)
    return [x for row in rows for x in row[n:]]


def _cholesky(matrix: list[list[Number]], _: list[Number], a: Arithmetic) -> list[Any]:
    """Returns the triangle L with positive diagonal and the lower half of L L^T as that of M.

    It is undefined where a pivot is not above 0, as then there is none.

    Raises:
        Undecided: a pivot may be 0.
    """
    n, known = len(matrix), [[x for x in row if x is not None] for row in matrix]
    if any(len(row) < n for row in known):
        return [None] * (n * n)
    rows, pivots = [list[Real]() for _ in known], list[Real]()

    def eliminated(i: int, j: int) -> Real:
        found = known[i][j]
        for x, y, pivot in zip(rows[i], rows[j], pivots, strict=False):
            found = a.sub(found, a.mul(pivot, a.mul(x, y)))
        return found

    for j in range(n):
        pivots.append(eliminated(j, j))
        if hi(pivots[j]) <= 0:
            return [None] * (n * n)
        if lo(pivots[j]) <= 0:
            raise Undecided("a matrix that may not be positive definite")
        rows[j].append(F1)
        for i in range(j + 1, n):
            rows[i].append(a.over(eliminated(i, j), pivots[j]))
    roots = [sqrt(a, pivot) for pivot in pivots]
    scaled = [[a.mul(x, root) for x, root in zip(row, roots, strict=False)] for row in rows]
    return [x for row in scaled for x in (*row, *[F0] * (n - len(row)))]


def _series(
    signs: Sequence[int], matrix: list[list[Number]], _: list[Number], a: Arithmetic
) -> list[Any]:
    """Evaluates sum_k s_k M^k / k! with a bound of the remainder.

    No entry of M^k is larger than N^k, where N is at least the sum of the absolute values of the
    entries of each row.

    After the term K, with K + 2 >= 2 N, the others add up to 2 N^(K+1) / (K+1)! at most.
    """
    n, known = len(matrix), [[x for x in row if x is not None] for row in matrix]
    if any(len(row) < n for row in known):
        return [None] * (n * n)
    norm = max((sum((max(abs(lo(x)), abs(hi(x))) for x in row), F0) for row in known), default=F0)
    power: list[list[Real]] = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    sums: list[Real] = [
        Fraction(signs[0]) * x for row in power for x in row if isinstance(x, Fraction)
    ]
    rest, k = norm, 0
    while rest and (k + 2 < 2 * norm or 2 * rest > Fraction(1, 1 << a.bits)):
        k += 1
        spend(8 * n**3 + k)
        if k > MOST_TERMS:
            raise Limited(f"a series of more than {MOST_TERMS} terms")
        over, sign = Fraction(1, k), Fraction(signs[k % len(signs)])
        power = [[a.mul(over, x) for x in row] for row in multiply_rows(power, known, a)]
        terms = [x for row in power for x in row]
        sums = [a.add(s, a.mul(sign, x)) for s, x in zip(sums, terms, strict=True)]
        rest = rest * norm / (k + 1)
        if all(x == 0 for x in terms):
            rest = F0  # nilpotent: no other terms
    return [a.enclose(lo(s) - 2 * rest, hi(s) + 2 * rest) for s in sums]


def eliminate(rows: list[list[Number]], a: Arithmetic) -> tuple[Number, list[list[Real]] | None]:
    """Eliminates; returns the determinant of the left square part, and the reduced rows.

    The rows are reduced so that the left square part is I; they are None if it is singular.

    Raises:
        Undecided: no pivot is certainly not 0, and some pivot may be.
    """
    m = [[x for x in row if x is not None] for row in rows]
    if [len(row) for row in m] != [len(row) for row in rows]:
        return None, None
    determinant: Real = F1
    for k in range(len(m)):
        pivot = next((i for i in range(k, len(m)) if lo(m[i][k]) > 0 or hi(m[i][k]) < 0), None)
        if pivot is None:
            if all(m[i][k] == 0 for i in range(k, len(m))):
                return F0, None
            raise Undecided("a matrix that may be singular")
        if pivot != k:
            m[k], m[pivot] = m[pivot], m[k]
            determinant = a.mul(Fraction(-1), determinant)
        determinant = a.mul(determinant, m[k][k])
        inverse = a.over(F1, m[k][k])
        m[k] = [a.mul(inverse, x) for x in m[k]]
        for i, row in enumerate(m):
            if i != k and row[k] != 0:
                m[i] = [a.sub(x, a.mul(row[k], y)) for x, y in zip(row, m[k], strict=True)]
    return determinant, m


#: The entries of a function of one matrix and its weights.
MATRICES: dict[str, Callable[[list[list[Number]], list[Number], Arithmetic], list[Any]]] = {
    "inv": _inv,
    "det": lambda m, _, a: [eliminate(m, a)[0]],
    "eigvals": lambda m, _, a: symmetric_eigenvalues(m, a),
    "pinv": lambda m, _, a: [x for row in pseudo_inverse(m, a) for x in row],
    "spectral": spectral,
    "cholesky": _cholesky,
    **{fn: partial(_series, signs) for fn, signs in SERIES.items()},
}


def matrix_value(fn: str, args: Sequence[Tensor], a: Arithmetic) -> list[Any]:
    """Returns the entries of a function of a matrix and its weights."""
    rows, weights = matrix_and_weights(args)
    return MATRICES[fn](rows, weights, a)
