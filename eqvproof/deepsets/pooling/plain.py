"""`sum_k phi(x_k)` at full speed: rounding errors depend on the order of the rows."""

from __future__ import annotations

import numpy as np

from eqvproof.deepsets.phi.blocks import evaluate
from eqvproof.deepsets.phi.formula import Formula, Node
from eqvproof.deepsets.phi.rewrite import halved, without_constants
from eqvproof.deepsets.pooling import compiled
from eqvproof.deepsets.pooling.partial import _is_laid_out, _shares
from eqvproof.deepsets.pooling.rows import blocks
from eqvproof.deepsets.threads import in_threads


def plain_sums(formula: Formula, rows: np.ndarray, dtype: str, threads: int = 1) -> np.ndarray:
    """The features' sums, as float64."""
    varying, fixed = without_constants(halved(formula))
    if fixed:
        total = np.empty(formula.features)
        total[list(fixed)] = [float(np.dtype(dtype).type(c)) * len(rows) for c in fixed.values()]
        rest = [f for f in range(formula.features) if f not in fixed]
        if rest:
            total[rest] = plain_sums(varying, rows, dtype, threads)
        return total
    formula = varying
    if len(rows) < 2 * compiled.TILE or not compiled.can_compile(formula):
        return _numpy_sums(formula, rows, dtype)
    if rows.dtype.name != dtype or not _is_laid_out(rows):
        size = 1 << 17
        parts = [rows[s : s + size].astype(dtype, order="C") for s in range(0, len(rows), size)]
        return _together([plain_sums(formula, part, dtype, threads) for part in parts])
    shares = _shares(len(rows), threads)
    return _together(in_threads(lambda share: _one_thread(formula, rows[share]), shares, len(shares)))


def _together(parts: list[np.ndarray]) -> np.ndarray:
    total: np.ndarray = np.sum(parts, axis=0)
    return total


def _one_thread(formula: Formula, rows: np.ndarray) -> np.ndarray:
    single = rows.dtype == np.float32
    by_rows = rows.strides[1] == rows.itemsize and rows.strides[0] == rows.itemsize * rows.shape[1]
    loop = compiled.loop(formula, single=bool(single), by_rows=by_rows, plain=True)
    tiles = len(rows) // loop.rows
    state = np.zeros((formula.features, loop.doubles))
    unused = np.zeros(max(formula.columns, formula.features))
    stride = 0 if by_rows else rows.strides[1] // rows.itemsize
    loop.run(rows.ctypes.data, stride, tiles, unused, unused, state)
    total: np.ndarray = state.sum(axis=1)
    rest = rows[tiles * loop.rows :]
    return total + _numpy_sums(formula, rest, rows.dtype.name) if len(rest) else total


def _numpy_sums(formula: Formula, rows: np.ndarray, dtype: str) -> np.ndarray:
    """By blocks; features that are products are summed by matrix products of their factors."""
    total = np.zeros(formula.features)
    factors = [_factors(formula, o) for o in formula.outputs]
    left = sorted({a for a, _ in factors if a is not None})
    right = sorted({b for _, b in factors if b is not None})
    if len(left) * len(right) > 4 * sum(a is not None for a, _ in factors):
        left, right, factors = [], [], [(None, None)] * formula.features
    alone = [formula.outputs[f] for f, (a, _) in enumerate(factors) if a is None]
    needed = Formula(formula.columns, formula.nodes, tuple([*left, *right, *alone]))
    with np.errstate(all="ignore"):
        for columns in blocks(rows, dtype):
            values = evaluate(needed, columns)
            first, rest = values[: len(left)], values[len(left) :]
            products = np.stack(first) @ np.stack(rest[: len(right)]).T if left else np.zeros((0, 0))
            sums = iter([v.sum(dtype=np.float64) for v in rest[len(right) :]])
            for f, (a, b) in enumerate(factors):
                total[f] += next(sums) if a is None or b is None else products[left.index(a), right.index(b)]
    return total


def _factors(formula: Formula, output: int) -> tuple[int | None, int | None]:
    node: Node = formula.nodes[output]
    return (node.args[0], node.args[1]) if node.op == "mul" else (None, None)
