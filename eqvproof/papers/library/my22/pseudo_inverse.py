"""The choice g~ = X^+ f for matrices of any rank."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from eqvproof.papers.library.my23.factoring import coefficients
from eqvproof.papers.library.my23.points import exact, sequences
from eqvproof.papers.statements import Array, Case, Condition


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields X, f = X g for any matrix g, and a permutation."""
    for X in sequences(rng):
        d, n = X.shape
        g = exact([[rng.randint(-3, 3) for _ in range(n)] for _ in range(n)])
        yield Case({"d": d, "n": n}, {"X": X, "f": X @ g, "moved": rng.sample(range(n), n)})


def build(X: Array, f: Array, moved: list[int]) -> tuple[Array, Array]:
    """Computes X^+ f and (X P)^+ (f P)."""
    return coefficients(X, f), coefficients(X[:, moved], f[:, moved])


def conditions(built: tuple[Array, Array], X: Array, f: Array, moved: list[int]) -> list[Condition]:
    """States the conditions on g~: X g~ = f and g~(X P) = P^T g~(X) P."""
    return [
        Condition("X g~ = f", X @ built[0], f),
        Condition("g~(X P) = P^T g~(X) P", built[1], built[0][np.ix_(moved, moved)]),
    ]


def of_row(X: Array) -> Array:
    """Computes X^+ for a single row: X^T / |X|^2, and 0 for X = 0."""
    length = (X @ X.T)[0, 0]
    return np.where(length > 0, X.T / np.where(length > 0, length, 1), 0)


def unseen(X: Array, B: Array, w: Array) -> Array:
    """Computes (B - B^T) X^T w^T, a g with X g = 0 for d = 1."""
    return np.outer((B - B.T) @ X[0], w)
