"""Sums rows in this process: by compiled loops, by NumPy blocks, or exactly.

The sums of parts (of threads, chunks, devices or workers) are added as integers (`ExactSum`), in
any order. The result is the exact sum of the machine numbers phi(x_k), rounded once, wherever the
parts were summed: if an error bound admits two roundings of a sum, that feature is summed again by
a stricter rule, and in the end exactly.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import require_integer
from eqvproof.deepsets.phi.bounds import feature_bounds
from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.phi.rewrite import halve_monomials
from eqvproof.deepsets.pooling import compiled
from eqvproof.deepsets.pooling.loops import HEADROOM, TILE
from eqvproof.deepsets.pooling.rows import column_blocks, dtype_name
from eqvproof.deepsets.progress import Progress
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import power_units, sums_of_units, units
from eqvproof.deepsets.threads import in_threads

#: error bound, in units, that stands for a sum that was not computed
_NO_BOUND = 1 << 2200
#: number of rows copied at once if their memory layout does not suit the loops
_ROWS_COPIED = 1 << 17
#: least number of tiles of a thread; number of rows in a block of plain sums by NumPy
_LEAST_TILES = 64
_BLOCK = 1 << 14


def rules(working: str, *, reproducible: bool) -> tuple[str, ...]:
    """Returns the rules by which features are summed, in the order in which they are tried."""
    if not reproducible:
        return ("plain",)
    if working == "float32":
        return ("quick", "anchored", "exact")
    return ("anchored", "exact")


def add_sums(one: list[Any], other: list[Any]) -> list[Any]:
    """Adds two lists of sums; returns a new list, since a worker may add the given ones again."""
    return [a + b for a, b in zip(one, other, strict=True)]


def round_sums(
    formula: Formula, dtype: str, rules: tuple[str, ...], sums: Callable[[Formula, str], list[Any]]
) -> np.ndarray:
    """Rounds every sum (m,); if one rule does not determine a rounding, the next rule is used.

    Args:
        formula: phi.
        dtype: dtype of the result.
        rules: the rules, in order.
        sums: computes the sums of a formula by a rule: as `ExactSum`, or for "plain" as float64.
    """
    if rules == ("plain",):
        with np.errstate(over="ignore"):
            return np.array(sums(formula, "plain"), dtype=np.float64).astype(dtype)
    results: list[Any] = [None] * formula.features
    for rule in rules:
        doubtful = [f for f, r in enumerate(results) if r is None]
        if not doubtful:
            break
        wanted = formula
        if len(doubtful) < formula.features:
            wanted = formula.of(formula.outputs[f] for f in doubtful)
        for f, partial in zip(doubtful, sums(wanted, rule), strict=True):
            results[f] = partial.result(dtype)
    return np.array(results, dtype=dtype)


def threads_to_use(threads: int | None) -> int:
    """Returns ``threads``, or the number of cores of this process."""
    if threads is not None:
        return require_integer("threads", threads, 1)
    affinity = getattr(os, "sched_getaffinity", None)
    if affinity:
        return len(affinity(0))
    return os.cpu_count() or 1


def partial_sums(
    formula: Formula, rows: np.ndarray, dtype: str, rule: str, threads: int = 1
) -> list[Any]:
    """Sums every feature by a rule, or exactly if no compiled loop can sum these rows."""
    plain = rule == "plain"
    if plain:
        formula = halve_monomials(formula)
    if rule == "exact" or len(rows) < 2 * TILE or not compiled.can_compile(formula):
        if plain:
            return _numpy_sums(formula, rows, dtype)
        return exact_partial_sums(formula, rows, dtype)
    if dtype_name(rows.dtype) != dtype or not _suits_loops(rows):
        cuts = (rows[start : start + _ROWS_COPIED] for start in range(0, len(rows), _ROWS_COPIED))
        copies = (np.array(part, dtype=dtype, order="C") for part in cuts)  # they are aligned
        return functools.reduce(
            add_sums, (partial_sums(formula, part, dtype, rule, threads) for part in copies)
        )
    shares = _shares(len(rows), threads)
    if plain:
        return _plain_sums(formula, rows, shares)
    sample = rows[:: max(1, len(rows) // 1024)]  # from everywhere
    sample = np.where(np.isfinite(sample), sample, rows.dtype.type(0))
    bounds = _raise_column_bounds((0.0,) * formula.columns, sample) or ()
    one = functools.partial(_sums_with_bounds, formula, bounds, rule)
    return functools.reduce(
        add_sums, in_threads(one, [rows[share] for share in shares], len(shares))
    )


def exact_partial_sums(formula: Formula, rows: np.ndarray, dtype: str) -> list[ExactSum]:
    """Sums every feature exactly, by NumPy blocks."""
    total = [ExactSum() for _ in formula.outputs]
    with Progress("rows", len(rows)) as bar:
        for columns in column_blocks(rows, dtype):
            for partial, values in zip(total, evaluate(formula, columns), strict=True):
                partial.add(values)
            bar.advance(len(columns[0]))
    return total


def _suits_loops(rows: np.ndarray) -> bool:
    """Checks whether rows, or columns, are contiguous, as the compiled loops require."""
    columns = rows.strides[0] == rows.itemsize and rows.strides[1] % rows.itemsize == 0
    return rows.flags.aligned and rows.dtype.isnative and (_is_by_rows(rows) or columns)


def _is_by_rows(rows: np.ndarray) -> bool:
    return rows.strides == (rows.itemsize * rows.shape[1], rows.itemsize)


def _shares(rows: int, threads: int) -> list[slice]:
    """Splits the rows into whole tiles for each thread; the last thread takes the rest."""
    tiles = rows // TILE
    count = max(1, min(threads, tiles // _LEAST_TILES))
    ends = [tiles * t // count * TILE for t in range(count)] + [rows]
    return [slice(a, b) for a, b in itertools.pairwise(ends)]


def _raise_column_bounds(columns: tuple[float, ...], rows: np.ndarray) -> tuple[float, ...] | None:
    """Raises bounds C_j of the columns so that they hold for these rows too.

    A raised bound is a power of two, or the largest value. Returns None if a value is not finite.
    """
    tops = np.abs(rows).max(axis=0)
    if not np.isfinite(tops).all():
        return None
    lowest, highest = -1000, 1023
    if rows.dtype == np.float32:
        lowest, highest = -100, 127
    powers = np.ldexp(1.0, np.clip(_least_exponents(tops.astype(np.float64)), lowest, highest))
    return tuple(np.maximum(np.maximum(columns, tops), powers * (tops > 0)).tolist())


def _least_exponents(bounds: np.ndarray) -> np.ndarray:
    """Returns the least e with `bound <= 2^e`."""
    mantissas, exponents = np.frexp(bounds)
    least: np.ndarray = exponents - (mantissas == 0.5)
    return least


@functools.lru_cache(maxsize=256)
def _exponents(formula: Formula, columns: tuple[float, ...], rule: str, *, single: bool) -> Any:
    """Returns e with `|phi_f| <= 2^e` for each feature, given bounds of the columns.

    Returns None if the rule cannot be used, since a feature has no bound or too large a one.
    """
    bounds = feature_bounds(formula, list(columns), single=single)
    lowest, highest = compiled.RANGE[rule]
    if None in bounds:
        return None
    found = _least_exponents(np.array(bounds, dtype=np.float64))
    if found.max() > highest:
        return None
    return np.maximum(found, lowest)


def _loop_for(formula: Formula, rows: np.ndarray, rule: str) -> compiled.Loop:
    """Returns the compiled loop for the memory layout of the rows."""
    return compiled.compile_loop(
        formula, single=rows.dtype == np.float32, by_rows=_is_by_rows(rows), rule=rule
    )


@functools.lru_cache(maxsize=256)
def _value_at_zero(formula: Formula, dtype: str) -> tuple[float, ...]:
    """Evaluates phi(0)."""
    return tuple(float(v[0]) for v in evaluate(formula, [np.zeros(1, dtype)] * formula.columns))


def _pad_with_zeros(rows: np.ndarray, count: int) -> np.ndarray:
    """Appends rows of zeros, in the same memory layout."""
    tile = np.zeros((count, rows.shape[1]), rows.dtype, order="C" if _is_by_rows(rows) else "F")
    tile[: len(rows)] = rows
    return tile


def _plain_sums(formula: Formula, rows: np.ndarray, shares: list[slice]) -> list[float]:
    """Sums without a bound: whole tiles by the compiled loop, then the rest.

    If phi(0) = 0, the rest is padded to a tile with rows of zeros; otherwise NumPy sums it.
    """
    loop = _loop_for(formula, rows, "plain")
    found = in_threads(loop.run, [rows[share] for share in shares], len(shares))
    rest, values = rows[len(rows) // loop.rows * loop.rows :], [0.0] * formula.features
    with np.errstate(all="ignore"):
        if any(_value_at_zero(formula, dtype_name(rows.dtype))):
            values = [
                v.sum(dtype=np.float64)
                for v in evaluate(formula, list(np.ascontiguousarray(rest.T)))
            ]
        elif len(rest):
            found.append(loop.run(_pad_with_zeros(rest, loop.rows)))
        return add_sums(sum(state for _, state in found).sum(axis=1).tolist(), values)  # type: ignore[union-attr]


def _sums_with_bounds(
    formula: Formula, bounds: tuple[float, ...], rule: str, rows: np.ndarray
) -> list[ExactSum]:
    """Sums with error bounds, by the compiled loop.

    A tile with NaN or infinities is summed exactly, and so are all rows if a feature has no bound.
    The last rows are padded to a tile with rows of zeros, whose values are subtracted again.
    """
    dtype, single = dtype_name(rows.dtype), rows.dtype == np.float32
    loop, total, at = _loop_for(formula, rows, rule), [ExactSum() for _ in formula.outputs], 0
    full = len(rows) // loop.rows * loop.rows
    while at < len(rows):
        exponents = _exponents(formula, bounds, rule, single=single)
        if exponents is None and rule == "quick":
            for partial in total:
                partial.add_units(0, 1, _NO_BOUND)
            return total
        if exponents is None:
            return add_sums(total, exact_partial_sums(formula, rows[at:], dtype))
        if at < full:
            part = rows[at : min(full, at + compiled.ROWS_PER_CALL)]
        else:
            part = _pad_with_zeros(rows[full:], loop.rows)
        limits, anchors = np.array(bounds, dtype=dtype), np.ldexp(1.5, exponents + HEADROOM[rule])
        tiles, state = loop.run(part, limits, anchors)
        done = tiles * loop.rows
        for partial, units_of, e in zip(
            total, sums_of_units(state), exponents.tolist(), strict=True
        ):
            partial.add_units(units_of, done, done * power_units(e + compiled.LOSS[rule]))
        at += done
        if done < len(part):
            tile = rows[at : at + loop.rows]
            raised = _raise_column_bounds(bounds, tile)
            if raised is None:
                total = add_sums(total, exact_partial_sums(formula, tile, dtype))
                at += len(tile)
            bounds = raised or bounds
    if at > len(rows):
        for partial, value in zip(total, _value_at_zero(formula, dtype), strict=True):
            partial.add_units((len(rows) - at) * units(value), len(rows) - at)
    return total


def _numpy_sums(formula: Formula, rows: np.ndarray, dtype: str) -> list[float]:
    """Sums without a bound, by NumPy blocks.

    Features that are products of two values are summed by one matrix product: a table of the
    columns and these values, one line each, is multiplied by its transpose.
    """
    d = formula.columns
    factors: list[tuple[int, ...] | None] = [None] * formula.features
    for k, o in enumerate(formula.outputs):
        if formula.nodes[o].op == "mul":
            factors[k] = formula.nodes[o].args
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
    rest, sums = iter(others), []
    for pair in factors:
        if pair is None:
            sums.append(float(next(rest)))
        else:
            left, right = (lines[place[n]] for n in pair)
            sums.append(float(products[left, right]))
    return sums
