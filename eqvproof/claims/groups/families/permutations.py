"""S and A: permutations, and even ones; p acts by ``(g x)[i] = x[p[i]]``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations
from math import factorial
from typing import Any

from eqvproof.claims.groups.families.orthogonal import SO, O
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.groups.kinds import Array, Kind
from eqvproof.claims.groups.matrices import Matrix, index_pairs, permutation_matrix
from eqvproof.claims.groups.permutation import (
    Permutation,
    cycle,
    cycles_of,
    cycles_text,
    inverse_of,
    list_places,
    permutation_sign,
    shift,
    short_shifts,
)


class PermutationTuples(Kind):
    """Permutations of the entries of an axis, as tuples p of 0..n-1."""

    permutes = True
    flips_signs = False
    rotates = False
    has_dual = False
    translates = False
    multiplies = False
    moves_directions = True
    rounds = False
    verb = "rearranges"
    variable = "p"
    takes = "an integer array p, a permutation"

    def identity(self, size: int) -> Permutation:
        return tuple(range(size))

    def compose(self, g: Permutation, h: Permutation) -> Permutation:
        return tuple(h[k] for k in g)

    def inverse(self, data: Permutation) -> Permutation:
        return inverse_of(data)

    def matrix(self, data: Permutation) -> Matrix:
        return permutation_matrix(data)

    def to_json(self, data: Permutation) -> dict[str, object]:
        return {"permutation": list(data)}

    def apply(self, data: Permutation, array: Array) -> Array:
        return array[list(data)]

    def describe(self, data: Permutation, axis: str | int) -> str:
        along = ""
        if isinstance(axis, str):
            along = f" along {axis}"
        size, cycles = len(data), cycles_of(data)
        if len(cycles) == 1 and len(cycles[0]) == 2:
            return f"swap positions {list_places(sorted(cycles[0]))}{along}"
        by = -data[0] % size
        if data == shift(size, by):
            if by > size // 2:
                by -= size
            return f"shift all positions{along} cyclically by {by}"
        if data == tuple(reversed(range(size))):
            return f"reverse the order{along}"
        if all(len(c) == 2 for c in cycles):
            return "swap positions " + ", and ".join(list_places(sorted(c)) for c in cycles) + along
        return f"move positions {cycles_text(cycles)}{along}"


def why_not_permutation(data: Any, size: int) -> str:
    """Says why the data are no permutation; empty if they are one."""
    if any(type(v) is not int for v in data):
        return "expected integers"
    if sorted(data) == list(range(size)):
        return ""
    return f"expected a rearrangement of 0..{size - 1}"


def _double_swaps(size: int) -> Iterator[Permutation]:
    for i, j, k, m in combinations(range(min(size, 6)), 4):
        for (a, b), (c, d) in (((i, j), (k, m)), ((i, k), (j, m)), ((i, m), (j, k))):
            p = list(range(size))
            p[a], p[b], p[c], p[d] = b, a, d, c
            yield tuple(p)


class Symmetric(FiniteFamily):
    """S: all permutations."""

    def why_not(self, data: Any, size: int) -> str:
        return why_not_permutation(data, size)

    def simple(self, size: int) -> Iterator[Permutation]:
        """Yields simple permutations, simplest first.

        These are swaps (adjacent ones first), 3-cycles, the reversal, full cycles, double swaps,
        longer cycles, and shifts.
        """
        yield from (cycle(size, pair) for pair in index_pairs(size))
        for triple in combinations(range(size), 3):
            yield cycle(size, triple)
            yield cycle(size, triple[::-1])
        yield tuple(reversed(range(size)))
        yield shift(size, 1)
        yield shift(size, -1)
        yield from _double_swaps(size)
        yield from (cycle(size, range(length)) for length in range(4, size))
        yield from (shift(size, by) for by in short_shifts(size))

    def revealing_element(self, size: int) -> Permutation:
        return shift(size, 1)

    def sample(self, size: int, rng: random.Random) -> Permutation:
        p = list(range(size))
        rng.shuffle(p)
        return tuple(p)

    def generators(self, size: int) -> list[Permutation]:
        """Returns the swap of the first two, and the cycle through all."""
        if size < 2:
            return []
        return [cycle(size, (0, 1)), shift(size, 1)][: size - 1]

    def order(self, size: int) -> int:
        return factorial(size)

    def members(self, size: int) -> Iterator[Permutation]:
        return permutations(range(size))


class Alternating(Symmetric):
    """A: even permutations."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_permutation(data, size):
            return reason
        if permutation_sign(data) == -1:
            return "the permutation is odd"
        return ""

    def simple(self, size: int) -> Iterator[Permutation]:
        return _even(Symmetric.simple(self, size))

    def revealing_element(self, size: int) -> Permutation:
        """Returns the longest cycle of odd length that begins with the first."""
        return cycle(size, range(size - 1 + size % 2))

    def sample(self, size: int, rng: random.Random) -> Permutation:
        p = list(Symmetric.sample(self, size, rng))
        if permutation_sign(p) == -1:
            p[0], p[1] = p[1], p[0]
        return tuple(p)

    def generators(self, size: int) -> list[Permutation]:
        """Returns the cycle of the first three, the longest odd cycle that ends with the last."""
        if size < 3:
            return []
        return [cycle(size, (0, 1, 2)), cycle(size, range(1 - size % 2, size))][: size - 2]

    def order(self, size: int) -> int:
        return max(factorial(size) // 2, 1)

    def members(self, size: int) -> Iterator[Permutation]:
        return _even(permutations(range(size)))


def _even(found: Iterator[Permutation]) -> Iterator[Permutation]:
    return (p for p in found if permutation_sign(p) == 1)


PERMUTATIONS = PermutationTuples()
S = Symmetric(
    letter="S",
    names=("Sym", "Perm", "Permutations", "P"),
    meaning="permutations",
    element="a permutation matrix",
    symbol="P",
    kind=PERMUTATIONS,
    default_axis="n",
    trivial_below=2,
    inside=(O,),
    rocq="S",
)
A = Alternating(
    letter="A",
    names=("Alt",),
    meaning="even permutations",
    element="an even permutation matrix",
    symbol="P",
    kind=PERMUTATIONS,
    default_axis="n",
    trivial_below=3,
    special=True,
    inside=(S, SO),
    rocq="A",
)
