"""Coefficients of least norm, tested on f(X) = X g(X) with g(Q X) = g(X)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eqvproof.invariants.coefficients import nearest
from eqvproof.papers.library.my23.points import EQUIVARIANT, exact, pairs, sequences, value
from eqvproof.papers.statements import Array, Case, Condition


def coefficients(X: Array, image: Array) -> Array:
    """Computes X^+ F exactly: of all C with X C nearest to F, the one of least norm."""
    return exact(nearest(X, image)[0])


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields values of equivariant functions at X and Y with X^T X = Y^T Y."""
    for X, Y in pairs(rng):
        for function in EQUIVARIANT.values():
            inputs = {"X": X, "Y": Y, "at_x": value(function, X), "at_y": value(function, Y)}
            yield Case(dict(zip("dn", X.shape, strict=True)), inputs)


def build(X: Array, Y: Array, at_x: Array, at_y: Array) -> tuple[Array, Array]:
    """Computes g(X) and g(Y), the coefficients of least norm."""
    return coefficients(X, at_x), coefficients(Y, at_y)


def conditions(
    built: tuple[Array, Array], X: Array, Y: Array, at_x: Array, at_y: Array
) -> list[Condition]:
    """States that the coefficients give f, and depend on X^T X only."""
    return [
        Condition("f(X) = X g(X)", X @ built[0], at_x),
        Condition("g(X) = g(Y) for X^T X = Y^T Y", built[0], built[1]),
    ]


def images(rng: random.Random) -> Iterator[Case]:
    """Yields values of equivariant functions at sequences X."""
    for X in sequences(rng):
        for f in EQUIVARIANT.values():
            yield Case(dict(zip("dn", X.shape, strict=True)), {"X": X, "image": value(f, X)})


def in_span(C: Array, X: Array, image: Array) -> list[Condition]:
    """States X C = f(X)."""
    return [Condition("f(X) = X C", X @ C, image)]
