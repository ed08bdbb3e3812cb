"""Splits rows into parts: one for this process, slices for an executor, the chunks of Dask.

Every part is summed where it is stored; the sums are added as integers, so that the result does not
depend on the split.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name, require_one_per_row
from eqvproof.deepsets.distribution import cut, dask_module
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.pooling.device import cupy_module, device_sums
from eqvproof.deepsets.pooling.host import add_sums, partial_sums
from eqvproof.deepsets.pooling.rows import read_rows, with_two_axes
from eqvproof.deepsets.pooling.segments import Segments, Terms, chunk_terms, read_ids, read_segments
from eqvproof.deepsets.pooling.weights import append_weights, exact_weighted_sums, read_weights
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.support.errors import ShapeError

#: least number of rows of a slice; number of rows to which weights are appended at once
_LEAST, _WEIGHTED = 1 << 16, 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Rows in parts, with their weights and their sets.

    Args:
        like: an array without rows that has the columns and the dtype of all parts.
        parts: triples of the rows, their weights (or None), and their sets (or None).
        weights: the kind of the weights' dtype; "" for none.
        sets: whether rows belong to sets.
        count: the number of sets; None if it is one more than the largest set.
    """

    like: np.ndarray
    parts: list[tuple[Any, ...]]
    weights: str
    sets: bool
    count: int | None


def parts_of_arrays(
    rows: np.ndarray, weight: np.ndarray | None, sets: Segments | None, *, apart: bool
) -> Parts:
    """Splits rows of this process: one part, or with ``apart`` slices for workers."""
    ends = [(0, len(rows))]
    if apart:
        ends = cut(len(rows), _LEAST)
    parts = []
    for a, b in ends:
        part: list[Any] = [rows[a:b], None, None]
        if weight is not None:
            part[1] = weight[a:b]
        if sets is not None:
            part[2] = sets.ids[a:b]
        parts.append(tuple(part))
    count = None
    if sets is not None:
        count = sets.count
    return Parts(rows[:0], parts, _dtype_kind(weight), sets is not None, count)


def parts_on_device(X: Any, weights: Any) -> Parts:
    """Makes one part of rows on a GPU, or of host rows that are streamed to it."""
    if library_name(X) == "cupy":
        rows = with_two_axes(X)
    else:
        rows = read_rows(X)
    like, kind = read_rows(np.empty((0, rows.shape[1]), dtype=rows.dtype)), ""
    if weights is not None:
        require_one_per_row("weights", weights, rows.shape[0])
        kind = "f"
    return Parts(like, [(rows, weights, None)], kind, sets=False, count=None)


def parts_of_dask(X: Any, weights: Any, offsets: Any, ids: Any, segments: int | None) -> Parts:
    """Makes a part of each chunk of a Dask array.

    Raises:
        ShapeError, DomainError: the weights, offsets or ids do not fit.
    """
    dask = dask_module()
    rows = with_two_axes(X).rechunk({1: -1})
    # raises an error if no backend supports the dtype
    like = read_rows(np.empty((0, rows.shape[1]), dtype=rows.dtype))
    blocks = list(rows.to_delayed().ravel())
    w, owners = (
        _chunks_of(v, rows, len(blocks), name) for v, name in ((weights, "weights"), (ids, "ids"))
    )
    if offsets is not None:
        ends = np.zeros(1, np.int64)
        sets = read_segments(_row_count(rows), offsets, ids, None)
        if sets is not None:
            ends = sets.offsets
        first = itertools.pairwise(np.concatenate([[0], np.cumsum(rows.chunks[0])]).astype(int))
        owners = [dask.delayed(_sets_at)(ends, int(a), int(b)) for a, b in first]
        segments = len(ends) - 1
    parts = list(zip(blocks, w, owners, strict=True))
    return Parts(
        like, parts, _dtype_kind(weights), ids is not None or offsets is not None, segments
    )


def _dtype_kind(weights: Any) -> str:
    """Returns the kind of the dtype of weights, "" if there are none."""
    if weights is None:
        return ""
    return str(weights.dtype.kind)


def _row_count(rows: Any) -> int:
    if any(c != c for c in rows.chunks[0]):
        raise ShapeError(
            "the chunks have unknown lengths",
            hint="call compute_chunk_sizes() first",
            given="an axis of unknown length",
            expected="chunks whose lengths are known",
        )
    return int(sum(rows.chunks[0]))


def _chunks_of(values: Any, rows: Any, count: int, name: str) -> list[Any]:
    """Splits a Dask vector into the chunks of the rows; without a vector, returns Nones."""
    if values is None:
        return [None] * count
    require_one_per_row(name, values, _row_count(rows))
    return list(values.rechunk((rows.chunks[0],)).to_delayed().ravel())


def _sets_at(ends: np.ndarray, first: int, stop: int) -> np.ndarray:
    """Returns the sets of consecutive rows, given the offsets of all sets."""
    return np.searchsorted(ends, np.arange(first, stop), side="right") - 1


def _to_host_arrays(chunk: Any, weight: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Converts a part to NumPy rows and weights."""
    if library_name(chunk) == "cupy":
        chunk = chunk.get()
    rows = read_rows(chunk)
    if weight is None:
        return rows, None
    return rows, read_weights(weight, len(rows))


def part_sums(
    formula: Formula, rule: str, working: str, threads: int, chunk: Any, weight: Any, sets: Any
) -> list[ExactSum]:
    """Sums every feature of a part by a rule, on a GPU if ``threads`` is 0.

    If weights are real, the last column of the formula is the weight.
    """
    if not threads:
        if weight is not None:
            chunk = append_weights(chunk, weight, working, cupy_module())
        return device_sums(formula, chunk, working, rule)
    rows, w = _to_host_arrays(chunk, weight)
    if w is None:
        return partial_sums(formula, rows, working, rule, threads)
    if w.dtype.kind in "iu":
        return exact_weighted_sums(formula, rows, w, working)
    total = [ExactSum() for _ in formula.outputs]
    for start in range(0, len(rows), _WEIGHTED):
        table = append_weights(
            rows[start : start + _WEIGHTED], w[start : start + _WEIGHTED], working
        )
        total = add_sums(total, partial_sums(formula, table, working, rule, threads))
    return total


def part_terms(formula: Formula, working: str, chunk: Any, weight: Any, sets: Any) -> Terms:
    """Computes the terms that a part adds to each set."""
    rows, w = _to_host_arrays(chunk, weight)
    return chunk_terms(formula, rows, read_ids(sets, len(rows)), w, working)
