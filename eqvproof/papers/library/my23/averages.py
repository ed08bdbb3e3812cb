"""Coefficients g that are not equivariant although X g is, and their group averages."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

import eqvproof as ep
from eqvproof.numbers import to_fractions
from eqvproof.papers.library.my23.points import exact, value
from eqvproof.papers.statements import Array, Case, Condition

LENGTHS = (1, 2, 3, 4, 5, 50)


def coefficients_on_line(Y: Array) -> Array:
    """Computes g(Y) = Y^T Y + (B - B^T) Y^T w^T for one row Y, so that Y g = Y Y^T Y.

    B_ij = i j^2 and w_j = j.
    """
    number = np.arange(Y.shape[1])
    B = np.outer(number, number * number)
    return Y.T @ Y + np.outer((B - B.T) @ Y[0], number)


def coefficients_in_plane(Y: Array) -> Array:
    """Computes g(Y) = Y^T Y + c w^T for three points of the plane, so that Y g = Y Y^T Y.

    c is orthogonal to both rows of Y.
    """
    a, b = Y
    c = np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    return Y.T @ Y + np.outer(c, np.arange(3))


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields g, Y with and without equal columns, and a permutation."""
    for n in LENGTHS:
        for largest in (1, 9):
            row = exact([[rng.randint(-largest, largest) for _ in range(n)]])
            yield _case(coefficients_on_line, row, rng)
    for _ in range(3):
        yield _case(
            coefficients_in_plane,
            exact([[rng.randint(-3, 3) for _ in range(3)] for _ in range(2)]),
            rng,
        )


def _case(g: Callable[[Array], Array], Y: Array, rng: random.Random) -> Case:
    order = rng.sample(range(Y.shape[1]), Y.shape[1])
    return Case({"k": Y.shape[0], "n": Y.shape[1]}, {"g": g, "Y": Y, "order": order})


def average(g: Callable[[Array], Array], Y: Array) -> Array:
    """Computes the Reynolds average g~(Y); for many points, by a canonical form and stabiliser."""
    return to_fractions(ep.reynolds(g, "Y: k n -> n n", "S(n)", most=120)(Y))


def build(g: Callable[[Array], Array], Y: Array, order: list[int]) -> tuple[Array, Array]:
    """Computes g~ at Y and at Y P."""
    return average(g, Y), average(g, Y[:, order])


def conditions(
    built: tuple[Array, Array], g: Callable[[Array], Array], Y: Array, order: list[int]
) -> list[Condition]:
    """States the conditions on g~, for X = Y (Z = I)."""
    return [
        Condition("X g~ = X g", Y @ built[0], Y @ value(g, Y)),
        Condition("g~(X P) = P^T g~(X) P", built[1], built[0][np.ix_(order, order)]),
    ]
