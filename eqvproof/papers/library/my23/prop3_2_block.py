"""The Gram matrix of a sequence joined with its knowledge."""

import numpy as np

from eqvproof.papers.statements import Array, Conjunction, Identity, ProofStep


def join(left: Array, right: Array) -> Array:
    """Builds [A, B]: columns side by side, or one vector after the other."""
    return np.concatenate([left, right], axis=-1)


def gram(X: Array, Z: Array) -> Array:
    """Computes [X, Z]^T [X, Z]."""
    return join(X, Z).T @ join(X, Z)


def from_blocks(X: Array, Z: Array) -> Array:
    """Builds [X^T X, (Z^T X)^T; Z^T X, Z^T Z]."""
    cross = Z.T @ X
    return np.concatenate([join(X.T @ X, cross.T), join(cross, Z.T @ Z)], axis=0)


STATEMENT = ProofStep(
    id="my23.prop3.2.block",
    place="§3.2, proof of Proposition 3.2",
    formal="Rows.my23_prop3_2_block",
    printed="[X, Z]^T [X, Z] is determined by X^T X, Z^T X, Z^T Z; g splits into its first n and"
    " its next k rows",
    claim=Conjunction(
        {
            "Gram matrix": Identity(
                lambda X, Z, a, b, s, t: join(a, b) @ gram(X, Z) @ join(s, t),
                lambda X, Z, a, b, s, t: join(a, b) @ from_blocks(X, Z) @ join(s, t),
                "X: d n, Z: d k, a: n, b: k, s: n, t: k -> ()",
            ),
            "[X, Z] [g1; g2] = X g1 + Z g2": Identity(
                lambda X, Z, g1, g2: join(X, Z) @ np.concatenate([g1, g2], axis=0),
                lambda X, Z, g1, g2: X @ g1 + Z @ g2,
                "X: d n, Z: d k, g1: n m, g2: k m -> d m",
            ),
        }
    ),
    reading="determined: it is the matrix of the blocks X^T X, (Z^T X)^T, Z^T X, Z^T Z; two"
    " matrices M are equal if [a, b] M [s, t]^T is equal for all vectors a, s (of length n) and b,"
    " t (of length k)",
)
