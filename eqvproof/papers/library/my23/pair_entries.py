"""Matrices with the entries of Proposition 4.1, for all rho_1, rho_2, psi_1, psi_2."""

from __future__ import annotations

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.my23.notation import others
from eqvproof.papers.statements import Array

# y_i are the columns of Y = Z^T X; every function is evaluated at all places at once, psi has p
# values
psi1 = ep.opaque(
    "psi1", "Y: k n, s: p -> n n p", under="S(n)", example=lambda Y, s: (Y.T @ Y)[:, :, None] * s
)
psi2 = ep.opaque(
    "psi2",
    "Y: k n, s: p -> n n n p",
    under="S(n)",
    example=lambda Y, s: np.einsum("ak,ai,aj,p->kijp", Y, Y, Y, s),
)
rho1 = ep.opaque(
    "rho1", "Y: k n, T: n p -> n", under="S(n)", example=lambda Y, T: Y.sum(0) * T.sum(1)
)
rho2 = ep.opaque(
    "rho2", "Y: k n, T: n n p -> n n", under="S(n)", example=lambda Y, T: (Y.T @ Y) * T.sum(2)
)


def sum_without_i(terms: Array) -> Array:
    """Sums terms_ki over k != i, for every i."""
    return np.einsum("kip,ki->ip", terms, others(terms.shape[0]))


def sum_without_i_j(terms: Array) -> Array:
    """Sums terms_kij over k != i, j, for every i and j."""
    is_other = others(terms.shape[0])
    return np.einsum("kijp,ki,kj->ijp", terms, is_other, is_other)


def coefficients(Y: Array, s: Array) -> Array:
    """Computes the matrix g with the entries of Proposition 4.1.

    g_ii = rho_1(y_i, sum_{k != i} psi_1(y_k, y_i)) and g_ij = rho_2(y_i, y_j, sum_{k != i, j}
    psi_2(y_k, y_i, y_j)).
    """
    n = Y.shape[1]
    diagonal = rho1(Y, sum_without_i(psi1(Y, s)))
    return np.eye(n) * diagonal[:, None] + others(n) * rho2(Y, sum_without_i_j(psi2(Y, s)))
