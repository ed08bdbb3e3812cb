"""Pseudo-inverses, exact and in floats that LAPACK does not know."""

from __future__ import annotations

from typing import Any

import flint
import numpy as np

from eqvproof.exact import tensor
from eqvproof.exact.undefined import Absent, absorb

Array = np.ndarray[Any, Any]
STEPS = 4


def pseudo_inverse(array: Array) -> Array:
    """The pseudo-inverse of each matrix in the last two axes.

    Exactness: rational for rational matrices; balls, where the smaller Gram matrix is seen to be invertible,
    else UNDECIDED_ENTRY.
    """
    *batch, rows, columns = array.shape
    out = np.empty((*batch, columns, rows), dtype=object)
    for index in np.ndindex(*batch):
        matrix = array[index]
        absent = [x for x in matrix.flat if type(x) is Absent]
        if absent:
            out[index] = absorb(*absent)
        elif all(type(x) is flint.fmpq for x in matrix.flat):
            out[index] = _rational(matrix)
        else:
            out[index] = _of_full_rank(matrix)
    return out


def _rational(matrix: Array) -> Array:
    """M = B C with independent columns in B and rows in C gives C^T (C C^T)^-1 (B^T B)^-1 B^T."""
    rows, columns = matrix.shape
    reduced, rank = flint.fmpq_mat(rows, columns, matrix.ravel().tolist()).rref()
    if not rank:
        return np.full((columns, rows), flint.fmpq(0), dtype=object)
    entries = np.array(reduced.entries(), dtype=object).reshape(rows, columns)[:rank]
    pivots = [next(j for j in range(columns) if line[j] != 0) for line in entries]
    left = matrix[:, pivots]
    first, second = tensor.inverse(entries.dot(entries.T)), tensor.inverse(left.T.dot(left))
    found: Array = entries.T.dot(first).dot(second).dot(left.T)
    return found


def _of_full_rank(matrix: Array) -> Array:
    rows, columns = matrix.shape
    found: Array
    if rows >= columns:
        found = tensor.inverse(matrix.T.dot(matrix)).dot(matrix.T)
    else:
        found = matrix.T.dot(tensor.inverse(matrix.dot(matrix.T)))
    absent = [x for x in found.flat if type(x) is Absent]
    if absent:  # a singular Gram matrix of balls: not shown to be invertible
        from eqvproof.exact.undefined import UNDECIDED_ENTRY

        found[...] = UNDECIDED_ENTRY
    return found


def refined(array: Array) -> Array:
    """Pseudo-inverses in a longer float type: those of float64, improved by P (2 - M P)."""
    start = np.linalg.pinv(array.astype(np.float64)).astype(array.dtype)
    for _ in range(STEPS):
        start = 2 * start - start @ array @ start
    result: Array = start
    return result
