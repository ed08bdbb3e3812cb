"""B: signed permutations, the orthogonal matrices of integers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial
from typing import Any

from eqvproof.claims.groups.families.orthogonal import ORTHOGONAL, O, flip
from eqvproof.claims.groups.families.permutations import S
from eqvproof.claims.groups.families.signs import Signs
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.groups.matrices import Matrix, diagonal_matrix, permutation_matrix, product_of


def _signed(signs: tuple[int, ...], permutation: tuple[int, ...]) -> Matrix:
    return product_of(diagonal_matrix(signs), permutation_matrix(permutation))


class SignedPermutations(FiniteFamily):
    """B: all orthogonal matrices of integers."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := O.why_not(data, size):
            return reason
        if any(v.denominator != 1 for row in data for v in row):
            return "an entry is no integer"
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields the simple elements of O(n) with integer entries.

        These are reflections of coordinates, swaps, quarter turns, and cycles.
        """
        return (q for q in O.simple(size) if not self.why_not(q, size))

    def revealing_element(self, size: int) -> Matrix:
        return product_of(flip(size, 0), permutation_matrix(S.revealing_element(size)))

    def sample(self, size: int, rng: random.Random) -> Matrix:
        return _signed(Signs.sample(size, rng), S.sample(size, rng))

    def generators(self, size: int) -> list[Matrix]:
        return [flip(size, 0), *map(permutation_matrix, S.generators(size))]

    def order(self, size: int) -> int:
        return int(2**size) * factorial(size)

    def members(self, size: int) -> Iterator[Matrix]:
        every = product(product((1, -1), repeat=size), permutations(range(size)))
        return (_signed(signs, p) for signs, p in every)


B = SignedPermutations(
    letter="B",
    names=("Hyperoctahedral", "BC"),
    meaning="signed permutations",
    element="a signed permutation matrix",
    symbol="Q",
    kind=ORTHOGONAL,
    default_axis="d",
    parts=(S, Signs),
    inside=(O,),
)
