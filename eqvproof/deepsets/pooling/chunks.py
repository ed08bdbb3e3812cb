"""`sum_k phi(x_k)` over a Dask array: every chunk sums where it lies, the sums meet as integers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.reading import read_formula
from eqvproof.deepsets.pooling.chunk_segments import Terms, chunk_terms, joined_sums, read_ids
from eqvproof.deepsets.pooling.host import partials
from eqvproof.deepsets.pooling.partial import Partial, merge, rules, settle
from eqvproof.deepsets.pooling.rows import read_rows, working_dtype
from eqvproof.deepsets.pooling.segments import read_segments
from eqvproof.deepsets.pooling.weights import counted_partials, read_weights, stacked, times_weight
from eqvproof.errors import DomainError, ShapeError


def pool_chunks(
    phi: Any,
    X: Any,
    *,
    symbols: Sequence[Any] | None,
    reproducible: bool,
    dtype: Any,
    weights: Any = None,
    offsets: Any = None,
    ids: Any = None,
    segments: int | None = None,
) -> np.ndarray:
    """The features' sums, computed now, on the scheduler or cluster that Dask has.

    Raises:
        TraceError: a function that cannot be written as a formula.
        ShapeError, DomainError: weights, offsets or ids that do not fit.
    """
    dask: Any = importlib.import_module("dask")
    rows = X[:, None] if X.ndim == 1 else X
    if rows.ndim != 2:
        raise ShapeError(
            "rows come as an array (n, d)",
            given=f"shape {X.shape}",
            expected="shape (n, d), one row a point",
            hint="reshape a vector with X[:, None]",
        )
    if offsets is not None and ids is not None:
        raise DomainError(
            "offsets and ids both say what the segments are",
            hint="pass one of them",
            given="offsets= and ids=",
            expected="one of the two",
        )
    rows = rows.rechunk({1: -1})
    formula = read_formula(phi, rows.shape[1], symbols)
    read_rows(np.empty((0, formula.columns), dtype=rows.dtype))  # refuses what no backend takes
    working, result = working_dtype(rows, dtype, needs_float64=formula.needs_float64)
    count = len(list(rows.to_delayed().ravel()))
    w, owners = _beside(weights, rows, count, "weights"), _beside(ids, rows, count, "ids")
    if offsets is not None:
        cut = read_segments(_length(rows), offsets, None, None)
        ends = cut.offsets if cut is not None else np.zeros(1, np.int64)
        first = np.concatenate([[0], np.cumsum(rows.chunks[0])]).astype(int)
        segments = len(ends) - 1
        owners = [_Owners(ends, int(a)) for a in first[:-1]]
    chunks = list(zip(rows.to_delayed().ravel(), w, owners, strict=True))

    def each(function: Callable[..., Any], *arguments: Any) -> list[Any]:
        # every chunk in one call, so that a chunk is read once
        return list(dask.compute(*[dask.delayed(function)(*arguments, *c, working) for c in chunks]))

    if ids is not None or offsets is not None:
        sums = _sets(each(_terms, formula), segments, formula, result)
    else:

        def summed(wanted: Formula, rule: str) -> list[Partial]:
            total = [Partial() for _ in wanted.outputs]
            for part in each(_partials, wanted, rule):
                merge(total, part)
            return total

        real = weights is not None and weights.dtype.kind == "f"
        order = rules(working, reproducible=reproducible or weights is not None)
        sums = settle(times_weight(formula) if real else formula, result, order, summed)
    shaped: np.ndarray = sums[..., 0] if formula.scalar else sums
    return shaped


class _Owners:
    """The sets of a chunk's rows, from the offsets of all and the number of its first row."""

    def __init__(self, ends: np.ndarray, first: int) -> None:
        self.ends, self.first = ends, first

    def of(self, rows: int) -> np.ndarray:
        """The set of each row."""
        places = np.arange(self.first, self.first + rows)
        return np.searchsorted(self.ends, places, side="right") - 1


def _length(rows: Any) -> int:
    if any(c != c for c in rows.chunks[0]):
        raise ShapeError(
            "chunks of unknown length",
            hint="call compute_chunk_sizes() first",
            given="an axis of unknown length",
            expected="chunks whose lengths are known",
        )
    return int(sum(rows.chunks[0]))


def _beside(values: Any, rows: Any, count: int, name: str) -> list[Any]:
    """A Dask vector in the chunks of the rows; None for each chunk where there is none."""
    if values is None:
        return [None] * count
    if values.shape != (_length(rows),):
        raise ShapeError(
            f"{name}: one a row",
            given=f"shape {values.shape}",
            expected=f"({_length(rows)},)",
            hint="pass as many as rows",
        )
    return list(values.rechunk((rows.chunks[0],)).to_delayed().ravel())


def _sets(parts: list[Terms], segments: int | None, formula: Formula, dtype: str) -> np.ndarray:
    highest = max((int(part[0][0].max(initial=-1)) for part in parts), default=-1)
    count = highest + 1 if segments is None else segments
    if highest >= count:
        raise DomainError(
            "an id that is no segment",
            given=str(highest),
            expected=f"0 to {count - 1}",
            hint="raise segments=, or number them from 0",
        )
    return joined_sums(parts, count, formula.features, dtype)


def _host(chunk: Any) -> np.ndarray:
    """A chunk as NumPy rows."""
    if type(chunk).__module__.split(".")[0] == "cupy":
        chunk = chunk.get()
    return read_rows(chunk)


def _weighted(chunk: Any, weight: Any) -> tuple[np.ndarray, np.ndarray | None]:
    rows = _host(chunk)
    return rows, None if weight is None else read_weights(weight, len(rows))


def _partials(formula: Formula, rule: str, chunk: Any, weight: Any, ids: Any, working: str) -> list[Partial]:
    rows, w = _weighted(chunk, weight)
    if w is not None and w.dtype.kind in "iu":
        return counted_partials(formula, rows, w, working)
    return partials(formula, rows if w is None else stacked(rows, w, working), working, rule)


def _terms(formula: Formula, chunk: Any, weight: Any, ids: Any, working: str) -> Terms:
    rows, w = _weighted(chunk, weight)
    owners = ids.of(len(rows)) if isinstance(ids, _Owners) else read_ids(ids, len(rows))
    return chunk_terms(formula, rows, owners, w, working)
