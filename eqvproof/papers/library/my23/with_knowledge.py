"""Equivariant functions with knowledge, and points at which g_1 and g_2 are constructed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from eqvproof.papers.library.my23.factoring import coefficients
from eqvproof.papers.library.my23.points import pairs, value
from eqvproof.papers.statements import Array, Case, Condition

#: Equivariant functions with knowledge that are not written in the form (3.1).
EQUIVARIANT: dict[str, Callable[[Array, Array], Array]] = {
    "Z Z^T X": lambda X, Z: Z @ Z.T @ X,
    "X X^T Z Z^T X": lambda X, Z: X @ X.T @ Z @ Z.T @ X,
    "(I + Z Z^T)^-1 X": lambda X, Z: np.linalg.inv(np.eye(Z.shape[0]) + Z @ Z.T) @ X,
}


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields [X, Z] and [Q X, Q Z], with the number n of columns of X."""
    for left, right in pairs(rng):
        total = left.shape[1]
        for f in EQUIVARIANT.values() if total > 1 else ():
            n = rng.randint(1, total - 1)
            values = [value(f, side[:, :n], side[:, n:]) for side in (left, right)]
            sizes = {"d": left.shape[0], "n": n, "k": total - n}
            yield Case(sizes, {"left": left, "right": right, "values": values, "n": n})


def build(left: Array, right: Array, values: list[Array], n: int) -> list[Array]:
    """Computes g = [g1; g2] at both points."""
    return [coefficients(left, values[0]), coefficients(right, values[1])]


def conditions(
    g: list[Array], left: Array, right: Array, values: list[Array], n: int
) -> list[Condition]:
    """States (3.1) at one point, and that g is the same at the other."""
    form = left[:, :n] @ g[0][:n] + left[:, n:] @ g[0][n:]
    return [
        Condition("f(X, Z) = X g1 + Z g2", form, values[0]),
        Condition("g(Q X, Q Z) = g(X, Z)", g[0], g[1]),
    ]
