"""ReLU applied to coordinates of vectors."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Remark


def lengths(V: Array) -> Array:
    """Computes |v_i| as a column."""
    return np.sqrt((V * V).sum(1, keepdims=True))


STATEMENT = Remark(
    id="classics.vectors.coordinate-relu",
    place="on Deng and others 2021, nonlinearity",
    printed="ReLU of every coordinate commutes with rotations",
    claim=Equivariance(lambda V: np.maximum(V, 0), "V: c d -> c d", under="SO(d)"),
    reading="the reason why the paper introduces another ReLU; in any dimension",
).repaired_as(
    printed="v_i -> relu(|v_i| - b_i) v_i does",
    claim=Equivariance(
        lambda V, b: np.maximum(lengths(V) - b[:, None], 0) * V, "V: c d, b: c -> c d", under="O(d)"
    ),
    reading="in any dimension, and with reflections",
)
