"""Eigenvalues of symmetric matrices: exact ones, balls, and those in floats that LAPACK does not know."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import flint
import numpy as np

from eqvproof.exact.undefined import UNDECIDED_ENTRY, Absent, absorb

Array = np.ndarray[Any, Any]
SWEEPS = 30


def eigenvalues(array: Array) -> Array:
    """The eigenvalues of the symmetric part of each matrix in the last two axes, ascending.

    Exactness: rational eigenvalues of rational matrices exactly, others as balls, isolated by the roots of
    the factors of the characteristic polynomial; balls of matrices of balls where all are different, else
    UNDECIDED_ENTRY.
    """
    out = np.empty(array.shape[:-1], dtype=object)
    for index in np.ndindex(*array.shape[:-2]):
        found = _of(array[index])
        for k, value in enumerate(found):
            out[(*index, k)] = value
    return out


def _of(matrix: Array) -> list[Any]:
    n = len(matrix)
    absent = [x for x in matrix.flat if type(x) is Absent]
    if absent:
        return [absorb(*absent)] * n
    if any(type(x) is not flint.fmpq for x in matrix.flat):
        return _of_balls(matrix, n)
    half = flint.fmpq(1, 2)
    entries = [(matrix[i, j] + matrix[j, i]) * half for i in range(n) for j in range(n)]
    polynomial: Any = flint.fmpq_mat(n, n, entries).charpoly().numer()
    found: list[Any] = []
    factors: list[tuple[Any, int]] = polynomial.factor()[1]
    for factor, times in factors:
        if factor.degree() == 1:
            roots = [flint.fmpq(-factor[0], factor[1])]
        else:
            roots = [root.real for root, _ in factor.complex_roots()]
        found += [r for r in roots for _ in range(times)]
    found.sort(key=lambda x: flint.arb(x).mid())
    if any(not flint.arb(a) <= flint.arb(b) for a, b in pairwise(found) if a is not b):
        return [UNDECIDED_ENTRY] * n
    return found


def _of_balls(matrix: Array, n: int) -> list[Any]:
    """Enclosures that are told apart, else nothing."""
    balls = [[(flint.arb(matrix[i, j]) + flint.arb(matrix[j, i])) / 2 for j in range(n)] for i in range(n)]
    try:
        roots = [balls[0][0]] if n == 1 else [x.real for x in flint.acb_mat(balls).eig()]
    except (ValueError, ArithmeticError):
        return [UNDECIDED_ENTRY] * n
    roots.sort(key=lambda x: x.mid())
    if any(not a < b for a, b in pairwise(roots)):
        return [UNDECIDED_ENTRY] * n
    return roots


def rotated(stack: Array) -> Array:
    """The same in floats of any length, by Jacobi's rotations; NaN where an entry is NaN.

    Source: C. G. J. Jacobi 1846.
    """
    out = np.empty(stack.shape[:-1], dtype=stack.dtype)
    for index in np.ndindex(*stack.shape[:-2]):
        a = (stack[index] + stack[index].T) / 2
        if np.isnan(a).any():
            out[index] = np.nan
            continue
        for _ in range(SWEEPS):
            for p in range(len(a)):
                for q in range(p + 1, len(a)):
                    a = _turned(a, p, q)
        out[index] = np.sort(np.diagonal(a))
    return out


def _turned(a: Array, p: int, q: int) -> Array:
    if a[p, q] == 0:
        return a
    theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
    t = (1 if theta >= 0 else -1) / (abs(theta) + np.sqrt(theta * theta + 1))
    c = 1 / np.sqrt(t * t + 1)
    turn = np.eye(len(a), dtype=a.dtype)
    turn[p, p] = turn[q, q] = c
    turn[p, q], turn[q, p] = t * c, -t * c
    result: Array = turn.T @ a @ turn
    return result
