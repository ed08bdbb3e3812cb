"""The layer normalisation of the slides."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def layernorm(x: Array, eps: Array, gamma: Array, beta: Array) -> Array:
    """Computes gamma (x_i - mu_i) / sqrt(sigma_i^2 + eps) + beta for every element i.

    The mean mu_i and the variance sigma_i^2 are taken over the last axis.
    """
    centred = x - x.mean(-1, keepdims=True)
    return gamma * (centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + eps)) + beta
