"""Near pairs of points, and maximum matchings: by SciPy where it is installed, else by NumPy and Python."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from eqvproof.optional import installed

Points = NDArray[np.float64]
Indices = NDArray[np.intp]
#: So many candidate pairs are compared at a time.
CHUNK = 1 << 20


def near_pairs(y: Points, x: Points, distance: float) -> tuple[Indices, Indices]:
    """All pairs (j, i) with ``|y_j - x_i| <= distance`` to rounding, sorted; rows are points.

    Cost: O(n log n) and the pairs that are near with a k-d tree; without SciPy, pairs that are near in the
    coordinate that varies most are all compared.
    """
    spatial = installed("scipy.spatial")
    if spatial is None:
        return _swept(y, x, distance)
    found = spatial.cKDTree(y).query_ball_tree(spatial.cKDTree(x), distance)
    rows = np.repeat(np.arange(len(found)), [len(f) for f in found])
    return rows, np.array([i for f in found for i in sorted(f)], dtype=np.intp)


def _swept(y: Points, x: Points, distance: float) -> tuple[Indices, Indices]:
    axis = int(np.argmax(x.max(axis=0, initial=-np.inf) - x.min(axis=0, initial=np.inf))) if x.size else 0
    order = np.argsort(x[:, axis], kind="stable")
    line = x[order, axis]
    first = np.searchsorted(line, y[:, axis] - distance, side="left")
    count = np.searchsorted(line, y[:, axis] + distance, side="right") - first
    ends = np.cumsum(count)
    cuts = [0, *np.searchsorted(ends, np.arange(CHUNK, ends[-1] if ends.size else 0, CHUNK)), len(count)]
    rows, columns = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for start, stop in pairwise(cuts):
        sizes = count[start:stop]
        row = np.repeat(np.arange(start, stop), sizes)
        within = np.arange(row.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        column = order[np.repeat(first[start:stop], sizes) + within]
        with np.errstate(over="ignore"):
            near = (((y[row] - x[column]) / distance) ** 2).sum(axis=1) <= 1
        rows.append(row[near])
        columns.append(column[near])
    row, column = np.concatenate(rows), np.concatenate(columns)
    sorting = np.lexsort((column, row))
    return row[sorting], column[sorting]


def maximum_matching(starts: Indices, partners: Indices, right: int) -> Indices:
    """For each left vertex j its partner in a matching of greatest size, or -1.

    Args:
        starts: j's neighbours are ``partners[starts[j] : starts[j + 1]]``.
        partners: numbers of right vertices.
        right: how many of these there are.

    Source: Hopcroft and Karp (1973).
    """
    graph = installed("scipy.sparse.csgraph")
    if graph is None:
        return _hopcroft_karp(starts.tolist(), partners.tolist(), right)
    sparse = installed("scipy.sparse")
    matrix = sparse.csr_array(
        (np.ones(partners.size, dtype=np.int8), partners, starts), shape=(len(starts) - 1, right)
    )
    return np.asarray(graph.maximum_bipartite_matching(matrix, perm_type="column"), dtype=np.intp)


def _hopcroft_karp(starts: list[int], partners: list[int], right: int) -> Indices:
    left = len(starts) - 1
    to_right, to_left = [-1] * left, [-1] * right
    while True:
        level = _levels(starts, partners, to_right, to_left)
        if level is None:
            return np.array(to_right, dtype=np.intp)
        at = list(starts[:left])
        for root in range(left):
            if to_right[root] < 0:
                _augment(root, starts, partners, to_right, to_left, level, at)


def _levels(
    starts: list[int], partners: list[int], to_right: list[int], to_left: list[int]
) -> list[int] | None:
    """Distances of left vertices from unmatched ones by alternating paths; None: no path can be augmented."""
    level = [0 if i < 0 else -1 for i in to_right]
    queue = deque(j for j, i in enumerate(to_right) if i < 0)
    free = False
    while queue:
        j = queue.popleft()
        for i in partners[starts[j] : starts[j + 1]]:
            other = to_left[i]
            if other < 0:
                free = True
            elif level[other] < 0:
                level[other] = level[j] + 1
                queue.append(other)
    return level if free else None


def _augment(
    root: int,
    starts: list[int],
    partners: list[int],
    to_right: list[int],
    to_left: list[int],
    level: list[int],
    at: list[int],
) -> None:
    """Searches one augmenting path along falling levels, depth first, and matches along it."""
    path = [root]
    while path:
        j = path[-1]
        if at[j] == starts[j + 1]:
            path.pop()
            if path:
                at[path[-1]] += 1
            continue
        other = to_left[partners[at[j]]]
        if other < 0:
            for k in path:
                i = partners[at[k]]
                to_right[k], to_left[i] = i, k
            return
        if level[other] == level[j] + 1:
            path.append(other)
        else:
            at[j] += 1
