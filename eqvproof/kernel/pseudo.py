"""Pseudo-inverses, from the coefficients of a characteristic polynomial.

For G = M^T M with ``det(t - G) = t^n + c_1 t^(n-1) + ... + c_n`` and r the last j with c_j not 0,
the polynomial t^(n-r) (t^r + ... + c_r) has the square-free part t (...), as G is symmetric, so
that ``Q = -(G^(r-1) + c_1 G^(r-2) + ... + c_(r-1)) / c_r`` is 1/t at the eigenvalues t of G that
are not 0, and Q M^T is the pseudo-inverse: what Q is at t = 0 does not matter, for M^T maps into
the other eigenspaces.
"""

from __future__ import annotations

from fractions import Fraction

from .interval import F0, Arithmetic, Number, Real, hi, lo
from .report import Undecided, spend
from .tensors import multiply_rows

Rows = list[list[Real]]


def pseudo_inverse(matrix: list[list[Number]], a: Arithmetic) -> list[list[Number]]:
    """Returns the pseudo-inverse of a matrix, undefined where an entry is.

    Raises:
        Undecided: the rank is not certain.
    """
    rows, columns = len(matrix), len(matrix[0]) if matrix else 0
    known = [[x for x in line if x is not None] for line in matrix]
    if any(len(line) < columns for line in known):
        return [[None] * rows for _ in range(columns)]
    if rows < columns:
        found = _transposed(_tall(_transposed(known), a))
    else:
        found = _tall(known, a)
    return [[*line] for line in found]


def _tall(matrix: Rows, a: Arithmetic) -> Rows:
    turned = _transposed(matrix)
    n = len(turned)
    spend(4 * n * n * (len(matrix) + n * n))
    gram = multiply_rows(turned, matrix, a)
    power: Rows = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    chosen: tuple[Rows, Real] | None = None
    unsettled = False
    for j in range(1, n + 1):  # Faddeev and LeVerrier
        trace: Real = F0
        times = multiply_rows(gram, power, a)
        for i in range(n):
            trace = a.add(trace, times[i][i])
        c = a.mul(Fraction(-1, j), trace)
        if lo(c) > 0 or hi(c) < 0:
            chosen, unsettled = (power, c), False
        elif c != 0:
            unsettled = True
        power = [[*line] for line in times]
        for i in range(n):
            power[i][i] = a.add(times[i][i], c)
    if unsettled:
        raise Undecided("the rank of a matrix")
    if chosen is None:
        return [[F0] * len(matrix) for _ in range(n)]
    factor = a.over(Fraction(-1), chosen[1])
    spend(4 * n * n * len(matrix))
    return [[a.mul(factor, x) for x in line] for line in multiply_rows(chosen[0], turned, a)]


def _transposed(matrix: Rows) -> Rows:
    return [list(line) for line in zip(*matrix, strict=True)]
