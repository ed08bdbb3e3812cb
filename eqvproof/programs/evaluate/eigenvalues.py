"""Eigenvalues, eigenvectors and functions of symmetric matrices: exact, and in balls."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import flint
import numpy as np

from eqvproof.numbers.undefined import UNDECIDED_ENTRY, UNDEFINED, Absent, absorb

Array = np.ndarray[Any, Any]


def symmetric_eigenvalues(array: Array) -> Array:
    """Returns the ascending eigenvalues of the symmetric part of each matrix in the last two axes.

    Exactness: rational eigenvalues of rational matrices exactly, others as balls, isolated by the
    roots of the factors of the characteristic polynomial; balls of matrices of balls where all are
    different, else UNDECIDED_ENTRY.
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
    """Returns enclosures of the eigenvalues if they are disjoint, else UNDECIDED_ENTRY."""
    balls = [
        [(flint.arb(matrix[i, j]) + flint.arb(matrix[j, i])) / 2 for j in range(n)]
        for i in range(n)
    ]
    try:
        if n == 1:
            roots = [balls[0][0]]
        else:
            roots = [x.real for x in flint.acb_mat(balls).eig()]
    except (ValueError, ArithmeticError):
        return [UNDECIDED_ENTRY] * n
    roots.sort(key=lambda x: x.mid())
    if any(not a < b for a, b in pairwise(roots)):
        return [UNDECIDED_ENTRY] * n
    return roots


def spectral(array: Array, weights: Array) -> Array:
    """Returns sum_k w_k v_k v_k^T for each matrix.

    It is the polynomial in the matrix that takes the values w_k at its eigenvalues.

    Exactness: rational where eigenvalues and weights are, else balls; UNDECIDED_ENTRY where balls
    do not tell eigenvalues apart. Weights of equal eigenvalues are averaged.
    """
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(*array.shape[:-2]):
        out[index] = _function(array[index], weights[index])
    return out


def _function(matrix: Array, weights: Array) -> Array:
    n = len(matrix)
    out = np.empty((n, n), dtype=object)
    absent = [x for x in (*matrix.flat, *weights.flat) if type(x) is Absent]
    roots = []
    if not absent:
        roots = _of(matrix)
    if absent or any(type(x) is Absent for x in roots):
        out[...] = absorb(*absent, *(x for x in roots if type(x) is Absent))
        return out
    places: dict[int, list[int]] = {}
    for k, root in enumerate(roots):  # equal ones are one object: a root of a factor, repeated
        places.setdefault(id(root), []).append(k)
    half, zero = flint.fmpq(1, 2), flint.fmpq(0)
    symmetric = (matrix + matrix.T) * half
    unit = np.array([[flint.fmpq(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
    out[...] = zero
    for found in places.values():
        term = unit * (sum((weights[k] for k in found), zero) * flint.fmpq(1, len(found)))
        for other in places.values():
            if other is not found:
                gap = roots[found[0]] - roots[other[0]]
                term = term.dot(symmetric - unit * roots[other[0]]) * (1 / gap)
        out = out + term
    return out


def eigenvectors(array: Array) -> Array:
    """Returns unit eigenvectors of the symmetric part of each matrix, as columns.

    They stand in the order of their eigenvalues.

    Of the two of each, the one whose largest entry is positive is returned. Exactness: balls;
    UNDEFINED where two eigenvalues are equal, UNDECIDED_ENTRY where balls do not tell them apart.
    """
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(*array.shape[:-2]):
        out[index] = _vectors_of(array[index])
    return out


def _vectors_of(matrix: Array) -> Array:
    n = len(matrix)
    out = np.empty((n, n), dtype=object)
    roots = _of(matrix)
    absent = [x for x in roots if type(x) is Absent]
    if absent or len({id(x) for x in roots}) < n:  # equal ones are one object
        out[...] = UNDEFINED
        if absent:
            out[...] = absorb(*absent)
        return out
    for k in range(n):
        weights = np.array([flint.fmpq(int(j == k)) for j in range(n)], dtype=object)
        projection: Any = _function(matrix, weights)
        largest = max(range(n), key=lambda j: flint.arb(projection[j, j]).mid())
        square = flint.arb(projection[largest, largest])
        out[:, k] = UNDECIDED_ENTRY
        if square > 0:
            out[:, k] = projection[:, largest] / square.sqrt()
    return out
