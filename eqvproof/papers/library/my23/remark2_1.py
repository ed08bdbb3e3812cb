"""Equivalence of sequences as columns and sequences as rows."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equivariance, Identity, Remark

columns = ep.opaque("f", "X: d n -> d n", under="O(d)", example=lambda X: X @ X.T @ X)
rows = ep.opaque("h", "Y: n d -> n d", under="O(d)", example=lambda Y: Y @ Y.T @ Y)
permuted = ep.opaque("f", "X: d n -> d n", under="S(n)", example=lambda X: X @ X.T @ X)
anything = ep.opaque("f", "X: d n -> d n")

STATEMENT = Remark(
    id="my23.remark2.1",
    place="Remark 2.1",
    formal="Rows.my23_remark2_1",
    printed="d x n sequences of columns and n x d sequences of rows are equivalent: f'(X^T) ="
    " f(X)^T keeps equivariance",
    claim=Conjunction(
        {
            "columns to rows, O(d)": Equivariance(
                lambda Y: columns(Y.T).T, "Y: n d -> n d", under="O(d)"
            ),
            "rows to columns, O(d)": Equivariance(
                lambda X: rows(X.T).T, "X: d n -> d n", under="O(d)"
            ),
            "columns to rows, S(n)": Equivariance(
                lambda Y: permuted(Y.T).T, "Y: n d -> n d", under="S(n)"
            ),
            "there and back": Identity(lambda X: (anything(X.T.T).T).T, anything, "X: d n -> d n"),
        }
    ),
    reading=(
        "intrinsically equivalent: transposing turns functions of one kind into functions of the"
        " other, one to one, "
        "and f is equivariant exactly when f' is",
        "f is any function; only its equivariance is used; its result has the length of its"
        " argument",
    ),
)
