"""Mechanical energy."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Remark


def energy(R: Array, P: Array, m: Array) -> Array:
    """Computes sum |p_i|^2 / (2 m_i) - sum over i < j of m_i m_j / |r_i - r_j|."""
    squares = ((R[:, None] - R[None]) ** 2).sum(2)
    one = np.eye(m.shape[0])
    return ((P * P).sum(1) / (2 * m)).sum() - (
        np.outer(m, m) * (1 - one) / np.sqrt(squares + one)
    ).sum() / 2


STATEMENT = Remark(
    id="villar21.example.energy",
    place="examples, total mechanical energy",
    printed="sum_i |p_i|^2 / (2 m_i) - sum_{i<j} m_i m_j / |r_i - r_j| is invariant to E(d) and to"
    " permutations of the bodies",
    claim=Equivariance(energy, "R: n d, P: n d^, m: n -> ()", under="E(d) x S(n)"),
    reading="the constant of gravitation is 1; momenta rotate and are not translated; in the terms"
    " i = j, which are 0, 1 is added to |r_i - r_i| = 0",
)
