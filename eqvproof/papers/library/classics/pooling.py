"""Features of the elements of a set, and pooling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Case

#: A function with p values, applied to every element (row of X).
phi_of_rows = ep.opaque(
    "phi", "X: n d, s: p -> n p", under="S(n)", example=lambda X, s: X.sum(1)[:, None] * s
)
#: The same function of a single element.
phi_of_vector = ep.opaque("phi", "x: d, s: p -> p", example=lambda x, s: x.sum() * s)
rho = ep.opaque("rho", "v: p, t: q -> q", example=lambda v, t: v.sum() * t)


def feature_pairs() -> Iterator[Case]:
    """Yields values p and q of one feature at two elements: p smaller, equal and larger than q."""
    for p, q in product(range(2), repeat=2):
        yield Case({"K": 1}, {"p": np.array([p], dtype=object), "q": np.array([q], dtype=object)})


def maximum(*features: Array) -> Array:
    """Computes the maximum of the features of a list of elements."""
    return np.stack(features).max(0)


def power_sums(X: Array, most: int) -> Array:
    """Computes sum over x in X of x^k, for k = 1, .., most."""
    return np.stack([(X**k).sum() for k in range(1, most + 1)])
