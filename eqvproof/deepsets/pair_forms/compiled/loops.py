"""Compiles loops over pairs of points, which are written as LLVM instructions.

L points z_j lie in the lanes of vectors; the points y_i are visited one after another. For a block
of B rows and L lanes, `g_ij` is computed for all rows of the block and kept in the first cache;
then `sum_i X_i g_ij` is computed in registers and added to float64 totals. So a float32 sum is
rounded to float32 at most B times in a row.

Softmax: the loop carries the largest score m_j so far; after a block that exceeds it, the totals
are scaled by `exp(m_old - m_new)` (if m is the same, by exactly 1). Sums over pairs are carried in
two numbers (Knuth's two-sum): high is the sum rounded at each step, low the sum of the rounding
errors.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

from eqvproof.deepsets.emit.llvm import Code, Lanes, Value, has_wide_vectors
from eqvproof.deepsets.pair_forms.compiled.stages import Stage
from eqvproof.deepsets.phi.numbers import two_sum

#: number of rows in a block
BLOCK = 128


@dataclass(frozen=True, slots=True)
class Shape:
    """The specification of a loop: stages, kind of result, and sizes.

    Args:
        stages: the last computes the value; the others compute terms that are left out of sums.
        kind: "output", "softmax" or "sum".
        width: the number of columns of X that are summed at once; 0 for none.
        groups: the number of such groups of columns.
        single: whether numbers are float32.
        diagonal: whether the value at i = j is the last number of j.
        left_out: for each sum that the last stage uses: whether its high and low parts are numbers
            of the lanes; the places of both; the stage whose value is subtracted (-1 - q: number q
            of the lanes is subtracted).
    """

    stages: tuple[Stage, ...]
    kind: str
    width: int
    groups: int
    single: bool
    diagonal: bool
    left_out: tuple[tuple[bool, int, int, int], ...] = ()

    @property
    def rows(self) -> int:
        """The count of numbers that each row has."""
        return sum(
            s.rows + sum(p.terms + p.of_row for p in s.products) for s in self.stages
        ) + 2 * sum(not lane for lane, *_ in self.left_out)


@functools.cache
def lane_count(*, single: bool) -> int:
    """Returns L, the number of lanes."""
    count = 4
    if has_wide_vectors():
        count *= 2
    if single:
        count *= 2
    return count


def most_columns() -> int:
    """Returns the largest number of columns of X whose sums fit the registers."""
    if has_wide_vectors():
        return 24
    return 10


@functools.lru_cache(maxsize=256)
def compile_loop(shape: Shape) -> Any:
    """Compiles a loop to machine code.

    The arguments of the machine code are, in this order:

    - rows: (n, p), the numbers of each i;
    - n: the number of rows;
    - lanes: (vectors, q, L), the numbers of each j;
    - the first vector of lanes, and the end of the vectors;
    - X: (groups, n, width);
    - totals: (vectors, groups, width, L) float64;
    - state: (vectors, 2, L) float64: largest score and sum, or high and low;
    - the index of the point in the first lane of all.
    """
    return _Builder(shape).build()


class _Builder:
    """A builder of the instructions of one loop."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.code = Code("pipiipppi", Lanes(lane_count(single=shape.single), shape.single))
        self.lanes, self.count = self.code.lanes, self.code.lanes.count
        self.wide = self.lanes.wide
        self.parts = self.count // self.wide.count

    def build(self) -> Any:
        """Writes loops over blocks of rows, vectors of lanes, and rows; compiles them."""
        c = self.code
        room = c.b.alloca(c.kind(), size=BLOCK)
        room.align = 64
        self.kept = Value(c, room)
        self.rows, self.n, self.points, first, last, self.x, self.totals, self.state, self.first = (
            c.arguments
        )

        def block(start: Value) -> list[Value]:
            rest = self.n - start
            self.start, self.rest = start, c.where(rest > BLOCK, c.whole(BLOCK), rest)
            return c.loop(first, last, 1, [], self.write_vector)

        c.loop(0, self.n, BLOCK, [], block)
        c.b.ret(c.whole(0).ir)
        return c.compile()

    def loop_over_rows(self, start: list[Value], body: Any) -> list[Value]:
        """Writes a loop over the rows of the block."""
        return self.code.loop(0, self.rest, 1, start, body)

    def load_float64(self, base: Value, at: Value) -> list[Value]:
        """Loads L float64 as one vector, or two."""
        step = self.wide.count
        return [self.code.load(base, at + step * p, self.wide) for p in range(self.parts)]

    def store_float64(self, base: Value, at: Value, values: list[Value]) -> None:
        """Stores L float64 in an array."""
        for p, value in enumerate(values):
            self.code.store(base, at + self.wide.count * p, value, self.wide, align=8)

    def write_vector(self, v: Value) -> list[Value]:
        """Writes the work on one block of rows for one vector of lanes."""
        c, shape, numbers = self.code, self.shape, numbers_of_lanes(self.shape)
        base = v * (numbers * self.count)
        self.of_lane = [c.load(self.points, base + q * self.count) for q in range(numbers)]
        if shape.diagonal:
            kind = c.kind(integer=True)
            steps = c.ir.Constant(kind, [c.ir.Constant(kind.element, i) for i in range(self.count)])
            self.indices = self.splat_index(v * self.count + self.first) + Value(c, steps)
        at = v * (2 * self.count)
        if shape.kind == "sum":
            self.sum(at)
            return []
        fade = None
        if shape.kind == "softmax":
            fade = self.softmax(at)
        else:
            self.loop_over_rows([], self.keep_value)
        if shape.width:
            self.products(v, fade)
        return []

    def splat_index(self, i: Value) -> Value:
        """Copies the index of a point to all lanes."""
        c, kind = self.code, self.code.kind(integer=True)
        if self.shape.single:
            i = Value(c, c.b.trunc(i.ir, kind.element))
        return c.splat(i, kind)

    def keep_value(self, i: Value) -> list[Value]:
        """Writes the value of a row, and stores it in the block's memory."""
        self.code.store(self.kept, i * self.count, self.value(i), align=64)
        return []

    def load_weight(self, i: Value) -> Value:
        """Loads the stored value of a row."""
        return self.code.load(self.kept, i * self.count, align=64)

    def softmax(self, at: Value) -> list[Value]:
        """Stores scores, then their exponentials; returns the factor of the old totals."""
        c = self.code
        old = c.narrow(self.load_float64(self.state, at))

        def scores(i: Value, top: Value) -> list[Value]:
            score = self.value(i)
            c.store(self.kept, i * self.count, score, align=64)
            return [c.where(score > top, score, top)]

        (top,) = self.loop_over_rows([old], scores)

        def weights(i: Value, total: Value) -> list[Value]:
            w = c.call("exp", self.load_weight(i) - top)
            c.store(self.kept, i * self.count, w, align=64)
            return [total + w]

        (total,) = self.loop_over_rows([c.const(0.0)], weights)
        fade, place = c.widen(c.call("exp", old - top)), at + self.count
        sums = [
            s * f + t
            for s, f, t in zip(
                self.load_float64(self.state, place), fade, c.widen(total), strict=True
            )
        ]
        self.store_float64(self.state, at, c.widen(top))
        self.store_float64(self.state, place, sums)
        return fade

    def sum(self, at: Value) -> None:
        """Updates the high and low parts of the sum over the rows."""
        place, parts = at + self.count, self.parts

        def step(i: Value, *values: Value) -> list[Value]:
            new = self.code.widen(self.value(i))
            pairs = [two_sum(s, x) for s, x in zip(values[:parts], new, strict=True)]
            return [s for s, _ in pairs] + [
                e + lost for e, (_, lost) in zip(values[parts:], pairs, strict=True)
            ]

        found = self.loop_over_rows(
            [*self.load_float64(self.state, at), *self.load_float64(self.state, place)], step
        )
        self.store_float64(self.state, at, found[:parts])
        self.store_float64(self.state, place, found[parts:])

    def products(self, v: Value, fade: list[Value] | None) -> None:
        """Adds `sum_i X_i g_ij` to the totals, for every group of columns of X."""
        c, shape = self.code, self.shape

        def group(g: Value) -> list[Value]:
            first = (g * self.n + self.start) * shape.width

            def row(i: Value, *sums: Value) -> list[Value]:
                weight, at = self.load_weight(i), first + i * shape.width
                return [c.fma(c.number(self.x, at + k), weight, s) for k, s in enumerate(sums)]

            sums = self.loop_over_rows([c.const(0.0)] * shape.width, row)
            at = (v * shape.groups + g) * (shape.width * self.count)
            for k, s in enumerate(sums):
                old = self.load_float64(self.totals, at + k * self.count)
                if fade is not None:
                    old = [o * f for o, f in zip(old, fade, strict=True)]
                new = [o + x for o, x in zip(old, c.widen(s), strict=True)]
                self.store_float64(self.totals, at + k * self.count, new)
            return []

        c.loop(0, c.whole(shape.groups), 1, [], group)

    def value(self, i: Value) -> Value:
        """Writes the value of the last stage for row i of the block and the lanes."""
        c, shape = self.code, self.shape
        place = (self.start + i) * shape.rows
        row_at = lane_at = 0

        def of_row(index: int) -> Value:
            return c.number(self.rows, place + index)

        found: list[Value] = []
        for number, stage in enumerate(shape.stages):
            columns = [of_row(row_at + p) for p in range(stage.rows)]
            columns += self.of_lane[lane_at : lane_at + stage.lanes]
            row_at, lane_at = row_at + stage.rows, lane_at + stage.lanes
            for product in stage.products:
                own, other = row_at + product.terms, lane_at + product.terms
                total: Any = None
                if product.of_lane:
                    total = self.of_lane[other]
                if product.of_row and product.of_lane:
                    total = total + of_row(own)
                elif product.of_row:
                    total = of_row(own)
                for t in range(product.terms):
                    u, z = of_row(row_at + t), self.of_lane[lane_at + t]
                    if total is None:
                        total = u * z
                    else:
                        total = c.fma(u, z, total)
                columns.append(total)
                row_at, lane_at = own + product.of_row, other + product.of_lane
            if number + 1 == len(shape.stages):
                columns += [self.subtract_term(of_row, found, where) for where in shape.left_out]
            found += c.formula(stage.pair, columns, fused=stage.fused)
        result = found[-1]
        if shape.diagonal:
            result = c.where(
                self.splat_index(self.start + i) == self.indices, self.of_lane[-1], result
            )
        return result

    def subtract_term(
        self, of_row: Any, terms: list[Value], where: tuple[bool, int, int, int]
    ) -> Value:
        """Subtracts a term from a sum `high + low`; the rest is not rounded away."""
        of_lane, high, low, term = where
        if of_lane:
            h, s = self.of_lane[high], self.of_lane[low]
        else:
            h, s = of_row(high), of_row(low)
        left_out = terms[term] if term >= 0 else self.of_lane[-1 - term]
        total, lost = two_sum(h, -left_out)
        return self.code.where(abs(total) < math.inf, total + (s + lost), total)


def numbers_of_lanes(shape: Shape) -> int:
    """Returns the count of numbers that each lane has."""
    stages = sum(s.lanes + sum(p.terms + p.of_lane for p in s.products) for s in shape.stages)
    terms = {term for *_, term in shape.left_out if term < 0}
    return stages + 2 * sum(lane for lane, *_ in shape.left_out) + len(terms) + shape.diagonal
