"""Evaluates pair forms of Dask arrays, or by workers: first the sums over points, then columns."""

from __future__ import annotations

import importlib
import itertools
from functools import partial
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name, require_one_backend, to_array
from eqvproof.deepsets.distribution import cut, dask_module, map_parts
from eqvproof.deepsets.pair_forms.evaluate import SLAB, TILE, Evaluation
from eqvproof.deepsets.pair_forms.plan import Plan
from eqvproof.deepsets.pair_forms.points import working_dtype
from eqvproof.deepsets.pair_forms.sums import SplitSum


def evaluate_chunks(form: Any, X: Any, Z: Any) -> Any:
    """Evaluates `X g~(Z^T X)` as a Dask array, chunked along n as X is.

    Every worker holds all points, O(n (d + k)) numbers.

    Raises:
        BackendError: the arrays are of different backends.
        ShapeError: the shapes of the arrays do not fit.
    """
    dask = dask_module()
    array: Any = importlib.import_module("dask.array")
    if library_name(Z) == "dask":
        Z = Z.compute()
    require_one_backend("numpy", "X", Z=Z)
    if Z is not None:
        Z = to_array("Z", Z)
    dtype = working_dtype(X, Z)
    X = X.rechunk({0: -1}).astype(dtype)
    ends = np.concatenate([[0], np.cumsum(X.chunks[1])])
    ranges = [(int(a), int(b)) for a, b in itertools.pairwise(ends) if b > a]
    if not ranges:
        return X
    all_x = dask.delayed(to_array, pure=True)("X", X)
    points = dask.delayed(_project, pure=True)(all_x, Z, dtype)
    if Z is None:
        plan = form.plan(X.shape[0])
    else:
        plan = form.plan(Z.shape[1])
    sums_of, join, columns_of = (
        dask.delayed(partial(f, plan)) for f in (_sums_of_range, _join_ranges, _columns_of_range)
    )
    sums = join([sums_of(points, a, b) for a, b in ranges])
    parts = [columns_of(all_x, points, sums, a, b) for a, b in ranges]
    columns = [array.from_delayed(part, (X.shape[0], b - a), dtype=dtype)
               for part, (a, b) in zip(parts, ranges, strict=True)]  # fmt: skip
    return array.concatenate(columns, axis=1)


def evaluate_by_workers(plan: Plan, X: np.ndarray, Y: np.ndarray, executor: Any) -> np.ndarray:
    """Evaluates `X g~(Z^T X)` at points (n, k) by the workers of an executor.

    See `PairForm.__call__`.

    Raises:
        BackendError: ``executor`` is not an executor.
    """
    if not len(Y):
        return X.copy()
    step = SLAB
    if plan.products is None:
        step = TILE
    ranges = cut(len(Y), 1, step)
    sums = _join_ranges(
        plan, map_parts(partial(_sums_of_range, plan), ranges, executor, shared=(Y,))
    )
    columns = map_parts(partial(_columns_of_range, plan), ranges, executor, shared=(X, Y, sums))
    return np.concatenate(columns, axis=1)


def _project(X: np.ndarray, Z: Any, dtype: str) -> np.ndarray:
    if Z is not None:
        X = np.asarray(Z, dtype=dtype).T @ X
    return np.ascontiguousarray(X.T)


def _sums_of_range(plan: Plan, Y: np.ndarray, start: int, stop: int) -> dict[str, Any]:
    return Evaluation(plan, Y).needed_sums(start, stop)


def _columns_of_range(
    plan: Plan, X: np.ndarray, Y: np.ndarray, sums: dict[str, Any], start: int, stop: int
) -> np.ndarray:
    found: np.ndarray = Evaluation(plan, Y).columns(X, sums, start, stop)
    return found


def _join_ranges(plan: Plan, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Joins the sums of consecutive ranges; a sum over all points is the same in every part."""
    joined: dict[str, Any] = {}
    shared = {s.symbol.name for s in (*plan.sums, *(plan.diagonal or ())) if not s.groups}
    for name, first in parts[0].items():
        if not isinstance(first, SplitSum):
            joined[name] = np.concatenate([p[name] for p in parts])
        elif name in shared:
            joined[name] = first
        else:
            joined[name] = SplitSum.join([p[name] for p in parts], np)
    return joined
