"""Points of exceptional sets, made of small integers: ties, equal eigenvalues and deficient rank are exact.

Coordinates that orthogonal matrices act on are multiples of 5, so that turns by (3, 4)/5 stay exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.exceptional_claims.claim import Sampler, Sizes

Generator = np.random.Generator


def tied(rng: Generator, *shape: int) -> Any:
    """Few different small integers."""
    return rng.integers(-1, 2, size=shape).astype(float)


def distinct(rng: Generator, *shape: int) -> Any:
    """Different integers."""
    return rng.permutation(int(np.prod(shape, dtype=int))).reshape(shape).astype(float)


def cloud(rng: Generator, n: int, d: int) -> Any:
    """Points with equal distances: of a grid, on the axes, on a line, of a cube, or all the same."""
    kind = rng.integers(5)
    if kind == 0:
        points = rng.integers(-1, 2, size=(n, d))
    elif kind == 1:
        points = np.zeros((n, d))
        for i in range(n):
            points[i, (i // 2) % d] = 1 - 2 * (i % 2)
    elif kind == 2:
        points = np.outer(rng.integers(-2, 3, size=n), rng.integers(-1, 2, size=d))
    elif kind == 3:
        points = np.array([[1 - 2 * (i >> j & 1) for j in range(d)] for i in range(n)])
    else:
        points = np.tile(rng.integers(-1, 2, size=d), (n, 1))
    return 5.0 * points


def graph(rng: Generator, n: int) -> Any:
    """The adjacency matrix of a cycle, a complete graph, a star, pairs, or of no edges."""
    kind, result = rng.integers(5), np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            edge = (i - j in (1, n - 1), True, j == 0, i == j + 1 and i % 2 == 1, False)[kind]
            result[i, j] = result[j, i] = float(edge)
    return result


def low_rank(rng: Generator, n: int, d: int) -> Any:
    """A matrix of rank 0 or 1, or one with equal singular values."""
    kind = rng.integers(3)
    if kind == 0:
        return np.zeros((n, d))
    if kind == 1:
        return 5.0 * np.outer(rng.integers(-2, 3, size=n), rng.integers(-2, 3, size=d))
    return 5.0 * np.eye(n, d)


def arrays(*parts: tuple[Callable[..., Any], str]) -> Sampler:
    """Returns a sampler of one array for each (maker, axes); axes are names or numbers."""

    def sampler(rng: Generator, sizes: Sizes) -> Sequence[Any]:
        lengths = [[int(a) if a.isdigit() else sizes[a] for a in axes.split()] for _, axes in parts]
        return [make(rng, *size) for (make, _), size in zip(parts, lengths, strict=True)]

    return sampler
