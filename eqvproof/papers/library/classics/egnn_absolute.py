"""An EGNN update with absolute positions in place of differences."""

from eqvproof.papers.library.classics.messages import messages, phi_x
from eqvproof.papers.statements import Array, Equivariance, Remark

SIGNATURE = "H: n c, X: n d, s: m -> n d"


def update(H: Array, X: Array, s: Array) -> Array:
    """Computes x_i + sum_j x_j phi_x(m_ij)."""
    return X + phi_x(messages(H, X, s)[1]) @ X


STATEMENT = Remark(
    id="classics.egnn.absolute",
    place="on Satorras and others 2021, coordinate update",
    printed="x_i + sum_j x_j phi_x(m_ij), with positions in place of differences, is equivariant"
    " to E(d)",
    claim=Equivariance(update, SIGNATURE, under="E(d)"),
    reading="an easy slip; phi_e and phi_x are any functions, left uninterpreted",
).repaired_as(
    printed="it is equivariant to O(d)",
    claim=Equivariance(update, SIGNATURE, under="O(d)"),
    reading="only translations are lost",
)
