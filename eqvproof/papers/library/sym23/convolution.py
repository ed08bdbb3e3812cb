"""Group convolutions over finite domains, and correlations with a filter."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array

SIGNATURE = "P: g u u, x: u c, theta: u c"


def group_convolution(P: Array, x: Array, theta: Array) -> Array:
    """Computes the group convolution C_theta(x)(g) = sum_u <x(u), theta(g^-1.u)>.

    P stacks the matrices of G: (P_g theta)(u) = theta(g^-1.u).
    """
    return np.einsum("uc,guv,vc->g", x, P, theta)


def correlation(x: Array, filter: Array) -> Array:
    """Computes y(u, v)_c' = sum_ij sum_c w_ijcc' x(u + i, v + j)_c on a torus.

    i and j start from 1; h x w x c to h x w x c'.
    """
    rows, columns = filter.shape[:2]
    return sum(
        np.roll(x, (-i, -j), axis=(0, 1)) @ filter[i - 1, j - 1]
        for i in range(1, rows + 1)
        for j in range(1, columns + 1)
    )


def delta(n: Array, total: Array, i: int) -> Array:
    """Builds the n x total matrix with 1 where w - u = i, else 0, for u < n and w < total."""
    return np.eye(n, total, i)


def over_translations(x: Array, theta: Array) -> Array:
    """Computes C_theta(x)(g) for the translations of the torus Z_h x Z_w."""
    h, w = x.shape
    moves = [
        np.kron(np.roll(np.eye(h), a, 0), np.roll(np.eye(w), b, 0))
        for a in range(h)
        for b in range(w)
    ]
    return group_convolution(np.array(moves), x.reshape(h * w, 1), theta.reshape(h * w, 1)).reshape(
        h, w
    )


def over_differences(x: Array, theta: Array) -> Array:
    """Computes sum_v x(v) theta(v - u), indices modulo h and w."""
    h, w = x.shape
    points = [(a, b) for a in range(h) for b in range(w)]
    sums = [sum(x[a, b] * theta[(a - u) % h, (b - v) % w] for a, b in points) for u, v in points]
    return np.stack(sums).reshape(h, w)


def strided_correlation(x: Array, theta: Array, m: int) -> Array:
    """Computes y(u) = sum_v x(v) theta(v - k u) on the circle of k m points, u = 0 .. m - 1."""
    n = x.shape[0]
    k = n // m
    u, v = np.arange(m), np.arange(n)[:, None]
    return x @ theta[(v - k * u) % n]
