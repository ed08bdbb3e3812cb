"""The pseudo-inverse of dependent columns."""

import numpy as np

from eqvproof.papers.library.my22.pseudo_inverse import (
    ANNIHILATED_ARE_EQUIVARIANT,
    COEFFICIENTS_ARE_EQUIVARIANT,
    build,
    cases,
    conditions,
    row_inverse,
)
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Equational,
    Identity,
    Illustrated,
    ProofStep,
)

STATEMENT = ProofStep(
    id="my22.prop3.pinv-without-rank",
    place="Appendix B, (7)",
    formal="Refuted.my22_prop3_pinv_without_rank",
    printed="for every X, without the assumption on its rank: X^+ X = I, g(X, Z) = X^+ f(X, Z),"
    " hence g(X P, Z) = P^T g(X, Z) P",
    claim=Conjunction(
        {
            "X^+ X = I": Identity(
                lambda X: row_inverse(X) @ X, lambda X: np.eye(X.shape[1]), "X: 1 n -> n n"
            ),
            "g(X P) = P^T g(X) P": ANNIHILATED_ARE_EQUIVARIANT,
        }
    ),
    reading=(
        "a question to the source, which assumes full column rank in this version but not in the"
        " journal version; d = 1 suffices",
        "in the second part X g = 0 for all X, so that f = 0, which is equivariant (Z = 1); B and"
        " w are arbitrary and fixed",
    ),
).repaired_as(
    printed="for every X: X X^+ f = f and (X P)^+ = P^T X^+; hence g~ = X^+ f satisfies X g~ = f"
    " and g~(X P, Z) = P^T g~(X, Z) P",
    claim=Illustrated(
        Conjunction(
            {
                "X X^+ (X g) = X g": Equational(
                    "times(X, times(pinv(X), times(X, g))) = times(X, g)",
                    {
                        "A (B C) = (A B) C": "times(a, times(b, c)) = times(times(a, b), c)",
                        "(X X^+) X = X (Penrose)": "times(times(x, pinv(x)), x) = x",
                    },
                    "a b c x",
                ),
                "p(X^T X) X^T f(X, Z)": COEFFICIENTS_ARE_EQUIVARIANT,
            }
        ),
        {"X^+ computed": Construction(cases, build, conditions)},
    ),
    reading="X^+ = p(X^T X) X^T with p the pseudo-inverse; the proof only uses p(P^T G P) = P^T"
    " p(G) P; g~ depends on X^T X and Z^T X",
)
