"""A multiset of points that was found from their power sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """A multiset of points, with a bound on how far each may be from the true one.

    Attributes:
        points: shape (m, d), sorted. Exact: objects, `Fraction` where rational, else SymPy numbers (roots
            of a polynomial). Floats: float64.
        bounds: shape (m,): some numbering of the true points puts the k-th within bounds[k] of points[k] in
            every coordinate. Zeros where exact.
        told_apart: at least so many of the true points are different.
        exact: whether the points are the true ones.
    """

    points: Array
    bounds: NDArray[np.float64]
    told_apart: int
    exact: bool

    @property
    def bound(self) -> float:
        """The largest of the bounds; 0 for no points."""
        return float(self.bounds.max(initial=0.0))

    def __len__(self) -> int:
        return int(self.points.shape[0])

    def __iter__(self) -> Iterator[Array]:
        return iter(self.points)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: FBT001
        return np.array(self.points, dtype=dtype)
