"""Signs: flips of the signs of coordinates, ``(g x)[i] = s[i] x[i]``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from eqvproof.claims.groups.families.orthogonal import O
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.groups.kinds import Array, Kind
from eqvproof.claims.groups.matrices import Matrix, diagonal_matrix, index_pairs
from eqvproof.claims.groups.permutation import list_places

Flips = tuple[int, ...]


def _flip(size: int, *places: int) -> Flips:
    return tuple(1 - 2 * (i in places) for i in range(size))


class SignTuples(Kind):
    """Signs of the entries of an axis, as tuples of 1 and -1."""

    permutes = False
    flips_signs = True
    rotates = False
    has_dual = False
    translates = False
    multiplies = False
    moves_directions = True
    rounds = False
    verb = "changes the sign of"
    variable = "s"
    takes = "an integer array of signs"

    def identity(self, size: int) -> Flips:
        return (1,) * size

    def compose(self, g: Flips, h: Flips) -> Flips:
        return tuple(a * b for a, b in zip(g, h, strict=True))

    def inverse(self, data: Flips) -> Flips:
        return data

    def matrix(self, data: Flips) -> Matrix:
        return diagonal_matrix(data)

    def to_json(self, data: Flips) -> dict[str, object]:
        return {"signs": list(data)}

    def apply(self, data: Flips, array: Array) -> Array:
        result = array.copy()
        for i, s in enumerate(data):
            if s == -1:
                result[i] = -result[i]
        return result

    def describe(self, data: Flips, axis: str | int) -> str:
        from eqvproof.claims.groups.written import is_of_flips

        if is_of_flips(axis):
            return f"flip the signs along {axis}"
        places = [i for i, s in enumerate(data) if s == -1]
        if len(places) == len(data) > 1:
            return "flip the sign of every coordinate"
        return f"flip the sign of coordinate{'s' if len(places) > 1 else ''} {list_places(places)}"


class SignFlips(FiniteFamily):
    """Signs: all changes of signs."""

    def why_not(self, data: Any, size: int) -> str:
        if any(type(v) is not int for v in data):
            return "expected integers"
        if all(v in (1, -1) for v in data):
            return ""
        return "signs are 1 or -1"

    def simple(self, size: int) -> Iterator[Flips]:
        """Yields single flips, all flipped, double flips, triple ones, all but one."""
        yield from (_flip(size, i) for i in range(size))
        yield (-1,) * size
        yield from (_flip(size, *pair) for pair in index_pairs(size))
        yield from (_flip(size, *triple) for triple in combinations(range(min(size, 6)), 3))
        yield from (tuple(-s for s in _flip(size, i)) for i in range(size))

    def revealing_element(self, size: int) -> Flips:
        return (-1,) * size

    def sample(self, size: int, rng: random.Random) -> Flips:
        return tuple(rng.choice((1, -1)) for _ in range(size))

    def generators(self, size: int) -> list[Flips]:
        return [_flip(size, i) for i in range(size)]

    def order(self, size: int) -> int:
        return int(2**size)

    def members(self, size: int) -> Iterator[Flips]:
        return product((1, -1), repeat=size)


SIGNS = SignTuples()
Signs = SignFlips(
    letter="Signs",
    names=("Sign", "Flips"),
    meaning="coordinate sign flips",
    element="a diagonal matrix of signs",
    symbol="D",
    kind=SIGNS,
    default_axis="d",
    inside=(O,),
    rocq="Signs",
)
