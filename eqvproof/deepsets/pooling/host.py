"""The sums of rows in this process: by compiled loops, by NumPy blocks, exactly.

Parts are added by integer addition (`ExactSum`), in any order: threads, chunks, devices, workers. The result
is the exact sum of the machine numbers phi(x_k), rounded once, whoever computed the parts: where a bound
leaves two roundings open, the features in question are summed again by a stricter rule, at last exactly.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import whole
from eqvproof.deepsets.phi.bounds import feature_bounds
from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.phi.rewrite import halved
from eqvproof.deepsets.pooling import compiled
from eqvproof.deepsets.pooling.loops import TILE
from eqvproof.deepsets.pooling.rows import blocks
from eqvproof.deepsets.progress import Progress
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import power_units, sums_of_units, units
from eqvproof.deepsets.threads import in_threads

#: rows that are copied at once where they do not lie as loops need them
_COPIED = 1 << 17
#: tiles of a thread, at least; rows of a block of plain sums by NumPy
_TILES = 64
_BLOCK = 1 << 14
#: sums of a formula's features by a rule
Sums = Callable[[Formula, str], list[ExactSum]]


def rules(working: str, *, reproducible: bool) -> tuple[str, ...]:
    """By which rules features are summed, one after another, in numbers of a dtype."""
    if not reproducible:
        return ("plain",)
    return ("quick", "anchored", "exact") if working == "float32" else ("anchored", "exact")


def merged(one: list[ExactSum], other: list[ExactSum]) -> list[ExactSum]:
    """The sums of both; what is given stays as it is, since workers may add it once more."""
    return [a + b for a, b in zip(one, other, strict=True)]


def settle(formula: Formula, dtype: str, rules: tuple[str, ...], sums: Sums) -> np.ndarray:
    """Every sum rounded (m,); what one rule leaves in doubt goes to the next."""
    results: list[Any] = [None] * formula.features
    for rule in rules:
        doubtful = [f for f, r in enumerate(results) if r is None]
        if not doubtful:
            break
        some = len(doubtful) < formula.features
        wanted = formula.of(formula.outputs[f] for f in doubtful) if some else formula
        for f, partial in zip(doubtful, sums(wanted, rule), strict=True):
            results[f] = partial.result(dtype)
    return np.array(results, dtype=dtype)


def threads_to_use(threads: int | None) -> int:
    """As many as asked for, or as there are cores for this process."""
    if threads is not None:
        return whole("threads", threads, 1)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else (os.cpu_count() or 1)


def partials(formula: Formula, rows: np.ndarray, dtype: str, rule: str, threads: int = 1) -> list[ExactSum]:
    """Every feature summed by a rule; exactly where no compiled loop takes these rows."""
    if rule == "exact":
        return exact_partials(formula, rows, dtype)
    if rule == "plain":
        formula = halved(formula)
    if len(rows) < 2 * TILE or not compiled.can_compile(formula):
        return _numpy_sums(formula, rows, dtype) if rule == "plain" else exact_partials(formula, rows, dtype)
    if rows.dtype.name != dtype or not _is_laid_out(rows):
        total = [ExactSum() for _ in formula.outputs]
        for start in range(0, len(rows), _COPIED):
            part = np.array(rows[start : start + _COPIED], dtype=dtype, order="C")  # a copy, aligned
            total = merged(total, partials(formula, part, dtype, rule, threads))
        return total
    shares = _shares(len(rows), threads)
    bounds = None if rule == "plain" else _Bounds(formula, _finite_sample(rows))

    def one(share: slice) -> list[ExactSum]:
        if bounds is None:
            return _plain(formula, rows[share])
        return _bounded(formula, rows[share], copy.copy(bounds), rule)

    return functools.reduce(merged, in_threads(one, shares, len(shares)))


def exact_partials(formula: Formula, rows: np.ndarray, dtype: str) -> list[ExactSum]:
    """Every feature summed exactly, by NumPy blocks."""
    total = [ExactSum() for _ in formula.outputs]
    with Progress("rows", len(rows)) as bar:
        for columns in blocks(rows, dtype):
            for partial, values in zip(total, evaluate(formula, columns), strict=True):
                partial.add(values)
            bar.advance(len(columns[0]))
    return total


def _is_laid_out(rows: np.ndarray) -> bool:
    """Rows side by side, or columns that are contiguous."""
    columns = rows.strides[0] == rows.itemsize and rows.strides[1] % rows.itemsize == 0
    return rows.flags.aligned and rows.dtype.isnative and (_by_rows(rows) or columns)


def _by_rows(rows: np.ndarray) -> bool:
    return rows.strides == (rows.itemsize * rows.shape[1], rows.itemsize)


def _shares(rows: int, threads: int) -> list[slice]:
    """Whole tiles for each thread, the rest for the last."""
    tiles = rows // TILE
    count = max(1, min(threads, tiles // _TILES))
    ends = [tiles * t // count * TILE for t in range(count)] + [rows]
    return [slice(a, b) for a, b in itertools.pairwise(ends)]


class _Bounds:
    """Bounds C_j of the columns, a power of two each, and the exponents e of the features under them."""

    def __init__(self, formula: Formula, sample: np.ndarray) -> None:
        self.formula, self.single = formula, sample.dtype == np.float32
        self.columns = [0.0] * formula.columns
        self.exponents: list[int] | None = None
        self.raise_to(sample)

    def raise_to(self, rows: np.ndarray) -> bool:
        """Bounds that hold for these rows too; whether all entries are finite and all features bounded."""
        tops = np.abs(rows).max(axis=0)
        if not np.isfinite(tops).all():
            return False
        highest, columns = 127 if self.single else 1023, list(self.columns)
        for j, top in enumerate(tops.tolist()):
            exponent = min(max(_power(top), -100 if self.single else -1000), highest)
            columns[j] = max(columns[j], math.ldexp(1.0, exponent) if top else 0.0, top)
        self.columns = columns
        bounds = feature_bounds(self.formula, self.columns, single=self.single)
        found: list[int] = []
        for bound in bounds:
            exponent = _power(bound) if bound is not None else compiled.HIGHEST + 1
            if exponent > compiled.HIGHEST:
                self.exponents = None
                return True
            found.append(max(exponent, compiled.LOWEST))
        self.exponents = found
        return True


def _power(bound: float) -> int:
    """The least e with `bound <= 2^e`."""
    mantissa, exponent = math.frexp(bound)
    return exponent - (mantissa == 0.5)


def _finite_sample(rows: np.ndarray) -> np.ndarray:
    """Some rows from everywhere, NaN and infinities as 0."""
    sample = rows[:: max(1, len(rows) // 1024)]
    return np.where(np.isfinite(sample), sample, rows.dtype.type(0))


def _loop(formula: Formula, rows: np.ndarray, rule: str) -> tuple[compiled.Loop, int]:
    """The loop for rows that lie so, and from one column to the next."""
    by_rows, single = _by_rows(rows), rows.dtype == np.float32
    loop = compiled.loop(formula, single=bool(single), by_rows=by_rows, rule=rule)
    return loop, 0 if by_rows else rows.strides[1] // rows.itemsize


def _plain(formula: Formula, rows: np.ndarray) -> list[ExactSum]:
    """Whole tiles by the compiled loop, the rest by NumPy."""
    loop, stride = _loop(formula, rows, "plain")
    tiles = len(rows) // loop.rows
    state, unused = np.zeros((formula.features, loop.doubles)), np.zeros(formula.columns + formula.features)
    loop.run(rows.ctypes.data, stride, tiles, unused, unused, state)
    total, rest = state.sum(axis=1), rows[tiles * loop.rows :]
    if len(rest):
        values = evaluate(formula, list(np.ascontiguousarray(rest.T)))
        with np.errstate(all="ignore"):
            total += [v.sum(dtype=np.float64) for v in values]
    return _rounded(total)


def _rounded(sums: np.ndarray) -> list[ExactSum]:
    """Sums of which nothing more is said."""
    found = [ExactSum() for _ in sums]
    for partial, value in zip(found, sums.tolist(), strict=True):
        if math.isfinite(value) and value:
            partial.add_units(units(value), 1)
        else:
            partial.add(value)
    return found


def _bounded(formula: Formula, rows: np.ndarray, bounds: _Bounds, rule: str) -> list[ExactSum]:
    """Whole tiles by the compiled loop; tiles with NaN or infinities, and the rest, exactly."""
    dtype = rows.dtype.name
    loop, stride = _loop(formula, rows, rule)
    total, tiles, at = [ExactSum() for _ in formula.outputs], len(rows) // loop.rows, 0
    state = np.empty((formula.features, loop.doubles))
    while at < tiles:
        if bounds.exponents is None:  # unbounded features: the rest exactly
            total = merged(total, exact_partials(formula, rows[at * loop.rows : tiles * loop.rows], dtype))
            break
        state.fill(0.0)
        limits = np.array(bounds.columns, dtype=dtype)
        anchors = np.array([compiled.anchor(e) for e in bounds.exponents])
        start = rows.ctypes.data + at * loop.rows * rows.strides[0]
        count = min(compiled.CALL // loop.rows, tiles - at)
        done = loop.run(start, stride, count, limits, anchors, state)
        _add_state(total, state, bounds.exponents, done * loop.rows, compiled.LOSS[rule])
        at += done
        if done < count:
            tile = rows[at * loop.rows : (at + 1) * loop.rows]
            if not bounds.raise_to(tile):
                total = merged(total, exact_partials(formula, tile, dtype))
                at += 1
    if tiles * loop.rows < len(rows):
        total = merged(total, exact_partials(formula, rows[tiles * loop.rows :], dtype))
    return total


def _add_state(
    total: list[ExactSum], state: np.ndarray, exponents: Sequence[int], rows: int, loss: int
) -> None:
    if rows == 0:
        return
    for partial, units_of, e in zip(total, sums_of_units(state), exponents, strict=True):
        partial.add_units(units_of, rows, rows * power_units(e + loss))


def _numpy_sums(formula: Formula, rows: np.ndarray, dtype: str) -> list[ExactSum]:
    """By blocks; features that are products of operations are summed by one matrix product of these.

    Blocks of a table (columns, operations; rows) are multiplied by themselves.
    """
    d = formula.columns
    factors = [_factors(formula, o) for o in formula.outputs]
    sides = sorted({n for pair in factors if pair is not None for n in pair})
    if len(sides) ** 2 > 8 * sum(pair is not None for pair in factors):
        sides, factors = [], [None] * formula.features
    alone = [o for o, pair in zip(formula.outputs, factors, strict=True) if pair is None]
    needed = expand(formula.of((*sides, *alone)))
    place = {n: k for k, n in enumerate(sides)}
    kept = [o for o in needed.outputs[: len(sides)] if needed.nodes[o].op != "column"]
    line = {o: d + k for k, o in enumerate(dict.fromkeys(kept))}
    lines = [line.get(o, int(needed.nodes[o].value)) for o in needed.outputs[: len(sides)]]
    space = np.empty((d + len(line), _BLOCK), dtype)
    products, others = np.zeros((len(space), len(space))), np.zeros(len(alone))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), _BLOCK):
            part = rows[start : start + _BLOCK]
            table = space[:, : len(part)]
            table[:d] = part.T
            values = evaluate(needed, list(table[:d]))
            for o, k in line.items():
                table[k] = values[needed.outputs.index(o)]
            if sides:
                products += table @ table.T
            others += [v.sum(dtype=np.float64) for v in values[len(sides) :]]
    rest = iter(others)
    sums = [next(rest) if p is None else products[lines[place[p[0]]], lines[place[p[1]]]] for p in factors]
    return _rounded(np.array(sums))


def _factors(formula: Formula, output: int) -> tuple[int, int] | None:
    node = formula.nodes[output]
    return (node.args[0], node.args[1]) if node.op == "mul" else None
