"""Matching of equal columns of two matrices by hashing and sorting.

Every match is compared exactly.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import Floats

Indices = NDArray[np.intp]
#: Odd 64-bit constant of splitmix64; multiples of it mark the rows of a column.
_GOLDEN = 0x9E3779B97F4A7C15


def match_columns(x: Any, y: Any) -> tuple[Indices | None, int]:
    """Finds p with ``X[:, p] == Y``, or a column whose multiplicities in X and Y differ.

    Returns (p, -1), or None and the index of such a column: j for column j of Y, n + j for column j
    of X. Equal columns are matched in order.

    Cost: O(d n) for hashing, O(n log n) for sorting.
    """
    if isinstance(x, FieldMatrix):
        return _match_keys(_column_keys(x), _column_keys(y))
    left, right = _values_of(x), _values_of(y)
    n = left.shape[1]
    if np.array_equal(left, right):
        return np.arange(n), -1
    if not left.shape[0]:
        return np.arange(n), -1
    return _match_hashed(left, right)


def first_unequal(matrix: Any, source: Any, index: int) -> NDArray[np.bool_]:
    """Returns a mask of the columns of a matrix that equal one column of another."""
    if isinstance(matrix, FieldMatrix):
        key = _column_keys(source.select(columns=[index]))[0]
        return np.array([k == key for k in _column_keys(matrix)], dtype=bool)
    values, other = _values_of(matrix), _values_of(source)
    return np.asarray((values == other[:, index : index + 1]).all(axis=0))


def _values_of(matrix: Any) -> NDArray[Any]:
    """Returns the entries of a float matrix, or of an array, as an array."""
    if isinstance(matrix, Floats):
        return matrix.values
    return np.asarray(matrix)


def _column_keys(matrix: FieldMatrix) -> list[tuple[Any, ...]]:
    d, n = matrix.shape
    entries = [tuple((int(c.p), int(c.q)) for c in e) for e in matrix.entries()]
    return [tuple(entries[i * n + j] for i in range(d)) for j in range(n)]


def _match_keys(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> tuple[Indices | None, int]:
    places: dict[tuple[Any, ...], list[int]] = {}
    for j in reversed(range(len(left))):
        places.setdefault(left[j], []).append(j)
    order = np.empty(len(right), dtype=np.intp)
    for j, key in enumerate(right):
        stack = places.get(key)
        if not stack:
            return None, j
        order[j] = stack.pop()
    return order, -1


def _match_hashed(x: NDArray[Any], y: NDArray[Any]) -> tuple[Indices | None, int]:
    left, right = _hashes(x), _hashes(y)
    by_left, by_right = np.argsort(left), np.argsort(right)
    sorted_left, sorted_right = left[by_left], right[by_right]
    differing = np.flatnonzero(sorted_left != sorted_right)
    if differing.size:
        value = min(sorted_left[differing[0]], sorted_right[differing[0]])
        return None, _surplus(x, y, np.flatnonzero(left == value), np.flatnonzero(right == value))
    unmatched = _unequal_pairs(x, y, by_left, by_right)
    if unmatched.size:
        place = _resolve_collisions(x, y, by_left, by_right, sorted_left, unmatched)
        if place >= 0:
            return None, place
    order = np.empty(x.shape[1], dtype=np.intp)
    order[by_right] = by_left
    return order, -1


def _surplus(x: NDArray[Any], y: NDArray[Any], left: Indices, right: Indices) -> int:
    """Returns the index of a column whose multiplicities differ, among columns of one hash.

    The numbers of columns of that hash in X and in Y are different.
    """
    if right.size:
        place = int(right[0])
        column = y[:, [place]]
    else:
        place = int(x.shape[1]) + int(left[0])
        column = x[:, [int(left[0])]]
    if np.count_nonzero((x == column).all(axis=0)) != np.count_nonzero((y == column).all(axis=0)):
        return place
    keys_left, keys_right = _keys(x, left), _keys(y, right)
    counts = Counter(keys_left)
    counts.subtract(keys_right)
    key = next(key for key, count in counts.items() if count)
    if key in keys_right:
        return int(right[keys_right.index(key)])
    return int(x.shape[1]) + int(left[keys_left.index(key)])


def _keys(values: NDArray[Any], indices: Indices) -> list[tuple[Any, ...]]:
    return [tuple((values[:, j] + 0).tolist()) for j in indices]


def _hashes(values: NDArray[Any]) -> NDArray[np.uint64]:
    """Computes a 64-bit hash of each column; equal numbers hash equally (-0.0 as 0.0)."""
    total = np.zeros(values.shape[1], dtype=np.uint64)
    with np.errstate(over="ignore"):
        for k, row in enumerate(values):
            if values.dtype.kind in "fc":
                bits = (row + 0.0).view(_unsigned(values.dtype)).reshape(row.shape[0], -1)
                words = [bits[:, i].astype(np.uint64) for i in range(bits.shape[1])]
            else:
                words = [row.astype(np.uint64)]
            for i, word in enumerate(words):
                total ^= word + np.uint64((_GOLDEN * (2 * k + i + 1)) % 2**64)
                total *= np.uint64(0xBF58476D1CE4E5B9)
                total ^= total >> np.uint64(31)
    return total


def _unsigned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the unsigned integers of the size of a float, or of one part of a complex number."""
    size = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    return np.dtype(f"u{size}")


def _unequal_pairs(
    x: NDArray[Any], y: NDArray[Any], by_left: Indices, by_right: Indices
) -> Indices:
    wrong = np.zeros(x.shape[1], dtype=bool)
    for row_x, row_y in zip(x, y, strict=True):
        wrong |= row_x[by_left] != row_y[by_right]
    return np.flatnonzero(wrong)


def _resolve_collisions(
    x: NDArray[Any],
    y: NDArray[Any],
    by_left: Indices,
    by_right: Indices,
    hashes: NDArray[np.uint64],
    unmatched: Indices,
) -> int:
    """Re-matches columns of equal hashes that were paired wrongly, by exact comparison, in place.

    Returns the index of a column whose multiplicities differ, or -1.
    """
    for value in np.unique(hashes[unmatched]):
        start = int(np.searchsorted(hashes, value, side="left"))
        stop = int(np.searchsorted(hashes, value, side="right"))
        left, right = by_left[start:stop].copy(), by_right[start:stop].copy()
        order, place = _match_keys(_keys(x, left), _keys(y, right))
        if order is None:
            return int(right[place])
        by_left[start:stop] = left[order]
    return -1
