"""Attention in the notation of the source: tokens are the rows of X, n x d.

Q, K, V, Out hold Q_h, K_h, V_h, O_h.
"""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array

WEIGHTS = "Q: h r d, K: h r d, V: h r d, Out: h r d"


def exponentials(Q: Array, K: Array, X: Array) -> Array:
    """Computes e^{(Q_h x_i)^T K_h x_j}, heads x n x n."""
    return np.exp(np.einsum("hed,id,hef,jf->hij", Q, X, K, X))


def scores(Q: Array, K: Array, X: Array, A: Array) -> Array:
    """Computes a_h(x_i, x_j) for j among the neighbours of i (A_ij != 0), else 0.

    The shape is heads x n x n.
    """
    weights = np.where(A != 0, exponentials(Q, K, X), 0)
    return weights / weights.sum(-1, keepdims=True)


def values(V: Array, Out: Array, X: Array) -> Array:
    """Computes O_h^T V_h x_j, heads x n x d."""
    return np.einsum("hed,hef,jf->hjd", Out, V, X)


def psi(Q: Array, K: Array, V: Array, Out: Array, X: Array, A: Array) -> Array:
    """Computes sum_h a_h(x_i, x_j) O_h^T V_h x_j, n x n x d."""
    return np.einsum("hij,hjd->ijd", scores(Q, K, X, A), values(V, Out, X))


def layer(Q: Array, K: Array, V: Array, Out: Array, X: Array, A: Array) -> Array:
    """Computes f(X, A)_i = phi(x_i, sum_j psi(x_i, x_j)) with phi(x, y) = x + y.

    psi is 0 where j is no neighbour of i.
    """
    return X + psi(Q, K, V, Out, X, A).sum(1)


def causal(X: Array) -> Array:
    """Builds A with A_ij = 1 for j <= i, else 0."""
    return np.tri(X.shape[0])
