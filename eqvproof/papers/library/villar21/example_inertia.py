"""The tensor of inertia."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Remark


def inertia(R: Array, m: Array) -> Array:
    """Computes the tensor of inertia, sum_i m_i (|c_i|^2 I - c_i c_i^T).

    c_i is the position of body i less the centre of mass.
    """
    C = R - (m @ R) / m.sum()
    return (m * (C * C).sum(1)).sum() * np.eye(R.shape[1]) - (C * m[:, None]).T @ C


STATEMENT = Remark(
    id="villar21.example.inertia",
    place="examples, tensor functions",
    printed="sum_i m_i (|c_i|^2 I - c_i c_i^T) with c_i = r_i - centre of mass goes to Q (..) Q^T"
    " under E(d), and sees no order",
    claim=Equivariance(inertia, "R: n d, m: n -> d^ d^", under="E(d) x S(n)"),
)
