"""Attention with position encodings."""

import numpy as np

from eqvproof.papers.library.classics.attention_blocks import attention
from eqvproof.papers.statements import Array, Equivariance, Remark


def attend_with_positions(X: Array, P: Array) -> Array:
    """Computes the attention of X + P to itself."""
    return attention(X + P, X + P, X + P)


def row_numbers(X: Array) -> Array:
    """Builds an array with 0, 1, 2, .. in every column."""
    return np.arange(X.shape[0])[:, None] * np.ones((1, X.shape[1]))


STATEMENT = Remark(
    id="classics.settransformer.positions",
    place="on Vaswani and others 2017, positional encoding; Lee and others 2019",
    printed="softmax attention with positional encodings that are added to its input is"
    " permutation equivariant",
    claim=Equivariance(
        lambda X: attend_with_positions(X, row_numbers(X)), "X: n c -> n c", under="S(n)"
    ),
    reading="a frequent mistake; the encoding of position i is (i, .., i), and the weights are"
    " identities",
).repaired_as(
    printed="it is when the encodings are permuted along with the elements",
    claim=Equivariance(attend_with_positions, "X: n c, P: n c -> n c", under="S(n)"),
    reading="the encodings are any, and a second argument: then positions are features",
)
