"""Proposition 3: permutation equivariant X g(Z^T X), where X has full column rank."""

from eqvproof.papers.library.my22 import prop3_pinv
from eqvproof.papers.library.my22.preimages import build, cases, conditions
from eqvproof.papers.library.my23.entry_formulas import diagonal_formula, off_diagonal_formula
from eqvproof.papers.library.my23.prop4_1_deep_sets_citation import STATEMENT as SUM_FORM
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Derivation,
    Illustrated,
    Proposition,
)

STATEMENT = Proposition(
    id="my22.prop3",
    place="§4, Proposition 3; Appendix B",
    printed="for each n and all X of full column rank, a permutation equivariant X g(Z^T X) has"
    " g_ii = rho_1(x_i, Z, sum_{k != i} psi_1(x_k; x_i, Z)), "
    "g_ij = rho_2(x_i, x_j, Z, sum_{k != i, j} psi_2(x_k; x_i, x_j, Z)): g itself",
    claim=Illustrated(
        Conjunction(
            {
                "g(X P) = P^T g(X) P": Derivation(
                    "g(act(X, P)) = unconj(P, g(X))",
                    {"g(act(x, p)) = unconj(p, g(x))": prop3_pinv.STATEMENT},
                    {},
                    "x p",
                ),
                "g_ii": diagonal_formula("g", SUM_FORM),
                "g_ij": off_diagonal_formula("g", SUM_FORM),
            }
        ),
        {"rho and psi, computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "g is evaluated only at X of full column rank (n <= d): there X g determines g, and X P"
        " has full column rank again. For n > d there is no such X",
        "the appendix derives rho and psi from g as the journal version does. Its steps are used"
        " for g, with Y = X; those that do not hold as printed are used in their repaired form."
        " Its sum for g_12 ends at n",
    ),
)
