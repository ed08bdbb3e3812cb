"""Circulant matrices."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def shift(n: int) -> Array:
    """Builds S with (S x)_1 = x_n and (S x)_i = x_{i-1}: ones at (2, 1), (3, 2), .., (1, n)."""
    return np.roll(np.eye(n), 1, 0)


def circulant(w: Array) -> Array:
    """Builds the circulant matrix C(w) with the entries w_{i - j mod n}.

    The first column is w, and each further column is shifted by one.
    """
    return np.stack([np.roll(w, j) for j in range(w.shape[0])], axis=1)


def powers(w: Array) -> Array:
    """Computes sum_k w_k S^k."""
    n = w.shape[0]
    return sum(w[k] * np.linalg.matrix_power(shift(n), k) for k in range(n))
