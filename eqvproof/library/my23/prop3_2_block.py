"""The Gram matrix of a sequence joined with its knowledge."""

import numpy as np

from eqvproof.library.my23.notation import Array
from eqvproof.statements import Conjunction, Identity, ProofStep


def join(*columns: Array) -> Array:
    """[A, B]."""
    return np.concatenate(columns, axis=1)


def gram(X: Array, Z: Array) -> Array:
    """[X, Z]^T [X, Z]."""
    return join(X, Z).T @ join(X, Z)


def from_blocks(X: Array, Z: Array) -> Array:
    """[X^T X, (Z^T X)^T; Z^T X, Z^T Z]."""
    cross = Z.T @ X
    return np.concatenate([join(X.T @ X, cross.T), join(cross, Z.T @ Z)], axis=0)


STATEMENT = ProofStep(
    id="my23.prop3.2.block",
    place="§3.2, proof of Proposition 3.2",
    printed="[X, Z]^T [X, Z] is determined by X^T X, Z^T X, Z^T Z; g splits into its first n and its next k rows",
    claim=Conjunction(
        {
            "Gram matrix": Identity(gram, from_blocks, "X: d n, Z: d k -> n+k n+k"),
            "[X, Z] [g1; g2] = X g1 + Z g2": Identity(
                lambda X, Z, g1, g2: join(X, Z) @ np.concatenate([g1, g2], axis=0),
                lambda X, Z, g1, g2: X @ g1 + Z @ g2,
                "X: d n, Z: d k, g1: n m, g2: k m -> d m",
            ),
        }
    ),
    reading="determined: the matrix has the four blocks X^T X, (Z^T X)^T, Z^T X, Z^T Z",
)
