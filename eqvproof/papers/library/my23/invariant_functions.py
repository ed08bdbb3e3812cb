"""Invariant functions of sequences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.papers.library.my23.points import value
from eqvproof.papers.statements import Array, Condition

#: Invariant functions that are written with X X^T, not with X^T X.
INVARIANT: dict[str, Callable[[Array], Array]] = {
    "tr (X X^T)^2": lambda X: np.trace(X @ X.T @ X @ X.T),
    "det(I + X X^T)": lambda X: np.linalg.det(np.eye(X.shape[0]) + X @ X.T),
    "X^T (I + X X^T)^-1 X": lambda X: (X.T @ np.linalg.inv(np.eye(X.shape[0]) + X @ X.T) @ X).sum(),
}


def build(X: Array, Y: Array) -> list[Array]:
    """Evaluates the invariant functions at X."""
    return [value(g, X) for g in INVARIANT.values()]


def conditions(at_x: list[Array], X: Array, Y: Array) -> list[Condition]:
    """States that the functions have equal values at Y."""
    return [
        Condition("g(X) = g(Y)", left, value(g, Y))
        for left, g in zip(at_x, INVARIANT.values(), strict=True)
    ]
