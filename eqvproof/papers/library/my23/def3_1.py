"""Orthogonal equivariance in the embedding space."""

from eqvproof.papers.statements import Definition, DefinitionByUse, Equivariance, Typing

STATEMENT = Definition(
    id="my23.def3.1",
    place="§3.1, Definition 3.1",
    printed="f is orthogonal equivariant in the embedding space: f(Q X) = Q f(X) for all n, all d"
    " x n X, all orthogonal Q",
    claim=DefinitionByUse(
        means=lambda f: Equivariance(f, "X: d n -> d n", under="O(d)"),
        satisfied_by=lambda X: X @ X.T @ X,
        violated_by=lambda X: X * X,
        typed=Typing(lambda Q, X: Q @ X, "Q: d d, X: d n -> d n"),
    ),
    reading=(
        "checked by use: Q X is again a d x n sequence, one function has the property and another"
        " lacks it",
        "f maps sequences to sequences and may change the length; the two examples preserve it",
    ),
)
