"""Gates of recurrent networks."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def gate(W: Array, U: Array, b: Array, z: Array, h: Array) -> Array:
    """Computes sigma(W z + U h + b), sigma the logistic sigmoid."""
    return 1 / (1 + np.exp(-(W @ z + U @ h + b)))


def update(Gamma: Array, R: Array, h: Array) -> Array:
    """Computes h_{t+1} = Gamma R + (1 - Gamma) h_t."""
    return Gamma * R + (1 - Gamma) * h
