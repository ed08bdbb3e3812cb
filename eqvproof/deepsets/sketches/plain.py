"""Encodes and decodes a sketch with NumPy alone.

A cell holds four sums over its keys, modulo 2^64: of 1, of the low and the high half of the key,
and of its checksum. If the cell has only one key x, with multiplicity c = 2^v o (o odd, v <= 32; c
may be negative), each half, less than 2^32, is (sum / 2^v) o^-1 modulo 2^(64 - v), and the fourth
sum is c times the checksum of x. Such a cell is pure: x is removed from its three cells, which
makes others pure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.deepsets.sketches.hashing import HALF, LOW, cells_of_key, checksum, digest, hashes
from eqvproof.deepsets.sketches.layout import Layout, Words

#: number of keys that are encoded at a time
BLOCK = 1 << 16


def encode(keys: Words, cells: Words, layout: Layout) -> None:
    """Adds keys to the cells, shape (cells + 1, 4).

    The last row holds the number of keys and the sum of their digests.
    """
    length, starts, *seeds = layout.words
    columns = [np.ascontiguousarray(cells[:-1, j]) for j in range(4)]
    for begin in range(0, len(keys), BLOCK):
        block = keys[begin : begin + BLOCK]
        first, second = hashes(block, *seeds)
        values: tuple[Any, ...] = (
            np.uint64(1),
            block & LOW,
            block >> HALF,
            checksum(first, second),
        )
        for place in cells_of_key(first, second, length, starts):
            index: NDArray[np.intp] = place.astype(np.intp)
            for column, value in zip(columns, values, strict=True):
                np.add.at(column, index, value)
        cells[-1:, 1] += digest(first, second).sum(dtype=np.uint64)
    for j, column in enumerate(columns):
        cells[:-1, j] = column
    cells[-1:, 0] += np.uint64(len(keys))


def decode(cells: Words, layout: Layout) -> tuple[Words, Words]:
    """Removes keys from the cells until no cell is pure; the cells then hold the remaining keys.

    Returns:
        The removed keys and their multiplicities, modulo 2^64; a key may occur twice.
    """
    length, starts, *seeds = layout.words
    keys: list[Words] = []
    counts: list[Words] = []
    table = cells[:-1]
    look = np.flatnonzero(table[:, 0])
    taken = 0
    while len(look) and taken <= 2 * len(table):
        x, c, sure = find_pure_cells(table[look], look.astype(np.uint64), layout)
        x, order = np.unique(x[sure], return_index=True)
        if len(x) == 0:
            break
        c = c[sure][order]
        keys.append(x)
        counts.append(c)
        taken += len(x)
        first, second = hashes(x, *seeds)
        values = (c, c * (x & LOW), c * (x >> HALF), c * checksum(first, second))
        touched = [place.astype(np.intp) for place in cells_of_key(first, second, length, starts)]
        for index in touched:
            for j, value in enumerate(values):
                np.subtract.at(table[:, j], index, value)
        cells[-1:, 0] -= c.sum(dtype=np.uint64)
        cells[-1:, 1] -= (c * digest(first, second)).sum(dtype=np.uint64)
        look = np.unique(np.concatenate(touched))
        look = look[table[look, 0] != 0]
    none = np.empty(0, np.uint64)
    return np.concatenate([none, *keys]), np.concatenate([none, *counts])


def find_pure_cells(
    rows: Words, index: Words, layout: Layout
) -> tuple[Words, Words, NDArray[np.bool_]]:
    """Computes for each cell the key and multiplicity it has if it is pure, and whether it is."""
    length, starts, *seeds = layout.words
    c = rows[:, 0]
    lowest = c & (~c + np.uint64(1))
    odd_place = np.log2(lowest.astype(np.float64)).astype(np.uint64)  # exact: a power of two
    odd = c >> odd_place
    inverse = odd.copy()
    for _ in range(5):  # each step doubles the number of correct low bits, from three
        inverse *= np.uint64(2) - odd * inverse
    mask = ~np.uint64(0) >> odd_place
    low = ((rows[:, 1] >> odd_place) * inverse) & mask
    high = ((rows[:, 2] >> odd_place) * inverse) & mask
    sure = (low <= LOW) & (high <= LOW) & (odd_place <= HALF)
    x = (high << HALF) | (low & LOW)
    first, second = hashes(x, *seeds)
    sure &= (
        (c * low == rows[:, 1])
        & (c * high == rows[:, 2])
        & (c * checksum(first, second) == rows[:, 3])
    )
    a, b, d = cells_of_key(first, second, length, starts)
    return x, c, sure & ((a == index) | (b == index) | (d == index))
