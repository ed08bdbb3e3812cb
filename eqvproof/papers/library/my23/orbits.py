"""Orthogonal maps from sequences to sequences with the same inner products."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.papers.statements import Array, Condition


def build(X: Array, Y: Array) -> Any:
    """Finds Q with X = Q Y."""
    return orthogonal_witness(Y, X)


def conditions(witness: Any, X: Array, Y: Array) -> list[Condition]:
    """States that Q is orthogonal and maps Y to X."""
    Q = witness.Q
    return [
        Condition("Q^T Q = I", Q.T @ Q, np.eye(len(Q), dtype=int).astype(object)),
        Condition("X = Q Y", X, Q @ Y),
    ]


def swap(a: Array, b: Array) -> Array:
    """Computes |u|^2 a - 2 u (u.a) - |u|^2 b for u = a - b."""
    u = a - b
    return (u @ u) * a - 2 * u * (u @ a) - (u @ u) * b
