"""Lemma 3, sketch, step 2: equal entries off the diagonal."""

from eqvproof.papers.library.lec22.linear import entry, pair_places
from eqvproof.papers.library.my23.swaps import front_exists, two_swaps_map
from eqvproof.papers.statements import (
    Conjunction,
    Enumeration,
    Equivariance,
    Illustrated,
    ProofStep,
)

STATEMENT = ProofStep(
    id="lec22.lemma3.off-diagonal",
    place="Deep Sets, Lemma 3, sketch, step 2",
    formal="Refuted.lec22_lemma3_off_diagonal",
    printed="for all i != j, i' != j': pi_{j',j} pi_{i,i'} Theta pi_{i',i} pi_{j,j'} = Theta"
    " gives, in entry (i, j), Theta_{i',j'} = Theta_{i,j}",
    claim=Enumeration(
        lambda T, A, u, v, u1, v1: entry(A @ T @ A.T, u, v),
        lambda T, A, u, v, u1, v1: entry(T, u1, v1),
        "T: m m, A: m m, u: m, v: m, u1: m, v1: m -> ()",
        pair_places,
        "all i != j and i' != j'",
    ),
    reading=(
        "the printed conjugation is by A = pi_{j',j} pi_{i,i'}, A^-1 = A^T; we check that entry"
        " (i, j) of A Theta A^T is Theta_{i',j'}; u, v, u1, v1 are the unit vectors e_i, e_j,"
        " e_i', e_j'",
        "all i != j and i' != j', also pairs with a common number, since the claim is about all"
        " entries off the diagonal; all entries of Theta are different, so that an entry"
        " determines its place",
    ),
).repaired_as(
    printed="for all i != j, i' != j' some permutation matrix P has (P Theta P^T)_{i,j} ="
    " Theta_{i',j'}; P Theta P^T = Theta gives "
    "Theta_{i',j'} = Theta_{i,j}",
    claim=Illustrated(
        Conjunction(
            {
                "1 goes to i": two_swaps_map("one", "i"),
                "2 goes to j": two_swaps_map("two", "j"),
                "P (Theta x) = (P Theta P^T) (P x)": Equivariance(
                    lambda T, x: T @ x, "T: m m, x: m -> m", under="S(m)"
                ),
            }
        ),
        {"all i != j, M up to 5": front_exists(ordered=False)},
    ),
    reading="for all i != j some permutation puts i and j first, and another puts i' and j' first:"
    " both entries equal Theta_{1,2}. The permutation is a product of two swaps, for every M",
)
