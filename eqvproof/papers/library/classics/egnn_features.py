"""The features of EGNN."""

from eqvproof.papers.library.classics.messages import features
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.egnn.features",
    place="Satorras and others 2021, feature update; appendix",
    printed="phi_h(h_i, sum_j m_ij) is invariant to E(d), and equivariant to permutations",
    claim=Equivariance(features, "H: n c, X: n d, s: m -> n c", under="E(d) x S(n)"),
    reading="phi_e and phi_h are any functions, left uninterpreted, as in"
    " classics.egnn.coordinates",
)
