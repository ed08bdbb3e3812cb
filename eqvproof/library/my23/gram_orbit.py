"""Equal Gram matrices, one orbit."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.library.my23 import householder_action, householder_orthogonal
from eqvproof.library.my23.notation import Array
from eqvproof.library.my23.points import pairs
from eqvproof.statements import Case, Condition, Construction, Identity, ProofStep, Steps
from eqvproof.witnesses.orthogonal import orthogonal_witness


def cases(rng: random.Random) -> Iterator[Case]:
    """Pairs with X^T X = Y^T Y."""
    for X, Y in pairs(rng):
        yield Case(dict(zip("dn", X.shape, strict=True)), {"X": X, "Y": Y})


def build(X: Array, Y: Array) -> Any:
    """Q with X = Q Y."""
    return orthogonal_witness(Y, X)


def conditions(witness: Any, X: Array, Y: Array) -> list[Condition]:
    """Q is orthogonal and carries Y to X."""
    Q = witness.Q
    return [
        Condition("Q^T Q = I", Q.T @ Q, np.eye(len(Q), dtype=int).astype(object)),
        Condition("X = Q Y", X, Q @ Y),
    ]


def swap(a: Array, b: Array) -> Array:
    """|u|^2 a - 2 u (u.a) - |u|^2 b for u = a - b."""
    u = a - b
    return (u @ u) * a - 2 * u * (u @ a) - (u @ u) * b


SWAP = ProofStep(
    id="my23.prop3.1.gram-orbit.swap",
    place="Appendix A (left to the reader)",
    printed="for |a| = |b| and u = a - b != 0: Q_u a = b",
    claim=Identity(swap, lambda a, b: (b @ b - a @ a) * (a - b), "a: d, b: d -> d"),
    reading="multiplied by |u|^2: |u|^2 (Q_u a - b) = (|b|^2 - |a|^2) u, which is 0 for |a| = |b|",
)

STATEMENT = ProofStep(
    id="my23.prop3.1.gram-orbit",
    place="Appendix A",
    printed="for X, Y with X^T X = Y^T Y there is an orthogonal Q with X = Q Y",
    claim=Steps(
        Construction(cases, build, conditions, certificate=lambda witness: witness.certificate),
        steps=(householder_orthogonal.STATEMENT, householder_action.STATEMENT, SWAP),
        passage="column by column: reflect Q y_i to x_i; the reflection fixes x_1, ..., x_{i-1}, which are orthogonal to "
        "x_i - Q y_i because the Gram matrices agree",
    ),
    reading="X and Y are d x n with one d and one n; the print gives no proof, the steps are the usual one",
)
