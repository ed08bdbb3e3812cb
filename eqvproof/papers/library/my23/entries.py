"""rho_1, rho_2, psi_1, psi_2 of Proposition 4.1, for functions g that are not equivariant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from eqvproof.deepsets import PowerSums
from eqvproof.papers.library.my23.averages import (
    average,
    coefficients_in_plane,
    coefficients_on_line,
)
from eqvproof.papers.library.my23.points import exact, value
from eqvproof.papers.statements import Array, Case, Condition

Function = Callable[[Array], Array]


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields g and Y = Z^T X (X = Y), with equal and with different columns."""
    for n in (1, 2, 3, 4):
        for _ in range(2):
            yield _case(coefficients_on_line, [[rng.randint(-3, 3) for _ in range(n)]])
    yield _case(coefficients_in_plane, [[rng.randint(-2, 2) for _ in range(3)] for _ in range(2)])


def _case(g: Function, rows: list[list[int]]) -> Case:
    return Case({"k": len(rows), "n": len(rows[0])}, {"g": g, "Y": exact(rows)})


def sums(Y: Array, left_out: tuple[int, ...]) -> Array:
    """Sums psi(y_k) over all k except some; psi are the monomials up to the number of terms."""
    rest = [k for k in range(Y.shape[1]) if k not in left_out]
    return PowerSums(len(rest), Y.shape[0]).encode(Y[:, rest].T)


def rho(g: Function, first: list[Array], total: Array, count: int) -> Array:
    """Computes g~ at the points ``first``, followed by the points with the given sums."""
    k = len(first[0])
    rest = np.asarray(PowerSums(count, k).decode(total).points, dtype=object).reshape(count, k)
    return average(g, np.stack([*first, *rest], axis=1))


def build(g: Function, Y: Array) -> Array:
    """Builds the matrix with entries rho_1 and rho_2: entries (1, 1) and (1, 2) of g~."""
    n = Y.shape[1]
    found = np.empty((n, n), dtype=object)
    for i in range(n):
        found[i, i] = rho(g, [Y[:, i]], sums(Y, (i,)), n - 1)[0, 0]
        for j in range(n):
            if j != i:
                found[i, j] = rho(g, [Y[:, i], Y[:, j]], sums(Y, (i, j)), n - 2)[0, 1]
    return found


def conditions(found: Array, g: Function, Y: Array) -> list[Condition]:
    """States that the matrix equals g~, and that X g~ = X g."""
    return [
        Condition("rho, psi give g~", found, average(g, Y)),
        Condition("X g~ = X g", Y @ found, Y @ value(g, Y)),
    ]
