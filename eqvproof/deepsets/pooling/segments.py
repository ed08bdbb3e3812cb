"""Computes the sums `sum_{k in S_i} phi(x_k)` of a batch of sets, by offsets or ids of rows.

Each sum has the bits of the sum of its set alone. Short segments are cut together: every segment
has an anchor M of its own (`eqvproof.deepsets.sums.exact`), and `np.add.reduceat` adds multiples of
its g exactly. If the rows are in chunks, a chunk's part of a set is replaced by a few float64
numbers with the same exact sum; the numbers of all chunks, sorted by set, are summed exactly and
rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import require_integer, require_one_per_row, to_array
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.pooling.weights import (
    append_weights,
    multiply_by_weight,
    split_weighted_terms,
)
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.support.errors import DomainError, ShapeError

#: average length above which segments are summed one by one
_LONG = 2048
_ROWS = 1 << 15
#: for each feature: sets, and the numbers that are added to the sums of these sets
Terms = list[tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Segments of rows: segment i has the rows ``order[offsets[i]:offsets[i + 1]]``.

    Without ``order``, the rows of segment i are consecutive.
    """

    offsets: np.ndarray
    order: np.ndarray | None = None

    @property
    def count(self) -> int:
        """The number of segments."""
        return len(self.offsets) - 1

    def rows_between(self, first: int, stop: int) -> Any:
        """Returns the index of the rows at places ``first`` to ``stop`` of the order."""
        if self.order is None:
            return slice(first, stop)
        return self.order[first:stop]

    @property
    def ids(self) -> np.ndarray:
        """The segment of each row."""
        found = np.repeat(np.arange(self.count), np.diff(self.offsets))
        if self.order is None:
            return found
        return found[np.argsort(self.order)]


def read_segments(rows: int, offsets: Any, ids: Any, segments: int | None) -> Segments | None:
    """Reads the segments from ``offsets`` or ``ids``.

    Raises:
        ShapeError: the offsets do not rise from 0 to n; there is not one id per row.
        DomainError: an id is below 0, or not below ``segments``; or both arguments are given.
    """
    if offsets is not None and ids is not None:
        raise DomainError(
            "offsets= and ids= both define the segments",
            hint="pass one of them",
            given="offsets= and ids=",
            expected="one of the two",
        )
    if segments is not None and ids is None:
        raise DomainError(
            "segments= is the number of sets of ids=",
            given=f"segments={segments!r} without ids=",
            expected="ids=, one per row",
            hint="omit segments=",
        )
    if offsets is not None:
        ends = _to_ids(offsets, "offsets")
        if not ends.size or ends[0] != 0 or ends[-1] != rows or (np.diff(ends) < 0).any():
            raise ShapeError(
                "offsets must rise from 0 to the number of rows",
                given=str(ends[:8].tolist()),
                expected=f"0, ..., {rows}",
                hint="pass np.concatenate([[0], np.cumsum(lengths)])",
            )
        return Segments(ends)
    if ids is None:
        return None
    owners = _to_ids(ids, "ids")
    require_one_per_row("ids", owners, rows)
    if segments is not None:
        count = require_integer("segments", segments, 0)
    else:
        count = int(owners.max(initial=-1)) + 1
    require_segments(owners.min(initial=0), owners.max(initial=-1), count)
    sizes = np.bincount(owners, minlength=count)
    return Segments(np.concatenate([[0], np.cumsum(sizes)]), np.argsort(owners, kind="stable"))


def require_segments(low: int, high: int, count: int | None) -> None:
    """Checks that ids from ``low`` to ``high`` are at least 0, and below ``count``.

    Raises:
        DomainError: an id is negative or too large.
    """
    if count is None:
        count, expected = high + 1, "0 or more"
    else:
        expected = f"0 to {count - 1}"
    if low < 0 or high >= count:
        raise DomainError(
            "an id is not the number of a segment",
            given=f"{low} to {high}",
            expected=expected,
            hint="raise segments=, or number them from 0",
        )


def _to_ids(values: Any, name: str) -> np.ndarray:
    array = to_array(name, values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ShapeError(
            f"{name} must be a vector of integers",
            given=f"{array.dtype}, shape {array.shape}",
            expected="integers of shape (n,)",
            hint="convert them with astype(int)",
        )
    return array.astype(np.int64)


def segment_sums(
    formula: Formula,
    rows: np.ndarray,
    cut: Segments,
    weight: np.ndarray | None,
    working: str,
    result: str,
    sums: Callable[[np.ndarray, np.ndarray | None], np.ndarray],
) -> np.ndarray:
    """Sums phi over each segment; returns (s, m). `sums(rows, weights)` sums one segment."""
    if weight is None and len(rows) < _LONG * cut.count:
        return _short_segment_sums(formula, rows, cut, working, result)
    total = np.zeros((cut.count, formula.features), dtype=result)
    for i, (a, b) in enumerate(zip(cut.offsets, cut.offsets[1:], strict=False)):
        chosen = cut.rows_between(a, b)
        chosen_weight = None
        if weight is not None:
            chosen_weight = weight[chosen]
        total[i] = sums(rows[chosen], chosen_weight)
    return total


def _ranges_of_segments(offsets: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yields ranges of consecutive segments, of about 2^15 rows together."""
    first = 0
    while first < len(offsets) - 1:
        last = int(np.searchsorted(offsets, offsets[first] + _ROWS, side="right")) - 1
        last = min(max(last, first + 1), len(offsets) - 1)
        yield first, last
        first = last


def _short_segment_sums(
    formula: Formula, rows: np.ndarray, cut: Segments, working: str, result: str
) -> np.ndarray:
    total = np.zeros((cut.count, formula.features), dtype=result)
    for i, j in _ranges_of_segments(cut.offsets):
        a, b = cut.offsets[i], cut.offsets[j]
        if a == b:
            continue
        part = rows[cut.rows_between(a, b)]
        values = evaluate(formula, list(part.T.astype(working, order="C")))
        lengths = np.diff(cut.offsets[i : j + 1])
        filled = np.flatnonzero(lengths)
        for f, v in enumerate(values):
            total[i + filled, f] = rounded_segment_sums(
                v.astype(np.float64), lengths[filled], result
            )
    return total


def rounded_segment_sums(v: np.ndarray, lengths: np.ndarray, dtype: str) -> np.ndarray:
    """Computes the correctly rounded sums of consecutive segments, none of them empty.

    Args:
        v: (b,) float64.
        lengths: lengths of the segments; their sum is b.
        dtype: dtype of the result.
    """
    starts, unusual, negative, cuts = _cut_segments(v, lengths)
    if not cuts:
        total = np.zeros(len(lengths))
    elif len(cuts) == 1:
        total = cuts[0]
    else:
        total = cuts[0] + cuts[1]
    total = np.where(negative, -0.0, total + 0.0)
    unsure = unusual.copy()
    if len(cuts) > 2:
        unsure |= np.any([c != 0 for c in cuts[2:]], axis=0)
    if dtype != "float64" and len(cuts) > 1:
        unsure |= np.any([c != 0 for c in cuts[1:]], axis=0)
    with np.errstate(over="ignore"):
        rounded = total.astype(dtype)
    for i in np.flatnonzero(unsure):
        one = ExactSum()
        one.add(v[starts[i] : starts[i] + lengths[i]])
        rounded[i] = one.result(dtype)
    return rounded


def cut_exactly(v: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replaces the numbers of consecutive segments by few numbers with the same exact sums.

    Returns the segment of each number, and the numbers. Each segment has at least one. NaN,
    infinities and numbers near overflow are unchanged; -0.0 occurs only if every term is -0.0.
    """
    _, unusual, negative, cuts = _cut_segments(v, lengths)
    segments = np.arange(len(lengths))
    owners = np.repeat(segments, lengths)
    raw = unusual[owners]
    pairs = [(segments, np.where(negative, -0.0, 0.0)), (owners[raw], v[raw])]
    pairs += [(np.flatnonzero(c), c[c != 0]) for c in cuts]
    places, numbers = map(np.concatenate, zip(*pairs, strict=True))
    order = np.argsort(places, kind="stable")
    return places[order], numbers[order]


def _cut_segments(
    v: np.ndarray, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
    """Cuts the terms of segments into multiples of anchors, and sums each cut exactly.

    Returns the starts of the segments; the mask of the segments that are left out (with NaN,
    infinities or numbers near overflow); the mask of those whose terms are all -0.0; and for each
    cut the sums of all segments.
    """
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    tops = np.maximum.reduceat(np.abs(v), starts)
    unusual = ~(tops < 2.0**900)  # NaN, infinite, or near overflow: summed one by one
    negative = np.logical_and.reduceat(np.signbit(v) & (v == 0), starts)
    headroom, cuts = 2 + np.frexp(lengths.astype(np.float64))[1], []
    v = np.where(np.repeat(unusual, lengths), 0.0, v)
    tops = np.where(unusual, 0.0, tops)
    while tops.any():
        exponents = np.maximum(np.frexp(tops)[1] + headroom, -1022)
        anchors = np.repeat(np.ldexp(1.5, exponents), lengths)
        q = (v + anchors) - anchors
        cuts.append(np.add.reduceat(q, starts))
        v = v - q
        tops = np.maximum.reduceat(np.abs(v), starts)
    return starts, unusual, negative, cuts


def chunk_terms(
    formula: Formula, rows: np.ndarray, ids: np.ndarray, weight: np.ndarray | None, working: str
) -> Terms:
    """Computes the terms that a chunk's rows add to each set."""
    found: Terms = [(np.zeros(0, np.int64), np.zeros(0)) for _ in formula.outputs]
    real = weight is not None and weight.dtype.kind == "f"
    wanted = formula
    if real:
        wanted = multiply_by_weight(formula)
    order = np.argsort(ids, kind="stable")
    for start in range(0, len(rows), _ROWS):
        chosen = order[start : start + _ROWS]
        part = rows[chosen].astype(working)
        if real:
            part = append_weights(part, weight[chosen], working)  # type: ignore[index]
        for f, values in enumerate(evaluate(wanted, list(np.ascontiguousarray(part.T)))):
            terms, owners = values.astype(np.float64), ids[chosen]
            if weight is not None and not real:
                terms, owners = split_weighted_terms(terms, weight[chosen], owners)
                owners, terms = _sort_by_set(owners, terms)
            owners, terms = _compress_terms(owners, terms)
            found[f] = np.concatenate([found[f][0], owners]), np.concatenate([found[f][1], terms])
    return [_compress_terms(*_sort_by_set(*f)) for f in found]


def _sort_by_set(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(ids, kind="stable")
    return ids[order], values[order]


def _compress_terms(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replaces the numbers of each set by fewer with the same exact sum, infinities, sign of 0."""
    if not ids.size:
        return ids, values
    starts = np.flatnonzero(np.diff(ids, prepend=ids[0] - 1))
    lengths = np.diff(np.append(starts, len(ids)))
    places, numbers = cut_exactly(values, lengths)
    return ids[starts][places], numbers


def sum_chunk_terms(
    parts: list[Terms], segments: int | None, features: int, dtype: str
) -> np.ndarray:
    """Computes the correctly rounded sums (s, m) of the numbers of all chunks.

    Raises:
        DomainError: an id is too large.
    """
    highest = max((int(part[0][0].max(initial=-1)) for part in parts), default=-1)
    if segments is None:
        segments = highest + 1
    require_segments(0, highest, segments)
    total = np.zeros((segments, features), dtype=dtype)
    for f in range(features):
        ids, values = _sort_by_set(
            *(np.concatenate([part[f][i] for part in parts]) for i in range(2))
        )
        if ids.size:
            starts = np.flatnonzero(np.diff(ids, prepend=ids[0] - 1))
            total[ids[starts], f] = rounded_segment_sums(
                values, np.diff(np.append(starts, len(ids))), dtype
            )
    return total


def read_ids(ids: Any, rows: int) -> np.ndarray:
    """Checks and converts the ids of a chunk's rows.

    Raises:
        ShapeError: the ids are not integers, or there is not one per row.
        DomainError: an id is below 0.
    """
    owners = _to_ids(ids, "ids")
    require_one_per_row("ids", owners, rows)
    require_segments(owners.min(initial=0), owners.max(initial=-1), None)
    return owners
