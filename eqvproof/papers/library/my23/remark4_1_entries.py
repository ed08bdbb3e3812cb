"""The entries of self-attention, and the matrices given by the printed rho and psi."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.library.my23.notation import logits, others
from eqvproof.papers.statements import Array

SIGNATURE = "WQ: r d, WK: r d, X: d n -> n n"


def exponentials(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes e^{x_i^T W_Q^T W_K x_j}, n x n."""
    return np.exp(logits(WQ, WK, X))


def attention(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes g_ij = e^{x_i^T W_Q^T W_K x_j} / sum_k e^{x_i^T W_Q^T W_K x_k}."""
    weights = exponentials(WQ, WK, X)
    return weights / weights.sum(1, keepdims=True)


def sum_psi1(WQ: Array, WK: Array, X: Array) -> Array:
    """Sums psi_1(x_k, x_i) = psi_2(x_k, x_i, x_i) = e^{x_i^T W_Q^T W_K x_k} over k != i."""
    return np.einsum("ik,ki->i", exponentials(WQ, WK, X), others(X.shape[1]))


def sum_psi2(WQ: Array, WK: Array, X: Array) -> Array:
    """Sums psi_2(x_k, x_i, x_j) = e^{x_i^T W_Q^T W_K x_k} over k != i, j; n x n."""
    is_other = others(X.shape[1])
    return np.einsum("ik,ki,kj->ij", exponentials(WQ, WK, X), is_other, is_other)


def with_denominators(WQ: Array, WK: Array, X: Array, denominators: Array) -> Array:
    """Divides e^{x_i^T W_Q^T W_K x_j} by the (i, j)-th denominator for i != j.

    On the diagonal are the entries g_ii.
    """
    weights, is_other = exponentials(WQ, WK, X), others(X.shape[1])
    return weights / (is_other * denominators + np.eye(X.shape[1]) * weights.sum(1, keepdims=True))


def printed_entries(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes rho_2(x_i, x_j, s) at the sums s of psi_2, as printed.

    rho_2(x_i, x_j, s) = e^{x_i^T W_Q^T W_K x_j} / (e^{x_i^T W_Q^T W_K x_j} + s).
    """
    return with_denominators(WQ, WK, X, exponentials(WQ, WK, X) + sum_psi2(WQ, WK, X))


def repaired_entries(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes the printed rho_2 with e^{x_i^T W_Q^T W_K x_i} added to the denominator."""
    weights = exponentials(WQ, WK, X)
    return with_denominators(
        WQ, WK, X, weights + np.diagonal(weights)[:, None] + sum_psi2(WQ, WK, X)
    )
