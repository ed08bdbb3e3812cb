"""C and D: the shifts of a cycle, and its shifts and reflections."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from eqvproof.claims.groups.families.permutations import PERMUTATIONS, S, why_not_permutation
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.groups.permutation import Permutation, shift, short_shifts


def _walk(size: int, start: int, sense: int) -> Permutation:
    """Returns the permutation that walks around the cycle, in the sense 1 or -1."""
    return tuple((start + sense * i) % size for i in range(size))


class Cyclic(FiniteFamily):
    """C: cyclic shifts."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_permutation(data, size):
            return reason
        if data != _walk(size, data[0], 1):
            return "the permutation is not a cyclic shift"
        return ""

    def simple(self, size: int) -> Iterator[Permutation]:
        return (shift(size, by) for by in short_shifts(size))

    def revealing_element(self, size: int) -> Permutation:
        return shift(size, 1)

    def sample(self, size: int, rng: random.Random) -> Permutation:
        return _walk(size, rng.randrange(size), 1)

    def generators(self, size: int) -> list[Permutation]:
        if size < 2:
            return []
        return [shift(size, 1)]

    def order(self, size: int) -> int:
        return max(size, 1)

    def members(self, size: int) -> Iterator[Permutation]:
        return (shift(size, by) for by in range(max(size, 1)))


class Dihedral(Cyclic):
    """D: cyclic shifts, and reflections of the cycle."""

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_permutation(data, size):
            return reason
        if data not in (_walk(size, data[0], 1), _walk(size, data[0], -1)):
            return "the permutation is no rotation or reflection of a cycle"
        return ""

    def simple(self, size: int) -> Iterator[Permutation]:
        yield tuple(reversed(range(size)))
        yield from (shift(size, by) for by in short_shifts(size))
        yield from (_walk(size, by, -1) for by in range(size))

    def sample(self, size: int, rng: random.Random) -> Permutation:
        start, sense = rng.randrange(size), rng.choice((1, -1))
        return _walk(size, start, sense)

    def generators(self, size: int) -> list[Permutation]:
        if size < 2:
            return []
        return [shift(size, 1), tuple(reversed(range(size)))]

    def order(self, size: int) -> int:
        if size < 3:
            return max(size, 1)
        return 2 * size

    def members(self, size: int) -> Iterator[Permutation]:
        walks = [_walk(size, start, sense) for start in range(size) for sense in (1, -1)]
        return iter(dict.fromkeys(walks or [()]))


D = Dihedral(
    letter="D",
    names=("Dih",),
    meaning="dihedral permutations",
    element="a dihedral permutation matrix",
    symbol="P",
    kind=PERMUTATIONS,
    default_axis="n",
    trivial_below=2,
    inside=(S,),
    rocq=S.rocq,
)
C = Cyclic(
    letter="C",
    names=("Cyc", "Cyclic", "Shift", "Shifts"),
    meaning="cyclic shifts",
    element="a cyclic shift matrix",
    symbol="P",
    kind=PERMUTATIONS,
    default_axis="n",
    trivial_below=2,
    shifts=True,
    inside=(D,),
    rocq="C",
)
