"""B: signed permutations, the orthogonal matrices of integers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial
from typing import Any

from eqvproof.claims.groups.families import orthogonal
from eqvproof.claims.groups.families.orthogonal import MATRICES, O
from eqvproof.claims.groups.families.permutations import S, generators
from eqvproof.claims.groups.families.signs import Signs
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.matrices import Matrix, diagonal, of_permutation, product_of


def _signed(signs: tuple[int, ...], permutation: tuple[int, ...]) -> Matrix:
    return product_of(diagonal(signs), of_permutation(permutation))


def _why_not(data: Any, size: int) -> str:
    whole = all(v.denominator == 1 for row in data for v in row)
    return orthogonal.why_not(data, size) or ("" if whole else "an entry is no integer")


def _simple(size: int) -> Iterator[Matrix]:
    """Yields the simple elements of O(n) with integer entries.

    These are reflections of coordinates, swaps, quarter turns, and cycles.
    """
    return (q for q in orthogonal.simple(size) if not _why_not(q, size))


def _sample(size: int, rng: random.Random) -> Matrix:
    return _signed(Signs.sample(size, rng), S.sample(size, rng))


def _members(size: int) -> Iterator[Matrix]:
    every = product(product((1, -1), repeat=size), permutations(range(size)))
    return (_signed(signs, p) for signs, p in every)


def _generators(size: int) -> list[Matrix]:
    return [_flip(size), *map(of_permutation, generators(size))]


def _flip(size: int) -> Matrix:
    return diagonal([-1] + [1] * (size - 1))


B = Family(
    letter="B",
    names=("Hyperoctahedral", "BC"),
    meaning="signed permutations",
    element="a signed permutation matrix",
    symbol="Q",
    elements=MATRICES,
    default_axis="d",
    why_not=_why_not,
    simple=_simple,
    telling=lambda size: product_of(_flip(size), of_permutation(S.telling(size))),
    sample=_sample,
    generators=_generators,
    order=lambda size: int(2**size) * factorial(size),
    members=_members,
    parts=(S, Signs),
    inside=(O,),
)
