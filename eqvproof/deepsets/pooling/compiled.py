"""Computes `sum_k phi(x_k)` by one compiled loop, and bounds its distance from the exact sum.

A loop runs over tiles of T rows. Before a tile is added, its entries are compared with the bounds
C_j; the loop stops before a tile that exceeds one (or holds a NaN), which the caller then adds.
Interval arithmetic turns the C_j into bounds `|phi_f| <= 2^e` (`eqvproof.deepsets.phi.bounds`).
Sums of V rows a lane are carried, V <= 512.

Float64: with `p = M = 3/2 2^k`, k = e + 11, each value is added by
`t = p + x; q = x - (t - p); s = s + q`, exact but for the last addition (p keeps its exponent, as
`|p - M| <= V (2^e + 2^(k-53)) < 2^(k-1)`, so this is Dekker's fast two-sum). `|q| <= 2^(k-53)` and
`|s| <= V 2^(k-53)`, so that V rows lose at most `V^2 2^(k-106) = 2^(e-77)`, that is `2^(e-86)` a
row. Sums of V rows are carried with two exact error terms and lose less than that again (at most
2^22 rows a call): together at most `2^(e-85)` a row.

Float32 values, V = 64: first ("quick") cut in float32 at two anchors, k = e + 8 and k' = k + 8 -
24, since the first cut leaves at most `2^(k-24)`, and p' keeps its exponent as p does:
`V (2^e + 2^(k-24)) < 2^(k-1)`, and the same with e - 16 for e. The second cut leaves at most
`2^(k'-24) = 2^(e-32)`; the j-th addition of it loses at most `2^-24 j 2^(e-32)`, V of them
`2^-25 V (V + 1) 2^(e-32)`, which is below `1.1 2^(e-51)` a row. The three sums are added in
float64, the least first: with v rows in a lane the last of these additions loses at most
`2^-53 v 2^e`, the other less. Their sum is carried with one error term, at most `2^14` times a
call: it is at most `2^14 2^-53 2^(e+19)`, so that adding to it loses `2^(e-73)` each time. Together
at most `2^(e-50)` a row. If that bound admits two roundings (when the sum is small compared with
its terms), values are added in float64 from an anchor.

In some processors additions and fused products have units of their own. Some of the additions are
therefore written as `x 1 + y`, which is the same number.

The bits of the result do not depend on any of this: it only determines when the rounded sum is
certain.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.emit.llvm import llvm
from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import FOREIGN, Formula
from eqvproof.deepsets.pooling.loops import Loops, Rule

#: largest number of rows of a call
ROWS_PER_CALL = 1 << 22
#: log2 of a bound on the rounding error of one row, relative to 2^e
LOSS = {"anchored": -85, "quick": -50}
#: range of e in which M, p and the error terms are normal numbers, for values up to 2^e
RANGE = {"anchored": (-800, 900), "quick": (-60, 117)}
#: largest number of operations of a formula that is compiled
MOST_OPERATIONS = 6000


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A compiled loop.

    Args:
        function: the machine code as a ctypes function (it releases Python's lock).
        features: number of features.
        doubles: number of float64 of state for each feature.
        rows: number of rows of a tile.
        work: number of float64 in the work space of a call.
    """

    function: Any
    features: int
    doubles: int
    rows: int
    work: int

    def run(
        self, rows: np.ndarray, bounds: Any = None, anchors: Any = None
    ) -> tuple[int, np.ndarray]:
        """Runs the loop; returns the number of tiles added, and the state.

        It stops at the first tile that exceeds a bound.
        """
        numbers = self.features * self.doubles
        memory = np.empty(24 + self.work + numbers)
        start = memory.ctypes.data
        first = -start % 64 // 8  # so that each vector lies in one line of the cache
        state = memory[first + self.work :][:numbers].reshape(self.features, self.doubles)
        state.fill(0.0)
        ones = memory[first + self.work + numbers :][:16]  # constants hidden from the compiler
        ones[:8] = 1.0
        ones[8:].view(np.float32)[:] = 1.0
        given = [start, start]
        for i, array in enumerate((bounds, anchors)):
            if array is not None:
                given[i] = array.ctypes.data
        work, stride = start + 8 * first, rows.strides[1] // rows.itemsize
        tiles = len(rows) // self.rows
        done = self.function(rows.ctypes.data, stride, tiles, *given, work + 8 * self.work, work)
        return int(done), state


def can_compile(formula: Formula) -> bool:
    """Checks whether llvmlite is installed (numba installs it) and the formula can be compiled."""
    return _fits_loops(formula) and llvm() is not None


@functools.lru_cache(maxsize=256)
def _fits_loops(formula: Formula) -> bool:
    return (
        len(formula.nodes) <= MOST_OPERATIONS
        and formula.columns <= 64
        and not any(node.op in FOREIGN for node in formula.nodes)
    )


@functools.lru_cache(maxsize=256)
def compile_loop(formula: Formula, *, single: bool, by_rows: bool, rule: Rule) -> Loop:
    """Compiles the loop of a formula; cached.

    Args:
        formula: phi, without foreign operations.
        single: whether phi is evaluated in float32.
        by_rows: whether rows, rather than columns, are contiguous in memory.
        rule: how values are added; "quick" for float32 only.
    """
    loops = Loops(expand(formula), single=single, by_rows=by_rows, rule=rule)
    doubles = 8 * loops.carried * loops.numbers
    return Loop(loops.build(), formula.features, doubles, loops.layout.rows, loops.layout.work)
