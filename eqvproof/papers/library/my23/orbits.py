"""Orthogonal maps from sequences to sequences with the same inner products."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.papers.statements import Array, Condition, Identity


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


def scaled_reflection_error(a: Array, b: Array) -> Array:
    """Computes |u|^2 (Q_u a - b) = |u|^2 a - 2 u (u . a) - |u|^2 b for u = a - b."""
    u = a - b
    return (u @ u) * a - 2 * u * (u @ a) - (u @ u) * b


#: For u = a - b: |u|^2 (Q_u a - b) = (|b|^2 - |a|^2) u, so that Q_u maps a to b of equal length.
REFLECTION_MAPS_A_TO_B = Identity(
    scaled_reflection_error, lambda a, b: (b @ b - a @ a) * (a - b), "a: d, b: d -> d"
)
#: For u = a - b: u . c = a . c - b . c, so that Q_u fixes c if a . c = b . c.
REFLECTION_FIXES_C = Identity(
    lambda a, b, c: (a - b) @ c, lambda a, b, c: a @ c - b @ c, "a: d, b: d, c: d -> ()"
)
