"""Exact points and equivariant functions at which constructions are tested."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from eqvproof.claims.groups import Factor, random_element
from eqvproof.numbers import exact_array, to_fractions
from eqvproof.papers.statements import Array, Case

#: Functions with f(Q X) = Q f(X) that are not written in the form X g(X^T X).
EQUIVARIANT: dict[str, Callable[[Array], Array]] = {
    "X X^T X": lambda X: X @ X.T @ X,
    "(I + X X^T)^-1 X": lambda X: np.linalg.inv(np.eye(X.shape[0]) + X @ X.T) @ X,
    "det(I + X X^T) X": lambda X: np.linalg.det(np.eye(X.shape[0]) + X @ X.T) * X,
    "X with columns longer than 1 cut to |x|^-2 x": lambda X: X / np.maximum((X * X).sum(0), 1),
}
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (4, 3), (3, 5), (6, 4))


def sequences(rng: random.Random) -> Iterator[Array]:
    """Yields exact d x n matrices of small integers: zero, of rank one, and random."""
    for d, n in SHAPES:
        yield exact(np.zeros((d, n), dtype=int))
        line = np.array([rng.randint(-2, 2) for _ in range(d)])
        yield exact(np.outer(line, [rng.randint(1, 3) for _ in range(n)]))
        yield exact([[rng.randint(-3, 3) for _ in range(n)] for _ in range(d)])


def pairs(rng: random.Random) -> Iterator[tuple[Array, Array]]:
    """Yields pairs X, Y with X^T X = Y^T Y.

    Small pairs are found without orthogonal maps, by comparing the Gram matrices of all integer
    matrices with entries up to 2 (3 for single vectors); larger pairs are Y and Q Y.
    """
    for d, n, largest in ((1, 1, 3), (2, 1, 3), (3, 1, 3), (1, 2, 2), (2, 2, 2), (2, 3, 1)):
        by_gram: dict[tuple[int, ...], list[Array]] = {}
        for entries in product(range(-largest, largest + 1), repeat=d * n):
            matrix = np.array(entries).reshape(d, n)
            by_gram.setdefault(tuple((matrix.T @ matrix).ravel().tolist()), []).append(matrix)
        for matrices in rng.sample(sorted(by_gram.items()), min(6, len(by_gram))):
            x, y = rng.choices(matrices[1], k=2)
            yield exact(x), exact(y)
    for y in sequences(rng):
        q = random_element(Factor("O", "d"), y.shape[0], rng)
        yield to_fractions(exact_array([list(row) for row in q.matrix()]) @ exact_array(y)), y


def pair_cases(rng: random.Random) -> Iterator[Case]:
    """Yields cases of pairs with X^T X = Y^T Y."""
    for X, Y in pairs(rng):
        yield Case(dict(zip("dn", X.shape, strict=True)), {"X": X, "Y": Y})


def exact(matrix: Any) -> Array:
    """Converts a matrix to Fractions."""
    return to_fractions(exact_array(np.asarray(matrix)))


def value(f: Callable[..., Array], *arguments: Array) -> Array:
    """Evaluates f at exact arguments, as Fractions."""
    return to_fractions(np.asarray(f(*(exact_array(a) for a in arguments)), dtype=object))
