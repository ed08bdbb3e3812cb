"""Equivariance."""

from eqvproof.papers.statements import (
    Conjunction,
    Definition,
    DefinitionByUse,
    Equivariance,
    Typing,
)

STATEMENT = Definition(
    id="lec22.def.equivariance",
    place="Invariance & Equivariance",
    printed="equivariance: g(f(X)) = f(g(X)) for all transformations g of a certain type",
    claim=DefinitionByUse(
        means=lambda f: Equivariance(f, "X: n d -> n d", under="S(n)"),
        satisfied_by=lambda X: X * X + X.sum(0),
        violated_by=lambda X: X[::-1],
        typed=Conjunction(
            {
                "g(X)": Typing(lambda G, X: G @ X, "G: n n, X: n d -> n d"),
                "g(f(X))": Typing(lambda G, F: G @ F, "G: n n, F: n d -> n d"),
            }
        ),
    ),
    reading=(
        "checked by use, for the permutations of n points (rows): one function has the property"
        " and another lacks it",
        "the letter g stands on both sides: g also transforms f(X)",
    ),
)
