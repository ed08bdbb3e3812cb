"""Reduction to functions f whose values have a single column."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Identity, ProofStep

f = ep.opaque("f", "X: d n -> d n", under="O(d)", example=lambda X: X @ X.T @ X)
first = ep.opaque("f1", "X: d n -> d n", under="O(d)", example=lambda X: X @ X.T @ X)
second = ep.opaque("f2", "X: d n -> d n", under="O(d)", example=lambda X: -X)


def join_columns(X: Array) -> Array:
    """Computes [f1(X), f2(X)]."""
    return np.concatenate([first(X), second(X)], axis=1)


STATEMENT = ProofStep(
    id="my23.prop3.1.one-column",
    place="Appendix A",
    formal="Rows.my23_prop3_1_one_column",
    printed="it suffices to treat functions f whose values have a single column",
    claim=Conjunction(
        {
            "a column of f is equivariant": Equivariance(
                lambda X, c: f(X) @ c, "X: d n, c: n -> d", under="O(d)"
            ),
            "columns side by side are equivariant": Equivariance(
                join_columns, "X: d n -> d 2n", under="O(d)"
            ),
            "X [.., g_j, ..] has the columns X g_j": Identity(
                lambda X, G, c: (X @ G) @ c,
                lambda X, G, c: X @ (G @ c),
                "X: d n, G: n m, c: m -> d",
            ),
        }
    ),
    reading=(
        "the proof treats f column by column: each column f(X) c (c a unit vector) is an"
        " equivariant function with one column, and columns X g_j(X^T X) side by side are X times"
        " the matrix of the g_j",
        "a length of f(X) that depends on X is the same at Q X, since f(Q X) = Q f(X); then column"
        " j is a function of the X for which f(X) has a column j",
    ),
)
