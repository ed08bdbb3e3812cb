"""Uninterpreted functions of scalars, and products of vectors to which they are applied."""

from __future__ import annotations

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array

#: Functions of the scalar products of n vectors: one coefficient for each vector, and p numbers.
coefficients = ep.opaque("f", "G: n n -> n", example=lambda G: 1 + G.sum(0))
numbers = ep.opaque("F", "G: n n, s: p -> p", example=lambda G, s: G.sum() * s)
#: The metric of special relativity, one sign first.
ETA = ep.groups.form("Lorentz", 4)


def cross_products(V: Array) -> Array:
    """Computes v_i x v_j, for vectors of R^3 as columns."""
    return np.cross(V[:, :, None], V[:, None, :], axis=0)


def determinants(V: Array) -> Array:
    """Computes det(v_i, v_j, v_k)."""
    return np.einsum("aij,ak->ijk", cross_products(V), V)


def centre(R: Array) -> Array:
    """Subtracts the mean from the positions, which are rows of R."""
    return R - R.mean(0)


def normalise_weights(weights: Array) -> Array:
    """Divides the weights by their sum, so that they sum to 1."""
    return weights / weights.sum()
