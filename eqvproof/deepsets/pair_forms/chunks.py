"""Pair forms of Dask arrays: sums over k chunk by chunk, then columns of the output chunk by chunk."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_of
from eqvproof.deepsets.pair_forms.evaluate import SLAB, TILE, Work, centre, columns_of_output, needed_sums
from eqvproof.deepsets.pair_forms.plan import Plan
from eqvproof.deepsets.pair_forms.reading import working_dtype
from eqvproof.deepsets.pair_forms.sums import Whole
from eqvproof.deepsets.spread import cut, dask_module, each
from eqvproof.errors import BackendError


def evaluate_chunks(form: Any, X: Any, Z: Any) -> Any:
    """`X g~(Z^T X)` as a Dask array, chunked along n as X is; every worker holds the points, O(n (d + k)).

    Raises:
        BackendError, ShapeError: arrays that do not fit.
    """
    dask = dask_module()
    array: Any = importlib.import_module("dask.array")
    if library_of(Z) == "dask":
        Z = Z.compute()
    if Z is not None and not isinstance(Z, np.ndarray):
        raise BackendError(
            "Z beside a Dask array is a NumPy or Dask array",
            given=type(Z).__name__,
            expected="NumPy or Dask",
            hint="call compute() or asarray first",
        )
    dtype = working_dtype(X, Z)
    X = X.rechunk({0: -1}).astype(dtype)
    ends = np.concatenate([[0], np.cumsum(X.chunks[1])])
    ranges = [(int(a), int(b)) for a, b in itertools.pairwise(ends) if b > a]
    if not ranges:
        return X
    all_x = dask.delayed(_gather, pure=True)(list(X.to_delayed().ravel()))
    points = dask.delayed(_project, pure=True)(all_x, Z, dtype)
    plan = _Shipped(form.plan(X.shape[0] if Z is None else Z.shape[1]))
    sums = dask.delayed(_join)(plan, [dask.delayed(_sums)(plan, points, a, b) for a, b in ranges])
    parts = [dask.delayed(_columns)(plan, all_x, points, sums, a, b) for a, b in ranges]
    columns = [array.from_delayed(part, (X.shape[0], b - a), dtype=dtype)
               for part, (a, b) in zip(parts, ranges, strict=True)]  # fmt: skip
    return array.concatenate(columns, axis=1)


def evaluate_apart(plan: Plan, X: np.ndarray, Y: np.ndarray, executor: Any) -> np.ndarray:
    """`X g~(Z^T X)` of points (n, k) by the workers of an executor: see `PairForm.__call__`.

    Raises:
        BackendError: what is given is no executor.
    """
    if not len(Y):
        return X.copy()
    shipped, ranges = _Shipped(plan), cut(len(Y), 1, TILE if plan.products is None else SLAB)
    sums = _join(shipped, each(_sums, ranges, executor, shared=(shipped, Y)))
    return np.concatenate(each(_columns, ranges, executor, shared=(shipped, X, Y, sums)), axis=1)


class _Shipped:
    """A plan on its way to a worker; Dask does not look into it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan


def _gather(chunks: list[Any]) -> np.ndarray:
    return np.concatenate(chunks, axis=1)


def _project(X: np.ndarray, Z: Any, dtype: str) -> np.ndarray:
    Y = X if Z is None else np.asarray(Z, dtype=dtype).T @ X
    return np.ascontiguousarray(Y.T)


def _sums(shipped: _Shipped, Y: np.ndarray, start: int, stop: int) -> dict[str, Any]:
    return needed_sums(shipped.plan, Y, start, stop, Work(np, centre(Y)))


def _join(shipped: _Shipped, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums of ranges side by side; sums of all points are the same in every part."""
    joined: dict[str, Any] = {}
    shared = {s.symbol.name for s in (*shipped.plan.sums, *(shipped.plan.diagonal or ())) if not s.groups}
    for name, first in parts[0].items():
        if not isinstance(first, Whole):
            joined[name] = np.concatenate([p[name] for p in parts])
        elif name in shared:
            joined[name] = first
        else:
            joined[name] = Whole.joined([p[name] for p in parts], np)
    return joined


def _columns(
    shipped: _Shipped, X: np.ndarray, Y: np.ndarray, sums: dict[str, Any], start: int, stop: int
) -> np.ndarray:
    result: np.ndarray = columns_of_output(shipped.plan, X, Y, sums, start, stop, Work(np, centre(Y)))
    return result
