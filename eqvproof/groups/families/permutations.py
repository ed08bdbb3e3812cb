"""S and A: permutations, and even ones; p acts by ``(g x)[i] = x[p[i]]``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import factorial
from typing import Any

from eqvproof.groups.family import Family
from eqvproof.groups.matrices import pairs

Permutation = tuple[int, ...]


def permutation_sign(permutation: Sequence[int]) -> int:
    """The sign of a permutation of 0..n-1: 1 when it is even, -1 when odd."""
    seen = [False] * len(permutation)
    sign = 1
    for start in range(len(permutation)):
        length, at = 0, start
        while not seen[at]:
            seen[at] = True
            at = permutation[at]
            length += 1
        if length and length % 2 == 0:
            sign = -sign
    return sign


def cycle(size: int, places: Sequence[int]) -> Permutation:
    """The permutation that moves what is at places[0] to places[1], and so on around."""
    p = list(range(size))
    for k, place in enumerate(places):
        p[places[(k + 1) % len(places)]] = place
    return tuple(p)


def shift(size: int, by: int) -> Permutation:
    """The permutation that moves what is at i to i + by (mod size), as np.roll does."""
    return tuple((i - by) % size for i in range(size))


def both_ways(size: int) -> Iterator[int]:
    """1, -1, 2, -2, ...: shifts of a cycle, short ones first."""
    for by in range(1, size // 2 + 1):
        yield by
        yield -by


def why_not_permutation(data: Any, size: int) -> str:
    """Why the data are no permutation."""
    if any(type(v) is not int for v in data):
        return "expected integers"
    return "" if sorted(data) == list(range(size)) else f"expected a rearrangement of 0..{size - 1}"


def _double_swaps(size: int) -> Iterator[Permutation]:
    for i, j, k, m in combinations(range(min(size, 6)), 4):
        for (a, b), (c, d) in (((i, j), (k, m)), ((i, k), (j, m)), ((i, m), (j, k))):
            p = list(range(size))
            p[a], p[b], p[c], p[d] = b, a, d, c
            yield tuple(p)


def simple(size: int) -> Iterator[Permutation]:
    """Adjacent swaps, far swaps, 3-cycles, the reversal, full cycles, double swaps, longer cycles, shifts."""
    yield from (cycle(size, pair) for pair in pairs(size))
    for triple in combinations(range(size), 3):
        yield cycle(size, triple)
        yield cycle(size, triple[::-1])
    yield tuple(reversed(range(size)))
    yield shift(size, 1)
    yield shift(size, -1)
    yield from _double_swaps(size)
    yield from (cycle(size, range(length)) for length in range(4, size))
    yield from (shift(size, by) for by in both_ways(size))


def _even(found: Iterator[Permutation]) -> Iterator[Permutation]:
    return (p for p in found if permutation_sign(p) == 1)


def _all(size: int) -> Iterator[Permutation]:
    return itertools.permutations(range(size))


def _sample(size: int, rng: random.Random) -> Permutation:
    p = list(range(size))
    rng.shuffle(p)
    return tuple(p)


def _sample_even(size: int, rng: random.Random) -> Permutation:
    p = list(_sample(size, rng))
    if permutation_sign(p) == -1:
        p[0], p[1] = p[1], p[0]
    return tuple(p)


def _generators(size: int) -> list[Permutation]:
    """The swap of the first two, and the cycle through all."""
    return [] if size < 2 else [cycle(size, (0, 1)), *([shift(size, 1)] if size > 2 else [])]


S = Family(
    letter="S", meaning="permutations", element="a permutation matrix", symbol="P", kind="perm",
    default_axis="n", why_not=why_not_permutation, simple=simple, sample=_sample, generators=_generators,
    order=factorial, members=_all, trivial_below=2, inside=("O", "GL"),
)  # fmt: skip
A = Family(
    letter="A", meaning="even permutations", element="an even permutation matrix", symbol="P", kind="perm",
    default_axis="n",
    why_not=lambda data, size: why_not_permutation(data, size)
    or ("" if permutation_sign(data) == 1 else "the permutation is odd"),
    simple=lambda size: _even(simple(size)), sample=_sample_even,
    generators=lambda size: [cycle(size, (0, 1, k)) for k in range(2, size)],
    order=lambda size: 1 if size < 2 else factorial(size) // 2, members=lambda size: _even(_all(size)),
    trivial_below=3, special=True, inside=("S", "SO", "O", "GL"),
)  # fmt: skip
