"""Coefficients of least norm, and what they are tried on: f(X) = X g(X) with g(Q X) = g(X)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from flint import fmpq, fmpq_mat

from eqvproof.invariants.classical import from_rational, to_rational
from eqvproof.library.my23.points import EQUIVARIANT, exact, pairs, sequences, value
from eqvproof.statements import Array, Case, Condition


def coefficients(X: Array, image: Array) -> Array:
    """The C of least norm among those that bring X C nearest to a matrix: X^+ times it. Exact.

    X = B M with independent columns B of X and M of full row rank gives X^+ = M^T (M M^T)^-1 (B^T B)^-1 B^T.
    """
    x, right = to_rational(X), to_rational(image)
    reduced, rank = x.rref()
    if rank == 0:
        return exact([[0] * image.shape[1]] * X.shape[1])
    rows: Sequence[Sequence[fmpq]] = reduced.tolist()[:rank]
    pivots = [next(j for j, entry in enumerate(row) if entry) for row in rows]
    m, b = fmpq_mat(rows), to_rational(X[:, pivots])
    inner = (b.transpose() * b).solve(b.transpose() * right)
    found = m.transpose() * (m * m.transpose()).solve(inner)
    return from_rational(found)


def cases(rng: random.Random) -> Iterator[Case]:
    """Functions, and X, Y with X^T X = Y^T Y."""
    for X, Y in pairs(rng):
        for function in EQUIVARIANT.values():
            inputs = {"X": X, "Y": Y, "at_x": value(function, X), "at_y": value(function, Y)}
            yield Case(dict(zip("dn", X.shape, strict=True)), inputs)


def build(X: Array, Y: Array, at_x: Array, at_y: Array) -> tuple[Array, Array]:
    """g(X) and g(Y), the coefficients of least norm."""
    return coefficients(X, at_x), coefficients(Y, at_y)


def conditions(built: tuple[Array, Array], X: Array, Y: Array, at_x: Array, at_y: Array) -> list[Condition]:
    """The coefficients do, and depend on X^T X only."""
    return [
        Condition("f(X) = X g(X)", X @ built[0], at_x),
        Condition("g(X) = g(Y) for X^T X = Y^T Y", built[0], built[1]),
    ]


def images(rng: random.Random) -> Iterator[Case]:
    """Functions and sequences."""
    for X in sequences(rng):
        for f in EQUIVARIANT.values():
            yield Case(dict(zip("dn", X.shape, strict=True)), {"X": X, "image": value(f, X)})


def in_span(C: Array, X: Array, image: Array) -> list[Condition]:
    """X C = f(X)."""
    return [Condition("f(X) = X C", X @ C, image)]
