"""The blocks of the Set Transformer."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
#: The weights of a block, as arguments.
WEIGHTS = "WQ: c c, WK: c c, WV: c c, R: c c"


def softmax(scores: Array) -> Array:
    """exp(s_ij) / sum_j exp(s_ij)."""
    weights = np.exp(scores)
    return weights / weights.sum(-1, keepdims=True)


def attention(Q: Array, K: Array, V: Array) -> Array:
    """softmax(Q K^T / sqrt(c)) V."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def mab(X: Array, Y: Array, WQ: Array, WK: Array, WV: Array, R: Array) -> Array:
    """The block MAB(X, Y): H + relu(H R), H = X W_Q + attention of X to Y."""
    H = X @ WQ + attention(X @ WQ, Y @ WK, Y @ WV)
    return H + np.maximum(H @ R, 0)
