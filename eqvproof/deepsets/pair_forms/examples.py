"""Builds ready-made pair forms: attention, kernels, linear attention, mean fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from eqvproof.deepsets.pair_forms.form import PairForm


def _normalised_weights(weight: Callable[[Any, Any], Any], *, columns: bool = False) -> PairForm:
    """Builds `g_ij = w(y_i, y_j) / sum_k w(y_i, y_k)`; ``columns`` exchanges i and j.

    The paper's rho_2 of attention lacks the term k = i of the denominator; here it is added:
    `rho_2(y, z, s) = w(y, z) / (w(y, z) + w(y, y) + s)`.
    """

    def rho2(q: Any, k: Any, s: Any) -> Any:
        return weight(q, k) / (weight(q, k) + weight(q, q) + s)

    def rho1(y: Any, s: Any) -> Any:
        return weight(y, y) / (weight(y, y) + s)

    def psi1(x: Any, y: Any) -> Any:
        return weight(y, x)

    if columns:
        return PairForm(rho1, psi1, lambda y, z, s: rho2(z, y, s), lambda x, y, z: weight(z, x))
    return PairForm(rho1, psi1, rho2, lambda x, y, z: weight(y, x))


def attention(*, columns: bool = False) -> PairForm:
    """Builds attention `g_ij = exp(q_i . k_j) / sum_k exp(q_i . k_k)`, as in Remark 4.1.

    Z = [W_Q^T, W_K^T]. The first half of y is its query, the second half its key. With ``columns``
    the softmax runs over i: `g_ij = exp(q_j . k_i) / sum_k exp(q_j . k_k)`, so that column j of X g
    is a mean of the columns of X (attention as in (2.1), values X).
    """

    def weight(y: Any, z: Any) -> Any:
        half = len(y) // 2
        return sympy.exp(y[:half] @ z[half:])

    return _normalised_weights(weight, columns=columns)


def gaussian_kernel(gamma: float = 0.5) -> PairForm:
    """Builds the Gaussian kernel `g_ij = exp(-gamma |y_i - y_j|^2)`."""
    return PairForm(1, 0, lambda y, z, s: sympy.exp(-gamma * ((y - z) @ (y - z))), 0)


def rational_kernel() -> PairForm:
    """Builds the rational kernel `g_ij = 1 / (1 + |y_i - y_j|^2)`."""
    return PairForm(1, 0, lambda y, z, s: 1 / (1 + (y - z) @ (y - z)), 0)


def linear_attention() -> PairForm:
    """Builds linear attention, at cost O(n).

    `g_ij = f(q_i) . f(k_j) / sum_k f(q_i) . f(k_k)` with `f(u) = (1, u_1^2, ..., u_h^2)`.
    """

    def weight(y: Any, z: Any) -> Any:
        half = len(y) // 2
        return 1 + (y[:half] ** 2) @ (z[half:] ** 2)

    return _normalised_weights(weight)


def mean_field() -> PairForm:
    """Builds the mean field `g_ij = (y_i . y_j) / (1 + sum_k |y_k|^2)`, at cost O(n)."""
    return PairForm(
        rho1=lambda y, s: (y @ y) / (1 + y @ y + s),
        psi1=lambda x, y: x @ x,
        rho2=lambda y, z, s: (y @ z) / (1 + y @ y + z @ z + s),
        psi2=lambda x, y, z: x @ x,
    )
