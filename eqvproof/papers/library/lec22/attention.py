"""Attention in the notation of the slides: tokens are rows."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def softmax(scores: Array) -> Array:
    """Computes exp(x_i) / sum_j exp(x_j), along the last axis."""
    weights = np.exp(scores)
    return weights / weights.sum(-1, keepdims=True)


def self_attention(X: Array, WQ: Array, WK: Array, WV: Array) -> Array:
    """Computes softmax(Q K^T / sqrt(d)) V with Q = X W_Q, K = X W_K, V = X W_V.

    d is the number of columns of W_Q.
    """
    scores = (X @ WQ) @ (X @ WK).T / np.sqrt(WQ.shape[1])
    return softmax(scores) @ (X @ WV)
