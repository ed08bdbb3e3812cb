"""Claims that some permutation maps given places to given places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from eqvproof.papers.statements import Array, Case, Choice, Equational

LARGEST = 5


def pairs(*, ordered: bool) -> Iterator[Case]:
    """Yields x = (1, .., n) and the unit vectors u, v of all i < j (all i != j), for n up to 5."""
    for n in range(2, LARGEST + 1):
        units = np.eye(n, dtype=int)
        for i in range(n):
            for j in range(n):
                if i < j or (i > j and not ordered):
                    yield Case({"n": n}, {"x": np.arange(1, n + 1), "u": units[i], "v": units[j]})


def permutation_exists(
    entries: Callable[[Array, Array, Array], list[Array]],
    required: Callable[[Array, Array, Array], list[Array]],
    *,
    ordered: bool,
) -> Choice:
    """Claims that some permutation y of x has the required entries.

    Args:
        entries: returns entries of y, for the unit vectors u and v of places i and j.
        required: returns the entries of x that they must equal.
        ordered: True for all i < j, False for all i != j.
    """
    return Choice(
        lambda y, x, u, v: np.stack(entries(y, u, v)),
        lambda y, x, u, v: np.stack(required(x, u, v)),
        "y: n, x: n, u: n, v: n -> places",
        lambda: pairs(ordered=ordered),
        lambda x, u, v: ({"y": np.array(p)} for p in permutations(x.tolist())),
        "permutation of the places",
    )


def exchange_exists(*, ordered: bool) -> Choice:
    """Claims that some permutation exchanges x_1 with x_i, and x_2 with x_j."""
    return permutation_exists(
        lambda y, u, v: [y[0], u @ y, y[1], v @ y],
        lambda x, u, v: [u @ x, x[0], v @ x, x[1]],
        ordered=ordered,
    )


def front_exists(*, ordered: bool) -> Choice:
    """Claims that some permutation puts x_i first and x_j second."""
    return permutation_exists(
        lambda y, u, v: [y[0], y[1]], lambda x, u, v: [u @ x, v @ x], ordered=ordered
    )


def two_swaps_map(place: str, image: str) -> Equational:
    """Claims that T = (1 i) after S = (2 T(j)) maps a place to its image: 1 to i, or 2 to j."""
    return Equational(
        f"T(S({place})) = {image}",
        {
            "T = (1 i): 1 to i": "T(one) = i",
            "T = (1 i): T is its own inverse": "T(T(x)) = x",
            "S = (2 T(j)): 2 to T(j)": "S(two) = T(j)",
            "S = (2 T(j)): fixes 1, since T(j) = 1 for j = i only": "S(one) = one",
        },
        "x",
    )
