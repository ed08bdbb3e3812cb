"""Encodes and decodes a sketch by loops that numba compiles.

The arithmetic is that of `plain` and `hashing`. The cells of a key are random, so memory limits the
speed: cells are prefetched a batch ahead. For large tables, keys are first sorted by their first
segments, so that the three segments that the next keys need are in the cache. Threads take disjoint
ranges of segments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from eqvproof.deepsets.sketches import hashing
from eqvproof.deepsets.sketches.hashing import (
    HALF,
    LOW,
    cells_of_key,
    checksum,
    digest,
    hashes,
    mix,
    start,
)
from eqvproof.deepsets.sketches.intrinsics import fetch
from eqvproof.deepsets.sketches.layout import Layout, Words
from eqvproof.deepsets.threads import in_threads
from eqvproof.support.optional import installed

numba: Any = installed("numba")
available: bool = numba is not None
#: number of keys that are sorted by segment at a time
BLOCK = 1 << 24
#: least number of cells of a table for which one thread sorts the keys
SMALL = 1 << 19
#: least number of keys for a second thread
THREADED = 1 << 18
#: number of keys whose cells are prefetched before the first cell is changed
BATCH = 64
#: number of cells that are inspected before the first of them is changed
LOOK = 32
#: largest number of cells that wait for inspection; another pass over the table finds the others
STACK = 1 << 16

_U = np.uint64
_ZERO, _ONE, _TWO, _ALL = _U(0), _U(1), _U(2), ~_U(0)
#: multiplicities below this have their inverses in a table
_TABLE = _U(256)


def _jit(function: Callable[..., Any]) -> Any:
    if numba is None:
        return function
    try:
        return numba.njit(function, nogil=True, cache=True)
    except RuntimeError:  # no folder to keep the machine code in
        return numba.njit(function, nogil=True)


if numba is not None:
    for _function in ("mix", "hashes", "start", "cells_of_key", "checksum", "digest"):
        numba.extending.register_jitable(getattr(hashing, _function))


@_jit
def _add_row(cells, p, count, low, high, check):  # type: ignore[no-untyped-def]
    """Adds four numbers to the four sums of cell p."""
    cells[p, 0] += count
    cells[p, 1] += low
    cells[p, 2] += high
    cells[p, 3] += check


@_jit
def _encode(keys, begin, end, cells, length, starts, seed, other):  # type: ignore[no-untyped-def]
    """Adds keys to their cells, a batch at a time; returns the sum of their digests.

    In each batch, all cells are determined first; then the sums are added.
    """
    total = _ZERO
    where, checks = np.empty((BATCH, 3), np.uint64), np.empty(BATCH, np.uint64)
    for i in range(begin, end, BATCH):
        size = min(BATCH, end - i)
        for j in range(size):
            x = keys[i + j]
            first, second = hashes(x, seed, other)
            a, b, c = cells_of_key(first, second, length, starts)
            fetch(cells, a)
            fetch(cells, b)
            fetch(cells, c)
            where[j, 0], where[j, 1], where[j, 2] = a, b, c
            checks[j] = checksum(first, second)
            total += digest(first, second)
        for j in range(size):
            x = keys[i + j]
            low, high, check = x & LOW, x >> HALF, checks[j]
            _add_row(cells, where[j, 0], _ONE, low, high, check)
            _add_row(cells, where[j, 1], _ONE, low, high, check)
            _add_row(cells, where[j, 2], _ONE, low, high, check)
    return total


@_jit
def _count(keys, begin, end, counts, starts, seed):  # type: ignore[no-untyped-def]
    """Counts the keys that start in each segment."""
    for i in range(begin, end):
        counts[start(mix(keys[i] ^ seed), starts)] += 1


@_jit
def _scatter(keys, begin, end, place, out, starts, seed):  # type: ignore[no-untyped-def]
    """Sorts keys by their first segments; ``place`` is the next position of each segment."""
    for i in range(begin, end):
        x = keys[i]
        s = start(mix(x ^ seed), starts)
        out[place[s]] = x
        place[s] += 1


@_jit
def _may_be_pure(cells, p, shifts, inverses):  # type: ignore[no-untyped-def]
    """Checks whether the sums of a cell can be those of one key; also returns its two halves.

    The checksum is not compared.
    """
    c, low, high, check = cells[p, 0], cells[p, 1], cells[p, 2], cells[p, 3]
    if c < _TABLE:
        v, inverse = shifts[c], inverses[c]
    else:
        v, odd = _ZERO, c
        while odd & _ONE == _ZERO:
            odd >>= _ONE
            v += _ONE
        inverse = odd
        for _ in range(5):
            inverse *= _TWO - odd * inverse
    # c = 0 has v = 64 in the table
    odd_bits = (low | high | check) & ((_ONE << (v & _U(63))) - _ONE)
    mask = _ALL >> (v & _U(63))
    low, high = ((low >> (v & _U(63))) * inverse) & mask, ((high >> (v & _U(63))) * inverse) & mask
    return (odd_bits == _ZERO) & (low <= LOW) & (high <= LOW) & (v <= HALF), low, high


@_jit
def _peel(cells, length, starts, seed, other, keys, counts, stack, shifts, inverses):  # type: ignore[no-untyped-def]
    """Removes the keys of pure cells until no cell is pure; returns the number of keys.

    Waiting cells are processed in batches: first their keys, and the cells of these keys, are
    computed; then the keys are subtracted (unless the cell has changed in between).
    """
    total = (starts + _TWO) * length
    found, limit, again = 0, keys.size, True
    where = np.empty((LOOK, 4), np.uint64)
    what = np.empty((LOOK, 4), np.uint64)
    digests = np.empty(LOOK, np.uint64)
    while again and found < limit:
        again = False
        depth, cell = 0, _ZERO
        while found < limit:
            # cells wait on a stack, which is refilled from the table
            while depth < LOOK and cell < total:
                if cells[cell, 0] != _ZERO:
                    stack[depth] = cell
                    depth += 1
                cell += _ONE
            if depth == 0:
                break
            size = 0
            for _ in range(min(depth, LOOK)):
                depth -= 1
                p = stack[depth]
                sure, low, high = _may_be_pure(cells, p, shifts, inverses)
                if not sure:
                    continue
                c = cells[p, 0]
                x = (high << HALF) | low
                first, second = hashes(x, seed, other)
                a, b, d = cells_of_key(first, second, length, starts)
                check = checksum(first, second)
                if c * check != cells[p, 3] or c * low != cells[p, 1] or c * high != cells[p, 2]:
                    continue
                if (p != a) & (p != b) & (p != d):
                    continue
                fetch(cells, a)
                fetch(cells, b)
                fetch(cells, d)
                where[size, 0], where[size, 1], where[size, 2], where[size, 3] = a, b, d, p
                what[size, 0], what[size, 1], what[size, 2], what[size, 3] = c, low, high, check
                digests[size] = digest(first, second)
                size += 1
            for j in range(size):
                p, c, low, high, check = where[j, 3], what[j, 0], what[j, 1], what[j, 2], what[j, 3]
                if cells[p, 0] != c or cells[p, 3] != c * check:  # removed through another cell
                    if cells[p, 0] != _ZERO:
                        again = True
                    continue
                if found == limit:
                    break
                keys[found] = (high << HALF) | low
                counts[found] = c
                found += 1
                cells[total, 0] -= c
                cells[total, 1] -= c * digests[j]
                low, high, check = _ZERO - c * low, _ZERO - c * high, _ZERO - c * check
                for k in range(3):
                    q = where[j, k]
                    _add_row(cells, q, _ZERO - c, low, high, check)
                    if q != p:
                        sure, _, _ = _may_be_pure(cells, q, shifts, inverses)
                        if sure:
                            if depth < stack.size:
                                stack[depth] = q
                                depth += 1
                            else:
                                again = True
    return found


def encode(keys: Words, cells: Words, layout: Layout, threads: int = 1) -> None:
    """Adds keys to the cells, as `plain.encode` does."""
    if len(keys) < THREADED:
        threads = 1
    parameters, total = layout.words, _ZERO
    with np.errstate(over="ignore"):
        if (
            (layout.cells < SMALL and threads == 1)
            or layout.starts < 16
            or len(keys) < layout.cells // 8
        ):
            total = _U(_encode(keys, 0, len(keys), cells, *parameters))
        else:
            room = np.empty(min(len(keys), BLOCK), np.uint64)
            for begin in range(0, len(keys), BLOCK):
                total += _by_segments(keys[begin : begin + BLOCK], cells, parameters, room, threads)
        cells[-1, 0] += _U(len(keys))
        cells[-1, 1] += total


def _by_segments(
    keys: Words, cells: Words, parameters: tuple[Any, ...], room: Words, threads: int
) -> Any:
    _, starts, seed, _ = parameters
    threads = max(1, min(threads, int(starts) // 8))
    cuts = [len(keys) * t // threads for t in range(threads + 1)]
    counts = np.zeros((threads, int(starts)), np.int64)

    def in_all_threads(function: Callable[[int], Any]) -> list[Any]:
        return in_threads(function, range(threads), threads)

    in_all_threads(lambda t: _count(keys, cuts[t], cuts[t + 1], counts[t], starts, seed))
    # keys of one segment are consecutive: those of the first thread, then those of the second, ...
    ends = np.cumsum(counts.T.ravel()).reshape(-1, threads).T
    place = np.ascontiguousarray(ends - counts)
    first_of = np.concatenate([place[0], [len(keys)]])
    in_all_threads(lambda t: _scatter(keys, cuts[t], cuts[t + 1], place[t], room, starts, seed))
    # keys of a thread's last two first segments have cells in the next thread's segments: they are
    # added afterwards
    shares = [int(starts) * t // threads for t in range(threads + 1)]
    until = [s - 2 for s in shares[1:-1]] + [int(starts)]

    def add(t: int, low: int, high: int) -> Any:
        return _encode(room, int(first_of[low]), int(first_of[high]), cells, *parameters)

    sums = in_all_threads(lambda t: add(t, shares[t], until[t]))
    with np.errstate(over="ignore"):
        late = [add(t, until[t], shares[t + 1]) for t in range(threads - 1)]
        return np.array([*sums, *late], np.uint64).sum(dtype=np.uint64)


@cache
def _small_counts() -> tuple[Words, Words]:
    """Tabulates v (64 for c = 0) and the inverse of o modulo 2^64 for small c = 2^v o."""
    shifts = [64] + [(c & -c).bit_length() - 1 for c in range(1, int(_TABLE))]
    inverses = [0] + [pow(c >> v, -1, 2**64) for c, v in enumerate(shifts) if c]
    return np.array(shifts, np.uint64), np.array(inverses, np.uint64)


def decode(cells: Words, layout: Layout) -> tuple[Words, Words]:
    """Decodes the cells, as `plain.decode` does."""
    keys, counts = np.empty(layout.cells, np.uint64), np.empty(layout.cells, np.uint64)
    found = _peel(
        cells, *layout.words, keys, counts, np.empty(STACK, np.uint64), *_small_counts(),
    )  # fmt: skip
    return keys[:found], counts[:found]
