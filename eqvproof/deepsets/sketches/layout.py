"""Chooses the layout of a sketch: its number of cells, by the probability that decoding fails.

A key has a cell in each of three consecutive segments of L cells; the first of these is one of s
segments, the starts. With one start this is the invertible Bloom lookup table with three subtables;
with many, the table of a fuse filter, which is decoded from its ends and needs fewer cells (Walzer
2021: 1.09 per key for long segments instead of 1.22).

Decoding gets stuck on keys that share all their cells. For random cells the expected number of such
pairs, and of sets of four keys that share their cells in pairs, is

    binomial(n, 2) / (s L^3)  +  27 binomial(n, 4) / (s^3 L^6)

which bounds the probability, except for larger sets of keys. L is chosen by this bound.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import ceil, comb, sqrt

import numpy as np
from numpy.typing import NDArray

from eqvproof.support.errors import DomainError

Words = NDArray[np.uint64]

#: cells for each key: with one start (and a term that matters for few keys), and with many starts
PLAIN, PLAIN_ROOT, FUSED = 1.3, 4.0, 1.13
#: least number of starts that saves cells
FEWEST_STARTS = 8
#: largest number of cells of a segment
LONGEST = 1 << 48


@dataclass(frozen=True, slots=True)
class Layout:
    """The segments and hash seeds that determine the cells of each key.

    Attributes:
        length: L, the number of cells of a segment.
        starts: the number of segments in which a key may start.
        seeds: two 64-bit numbers that the hash functions depend on.
    """

    length: int
    starts: int
    seeds: tuple[int, int]

    @property
    def words(self) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
        """Length, starts and seeds as words."""
        length, starts, first, second = map(np.uint64, (self.length, self.starts, *self.seeds))
        return length, starts, first, second

    @property
    def cells(self) -> int:
        """The number of all cells."""
        return (self.starts + 2) * self.length


def failure_rate(keys: int, length: int, starts: int) -> float:
    """Computes the expected number of pairs and quadruples of keys that decoding cannot separate."""
    pairs = comb(keys, 2) / (starts * length**3)
    return pairs + 27 * comb(keys, 4) / (starts**3 * length**6)


def choose_layout(capacity: int, failure: float, seed: int) -> Layout:
    """Chooses the smallest layout whose failure rate at ``capacity`` is at most ``failure``.

    Raises:
        DomainError: the layout exceeds the memory of any machine.
    """
    n = max(capacity, 2)
    least = most = max(2, ceil((PLAIN * n + PLAIN_ROOT * sqrt(n)) / 3))
    while failure_rate(n, most, 1) > failure:
        most *= 2
    if most > LONGEST:
        raise DomainError(
            "the sketch would be too large",
            given=f"capacity {capacity}, failure {failure:g}",
            expected=f"segments of at most {LONGEST} cells",
            hint="choose a smaller capacity, or a larger probability of failure",
        )
    lengths = range(least, most + 1)
    place = bisect_left(lengths, 1, key=lambda k: failure_rate(n, k, 1) <= failure)
    length, starts = lengths[place], 1
    fused = ceil(sqrt(n / (2 * FUSED * failure)))
    while failure_rate(n, fused, many := max(1, ceil(FUSED * n / fused))) > failure:
        fused += max(1, fused // 64)
    if many >= FEWEST_STARTS and (many + 2) * fused < 3 * length:
        length, starts = fused, many
    return Layout(length, starts, _seeds(seed))


def _seeds(seed: int) -> tuple[int, int]:
    first, second = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return int(first), int(second)
