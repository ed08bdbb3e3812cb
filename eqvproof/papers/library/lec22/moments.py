"""Second moments of vectors with independent entries of variance 1."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array


def second_moments(mean: Array) -> Array:
    """Computes E q q^T = I + m m^T for independent entries with variance 1 and mean m."""
    return np.eye(mean.shape[0]) + np.outer(mean, mean)


def variance(a: Array, b: Array) -> Array:
    """Computes Var(q . k) for independent q and k with means a and b.

    Var(q . k) = sum_ij E(q_i q_j) E(k_i k_j) - (E q . E k)^2.
    """
    return np.einsum("ij,ij->", second_moments(a), second_moments(b)) - (a @ b) ** 2


def variance_without_means(x: Array) -> Array:
    """Computes Var(q . k) if all means are 0."""
    return variance(0 * x, 0 * x)
