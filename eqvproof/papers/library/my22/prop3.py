"""Proposition 3: permutation equivariant X g(Z^T X), where X has full column rank."""

from eqvproof.papers.library.my22 import prop3_pinv
from eqvproof.papers.library.my22.preimages import build, cases, conditions
from eqvproof.papers.library.my23 import (
    prop4_1_deep_sets_citation,
    prop4_1_swap_diagonal,
    prop4_1_swap_pair,
)
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
                "g_ii": Derivation(
                    "diagonal(g(X), I) = rho1(column(X, I), others(X, I))",
                    {
                        "diagonal(g(x), i) = first(g(swap(x, i)))": prop4_1_swap_diagonal.STATEMENT,
                        "first(g(x)) = rho1(head(x),"
                        " sum1(x))": prop4_1_deep_sets_citation.STATEMENT,
                    },
                    {
                        "x_i comes first": "head(swap(x, i)) = column(x, i)",
                        "the others follow": "sum1(swap(x, i)) = others(x, i)",
                    },
                    "x i",
                ),
                "g_ij": Derivation(
                    "entry(g(X), I, J) = rho2(column(X, I), column(X, J), others(X, I, J))",
                    {
                        "entry(g(x), i, j) = second(g(front(x, i,"
                        " j)))": prop4_1_swap_pair.STATEMENT,
                        "second(g(x)) = rho2(head(x), next(x),"
                        " sum2(x))": prop4_1_deep_sets_citation.STATEMENT,
                    },
                    {
                        "x_i comes first": "head(front(x, i, j)) = column(x, i)",
                        "x_j comes second": "next(front(x, i, j)) = column(x, j)",
                        "the others follow": "sum2(front(x, i, j)) = others(x, i, j)",
                    },
                    "x i j",
                ),
            }
        ),
        {"rho and psi, computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "g is evaluated at X of full column rank only (n <= d): there X g determines g; permuted"
        " columns have full rank again. For n > d there is no such X",
        "the appendix goes from g to rho and psi as the journal version does; its steps, those"
        " that do not hold as printed in their "
        "repaired form, are used for g. Its sum for g_12 goes up to n",
    ),
)
