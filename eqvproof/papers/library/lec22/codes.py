"""Subsets and multisets of a universe 0, 1, 2, .., and their codes with c(x) = x."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from eqvproof.deepsets import CountableCode
from eqvproof.papers.statements import Case, Condition

LARGEST_UNIVERSE, UNIVERSE = 9, 3


def code(count: Any, base: int = 4) -> Any:
    """Sums phi(x) = base^{-c(x)} over x in X, where x occurs count[x] times in X."""
    return sum(count[x] * Fraction(1, base**x) for x in range(len(count)))


def subsets() -> Iterator[Case]:
    """Yields all subsets of universes of 1, 2, .. elements, as indicators."""
    for size in range(1, LARGEST_UNIVERSE + 1):
        for count in product((0, 1), repeat=size):
            yield Case({"universe": size}, {"count": count})


def code_of_elements(X: Any, base: int = 4) -> Any:
    """Sums base^{-c(x)} over x in X, for elements x of a universe of three."""
    return code(1.0 * (X[:, None] == np.arange(UNIVERSE)).sum(0), base)


def multisets(sizes: range = range(1, 7), universe: int = UNIVERSE) -> Iterator[Case]:
    """Yields all multisets of m elements of 0, 1, .., universe - 1, for each m."""
    for m in sizes:
        for X in combinations_with_replacement(range(universe), m):
            yield Case({"elements": m}, {"X": X})


def random_sets(rng: random.Random) -> Iterator[Case]:
    """Yields random finite subsets of the natural numbers."""
    for count in (0, 1, 2, 5, 20):
        X = sorted(rng.sample(range(3 * count + 1), count))
        yield Case({"elements": count}, {"X": X})


def encode_and_decode(X: list[int]) -> list[int]:
    """Encodes the set X as a number, and decodes the number; rho may compute with the result."""
    universe = CountableCode(range(100), base=4)
    return sorted(universe.decode(universe.encode(X)))


def sets_agree(found: list[int], X: list[int]) -> list[Condition]:
    """States that the decoded set is X."""
    return [Condition("the set comes back from its code", found, X)]
