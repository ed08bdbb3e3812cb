"""Invariance."""

from eqvproof.papers.library.sym23.equations import DOUBLE_INVERSE, STAR
from eqvproof.papers.statements import (
    Conjunction,
    Definition,
    DefinitionByUse,
    Equational,
    Equivariance,
    Typing,
)

STATEMENT = Definition(
    id="sym23.def.invariant",
    place="Framework, Key Definitions",
    printed="f is G-invariant: f o *_g = f for all g in G; equivalently f(x o ._g) = f(x) for all"
    " x and g",
    claim=Conjunction(
        {
            "by use": DefinitionByUse(
                means=lambda f: Equivariance(f, "x: n c -> c", under="S(n)"),
                satisfied_by=lambda x: x.sum(0),
                violated_by=lambda x: x[0],
                typed=Typing(lambda G, x: G @ x, "G: n n, x: n c -> n c"),
            ),
            "f o *_g = f gives f(x o ._g) = f(x)": Equational(
                "f(comp(x, g)) = f(x)",
                {
                    "x o ._g = g^-1 * x": "comp(x, g) = star(inv(g), x)",
                    "invariance": "f(star(g, x)) = f(x)",
                },
                "g x",
            ),
            "f(x o ._g) = f(x) gives f o *_g = f": Equational(
                "f(star(g, x)) = f(x)",
                {**STAR, "equivalent form": "f(comp(x, g)) = f(x)"},
                "g x",
            ),
            "x o ._g = g^-1 * x": Equational(
                "star(inv(g), x) = comp(x, g)", {**STAR, **DOUBLE_INVERSE}, "g x"
            ),
        }
    ),
    reading=(
        "checked by use for the permutations of n points: g * x is again a signal, one function"
        " has the property, another lacks it",
        "the two forms are derived from each other for any group, domain and f; the derivation"
        " only uses g * x = x o ._{g^-1}",
    ),
)
