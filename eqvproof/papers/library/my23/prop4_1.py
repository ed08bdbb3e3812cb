"""Proposition 4.1: permutation equivariant X g(Z^T X)."""

from eqvproof.papers.library.my23 import (
    prop4_1_deep_sets_citation,
    prop4_1_reynolds,
    prop4_1_sum_limits,
    prop4_1_swap_diagonal,
    prop4_1_swap_pair,
)
from eqvproof.papers.library.my23.entries import build, cases, conditions
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
                "g~_ii": Derivation(
                    "diagonal(tilde(Y), I) = rho1(column(Y, I), others(Y, I))",
                    {
                        "diagonal(tilde(y), i) = first(tilde(swap(y,"
                        " i)))": prop4_1_swap_diagonal.STATEMENT,
                        "first(tilde(y)) = rho1(head(y),"
                        " sum1(y))": prop4_1_deep_sets_citation.STATEMENT,
                    },
                    {
                        "x_i comes first": "head(swap(y, i)) = column(y, i)",
                        "the others follow": "sum1(swap(y, i)) = others(y, i)",
                    },
                    "y i",
                ),
                "g~_ij": Derivation(
                    "entry(tilde(Y), I, J) = rho2(column(Y, I), column(Y, J), others(Y, I, J))",
                    {
                        "entry(tilde(y), i, j) = second(tilde(front(y, i,"
                        " j)))": prop4_1_swap_pair.STATEMENT,
                        "second(tilde(y)) = rho2(head(y), next(y),"
                        " sum2(y))": prop4_1_sum_limits.STATEMENT,
                    },
                    {
                        "x_i comes first": "head(front(y, i, j)) = column(y, i)",
                        "x_j comes second": "next(front(y, i, j)) = column(y, j)",
                        "the others follow": "sum2(front(y, i, j)) = others(y, i, j)",
                    },
                    "y i j",
                ),
            }
        ),
        {"rho and psi, computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "tilde(Y) = g~(Y), Y = Z^T X; head and next are the first two columns, sum1 and sum2 the"
        " sums of psi over the rest; front(y, i, j) is y with x_i, x_j in front. That g~ depends on"
        " Z^T X only makes Z^T x_i the arguments of rho and psi",
        "rho and psi may depend on n; the steps that do not hold as printed are used in their"
        " repaired form",
        "computed: rho_1 and rho_2 read the points from the sums of psi (their power sums), and"
        " evaluate the group average of g there",
    ),
)
