"""The sums of a part of the rows: exactly, or compiled with a bound of what was lost.

Parts are added by integer addition (`Partial`), in any order: threads, chunks, devices, workers. The result
is the exact sum of the machine numbers phi(x_k), rounded once, whoever computed the parts: where a bound
leaves two roundings open, the features in question are summed again, exactly.
"""

from __future__ import annotations

import copy
import itertools
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.blocks import evaluate
from eqvproof.deepsets.phi.bounds import feature_bounds
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.rewrite import pruned, without_constants
from eqvproof.deepsets.pooling import compiled
from eqvproof.deepsets.pooling.rows import blocks
from eqvproof.deepsets.progress import Progress
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import power_units, round_between, sums_of_units, units
from eqvproof.deepsets.threads import in_threads


class Partial:
    """A sum in the making, and how far it may be from the exact one, in units of 2^-1074."""

    __slots__ = ("lost", "sum")

    def __init__(self) -> None:
        self.sum, self.lost = ExactSum(), 0

    def __iadd__(self, other: Partial) -> Partial:
        self.sum += other.sum
        self.lost += other.lost
        return self

    def result(self, dtype: str) -> Any:
        """The sum rounded once, or None where its bound leaves two answers open."""
        s = self.sum
        if self.lost == 0 or s.invalid or any(s.infinite):
            return s.result(dtype)
        return round_between(s.total - self.lost, s.total + self.lost, dtype)


def threads_to_use(threads: int | None) -> int:
    """As many as asked for, or as there are cores for this process."""
    if threads is not None:
        return max(1, int(threads))
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else (os.cpu_count() or 1)


def exact_partials(formula: Formula, rows: np.ndarray, dtype: str) -> list[Partial]:
    """Every feature summed exactly, by NumPy blocks."""
    partials = [Partial() for _ in formula.outputs]
    with Progress("rows", len(rows)) as bar:
        for columns in blocks(rows, dtype):
            for partial, values in zip(partials, evaluate(formula, columns), strict=True):
                partial.sum.add(values)
            bar.advance(len(columns[0]))
    return partials


def partials(formula: Formula, rows: np.ndarray, dtype: str, threads: int = 1) -> list[Partial]:
    """Every feature summed, by compiled loops where there are any for these rows, else exactly."""
    if len(rows) < 2 * compiled.TILE or not compiled.can_compile(formula):
        return exact_partials(formula, rows, dtype)
    varying, fixed = without_constants(formula)
    if fixed:
        others = iter(partials(varying, rows, dtype, threads) if varying.outputs else [])
        count = len(rows)
        return [_constant(fixed[f], count, dtype) if f in fixed else next(others)
                for f in range(formula.features)]  # fmt: skip
    if rows.dtype.name != dtype or not _is_laid_out(rows):
        total = [Partial() for _ in formula.outputs]
        size = 1 << 17
        for start in range(0, len(rows), size):
            part = np.array(rows[start : start + size], dtype=dtype, order="C")  # a copy, aligned
            merge(total, partials(formula, part, dtype, threads))
        return total
    shares = _shares(len(rows), threads)
    bounds = _Bounds(formula, _finite_sample(rows))
    found = in_threads(lambda share: _one_thread(formula, rows[share], bounds.copy()), shares, len(shares))
    for other in found[1:]:
        merge(found[0], other)
    return found[0]


def _constant(value: float, rows: int, dtype: str) -> Partial:
    """A feature that has one value."""
    partial, rounded = Partial(), float(np.dtype(dtype).type(value))
    partial.sum.add(np.array([rounded]))
    if not math.isfinite(rounded):
        return partial
    partial.sum.add_units(units(rounded) * (rows - 1), 0)
    partial.sum.terms = rows
    return partial


def merge(total: list[Partial], other: list[Partial]) -> None:
    """Adds the sums of other rows."""
    for mine, theirs in zip(total, other, strict=True):
        mine += theirs


def finish(formula: Formula, found: list[Partial], dtype: str, again: Any) -> np.ndarray:
    """Rounds every sum; `again(formula of the features in doubt)` sums those exactly."""
    results = [p.result(dtype) for p in found]
    doubtful = [f for f, r in enumerate(results) if r is None]
    if doubtful:
        fewer = Formula(formula.columns, formula.nodes, tuple(formula.outputs[f] for f in doubtful))
        for f, partial in zip(doubtful, again(pruned(fewer)), strict=True):
            results[f] = partial.sum.result(dtype)
    return np.array(results, dtype=dtype)


def _is_laid_out(rows: np.ndarray) -> bool:
    """Rows side by side, or columns that are contiguous."""
    item = rows.itemsize
    by_rows = rows.strides == (item * rows.shape[1], item)
    return rows.flags.aligned and rows.dtype.isnative and (by_rows or _by_columns(rows))


def _by_columns(rows: np.ndarray) -> bool:
    return rows.strides[0] == rows.itemsize and rows.strides[1] % rows.itemsize == 0


def _shares(rows: int, threads: int) -> list[slice]:
    """Whole tiles for each thread, the rest for the last."""
    tiles = rows // compiled.TILE
    count = max(1, min(threads, tiles // 64))
    ends = [tiles * t // count * compiled.TILE for t in range(count)] + [rows]
    return [slice(a, b) for a, b in itertools.pairwise(ends)]


class _Bounds:
    """Bounds C_j of the columns, a power of two each, and the exponents e of the features under them."""

    def __init__(self, formula: Formula, sample: np.ndarray) -> None:
        self.formula, self.single = formula, sample.dtype == np.float32
        self.columns = [0.0] * formula.columns
        self.exponents: list[int] | None = None
        self.raise_to(sample)

    def copy(self) -> _Bounds:
        """The same bounds, which may be raised apart."""
        return copy.copy(self)

    def raise_to(self, rows: np.ndarray) -> bool:
        """Bounds that hold for these rows too; whether all entries are finite and all features bounded."""
        tops = np.abs(rows).max(axis=0)
        if not np.isfinite(tops).all():
            return False
        highest, columns = 127 if self.single else 1023, list(self.columns)
        for j, top in enumerate(tops.tolist()):
            exponent = min(max(math.frexp(top)[1], -100 if self.single else -1000), highest)
            columns[j] = max(columns[j], math.ldexp(1.0, exponent) if top else 0.0, top)
        self.columns = columns
        bounds = feature_bounds(self.formula, self.columns, single=self.single)
        found: list[int] = []
        for bound in bounds:
            exponent = math.frexp(bound)[1] if bound is not None else compiled.HIGHEST + 1
            if exponent > compiled.HIGHEST:
                self.exponents = None
                return True
            found.append(max(exponent, compiled.LOWEST))
        self.exponents = found
        return True


def _one_thread(formula: Formula, rows: np.ndarray, bounds: _Bounds) -> list[Partial]:
    """Whole tiles by the compiled loop; tiles with NaN or infinities, and the rest, exactly."""
    dtype, single = rows.dtype.name, rows.dtype == np.float32
    by_rows = rows.strides[1] == rows.itemsize and rows.strides[0] == rows.itemsize * rows.shape[1]
    loop = compiled.loop(formula, single=bool(single), by_rows=by_rows, plain=False)
    total, tiles, at = [Partial() for _ in formula.outputs], len(rows) // loop.rows, 0
    stride = 0 if by_rows else rows.strides[1] // rows.itemsize
    state = np.empty((formula.features, loop.doubles))
    while at < tiles:
        if bounds.exponents is None:  # unbounded features: the rest exactly
            merge(total, exact_partials(formula, rows[at * loop.rows : tiles * loop.rows], dtype))
            break
        state.fill(0.0)
        limits = np.array(bounds.columns, dtype=dtype)
        anchors = np.array([compiled.anchor(e) for e in bounds.exponents])
        start = rows.ctypes.data + at * loop.rows * rows.strides[0]
        count = min(compiled.CALL // loop.rows, tiles - at)
        done = loop.run(start, stride, count, limits, anchors, state)
        _add_state(total, state, bounds.exponents, done * loop.rows, single=bool(single))
        at += done
        if done < count:
            tile = rows[at * loop.rows : (at + 1) * loop.rows]
            if not bounds.raise_to(tile):
                merge(total, exact_partials(formula, tile, dtype))
                at += 1
    if tiles * loop.rows < len(rows):
        merge(total, exact_partials(formula, rows[tiles * loop.rows :], dtype))
    return total


def _finite_sample(rows: np.ndarray) -> np.ndarray:
    """Some rows from everywhere, NaN and infinities as 0."""
    sample = rows[:: max(1, len(rows) // 1024)]
    return np.where(np.isfinite(sample), sample, rows.dtype.type(0))


def _add_state(
    total: list[Partial], state: np.ndarray, exponents: Sequence[int], rows: int, *, single: bool
) -> None:
    if rows == 0:
        return
    for partial, units_of, e in zip(total, sums_of_units(state), exponents, strict=True):
        partial.sum.add_units(units_of, rows)
        partial.lost += rows * power_units(e + compiled.LOSS[single])
