"""The entries of g~ off the diagonal, obtained from one of them by swaps."""

import eqvproof as ep
from eqvproof.papers.library.my23.swaps import exchange_exists, front_exists, two_swaps_map
from eqvproof.papers.statements import Conjunction, Equivariance, Illustrated, ProofStep

tilde = ep.opaque("g_tilde", "X: d n, Z: d k -> n n", under="S(n)", example=lambda X, Z: X.T @ X)
MOVES = Equivariance(tilde, "X: d n, Z: d k -> n n", under="S(n)")

STATEMENT = ProofStep(
    id="my23.prop4.1.swap-pair",
    place="Appendix B",
    formal="Refuted.my23_prop4_1_swap_pair",
    printed="for all i < j some permutation P_{1i,2j} swaps x_1 with x_i and x_2 with x_j, and"
    " g~_ij(.., x_n) = g~_12(x_i, x_j, .., x_1, .., x_2, ..)",
    claim=Conjunction(
        {
            "P_{1i,2j} exists": exchange_exists(ordered=True),
            "g~(X P) = P^T g~(X) P": MOVES,
        }
    ),
    reading=(
        "swaps: x_i moves to place 1 and x_1 to place i, x_j to place 2 and x_2 to place j, as the"
        " arguments of g~_12 show; for i = 1, x_1 stays in its place",
        "all i < j: the paper assumes no more",
    ),
).repaired_as(
    formal="Rows.my23_prop4_1_swap_pair_repaired",
    printed="for all i != j some permutation P puts x_i first and x_j second, and g~_ij(X, Z) ="
    " g~_12(X P, Z)",
    claim=Illustrated(
        Conjunction(
            {
                "place 1 takes x_i": two_swaps_map("one", "i"),
                "place 2 takes x_j": two_swaps_map("two", "j"),
                "g~(X P) = P^T g~(X) P": MOVES,
            }
        ),
        {"all i != j, n up to 5": front_exists(ordered=False)},
    ),
    reading="x_1 and x_2 may move to any other places, since g~_12 is invariant to permutations of"
    " its arguments from the third on; P is a product of two swaps, for every n",
)
