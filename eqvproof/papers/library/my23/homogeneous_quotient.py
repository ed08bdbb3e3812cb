"""A continuous function f(X) = N(X) / D(X), homogeneous of degree 1 but not linear."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array, Conjunction, Equivariance, Identity

TWO = "X: d 2 -> d 1"


def numerator(X: Array) -> Array:
    """Computes (x_1 . x_2) x_1."""
    return (X[:, 0] @ X[:, 1]) * X[:, :1]


def denominator(X: Array) -> Array:
    """Computes |x_1|^2 + |x_2|^2."""
    return X[:, 0] @ X[:, 0] + X[:, 1] @ X[:, 1]


def example(X: Array) -> Array:
    """Computes f(X) = (x_1 . x_2) x_1 / (|x_1|^2 + |x_2|^2), f(0) = 0."""
    total = denominator(X)
    return np.where(total > 0, numerator(X) / np.where(total > 0, total, 1), 0)


PREMISE = Conjunction(
    {
        "f is equivariant": Equivariance(example, TWO, under="O(d)"),
        "D + 2 x_1.x_2 = |x_1 + x_2|^2": Identity(
            lambda X: denominator(X) + 2 * X[:, 0] @ X[:, 1],
            lambda X: (X[:, 0] + X[:, 1]) @ (X[:, 0] + X[:, 1]),
            "X: d 2 -> ()",
        ),
        "D - 2 x_1.x_2 = |x_1 - x_2|^2": Identity(
            lambda X: denominator(X) - 2 * X[:, 0] @ X[:, 1],
            lambda X: (X[:, 0] - X[:, 1]) @ (X[:, 0] - X[:, 1]),
            "X: d 2 -> ()",
        ),
        "N(t X) = t^3 N(X)": Identity(
            lambda t, X: numerator(t * X), lambda t, X: t**3 * numerator(X), "t: (), X: d 2 -> d 1"
        ),
        "D(t X) = t^2 D(X)": Identity(
            lambda t, X: denominator(t * X),
            lambda t, X: t**2 * denominator(X),
            "t: (), X: d 2 -> ()",
        ),
    }
)
