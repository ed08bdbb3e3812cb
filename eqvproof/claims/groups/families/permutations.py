"""S and A: permutations, and even ones; p acts by ``(g x)[i] = x[p[i]]``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from itertools import combinations
from math import factorial
from typing import Any

from eqvproof.claims.groups.families.orthogonal import SO, O
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.groups.matrices import of_permutation, pairs
from eqvproof.claims.groups.permutation import (
    Permutation,
    arrows,
    both_ways,
    cycle,
    cycles_of,
    inverse_of,
    numbered,
    permutation_sign,
    shift,
)


def _words(p: Permutation, axis: str | int) -> str:
    along = f" along {axis}" if isinstance(axis, str) else ""
    size, cycles = len(p), cycles_of(p)
    if len(cycles) == 1 and len(cycles[0]) == 2:
        return f"swap positions {numbered(sorted(cycles[0]))}{along}"
    by = -p[0] % size
    if p == shift(size, by):
        return f"shift all positions{along} cyclically by {by if by <= size // 2 else by - size}"
    if p == tuple(reversed(range(size))):
        return f"reverse the order{along}"
    if all(len(c) == 2 for c in cycles):
        return "swap positions " + ", and ".join(numbered(sorted(c)) for c in cycles) + along
    return f"move positions {arrows(cycles)}{along}"


PERMUTATIONS = Kind(
    name="perm", identity=lambda n: tuple(range(n)), compose=lambda g, h: tuple(h[k] for k in g),
    inverse=inverse_of, matrix=of_permutation, write=lambda g: {"permutation": list(g)},
    words=_words, variable="p", along=lambda p, array: array[list(p)], rounds=False,
    takes="an integer array p, a permutation",
)  # fmt: skip


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


def simple(size: int) -> Iterator[Permutation]:
    """Yields simple permutations, simplest first.

    These are swaps (adjacent ones first), 3-cycles, the reversal, full cycles, double swaps, longer
    cycles, and shifts.
    """
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


def generators(size: int) -> list[Permutation]:
    """Returns the swap of the first two, and the cycle through all."""
    if size < 2:
        return []
    return [cycle(size, (0, 1)), *([shift(size, 1)] if size > 2 else [])]


def _even_generators(size: int) -> list[Permutation]:
    """Returns the cycle of the first three, and the longest odd cycle that ends with the last."""
    if size > 2:
        found = [cycle(size, (0, 1, 2)), cycle(size, range(1 - size % 2, size))]
    else:
        found = []
    return found[: size - 2]


def _telling_even(size: int) -> Permutation:
    """Returns the longest cycle of odd length that begins with the first."""
    return cycle(size, range(size - 1 + size % 2))


S = Family(
    letter="S", names=("Sym", "Perm", "Permutations", "P"), meaning="permutations",
    element="a permutation matrix", symbol="P", elements=PERMUTATIONS, default_axis="n",
    why_not=why_not_permutation, simple=simple, telling=lambda size: shift(size, 1), sample=_sample,
    generators=generators, order=factorial, members=_all, trivial_below=2, inside=(O,), rocq="S",
)  # fmt: skip
A = Family(
    letter="A", names=("Alt",), meaning="even permutations", element="an even permutation matrix",
    symbol="P", elements=PERMUTATIONS, default_axis="n",
    why_not=lambda data, size: why_not_permutation(data, size)
    or ("" if permutation_sign(data) == 1 else "the permutation is odd"),
    simple=lambda size: _even(simple(size)), telling=_telling_even, sample=_sample_even,
    generators=_even_generators, order=lambda size: 1 if size < 2 else factorial(size) // 2,
    members=lambda size: _even(_all(size)), trivial_below=3, special=True, inside=(S, SO), rocq="A",
)  # fmt: skip
