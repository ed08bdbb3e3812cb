"""The hash functions of a sketch, on arrays: three cells, a checksum and a digest for each key.

The same functions stand in `compiled`, for single keys; a test compares the two.
"""

from __future__ import annotations

import numpy as np

from eqvproof.deepsets.sketches.layout import Layout, Words

M1 = 0xD6E8FEB86659FD93
M2 = 0x9E3779B97F4A7C15
M3 = 0x2545F4914F6CDD1D
M4 = 0xFF51AFD7ED558CCD
LOW = 0xFFFFFFFF


def mix(x: Words) -> Words:
    """A bijection of 64-bit words whose output bits depend on all input bits."""
    x = (x ^ (x >> np.uint64(32))) * np.uint64(M1)
    x = (x ^ (x >> np.uint64(32))) * np.uint64(M1)
    return x ^ (x >> np.uint64(32))


def hashes(keys: Words, layout: Layout) -> tuple[Words, Words]:
    """Two 64-bit hashes of each key."""
    first = mix(keys ^ np.uint64(layout.seeds[0]))
    second = mix((keys + np.uint64(layout.seeds[1])) * np.uint64(M2))
    return first, second


def places(first: Words, second: Words, layout: Layout) -> tuple[Words, Words, Words]:
    """The three cells of each key."""
    length, low, half = np.uint64(layout.length), np.uint64(LOW), np.uint64(32)
    start = ((first >> half) * np.uint64(layout.starts)) >> half
    base = start * length
    a = base + (((first & low) * length) >> half)
    b = base + length + (((second >> half) * length) >> half)
    c = base + length + length + (((second & low) * length) >> half)
    return a, b, c


def checksums(first: Words, second: Words) -> Words:
    """What each cell adds up besides the keys."""
    x = first * np.uint64(M3) + second
    x = (x ^ (x >> np.uint64(32))) * np.uint64(M4)
    return x ^ (x >> np.uint64(29))


def digests(first: Words, second: Words) -> Words:
    """What the whole sketch adds up once: another function of the key, for the last comparison."""
    x = second * np.uint64(M4) + first
    x = (x ^ (x >> np.uint64(31))) * np.uint64(M3)
    return x ^ (x >> np.uint64(32))
