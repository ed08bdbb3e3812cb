"""Generators of matrix pairs whose Gram matrices are equal, or differ in one inner product."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq_mat, fmpz_mat
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.extension import cayley
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.householder import Householder
from eqvproof.invariants.witnesses.input_matrices import require_integer, to_array
from eqvproof.support.errors import DomainError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: Largest absolute value of the integers from which random orthogonal matrices are built.
LENGTH = 3


@dataclass(frozen=True, slots=True, eq=False)
class GramPair:
    """Two exact d x n matrices X and Y; unpacks as ``X, Y``.

    Attributes:
        X: Fractions.
        Y: Q X; for a near pair, Q X with one column changed.
        Q: the hidden orthogonal matrix.
        entry: None if X^T X = Y^T Y; else the only (i, j), i <= j, at which they differ (with
            (j, i)).
    """

    X: NDArray[Any]
    Y: NDArray[Any]
    Q: NDArray[Any]
    entry: tuple[int, int] | None = None

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter((self.X, self.Y))


@shortens_tracebacks
def gram_pairs(
    d: int,
    n: int,
    *,
    rank: int | None = None,
    count: int = 10,
    seed: int = 0,
    near: bool = False,
    size: int = 5,
) -> Iterator[GramPair]:
    """Yields pairs (X, Y) with ``Y = Q X`` for a hidden rational orthogonal Q, or near misses.

    The Gram matrices of a near miss differ in one inner product, by at most a few thousandths.

    Equal Gram matrices mean the same orbit (first fundamental theorem): a function of X^T X only
    cannot distinguish X from Y. An exact test must distinguish near misses.

    Args:
        d: the dimension, at least 1.
        n: the number of columns.
        rank: the rank of X, at most min(d, n); drawn at random by default. Not for near pairs.
        count: the number of pairs.
        seed: equal seeds give equal pairs.
        near: make the Gram matrices differ in exactly one entry.
        size: bound on the integers that are drawn.

    Exactness: exact, in Fractions.

    Raises:
        DomainError: impossible sizes.

    >>> [bool((p.X.T @ p.X == p.Y.T @ p.Y).all()) for p in gram_pairs(3, 4, count=2)]
    [True, True]
    """
    for name, value, least in (("d", d, 1), ("n", n, 0), ("count", count, 0), ("size", size, 1)):
        require_integer(name, value, least)
    if rank is not None:
        require_integer("rank", rank, 0)
    if not isinstance(near, bool) or (near and n < 1) or (rank is not None and rank > min(d, n)):
        raise DomainError(
            "these sizes are impossible",
            given=f"d = {d}, n = {n}, rank = {rank}, near = {near!r:.80}",
            expected="rank <= min(d, n); near: True or False, and True for n >= 1 only",
            hint="lower the rank, or raise n",
        )
    rng = random.Random(f"{seed} {d} {n} {rank} {near} {size}")
    for _ in range(count):
        if near:
            yield _near_pair(d, n, rng, size)
        else:
            yield _equal_pair(d, n, rank, rng, size)


def random_orthogonal(d: int, rng: random.Random) -> FieldMatrix:
    """Draws a random rational orthogonal matrix.

    It is a product of a few reflections, or a diagonal of signs times a Cayley transform.
    """
    identity = FieldMatrix.identity(d)
    if rng.random() < 0.5:
        result = identity
        for _ in range(rng.randint(0, min(d, 4))):
            result = Householder(_nonzero(d, rng, LENGTH)).image(result)
        return result
    lower, signs = fmpz_mat(d, d), fmpz_mat(d, d)
    for i in range(d):
        for j in range(i):
            lower[i, j] = rng.randint(-LENGTH, LENGTH)
    for i in range(d):
        signs[i, i] = rng.choice((1, -1))
    return FieldMatrix.rational(signs) @ cayley(lower - lower.transpose(), 1)


def _nonzero(d: int, rng: random.Random, size: int) -> FieldMatrix:
    while True:
        vector = _random_matrix(d, 1, rng, size)
        if not vector.is_zero():
            return vector


def _random_matrix(d: int, n: int, rng: random.Random, size: int) -> FieldMatrix:
    entries = [rng.randint(-size, size) for _ in range(d * n)]
    return FieldMatrix.make(
        FieldMatrix.identity(0).field, (fmpz_mat(d, n, entries),), rng.randint(1, 4)
    )


def _equal_pair(d: int, n: int, rank: int | None, rng: random.Random, size: int) -> GramPair:
    r = rank
    if r is None:
        r = rng.randint(0, min(d, n))
    while True:
        x = _random_matrix(d, r, rng, size) @ _random_matrix(r, n, rng, size)
        if rank is None or fmpq_mat(x.top).rank() == rank:
            break
    q = random_orthogonal(d, rng)
    return GramPair(to_array(x), to_array(q @ x), to_array(q))


def _near_pair(d: int, n: int, rng: random.Random, size: int) -> GramPair:
    """Draws a pair of matrices whose Gram matrices differ in one inner product.

    All columns but i and j are made orthogonal to u; then x_j is changed along u only.
    """
    i, j = sorted((rng.randrange(n), rng.randrange(n)))
    u = to_array(_nonzero(d, rng, size))[:, 0]
    square = sum(u * u)
    x = to_array(_random_matrix(d, n, rng, size))
    for k in range(n):
        if k == i:
            along = Fraction(rng.choice((-1, 1)) * rng.randint(1, 3))
        else:
            along = Fraction(0)
        x[:, k] += (along - sum(u * x[:, k]) / square) * u
    y = x.copy()
    step = Fraction(1, 1000 * rng.randint(1, 9))
    if i == j:
        y[:, i] = y[:, i] + step * u
    else:
        x[:, j] = x[:, j] + step / 2 * u
        y[:, j] = x[:, j] - step * u  # the reflection of x_j along u: equally long
    q = random_orthogonal(d, rng)
    return GramPair(x, to_array(q).dot(y), to_array(q), (i, j))
