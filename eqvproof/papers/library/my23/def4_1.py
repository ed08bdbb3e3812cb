"""Permutation equivariance with knowledge."""

from eqvproof.papers.statements import (
    Conjunction,
    Definition,
    DefinitionByUse,
    Equivariance,
    Typing,
)

STATEMENT = Definition(
    id="my23.def4.1",
    place="§4, Definition 4.1",
    printed="f with l(f(X, Z)) = l(X) is elementwise permutation equivariant with knowledge Z: f(X"
    " P, Z) = f(X, Z) P for all X, P",
    claim=DefinitionByUse(
        means=lambda f: Equivariance(f, "X: d n, Z: d k -> d n", under="S(n)"),
        satisfied_by=lambda X, Z: X @ X.T @ Z @ Z.T @ X,
        violated_by=lambda X, Z: X + Z.sum(1)[:, None] * X[:, :1].sum(),
        typed=Conjunction(
            {
                "X P": Typing(lambda X, P: X @ P, "X: d n, P: n n -> d n"),
                "f(X, Z) P": Typing(lambda F, P: F @ P, "F: d n, P: n n -> d n"),
            }
        ),
    ),
    reading=(
        "checked by use: X P and f(X, Z) P are again d x n, since l(f(X, Z)) = l(X); one function"
        " has the property, another lacks it",
        "no axis of the knowledge Z is permuted",
    ),
)
