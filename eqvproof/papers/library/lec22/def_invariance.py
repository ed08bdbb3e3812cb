"""Invariance."""

from eqvproof.papers.statements import Definition, DefinitionByUse, Equivariance, Typing

STATEMENT = Definition(
    id="lec22.def.invariance",
    place="Invariance & Equivariance",
    printed="invariance: f(X) = f(g(X)) for all transformations g of a certain type",
    claim=DefinitionByUse(
        means=lambda f: Equivariance(f, "X: n d -> d", under="S(n)"),
        satisfied_by=lambda X: X.sum(0),
        violated_by=lambda X: X[0],
        typed=Typing(lambda G, X: G @ X, "G: n n, X: n d -> n d"),
    ),
    reading="checked by use, for the permutations of n points (rows): g(X) is again a set of n"
    " points, one function has the property and another lacks it",
)
