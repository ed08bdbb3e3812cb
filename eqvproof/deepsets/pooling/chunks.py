"""`sum_k phi(x_k)` over a Dask array: every chunk sums where it lies, the sums meet as integers."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.reading import read_formula
from eqvproof.deepsets.pooling.partial import Partial, exact_partials, finish, merge, partials
from eqvproof.deepsets.pooling.plain import plain_sums
from eqvproof.deepsets.pooling.rows import read_rows, working_dtype
from eqvproof.errors import ShapeError


def pool_chunks(
    phi: Any, X: Any, *, symbols: Sequence[Any] | None, reproducible: bool, dtype: Any
) -> np.ndarray:
    """The features' sums, computed now, on the scheduler or cluster that Dask has.

    Raises:
        TraceError: a function that cannot be written as a formula.
    """
    dask: Any = importlib.import_module("dask")
    rows = X[:, None] if X.ndim == 1 else X
    if rows.ndim != 2:
        raise ShapeError("rows come as an array (n, d)", given=f"shape {X.shape}")
    rows = rows.rechunk({1: -1})
    formula = read_formula(phi, rows.shape[1], symbols)
    read_rows(np.empty((0, formula.columns), dtype=rows.dtype))  # refuses what no backend takes
    working, result = working_dtype(rows, dtype, needs_float64=formula.needs_float64)
    chunks = list(rows.to_delayed().ravel())

    def each(function: Any, wanted: Formula) -> list[Any]:
        # every chunk in one call, so that a chunk is read once
        return list(dask.compute(*[dask.delayed(function)(wanted, chunk, working) for chunk in chunks]))

    def summed(wanted: Formula, function: Any) -> list[Partial]:
        total = [Partial() for _ in wanted.outputs]
        for part in each(function, wanted):
            merge(total, part)
        return total

    if not reproducible:
        sums: Any = np.sum(each(_plain, formula), axis=0).astype(result)
    else:
        sums = finish(formula, summed(formula, _quick), result, lambda fewer: summed(fewer, _exact))
    shaped: np.ndarray = sums[..., 0] if formula.scalar else sums
    return shaped


def _host(chunk: Any) -> np.ndarray:
    """A chunk as NumPy rows."""
    if type(chunk).__module__.split(".")[0] == "cupy":
        chunk = chunk.get()
    return read_rows(chunk)


def _quick(formula: Formula, chunk: Any, working: str) -> list[Partial]:
    return partials(formula, _host(chunk), working)


def _exact(formula: Formula, chunk: Any, working: str) -> list[Partial]:
    return exact_partials(formula, _host(chunk), working)


def _plain(formula: Formula, chunk: Any, working: str) -> np.ndarray:
    return plain_sums(formula, _host(chunk), working)
