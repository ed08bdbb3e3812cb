"""The coordinates of EGNN."""

from eqvproof.papers.library.classics.messages import coordinate_change
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.egnn.coordinates",
    place="Satorras and others 2021, coordinate update; appendix",
    printed="x_i + sum_j (x_i - x_j) phi_x(m_ij) with m_ij = phi_e(h_i, h_j, |x_i - x_j|^2) is"
    " equivariant to E(d) and permutations",
    claim=Equivariance(
        lambda H, X, s: X + coordinate_change(H, X, s),
        "H: n c, X: n d, s: m -> n d",
        under="E(d) x S(n)",
    ),
    reading=(
        "phi_e and phi_x are any functions, left uninterpreted; evaluated at all pairs they are"
        " permuted with the points",
        "the factor 1/(n - 1) in front of the sum is part of phi_x; messages have m entries, and s"
        " only carries this size",
    ),
)
