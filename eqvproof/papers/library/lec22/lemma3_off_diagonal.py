"""Lemma 3, sketch, step 2: equal entries off the diagonal."""

from eqvproof.papers.library.lec22.linear import entry, pair_places
from eqvproof.papers.library.my23.swaps import composed, in_front
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
        "the printed conjugation is by A = pi_{j',j} pi_{i,i'}, A^-1 = A^T; judged is that entry"
        " (i, j) of A Theta A^T is "
        "Theta_{i',j'}, u, v, u1, v1 being the unit vectors e_i, e_j, e_i', e_j'",
        "all i != j and i' != j', among them those that have a number in common, since all entries"
        " off the diagonal are said to be "
        "equal; Theta has different entries everywhere, so that an entry tells its place",
    ),
).repaired_as(
    printed="for all i != j, i' != j' some permutation matrix P has (P Theta P^T)_{i,j} ="
    " Theta_{i',j'}; P Theta P^T = Theta gives "
    "Theta_{i',j'} = Theta_{i,j}",
    claim=Illustrated(
        Conjunction(
            {
                "1 goes to i": composed("one", "i"),
                "2 goes to j": composed("two", "j"),
                "P (Theta x) = (P Theta P^T) (P x)": Equivariance(
                    lambda T, x: T @ x, "T: m m, x: m -> m", under="S(m)"
                ),
            }
        ),
        {"all i != j, M up to 5": in_front(ordered=False)},
    ),
    reading="some permutation puts i and j first, for all i != j, and another i' and j': both"
    " entries equal Theta_{1,2}; made of "
    "two swaps, for every M",
)
