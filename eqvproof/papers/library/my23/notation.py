"""Formulas that several statements of the source use, in its notation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eqvproof.papers.statements import Array


def softmax_rows(matrix: Array) -> Array:
    """Computes S_r: divides exp(entries) by their sum, row by row (along the last axis)."""
    weights = np.exp(matrix)
    return weights / weights.sum(-1, keepdims=True)


def logits(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes X^T W_Q^T W_K X, n x n, for W_Q, W_K of shape d_1 x d and X of shape d x n."""
    return X.T @ WQ.T @ WK @ X


def attention(WQ: Array, WK: Array, WV: Array, X: Array) -> Array:
    """Computes (2.1): X + W_V X S_r(X^T W_Q^T W_K X / sqrt(d_1))^T."""
    return X + WV @ X @ softmax_rows(logits(WQ, WK, X) / np.sqrt(WQ.shape[0])).T


def reflection(u: Array) -> Array:
    """Computes Q_u = I - 2 u u^T / |u|^2 for u of shape d."""
    return np.eye(u.shape[0]) - 2 * np.outer(u, u) / (u @ u)


def orthogonal_part(u: Array, vectors: Array) -> Array:
    """Computes |u|^2 Y - u (u^T Y), whose columns are orthogonal to u.

    For u != 0 all matrices with such columns arise, W from Y = W / |u|^2.
    """
    return (u @ u) * vectors - np.outer(u, u @ vectors)


def others(n: int) -> Array:
    """Builds the matrix with 1 at (i, k) for k != i, else 0."""
    return 1 - np.eye(n)


def is_nonzero(inputs: Mapping[str, Array]) -> bool:
    """Checks whether u != 0, so that Q_u is defined."""
    return bool(np.any(inputs["u"] != 0))
