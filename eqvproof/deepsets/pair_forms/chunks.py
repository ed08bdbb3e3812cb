"""Pair forms of Dask arrays: sums over k chunk by chunk, then columns of the output chunk by chunk."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.evaluate import Work, columns_of_output, point_sums
from eqvproof.deepsets.pair_forms.plan import Plan
from eqvproof.deepsets.pair_forms.sums import Whole
from eqvproof.errors import BackendError, ShapeError


def evaluate_chunks(form: Any, X: Any, Z: Any) -> Any:
    """`X g~(Z^T X)` as a Dask array, chunked along n as X is; every worker holds the points, O(n (d + k))."""
    dask: Any = importlib.import_module("dask")
    array: Any = importlib.import_module("dask.array")
    if Z is not None and type(Z).__module__.split(".")[0] == "dask":
        Z = Z.compute()
    if Z is not None and not isinstance(Z, np.ndarray):
        raise BackendError(
            "Z beside a Dask array is a NumPy or Dask array",
            given=type(Z).__name__,
            expected="NumPy or Dask",
            hint="call compute() or asarray first",
        )
    if X.ndim != 2 or (Z is not None and (Z.ndim != 2 or Z.shape[0] != X.shape[0])):
        raise ShapeError(
            "X is (d, n) and Z is (d, k)",
            given=f"{X.shape}, {None if Z is None else Z.shape}",
            expected="two arrays with n columns each",
            hint="one point a column in both",
        )
    if X.dtype.kind not in "fiu":
        raise ShapeError(
            "X holds real numbers",
            given=f"dtype {X.dtype}",
            expected="floats or integers",
            hint="convert it with astype(float)",
        )
    dtype = "float32" if X.dtype in (np.float32, np.float16) else "float64"
    X = X.rechunk({0: -1}).astype(dtype)
    plan = form.plan(X.shape[0] if Z is None else Z.shape[1])
    ends = np.concatenate([[0], np.cumsum(X.chunks[1])])
    ranges = [(int(a), int(b)) for a, b in itertools.pairwise(ends) if b > a]
    if not ranges:
        return X
    all_x = dask.delayed(_gather, pure=True)(list(X.to_delayed().ravel()))
    points = dask.delayed(_project, pure=True)(all_x, Z, dtype)
    parts = [dask.delayed(_sums)(_Shipped(plan), points, a, b) for a, b in ranges]
    sums = dask.delayed(_join)(_Shipped(plan), parts)
    columns = [
        array.from_delayed(
            dask.delayed(_columns)(_Shipped(plan), all_x, points, sums, a, b),
            (X.shape[0], b - a),
            dtype=dtype,
        )
        for a, b in ranges
    ]
    return array.concatenate(columns, axis=1)


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
    return point_sums(shipped.plan, Y, start, stop, Work(np, Y.mean(axis=0)))


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
            joined[name] = Whole()
            joined[name].high = np.concatenate([p[name].high for p in parts])
            joined[name].low = np.concatenate([p[name].low for p in parts])
    return joined


def _columns(
    shipped: _Shipped, X: np.ndarray, Y: np.ndarray, sums: dict[str, Any], start: int, stop: int
) -> np.ndarray:
    result: np.ndarray = columns_of_output(shipped.plan, X, Y, sums, start, stop, Work(np, Y.mean(axis=0)))
    return result
