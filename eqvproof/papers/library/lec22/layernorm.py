"""The layer norm of the slides."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def layernorm(x: Array, eps: Array, gamma: Array, beta: Array) -> Array:
    """gamma (x_i - mu_i) / sqrt(sigma_i^2 + eps) + beta, mean and variance over the last axis, for every element i."""
    centred = x - x.mean(-1, keepdims=True)
    return gamma * (centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + eps)) + beta
