"""Kernels of distances."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Remark

f = ep.opaque("f", "D: n n -> n n", under="S(n)", example=lambda D: D * D)
SIGNATURE = "Y: k n -> n n"


def distances(Y: Array) -> Array:
    """Computes |y_i - y_j|, n x n."""
    return np.linalg.norm(Y[:, :, None] - Y[:, None, :], axis=0)


STATEMENT = Remark(
    id="my23.sec3.3.rbf-kernel",
    place="§3.3, A perspective from kernels",
    formal="Rows.my23_sec3_3_rbf_kernel",
    printed="g_ij(Y) = f(|y_i - y_j|) satisfies g(Q Y) = g(Y) for orthogonal Q, and g(Y P) = P^T"
    " g(Y) P",
    claim=Conjunction(
        {
            "any f, O(k)": Equivariance(lambda Y: f(distances(Y)), SIGNATURE, under="O(k)"),
            "any f, S(n)": Equivariance(lambda Y: f(distances(Y)), SIGNATURE, under="S(n)"),
            "f(t) = exp(-t^2)": Equivariance(
                lambda Y: np.exp(-(distances(Y) ** 2)), SIGNATURE, under="O(k) x S(n)"
            ),
        }
    ),
    reading=(
        "f, applied to every entry, is left uninterpreted; the proof only uses that a permutation"
        " of the points permutes the entries of f(D) like those of D",
        "both axes of g belong to the points: permuting the points turns g into P^T g P",
    ),
)
