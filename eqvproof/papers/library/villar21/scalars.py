"""Functions of scalars that are left uninterpreted, and the products of vectors that they are applied to."""

from __future__ import annotations

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array

#: One coefficient for each vector, and p numbers, from the scalar products of n vectors.
coefficients = ep.opaque("f", "G: n n -> n", example=lambda G: 1 + G.sum(0))
numbers = ep.opaque("F", "G: n n, s: p -> p", example=lambda G, s: G.sum() * s)
#: The metric of special relativity, one sign first.
ETA = ep.groups.form("Lorentz", 4)


def crosses(V: Array) -> Array:
    """v_i x v_j, for vectors of R^3 as columns."""
    return np.cross(V[:, :, None], V[:, None, :], axis=0)


def determinants(V: Array) -> Array:
    """det(v_i, v_j, v_k)."""
    return np.einsum("aij,ak->ijk", crosses(V), V)


def centred(R: Array) -> Array:
    """The positions, rows of R, less their mean."""
    return R - R.mean(0)


def share(weights: Array) -> Array:
    """The weights divided by their sum, so that their sum is 1."""
    return weights / weights.sum()
