"""Sums over the sets of a batch whose rows lie in chunks: each chunk sends a few exact numbers a set.

A chunk's part of a set is cut into float64 numbers whose sum is exact (`eqvproof.deepsets.sums.exact`); the
numbers of all chunks, sorted by set, are summed exactly again and rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import array_of, require_one_a_row
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.pooling.segments import exact_cuts, require_segments, segmented
from eqvproof.deepsets.pooling.weights import counted_terms, stacked, times_weight

#: for each feature: the sets, and numbers that add to their sums
Terms = list[tuple[np.ndarray, np.ndarray]]
_ROWS = 1 << 15


def chunk_terms(
    formula: Formula, rows: np.ndarray, ids: np.ndarray, weight: np.ndarray | None, working: str
) -> Terms:
    """What a chunk's rows add to each set that they belong to."""
    found: Terms = [(np.zeros(0, np.int64), np.zeros(0)) for _ in formula.outputs]
    real = weight is not None and weight.dtype.kind == "f"
    wanted = times_weight(formula) if real else formula
    order = np.argsort(ids, kind="stable")
    for start in range(0, len(rows), _ROWS):
        chosen = order[start : start + _ROWS]
        part = rows[chosen].astype(working)
        if real:
            part = stacked(part, weight[chosen], working)  # type: ignore[index]
        for f, values in enumerate(evaluate(wanted, list(np.ascontiguousarray(part.T)))):
            terms, owners = values.astype(np.float64), ids[chosen]
            if weight is not None and not real:
                terms, owners = counted_terms(terms, weight[chosen], owners)
                owners, terms = _sorted(owners, terms)
            owners, terms = _cut(owners, terms)
            found[f] = np.concatenate([found[f][0], owners]), np.concatenate([found[f][1], terms])
    return [_cut(*_sorted(*f)) for f in found]


def _sorted(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(ids, kind="stable")
    return ids[order], values[order]


def _cut(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fewer numbers with the same exact sums, the same infinities and the same sign of zero."""
    if not ids.size:
        return ids, values
    starts = np.flatnonzero(np.diff(ids, prepend=ids[0] - 1))
    lengths = np.diff(np.append(starts, len(ids)))
    places, numbers = exact_cuts(values, lengths)
    return ids[starts][places], numbers


def joined_sums(parts: list[Terms], segments: int | None, features: int, dtype: str) -> np.ndarray:
    """(s, m): the correctly rounded sums of all chunks' numbers.

    Raises:
        DomainError: a number of a set that is too large.
    """
    highest = max((int(part[0][0].max(initial=-1)) for part in parts), default=-1)
    segments = highest + 1 if segments is None else segments
    require_segments(0, highest, segments)
    total = np.zeros((segments, features), dtype=dtype)
    for f in range(features):
        ids, values = _sorted(*(np.concatenate([part[f][i] for part in parts]) for i in range(2)))
        if ids.size:
            starts = np.flatnonzero(np.diff(ids, prepend=ids[0] - 1))
            total[ids[starts], f] = segmented(values, np.diff(np.append(starts, len(ids))), dtype)
    return total


def read_ids(ids: Any, rows: int) -> np.ndarray:
    """The sets of a chunk's rows.

    Raises:
        DomainError: no integers, or below 0.
    """
    each = array_of("ids", ids)
    require_one_a_row("ids", each, rows, "iu")
    require_segments(each.min(initial=0), each.max(initial=-1), None)
    return each.astype(np.int64)
