"""Batch normalisation of lengths."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Proposition


def normalise_lengths(V: Array, eps: Array) -> Array:
    """Scales the vectors V to normalised lengths."""
    lengths = np.sqrt((V * V).sum(2, keepdims=True))
    centred = lengths - lengths.mean(0)
    return V * (centred / np.sqrt((centred * centred).mean(0) + eps)) / lengths


STATEMENT = Proposition(
    id="classics.vectors.batchnorm",
    place="Deng and others 2021, batch normalisation",
    printed="batch normalisation of the lengths of the vectors, directions kept, commutes with"
    " rotations",
    claim=Equivariance(normalise_lengths, "V: n c d, eps: () -> n c d", under="O(d) x S(n)"),
    reading="a batch of n; in any dimension, and with reflections; without gain and shift, which"
    " are numbers for each channel",
)
