"""Permutations that are to carry places to places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from eqvproof.statements import Case, Condition, Equational

Array = Any
LARGEST = 5


def pairs(*, ordered: bool) -> Iterator[Case]:
    """x = (1, .., n) and all i < j (all i != j), for n up to 5."""
    for n in range(2, LARGEST + 1):
        for i in range(1, n + 1):
            for j in range(1, n + 1):
                if i < j or (i > j and not ordered):
                    yield Case({"n": n}, {"x": np.arange(1, n + 1), "i": i, "j": j})


def rearrangements(x: Array, i: int, j: int) -> Iterator[Array]:
    """x P for all permutation matrices P."""
    del i, j
    for p in permutations(x.tolist()):
        yield np.array(p)


def swapped(y: Array, x: Array, i: int, j: int) -> list[Condition]:
    """x_1 and x_i have changed places, and x_2 and x_j."""
    return [
        Condition("x_i is the first, x_1 the i-th", y[[0, i - 1]], x[[i - 1, 0]]),
        Condition("x_j is the second, x_2 the j-th", y[[1, j - 1]], x[[j - 1, 1]]),
    ]


def in_front(y: Array, x: Array, i: int, j: int) -> list[Condition]:
    """x_i comes first and x_j second."""
    return [Condition("x_i, x_j are the first two", y[:2], x[[i - 1, j - 1]])]


def composed(place: str, becomes: str) -> Equational:
    """T = (1 i) after S = (2 T(j)), for i != j: 1 goes to i and 2 to j."""
    return Equational(
        f"T(S({place})) = {becomes}",
        {
            "T = (1 i): 1 to i": "T(one) = i",
            "T = (1 i): T is its own inverse": "T(T(x)) = x",
            "S = (2 T(j)): 2 to T(j)": "S(two) = T(j)",
            "S = (2 T(j)): fixes 1, since T(j) = 1 for j = i only": "S(one) = one",
        },
        "x",
    )
