"""Matching of columns within a tolerance, by projection to a line and bipartite matching."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
#: Relative difference to the tolerance below which a distance is compared exactly.
NEAR = 1e-9
#: Bound, for each coordinate, on the rounding of the projection of a point of size 1 to a line.
ROUNDING = 1e-15
#: Number of candidate pairs compared at a time.
CHUNK = 1 << 20


def match_within(
    x: NDArray[Any], y: NDArray[Any], tol: float
) -> tuple[Indices | None, tuple[list[int], list[int]]]:
    """Finds p with ``|x_{p[j]} - y_j| <= tol`` for all j, or proves that there is none.

    Returns p and two empty lists; or None, some columns of Y, and all columns of X within the
    tolerance of one of them. In the second case there are fewer columns of X than of Y, which rules
    out a matching by Hall's theorem.
    """
    n = x.shape[1]
    rows, columns = _neighbours(x, y, tol)
    counts = np.bincount(rows, minlength=n)
    if rows.size == n and (counts == 1).all() and np.unique(columns).size == n:
        order = np.empty(n, dtype=np.intp)
        order[rows] = columns
        return order, ([], [])
    return matching(np.split(columns, np.cumsum(counts)[:-1]), n)


def matching(
    partners: Sequence[Indices], right: int
) -> tuple[Indices | None, tuple[list[int], list[int]]]:
    """Finds a matching that covers the left side of a bipartite graph, or a Hall violator.

    Returns the partner of each vertex on the left; or None, some vertices on the left, and all
    their neighbours, which are fewer.

    A vertex takes a partner along the shortest alternating path to a free one; if no path leads to
    one, the vertices reached by paths have too few partners.

    Args:
        partners: the neighbours of each vertex on the left.
        right: the number of vertices on the right.

    Source: Kuhn (1955) for the paths; Hall (1935).
    """
    lists = [p.tolist() for p in partners]
    to_right, to_left = [-1] * len(lists), [-1] * right
    for start in range(len(lists)):
        # vertices on the right, each with the vertex on the left from which it was reached
        reached: dict[int, int] = {}
        crowd, free = [start], -1
        for j in crowd:  # the list grows during the loop
            for i in lists[j]:
                if i not in reached:
                    reached[i] = j
                    if to_left[i] < 0:
                        free = i
                        break
                    crowd.append(to_left[i])
            if free >= 0:
                break
        else:
            return None, ([start, *sorted(crowd[1:])], sorted(reached))
        while free >= 0:
            j = reached[free]
            to_left[free], to_right[j], free = j, free, to_right[j]
    return np.array(to_right, dtype=np.intp), ([], [])


def _neighbours(x: NDArray[Any], y: NDArray[Any], tol: float) -> tuple[Indices, Indices]:
    """Returns all pairs (j, i) with ``|x_i - y_j| <= tol``, sorted."""
    points_x, points_y = (_as_real(m).T for m in (x, y))
    if not points_x.shape[1]:
        grid = np.indices((x.shape[1], x.shape[1])).reshape(2, -1)
        return grid[0], grid[1]
    rows, columns = near_pairs(points_y, points_x, tol * (1 + NEAR))
    if not rows.size:
        return rows, columns
    with np.errstate(over="ignore"):
        gaps = np.sqrt(np.sum(((points_x[columns] - points_y[rows]) / tol) ** 2, axis=1))
    keep = gaps < 1 - NEAR
    for k in np.flatnonzero(~keep).tolist():
        pairs = zip(points_x[columns[k]].tolist(), points_y[rows[k]].tolist(), strict=True)
        square = sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in pairs), Fraction(0))
        keep[k] = square <= Fraction(tol) ** 2
    return rows[keep], columns[keep]


def _as_real(matrix: NDArray[Any]) -> NDArray[np.float64]:
    if np.iscomplexobj(matrix):
        return np.concatenate([matrix.real, matrix.imag])
    return np.asarray(matrix, dtype=np.float64)


def near_pairs(y: NDArray[Any], x: NDArray[Any], distance: float) -> tuple[Indices, Indices]:
    """Returns all pairs (j, i) with ``|y_j - x_i| <= distance`` to rounding, sorted.

    The rows of y and x are points. Points near each other have near projections on every line, so
    that only those with near projections on a random line are compared.

    Cost: O(n log n), and the pairs with near projections.
    """
    size = max(float(np.abs(p).max(initial=0.0)) for p in (x, y)) or 1.0
    direction: NDArray[Any] = np.random.default_rng(0).standard_normal((x.shape[1],))
    direction /= np.linalg.norm(direction)
    places, line = (p / size @ direction for p in (y, x))
    order = np.argsort(line, kind="stable")
    line = line[order]
    reach = distance / size * (1 + NEAR) + ROUNDING * x.shape[1]
    first = np.searchsorted(line, places - reach, side="left")
    count = np.searchsorted(line, places + reach, side="right") - first
    ends = np.cumsum(count)
    steps = np.arange(CHUNK, ends.max(initial=0), CHUNK)
    cuts = [0, *np.searchsorted(ends, steps), len(count)]
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
