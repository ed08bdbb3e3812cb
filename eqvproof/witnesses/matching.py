"""Matching columns within a tolerance: a spatial index, and bipartite matching where columns crowd."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.errors import defect
from eqvproof.witnesses.neighbours import maximum_matching, near_pairs

Indices = NDArray[np.intp]
#: Distances within this relative distance of the tolerance are compared exactly.
NEAR = 1e-9


def match_within(
    x: NDArray[Any], y: NDArray[Any], tol: float
) -> tuple[Indices | None, tuple[list[int], list[int]]]:
    """p with ``|x_{p[j]} - y_j| <= tol`` for all j; or None, with columns of Y and all their partners in X.

    In the second case there are fewer partners than columns, which by Hall's theorem rules a matching out.
    """
    n = x.shape[1]
    rows, columns = _neighbours(x, y, tol)
    counts = np.bincount(rows, minlength=n)
    if rows.size == n and (counts == 1).all() and np.unique(columns).size == n:
        order = np.empty(n, dtype=np.intp)
        order[rows] = columns
        return order, ([], [])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    partner = maximum_matching(starts, columns, n)
    if (partner >= 0).all():
        return partner, ([], [])
    return None, _hall_violator(starts, columns, partner)


def _neighbours(x: NDArray[Any], y: NDArray[Any], tol: float) -> tuple[Indices, Indices]:
    """All pairs (j, i) with ``|x_i - y_j| <= tol``, sorted."""
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


def _hall_violator(starts: Indices, neighbours: Indices, partner: Indices) -> tuple[list[int], list[int]]:
    """The columns of Y that alternating paths reach from an unmatched one, and all their partners."""
    start = int(np.flatnonzero(partner < 0)[0])
    matched_to = {int(i): j for j, i in enumerate(partner.tolist()) if i >= 0}
    crowd, partners, queue = {start}, set[int](), [start]
    while queue:
        j = queue.pop()
        for i in neighbours[starts[j] : starts[j + 1]].tolist():
            if i in partners:
                continue
            partners.add(i)
            other = matched_to.get(i)
            if other is None:
                raise defect("a matching that was not maximal")
            if other not in crowd:
                crowd.add(other)
                queue.append(other)
    ordered = [start, *sorted(crowd - {start})]
    return ordered, sorted(partners)
