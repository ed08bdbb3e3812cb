"""Invariant functions of n vectors as rho of a sum."""

from eqvproof.papers.library.my23.power_sums import (
    SIZES,
    cases,
    decode_points,
    points_are_determined,
    same_points,
)
from eqvproof.papers.statements import AtSizes, Construction, Illustrated, ProofStep

STATEMENT = ProofStep(
    id="my23.prop4.1.sum-decomposition",
    place="Appendix B (what its use of [57] needs)",
    formal="FinitePsi.moments",
    printed="for fixed n every permutation invariant function of n vectors is rho(sum_k psi(x_k));"
    " rho and psi can be continuous when it is",
    claim=Illustrated(
        AtSizes(points_are_determined, SIZES),
        {"decoded": Construction(cases, decode_points, same_points)},
    ),
    assumptions=(
        "the factorisation of a polynomial in a and t into linear factors is unique up to order"
        " and scalars",
        "a continuous injective map for which preimages of bounded sets are bounded has a closed"
        " image, on which its inverse is continuous; a continuous function on a closed set has a"
        " continuous extension (Tietze)",
    ),
    reading=(
        "psi(x) = all monomials of x up to degree n. We check that the sums of psi determine the"
        " points: prod_k (t - a . x_k), a polynomial in t and a whose factors give the points, is"
        " computed from them",
        "hence every invariant f is rho(sum psi) with rho(s) = f(points of s). Preimages of"
        " bounded sets are bounded since "
        "sum_k |x_k|^2 is a sum of power sums (for n = 1 the sum is psi(x_1) itself), so that rho"
        " can be continuous with f",
        "exact at some n and d; the points are computed from their power sums at more of them",
    ),
)
