"""Orthogonal equivariance with knowledge."""

from eqvproof.papers.statements import (
    Conjunction,
    Definition,
    DefinitionByUse,
    Equivariance,
    Typing,
)

STATEMENT = Definition(
    id="my23.def3.2",
    place="§3.2, Definition 3.2",
    printed="f is orthogonal equivariant with knowledge Z: f(Q X, Q Z) = Q f(X, Z) for all X and"
    " all orthogonal Q",
    claim=DefinitionByUse(
        means=lambda f: Equivariance(f, "X: d n, Z: d k -> d n", under="O(d)"),
        satisfied_by=lambda X, Z: Z @ Z.T @ X,
        violated_by=lambda X, Z: X * Z.sum(),
        typed=Conjunction(
            {
                "Q X": Typing(lambda Q, X: Q @ X, "Q: d d, X: d n -> d n"),
                "Q Z": Typing(lambda Q, Z: Q @ Z, "Q: d d, Z: d k -> d k"),
            }
        ),
    ),
    reading=(
        "the printed quantifier precedes Z: the property is one of f and a single Z, and then"
        " holds for every Q Z; here it is required for all Z at once, as in the propositions that"
        " use it",
        "checked by use, like Definition 3.1",
    ),
)
