"""``scipy.spatial.KDTree`` and ``cKDTree`` in a trace: nearest neighbours by all distances.

    query(X, k) = the k least distances from each row of X to the points, in order, and their places

Equal distances have no order of their own: as with ``np.argsort``, the places are seen by calls
where distances tie.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.values import Array, xp


class Tree:
    """The points of a tree of SciPy, with the queries that are traced.

    Args:
        context: the trace.
        points: the points, as rows.
        original: SciPy's tree of these points if they do not depend on the inputs, else None.
    """

    def __init__(self, context: TraceContext, points: Array, original: object = None) -> None:
        self._context, self._original = context, original
        self.data = points
        self.n, self.m = points.shape

    def query(
        self, x: object, k: int = 1, eps: float = 0, p: float = 2,
        distance_upper_bound: float = np.inf, workers: int = 1,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Returns the distances to the k nearest points, and the places of these."""
        if type(k) is not int or k < 1 or (eps, p, distance_upper_bound) != (0, 2, np.inf):
            self._context.refuse(
                "a query of a tree with other options than a number k", hint="leave them out"
            )
        rows = lift(self._context, x)
        apart = xp.expand_dims(rows, -2) - self.data
        distances = xp.sqrt(xp.sum(apart * apart, axis=-1))
        near, places = xp.sort(distances, axis=-1), xp.argsort(distances, axis=-1)
        if k == 1:
            return near[..., 0], places[..., 0]
        return near[..., :k], places[..., :k]

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._original is not None:
            return getattr(self._original, name)
        self._context.refuse(f".{name} of a tree of points is not traced", hint="compare distances")


def maker_of(original: Callable[..., object]) -> Callable[..., object]:
    """Returns the function that makes trees in traced code."""

    def make(data: object, *args: object, **options: object) -> object:
        context = current_context()
        if context is None:
            return original(data, *args, **options)
        known = None if mentions_trace((data,)) else original(data, *args, **options)
        if options.get("boxsize") is not None:
            context.refuse("a tree of points in a periodic box is not traced")
        points = lift(context, data)
        if points.ndim != 2:
            context.refuse("a tree of other than points as rows")
        if known is None and not points._eqvproof.storage.locked:
            points._eqvproof.storage.locked = "the points of a tree"
        return Tree(context, points, known)

    return make
