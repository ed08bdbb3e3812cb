"""Features of the elements of a set, and pooling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Case

#: A function of every element, one after the other, with p values.
each = ep.opaque(
    "phi", "X: n d, s: p -> n p", under="S(n)", example=lambda X, s: X.sum(1)[:, None] * s
)
#: The same kind of function, of a single element.
of_one = ep.opaque("phi", "x: d, s: p -> p", example=lambda x, s: x.sum() * s)
rho = ep.opaque("rho", "v: p, t: q -> q", example=lambda v, t: v.sum() * t)


def feature_pairs() -> Iterator[Case]:
    """Yields a feature of two elements, p of the one and q of the other.

    p is smaller, equal or larger.
    """
    for p, q in product(range(2), repeat=2):
        yield Case({"K": 1}, {"p": np.array([p], dtype=object), "q": np.array([q], dtype=object)})


def maximum(*features: Array) -> Array:
    """Computes the maximum of the features of a list of elements."""
    return np.stack(features).max(0)


def power_sums(X: Array, most: int) -> Array:
    """Computes sum over x in X of x^k, for k = 1, .., most."""
    return np.stack([(X**k).sum() for k in range(1, most + 1)])
