"""Inverse and determinant by Gaussian elimination, for float dtypes that LAPACK does not know (longdouble).

Exactness: rounded in the dtype of the matrix, with partial pivoting.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def eliminate(matrix: Array, right: Array) -> tuple[Array, Any]:
    """(matrix^-1 right, det matrix) for one square matrix; NaN and 0 where it is singular."""
    a, b = matrix.copy(), right.copy()
    n = len(a)
    det = a.dtype.type(1)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if not a[pivot, k] != 0:
            return np.full_like(b, np.nan), a.dtype.type(0)
        if pivot != k:
            a[[k, pivot]], b[[k, pivot]] = a[[pivot, k]], b[[pivot, k]]
            det = -det
        det = det * a[k, k]
        for i in range(n):
            if i != k:
                factor = a[i, k] / a[k, k]
                a[i] -= factor * a[k]
                b[i] -= factor * b[k]
        b[k] = b[k] / a[k, k]
        a[k] = a[k] / a[k, k]
    return b, det


def inverse(stack: Array) -> Array:
    """Inverses of the matrices in the last two axes."""
    out = np.empty_like(stack)
    for index in np.ndindex(*stack.shape[:-2]):
        out[index] = eliminate(stack[index], np.eye(stack.shape[-1], dtype=stack.dtype))[0]
    return out


def determinant(stack: Array) -> Array:
    """Determinants of the matrices in the last two axes; NaN where an entry is NaN."""
    out = np.empty(stack.shape[:-2], dtype=stack.dtype)
    for index in np.ndindex(*stack.shape[:-2]):
        matrix = stack[index]
        out[index] = np.nan if np.isnan(matrix).any() else eliminate(matrix, matrix[:, :0])[1]
    return out
