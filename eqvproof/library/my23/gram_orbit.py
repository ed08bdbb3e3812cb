"""Equal Gram matrices, one orbit."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.library.my23 import householder_action, householder_orthogonal
from eqvproof.library.my23.notation import Array
from eqvproof.library.my23.points import pairs
from eqvproof.statements import Case, Condition, Conjunction, Construction, Identity, ProofStep, Steps
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


STATEMENT = ProofStep(
    id="my23.prop3.1.gram-orbit",
    place="Appendix A",
    printed="for X, Y with X^T X = Y^T Y there is an orthogonal Q with X = Q Y",
    claim=Steps(
        Conjunction(
            {
                "|u|^2 (Q_u a - b) = (|b|^2 - |a|^2) u for u = a - b": Identity(
                    swap, lambda a, b: (b @ b - a @ a) * (a - b), "a: d, b: d -> d"
                ),
                "Q": Construction(cases, build, conditions, certificate=lambda witness: witness.certificate),
            }
        ),
        steps=(householder_orthogonal.STATEMENT, householder_action.STATEMENT),
        passage="column by column: Q_u carries Q y_i to x_i, of equal length, and fixes x_1 .. x_{i-1}, which are "
        "orthogonal to u = Q y_i - x_i because the Gram matrices agree",
    ),
    reading="X and Y are d x n with one d and one n; the print gives no proof, the steps are the usual one",
)
