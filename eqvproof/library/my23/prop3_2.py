"""Proposition 3.2: orthogonal equivariant functions with knowledge."""

from eqvproof.library.my23 import prop3_1, prop3_2_block
from eqvproof.library.my23.with_knowledge import EQUIVARIANT, build, cases, conditions
from eqvproof.statements import Conjunction, Construction, Equivariance, Proposition, Steps

STATEMENT = Proposition(
    id="my23.prop3.2",
    place="§3.2, Proposition 3.2, (3.1)",
    printed="every f as in Definition 3.2 is X g_1(X^T X, Z^T X, Z^T Z) + Z g_2(X^T X, Z^T X, Z^T Z), g_1, g_2 independent of Z",
    claim=Steps(
        Conjunction(
            {
                **{
                    f"{name} is equivariant": Equivariance(f, "X: d n, Z: d k -> d n", "O(d)")
                    for name, f in EQUIVARIANT.items()
                },
                "the form (3.1)": Construction(cases, build, conditions),
            }
        ),
        steps=(prop3_1.STATEMENT, prop3_2_block.STATEMENT),
        passage="Proposition 3.1 for f as a function of [X, Z], for each number of columns n + k; k is fixed, so that n and "
        "the cut are known from n + k",
    ),
    reading=(
        "f is equivariant with knowledge Z for all Z, and one pair g_1, g_2 serves all Z. Read for a single Z, the "
        "hypothesis holds along with it for every Q Z, and the same proof works on these",
    ),
)
