"""`sum_k phi(x_k)` at full speed: rounding errors depend on the order of the rows."""

from __future__ import annotations

import numpy as np

from eqvproof.deepsets.phi.blocks import PLACED, evaluate
from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import Formula, Node
from eqvproof.deepsets.phi.rewrite import halved, pruned, without_constants
from eqvproof.deepsets.pooling import compiled
from eqvproof.deepsets.pooling.partial import _is_laid_out, _shares
from eqvproof.deepsets.threads import in_threads

#: rows of a block
_BLOCK = 1 << 14


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
    """By blocks; features that are products of operations are summed by one matrix product of these.

    Blocks of a table (columns, operations; rows) are written in place and multiplied by themselves.
    """
    d = formula.columns
    factors = [_factors(formula, o) for o in formula.outputs]
    sides = sorted({n for pair in factors if pair is not None for n in pair})
    if len(sides) ** 2 > 8 * sum(pair is not None for pair in factors):
        sides, factors = [], [None] * formula.features
    alone = [o for o, pair in zip(formula.outputs, factors, strict=True) if pair is None]
    needed = pruned(expand(Formula(d, formula.nodes, (*sides, *alone))))
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
            into = {o: table[k] for o, k in line.items() if needed.nodes[o].op in PLACED}
            values = evaluate(needed, list(table[:d]), into=into)
            for o, k in line.items():
                if o not in into:
                    table[k] = values[needed.outputs.index(o)]
            if sides:
                products += table @ table.T
            others += [v.sum(dtype=np.float64) for v in values[len(sides) :]]
    rest = iter(others)
    return np.array(
        [next(rest) if p is None else products[lines[place[p[0]]], lines[place[p[1]]]] for p in factors]
    )


def _factors(formula: Formula, output: int) -> tuple[int, int] | None:
    node: Node = formula.nodes[output]
    return (node.args[0], node.args[1]) if node.op == "mul" else None
