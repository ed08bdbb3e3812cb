"""The nonlinearity of Vector Neurons."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Proposition


def relu(W: Array, U: Array, V: Array) -> Array:
    """Computes q where q . k >= 0, else q without its part along k, vector by vector.

    q = W V and k = U V.
    """
    q, k = W @ V, U @ V
    along = (q * k).sum(1, keepdims=True)
    return np.where(along >= 0, q, q - along * k / (k * k).sum(1, keepdims=True))


STATEMENT = Proposition(
    id="classics.vectors.relu",
    place="Deng and others 2021, nonlinearity",
    printed="the ReLU that cuts q = W V off at the plane orthogonal to a learned direction k = U V"
    " commutes with rotations",
    claim=Equivariance(relu, "W: e c, U: e c, V: c d -> e d", under="O(d)"),
    reading="in any dimension, and with reflections; at k = 0 the paper leaves the value open;"
    " here it is undefined",
)
