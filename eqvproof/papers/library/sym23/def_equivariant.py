"""Equivariance."""

from eqvproof.papers.statements import (
    Conjunction,
    Definition,
    DefinitionByUse,
    Equivariance,
    Typing,
)

STATEMENT = Definition(
    id="sym23.def.equivariant",
    place="Framework, Key Definitions",
    printed="f is G-equivariant: f o *_g = *'_g o f for all g in G, * and *' acting on the signals"
    " on both sides",
    claim=Conjunction(
        {
            "points to points": DefinitionByUse(
                means=lambda f: Equivariance(f, "x: n c -> n c", under="S(n)"),
                satisfied_by=lambda x: x * x + x.sum(0),
                violated_by=lambda x: x[::-1],
                typed=Typing(lambda G, x: G @ x, "G: n n, x: n c -> n c"),
            ),
            "points to pairs of points": DefinitionByUse(
                means=lambda f: Equivariance(f, "x: n c -> n n", under="S(n)"),
                satisfied_by=lambda x: x @ x.T,
                violated_by=lambda x: (x @ x.T)[::-1],
                typed=Typing(lambda G, y: G @ y @ G.T, "G: n n, y: n n -> n n"),
            ),
        }
    ),
    reading=(
        "checked by use for the permutations g of n points, and two choices of the second domain:"
        " the points (* and *' are equal) and the pairs of points, where g.(u, v) = (g.u, g.v)",
        "each time g acts on signals, one function has the property, and another lacks it",
    ),
)
