"""Doubly stochastic matrices as convex combinations of permutation matrices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np

from eqvproof.papers.statements import Array, Case, Condition, Matrices, Polytope
from eqvproof.support.errors import defect

LARGEST = 4


def matrix(p: tuple[int, ...]) -> Array:
    """Builds the permutation matrix with ones at (i, p_i)."""
    return np.eye(len(p), dtype=int)[list(p)]


def polytopes() -> Iterator[Polytope]:
    """Yields B_n = {P >= 0 : rows and columns sum to 1}, n <= 4, and permutation matrices."""
    for n in range(1, LARGEST + 1):
        one = np.eye(n, dtype=int)
        rows = [np.outer(one[i], np.ones(n, dtype=int)).ravel().tolist() for i in range(n)]
        columns = [np.outer(np.ones(n, dtype=int), one[j]).ravel().tolist() for j in range(n)]
        points = [matrix(p).ravel().tolist() for p in permutations(range(n))]
        yield Polytope(f"B_{n}", [*rows, *columns], [1] * (2 * n), points)


def decompose(M: Array) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Decomposes M into permutation matrices with weights, by Birkhoff's greedy steps.

    Returns weights w and permutations p such that M is the sum of w times the matrix of p.

    Raises:
        EqvproofError: M is not doubly stochastic: its support contains no permutation.
    """
    rest, found = M.copy(), []
    while np.any(rest != 0):
        p = _matching(rest != 0)
        if p is None:
            raise defect("no permutation on the support")
        weight = min(rest[i, j] for i, j in enumerate(p))
        found.append((weight, p))
        rest = rest - weight * matrix(p)
    return found


def _matching(allowed: Array) -> tuple[int, ...] | None:
    """Finds a perfect matching of rows to columns by augmenting paths, or None."""
    row_of: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j in np.flatnonzero(allowed[i]).tolist():
            if j not in seen:
                seen.add(j)
                if j not in row_of or place(row_of[j], seen):
                    row_of[j] = i
                    return True
        return False

    n = allowed.shape[0]
    if not all(place(i, set()) for i in range(n)):
        return None
    return tuple(sorted(range(n), key=lambda j: row_of[j]))


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields the matrices with all entries 1/n, and mixtures of random permutation matrices."""
    for n in (1, 2, 3, 4, 6, 9):
        yield Case({"n": n}, {"M": np.full((n, n), Fraction(1, n), dtype=object)})
        weights = [rng.randint(1, 9) for _ in range(n + 1)]
        mixed = sum(w * matrix(tuple(rng.sample(range(n), n))) for w in weights)
        yield Case({"n": n}, {"M": mixed.astype(object) * Fraction(1, sum(weights))})


def picture() -> Matrices:
    """Draws a doubly stochastic matrix, and the weighted permutation matrices that sum to it."""
    parts = [(3, (0, 1, 2)), (2, (1, 2, 0)), (1, (1, 0, 2))]
    mixed = sum(w * matrix(p) for w, p in parts) * Fraction(1, sum(w for w, _ in parts))
    weighted = {f"{w} P{k}": w * matrix(p) for k, (w, p) in enumerate(decompose(mixed), start=1)}
    return Matrices(
        "a doubly stochastic matrix, and the weighted permutation matrices that sum to it",
        {"M": mixed, **weighted},
    )


def conditions(found: list[tuple[Fraction, tuple[int, ...]]], M: Array) -> list[Condition]:
    """States that the result is a convex combination of permutation matrices, equal to M."""
    weights = [w for w, _ in found]
    return [
        Condition("M = sum of w_p P", sum(w * matrix(p) for w, p in found), M),
        Condition("the w_p sum to 1", sum(weights), 1),
        Condition("no w_p is negative", sum(w < 0 for w in weights), 0),
        Condition("permutations", sum(sorted(p) != list(range(len(M))) for _, p in found), 0),
    ]
