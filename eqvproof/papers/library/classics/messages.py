"""The layer of EGNN, with uninterpreted functions of messages."""

from __future__ import annotations

import eqvproof as ep
from eqvproof.papers.statements import Array


def _edges(H: Array, D: Array, s: Array) -> Array:
    return (D + H.sum(1)[:, None])[:, :, None] * s


phi_e = ep.opaque("phi_e", "H: n c, D: n n, s: m -> n n m", under="S(n)", example=_edges)
phi_x = ep.opaque("phi_x", "M: n n m -> n n", under="S(n)", example=lambda M: M.sum(2))
phi_h = ep.opaque(
    "phi_h", "H: n c, M: n m -> n c", under="S(n)", example=lambda H, M: H * M.sum(1)[:, None]
)
phi_v = ep.opaque("phi_v", "H: n c -> n", under="S(n)", example=lambda H: H.sum(1))


def messages(H: Array, X: Array, s: Array) -> tuple[Array, Array]:
    """Computes x_i - x_j, and m_ij = phi_e(h_i, h_j, |x_i - x_j|^2)."""
    differences = X[:, None] - X[None]
    return differences, phi_e(H, (differences * differences).sum(2), s)


def coordinate_change(H: Array, X: Array, s: Array) -> Array:
    """Computes sum_j (x_i - x_j) phi_x(m_ij)."""
    differences, m = messages(H, X, s)
    return (differences * phi_x(m)[:, :, None]).sum(1)


def features(H: Array, X: Array, s: Array) -> Array:
    """Computes phi_h(h_i, sum_j m_ij)."""
    return phi_h(H, messages(H, X, s)[1].sum(1))
