"""Proposition 3.2: orthogonal equivariant functions with knowledge."""

from eqvproof.papers.library.my23 import prop3_1, prop3_2_block
from eqvproof.papers.library.my23.with_knowledge import EQUIVARIANT, build, cases, conditions
from eqvproof.papers.statements import (
    Construction,
    Derivation,
    Equivariance,
    Illustrated,
    Proposition,
)

STATEMENT = Proposition(
    id="my23.prop3.2",
    place="§3.2, Proposition 3.2, (3.1)",
    formal="MaYing.prop32",
    printed="every f as in Definition 3.2 is X g_1(X^T X, Z^T X, Z^T Z) + Z g_2(X^T X, Z^T X, Z^T"
    " Z), g_1, g_2 independent of Z",
    claim=Illustrated(
        Derivation(
            "f(join(X, Z)) = plus(times(X, g1(gram(X), cross(Z, X), gram(Z))), times(Z,"
            " g2(gram(X), cross(Z, X), gram(Z))))",
            {
                "f(x) = times(x, G(gram(x)))": prop3_1.STATEMENT,
                "gram(join(x, z)) = blocks(gram(x), cross(z, x), gram(z))": prop3_2_block.STATEMENT,
                "times(join(x, z), stack(a, b)) = plus(times(x, a), times(z,"
                " b))": prop3_2_block.STATEMENT,
            },
            {
                "the first n and the next k rows of g": "G(blocks(p, q, r)) = stack(g1(p, q, r),"
                " g2(p, q, r))"
            },
            "x z a b p q r",
        ),
        {
            **{
                f"{name} is equivariant": Equivariance(f, "X: d n, Z: d k -> d n", "O(d)")
                for name, f in EQUIVARIANT.items()
            },
            "the form (3.1)": Construction(cases, build, conditions),
        },
    ),
    reading=(
        "Proposition 3.1 for f as a function of [X, Z], for each number of columns n + k; k is"
        " fixed, so that n + k determines n and the place of the cut",
        "f is equivariant with knowledge Z for all Z, and one pair g_1, g_2 works for all Z. If"
        " the hypothesis is read for a single Z, it also holds for every Q Z, and the same proof"
        " applies to these",
    ),
)
