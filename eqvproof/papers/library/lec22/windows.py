"""Attention within windows."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.library.lec22.attention import softmax
from eqvproof.papers.statements import Array


def window_attention(X: Array, WQ: Array, WK: Array, WV: Array) -> Array:
    """Computes self-attention within each of the windows X_1, .., X_k (m x d)."""
    return softmax((X @ WQ) @ np.swapaxes(X @ WK, 1, 2)) @ (X @ WV)


def window_attention_on_line(x: Array, weights: Array, k: int) -> Array:
    """Computes window attention for a line of k m tokens with one feature.

    W_Q, W_K, W_V are numbers.
    """
    shape = (k, x.shape[0] // k, 1)
    return window_attention(
        x.reshape(*shape), weights[:1, None], weights[1:2, None], weights[2:, None]
    ).reshape(x.shape[0])
