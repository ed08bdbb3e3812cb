"""Multisymmetric power sums of n points of R^d, and decoding of points from them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np

from eqvproof.deepsets import PowerSums
from eqvproof.papers.library.my23.points import exact
from eqvproof.papers.statements import Array, Case, Claim, Condition, Identity

SIZES = tuple(
    {"n": n, "d": d} for n, d in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (2, 3), (3, 2), (4, 1))
)


def power_sum(X: Array, exponents: tuple[int, ...]) -> Array:
    """Computes p_alpha = sum_k x_k^alpha, a monomial of the coordinates summed over columns."""
    terms = 1 + 0 * X[0]
    for row, exponent in enumerate(exponents):
        for _ in range(exponent):
            terms = terms * X[row]
    return terms.sum()


def power_sum_along(X: Array, a: Array, m: int) -> Array:
    """Computes sum_k (a . x_k)^m from the p_alpha with |alpha| = m: the multinomial theorem."""
    total = 0 * a[0]
    for exponents in product(range(m + 1), repeat=X.shape[0]):
        if sum(exponents) == m:
            weight = factorial(m) // prod(factorial(e) for e in exponents)
            total = total + weight * prod(
                v**e for v, e in zip(a, exponents, strict=True)
            ) * power_sum(X, exponents)
    return total


def product_from_sums(X: Array, a: Array, t: Array) -> Array:
    """Computes prod_k (t - a . x_k) from power sums, as sum_j (-1)^j e_j t^(n-j).

    Newton's identities give the e_j from the power sums along a.
    """
    n = X.shape[1]
    sums = [power_sum_along(X, a, m) for m in range(1, n + 1)]
    e = [1 + 0 * t]
    for j in range(1, n + 1):
        e.append(
            sum((-1) ** (i - 1) * e[j - i] * sums[i - 1] for i in range(1, j + 1)) * Fraction(1, j)
        )
    return sum((-1) ** j * e[j] * t ** (n - j) for j in range(n + 1))


def product_of_roots(X: Array, a: Array, t: Array) -> Array:
    """Computes prod_k (t - a . x_k)."""
    value = 1 + 0 * t
    for k in range(X.shape[1]):
        value = value * (t - a @ X[:, k])
    return value


def points_are_determined(sizes: Mapping[str, int]) -> Claim:
    """Claims that prod_k (t - a . x_k) is a polynomial in t, a and power sums up to degree n."""
    return Identity(
        product_of_roots,
        product_from_sums,
        f"X: {sizes['d']} {sizes['n']}, a: {sizes['d']}, t: () -> ()",
    )


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields points with rational coordinates, some of them equal."""
    for n, d in product((1, 2, 3, 4, 6), (1, 2, 3)):
        X = exact([[rng.randint(-4, 4) for _ in range(n)] for _ in range(d)]) / rng.randint(1, 3)
        X[:, -1] = X[:, 0]
        yield Case({"n": n, "d": d}, {"X": X})


def decode_points(X: Array) -> Array:
    """Encodes X as power sums, and decodes them to sorted rows; rho may compute with these."""
    sums = PowerSums(X.shape[1], X.shape[0])
    return np.asarray(sums.decode(sums.encode(X.T)).points, dtype=object)


def same_points(points: Array, X: Array) -> list[Condition]:
    """States that the points are the columns of X."""
    return [
        Condition(
            "the points come back from their power sums",
            points,
            np.array(sorted(map(tuple, X.T)), dtype=object),
        )
    ]
