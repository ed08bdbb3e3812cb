"""Subsets and multisets of a universe 0, 1, 2, .. that is counted by c(x) = x, and their codes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from eqvproof.deepsets import CountableCode
from eqvproof.statements import Case, Condition

LARGEST_UNIVERSE = 9


def code(X: tuple[int, ...], base: int = 4) -> Fraction:
    """sum over x in X of phi(x) = base^{-c(x)}."""
    return sum((Fraction(1, base**x) for x in X), Fraction(0))


def subsets() -> Iterator[Case]:
    """All subsets of universes of 1, 2, .. elements."""
    for size in range(1, LARGEST_UNIVERSE + 1):
        for count in range(size + 1):
            for X in combinations(range(size), count):
                yield Case({"universe": size}, {"X": X})


def multisets() -> Iterator[Case]:
    """All multisets of m elements of a universe: m = 1, 2, .., universes of 1, 2, 3 elements."""
    for m in range(1, 7):
        for size in range(1, 4):
            for X in combinations_with_replacement(range(size), m):
                yield Case({"elements": m, "universe": size}, {"X": X})


def random_sets(rng: random.Random) -> Iterator[Case]:
    """Finite subsets of the natural numbers."""
    for count in (0, 1, 2, 5, 20):
        X = sorted(rng.sample(range(3 * count + 1), count))
        yield Case({"elements": count}, {"X": X})


def decoded(X: list[int]) -> list[int]:
    """The set that belongs to the code of X: rho may compute with it."""
    universe = CountableCode(range(100), base=4)
    return sorted(universe.decode(universe.encode(X)))


def same(found: list[int], X: list[int]) -> list[Condition]:
    """It is X."""
    return [Condition("the set comes back from its code", found, X)]
