"""The penalty of tangent propagation."""

import numpy as np

from eqvproof.papers.statements import Array, Identity, Remark


def penalty(J: Array, tau: Array) -> Array:
    """Computes sum_{i=1}^m (d y_i / d xi)^2, with d y_i / d xi = sum_j J_ij tau_j."""
    return ((J @ tau) ** 2).sum()


def printed_penalty(J: Array, tau: Array) -> Array:
    """Computes sum_{i=1}^n (sum_j J_ij tau_j)^2, with i up to n as printed."""
    return ((J[: tau.shape[0]] @ tau) ** 2).sum()


def repaired_penalty(J: Array, tau: Array) -> Array:
    """Computes sum_{i=1}^m (sum_j J_ij tau_j)^2."""
    return np.einsum("ij,j,ik,k->", J, tau, J, tau)


STATEMENT = Remark(
    id="sym23.tangent.penalty",
    place="Setup, sidenote on tangent propagation",
    formal="Refuted.sym23_tangent_penalty",
    printed="sum_{i=1}^m (d y_i / d xi)^2 = sum_{i=1}^n (sum_{j=1}^n J_ij tau_j)^2, y in R^m, x in"
    " R^n",
    claim=Identity(penalty, printed_penalty, "J: n+k n, tau: n -> ()"),
    reading=(
        "d y_i / d xi = sum_j J_ij tau_j by the line before; J is m x n",
        "the statement is for all m and n; for m < n the right side has terms J_ij with i > m,"
        " which do not exist, so that we check m > n: m = n + k",
    ),
).repaired_as(
    printed="sum_{i=1}^m (d y_i / d xi)^2 = sum_{i=1}^m (sum_{j=1}^n J_ij tau_j)^2",
    claim=Identity(penalty, repaired_penalty, "J: m n, tau: n -> ()"),
    reading="i goes to m, the number of values",
)
