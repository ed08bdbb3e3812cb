"""Coefficients g that f determines if X has full column rank, and rho and psi for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from eqvproof.deepsets import PowerSums
from eqvproof.papers.library.my23.factoring import coefficients
from eqvproof.papers.library.my23.points import exact, value
from eqvproof.papers.statements import Array, Case, Condition

Function = Callable[[Array], Array]


def quadratic(Y: Array) -> Array:
    """Computes g(Y) = (1 + sum of all (Y^T Y)_ij) Y^T Y."""
    gram = Y.T @ Y
    return (1 + gram.sum()) * gram


def except_when_singular(Y: Array) -> Array:
    """Computes Y^T Y, plus c w^T with Y c = 0 if y_1, y_2 in the plane are dependent.

    The added matrix is not equivariant to permutations.
    """
    dependent = Y[0, 0] * Y[1, 1] == Y[0, 1] * Y[1, 0]
    c = np.stack([-Y[0, 1], Y[0, 0]])
    return Y.T @ Y + np.where(dependent, 1, 0) * np.outer(c, [0, 1])


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields g, and X of full column rank with a knowledge matrix Z."""
    for d, n, k in ((1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2), (3, 3, 2)):
        yield _case(
            quadratic,
            _full_rank(rng, d, n),
            [[rng.randint(-2, 2) for _ in range(k)] for _ in range(d)],
        )
    yield _case(except_when_singular, _full_rank(rng, 2, 2), [[1, 0], [0, 1]])


def _full_rank(rng: random.Random, d: int, n: int) -> list[list[int]]:
    while True:
        rows = [[rng.randint(-2, 2) for _ in range(n)] for _ in range(d)]
        if np.linalg.matrix_rank(np.array(rows)) == n:
            return rows


def _case(g: Function, rows: list[list[int]], knowledge: list[list[int]]) -> Case:
    X, Z = exact(rows), exact(knowledge)
    return Case({"d": X.shape[0], "n": X.shape[1], "k": Z.shape[1]}, {"g": g, "X": X, "Z": Z})


def build(g: Function, X: Array, Z: Array) -> Array:
    """Builds the matrix with entries rho(x_i, [x_j,] Z, sum of psi(x_k)).

    psi are the monomials; rho decodes the points from their sums.
    """
    n = X.shape[1]
    found = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            front = [i] if i == j else [i, j]
            rest = [k for k in range(n) if k not in front]
            sums = PowerSums(len(rest), X.shape[0])
            points = np.asarray(
                sums.decode(sums.encode(X[:, rest].T)).points, dtype=object
            ).reshape(-1, X.shape[0])
            found[i, j] = value(g, Z.T @ np.concatenate([X[:, front], points.T], axis=1))[
                0, len(front) - 1
            ]
    return found


def conditions(found: Array, g: Function, X: Array, Z: Array) -> list[Condition]:
    """States that the matrix equals g, and that g = X^+ f."""
    at = value(g, Z.T @ X)
    return [
        Condition("rho, psi give g", found, at),
        Condition("g = X^+ f", coefficients(X, X @ at), at),
    ]
