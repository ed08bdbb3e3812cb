"""A two-layer network with fixed weights, in another embedding."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Equivariance, Remark

g = ep.opaque("g", "Y: k n -> n n", example=lambda Y: Y.T @ Y)


def readout(X: Array, Z: Array, U: Array, V: Array) -> Array:
    """Computes (5.2) with sigma(t) = max(t, 0)."""
    return V @ np.maximum(U @ X @ g(Z.T @ X), 0)


STATEMENT = Remark(
    id="my23.sec5.nonlinear-readout-orthogonal",
    place="§5, The evolution of embeddings, (5.2)",
    formal="Refuted.my23_sec5_nonlinear_readout_orthogonal",
    printed="V sigma(U X g(Z^T X)) is orthogonal equivariant (Definition 3.2) for fixed U and V",
    claim=Equivariance(readout, "X: d n, Z: d k, U: p d!, V: d! p -> d n", under="O(d)"),
    reading=(
        "a question to the source: X and Z rotate, U and V, any matrices, do not (d! marks axes on"
        " which Q does not act)",
        "sigma(t) = max(t, 0), and g(Y) = Y^T Y where numbers are needed; for an odd sigma and d ="
        " 1 it would be equivariant",
    ),
).repaired_as(
    printed="V sigma(U X g(Z^T X)) becomes Q V sigma(U X g(Z^T X)) when X, Z, U, V become Q X, Q"
    " Z, U Q^T, Q V",
    claim=Equivariance(readout, "X: d n, Z: d k, U: p d, V: d p -> d n", under="O(d)"),
    reading="U and V are also knowledge: they rotate with the embedding; for any g",
)
