"""EGNN with velocities."""

from eqvproof.papers.library.classics.messages import coordinate_change, phi_v
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Proposition

SIGNATURE = "H: n c, X: n d, V: n d^, s: m"


def velocity(H: Array, X: Array, V: Array, s: Array) -> Array:
    """Computes phi_v(h_i) v_i + sum_j (x_i - x_j) phi_x(m_ij)."""
    return phi_v(H)[:, None] * V + coordinate_change(H, X, s)


STATEMENT = Proposition(
    id="classics.egnn.velocities",
    place="Satorras and others 2021, vector type representations",
    printed="with v_i' = phi_v(h_i) v_i + sum_j (x_i - x_j) phi_x(m_ij), x_i' = x_i + v_i': x'"
    " moves with E(d), v' rotates and does not move",
    claim=Conjunction(
        {
            "velocities": Equivariance(velocity, f"{SIGNATURE} -> n d^", under="E(d) x S(n)"),
            "points": Equivariance(
                lambda H, X, V, s: X + velocity(H, X, V, s),
                f"{SIGNATURE} -> n d",
                under="E(d) x S(n)",
            ),
        }
    ),
    reading="phi_v, phi_e and phi_x are any functions, left uninterpreted, as in"
    " classics.egnn.coordinates",
)
