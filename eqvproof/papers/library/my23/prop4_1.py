"""Proposition 4.1: permutation equivariant X g(Z^T X)."""

from eqvproof.papers.library.my23 import (
    prop4_1_deep_sets_citation,
    prop4_1_reynolds,
    prop4_1_sum_limits,
)
from eqvproof.papers.library.my23.entries import build, cases, conditions
from eqvproof.papers.library.my23.entry_formulas import diagonal_formula, off_diagonal_formula
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Derivation,
    Illustrated,
    Proposition,
)

STATEMENT = Proposition(
    id="my23.prop4.1",
    place="§4, Proposition 4.1; Appendix B",
    formal="Prop41Sums.prop41_sums",
    printed="for each n, a permutation equivariant f(X, Z) = X g(Z^T X) is X g~(Z^T X), g~_ii ="
    " rho_1(Z^T x_i, sum_{k != i} psi_1(Z^T x_k, Z^T x_i)), "
    "g~_ij = rho_2(Z^T x_i, Z^T x_j, sum_{k != i, j} psi_2(Z^T x_k, Z^T x_i, Z^T x_j))",
    claim=Illustrated(
        Conjunction(
            {
                "X g~ = X g": Derivation(
                    "times(X, tilde(Y)) = times(X, g(Y))",
                    {"times(x, tilde(y)) = times(x, g(y))": prop4_1_reynolds.STATEMENT},
                    {},
                    "x y",
                ),
                "g~_ii": diagonal_formula("tilde", prop4_1_deep_sets_citation.STATEMENT),
                "g~_ij": off_diagonal_formula("tilde", prop4_1_sum_limits.STATEMENT),
            }
        ),
        {"rho and psi, computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "tilde(Y) = g~(Y), Y = Z^T X; head and next are its first two columns, sum1 and sum2 the"
        " sums of psi over the others; front(y, i, j) is y with y_i and y_j in front. The"
        " arguments of rho and psi are y_i = Z^T x_i, since g~ depends only on Y",
        "rho and psi may depend on n; steps that do not hold as printed are used in their repaired"
        " form",
        "computed: rho_1 and rho_2 decode the points from the sums of psi (their power sums), and"
        " evaluate the group average of g there",
    ),
)
