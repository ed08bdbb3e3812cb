"""The blocks of the Set Transformer."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.library.lec22.attention import softmax
from eqvproof.papers.statements import Array

#: The weights of a block, as arguments.
WEIGHTS = "WQ: c c, WK: c c, WV: c c, R: c c"


def attention(Q: Array, K: Array, V: Array) -> Array:
    """Computes softmax(Q K^T / sqrt(c)) V."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def mab(X: Array, Y: Array, WQ: Array, WK: Array, WV: Array, R: Array) -> Array:
    """Computes the block MAB(X, Y) = H + relu(H R) with H = X W_Q + attention of X to Y."""
    H = X @ WQ + attention(X @ WQ, Y @ WK, Y @ WV)
    return H + np.maximum(H @ R, 0)
