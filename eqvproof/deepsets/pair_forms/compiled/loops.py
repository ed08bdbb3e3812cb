"""Loops over pairs as LLVM instructions: L points z_j in the lanes of vectors, points y_i one after another.

For a block of B rows and L lanes, `g_ij` is computed for all rows of the block and kept in the first cache;
then `sum_i X_i g_ij` is formed in registers and added to float64 totals. So a float32 sum is rounded to
float32 at most B times in a row.

Softmax: the largest score m_j so far is carried; a block that exceeds it scales the totals by `exp(m_old -
m_new)` (which is exact at 1). Sums over pairs are carried in two numbers (Knuth's two-sum): high is the sum
rounded at each step, low the sum of what that lost.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from eqvproof.deepsets.machine import has_wide_vectors, llvm, machine_code
from eqvproof.deepsets.pair_forms.compiled.exponential import emit_exp
from eqvproof.deepsets.pair_forms.compiled.stages import Stage
from eqvproof.deepsets.pooling.emit import Lanes, emit_formula
from eqvproof.deepsets.pooling.vectors import Vectors

#: rows of a block
BLOCK = 128


@dataclass(frozen=True, slots=True)
class Shape:
    """What a loop is built from.

    Args:
        stages: the last gives the value; those before give terms that are left out of sums.
        kind: "output", "softmax" or "sum".
        width: how many columns of X are summed at once; 0 for none.
        groups: how many such groups of columns there are.
        single: float32.
        diagonal: at i = j the value is the last number of j.
        left_out: for each sum that the last stage is given: whether its high and low parts are numbers of
            the lanes, the places of both, and the stage whose value goes (-1 - q: number q of the lanes).
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
        """Numbers of a row."""
        return sum(s.rows + sum(p.terms + p.of_row for p in s.products) for s in self.stages) + 2 * sum(
            not lane for lane, *_ in self.left_out
        )


@functools.cache
def lane_count(*, single: bool) -> int:
    """L."""
    wide = has_wide_vectors()
    return (16 if wide else 8) if single else (8 if wide else 4)


def widest() -> int:
    """How many columns of X have their sums in registers."""
    return 24 if has_wide_vectors() else 10


@functools.lru_cache(maxsize=256)
def loop(shape: Shape) -> tuple[Any, Any]:
    """The machine code: `loop(rows, n, lanes, first vector, last vector, X, totals, state, first index)`.

    Args of the machine code:
        rows: (n, p), the numbers of each i.
        lanes: (vectors, q, L), the numbers of each j.
        X: (groups, n, width).
        totals: (vectors, groups, width, L) float64.
        state: (vectors, 2, L) float64: largest score and sum, or high and low.
        first index: of the point in the first lane of all.
    """
    _, ir = llvm()
    module = ir.Module(name="pairs")
    i64 = ir.IntType(64)
    function = ir.Function(module, ir.FunctionType(i64, [i64] * 9), name="pairs")
    _Builder(ir, function, shape).build()
    return machine_code(module, "pairs", 9)


class _Builder:
    """The instructions of one loop."""

    def __init__(self, ir: Any, function: Any, shape: Shape) -> None:
        self.ir, self.function, self.shape = ir, function, shape
        count = lane_count(single=shape.single)
        self.lanes = Lanes(ir, count, shape.single)
        self.v = Vectors(ir, function, self.lanes)
        self.numbers = 0  # of the lanes, known once the values are emitted

    def build(self) -> None:
        """Blocks of rows, vectors of lanes within, rows within."""
        f, ir, shape = self.function, self.ir, self.shape
        b = ir.IRBuilder(f.append_basic_block("entry"))
        element, double = self.lanes.element.as_pointer(), ir.DoubleType().as_pointer()
        self.kept = b.alloca(self.lanes.vector, size=BLOCK)
        self.kept.align = 64
        self.rows, self.points, self.x = (b.inttoptr(f.args[a], element) for a in (0, 2, 5))
        self.totals, self.state = (b.inttoptr(f.args[a], double) for a in (6, 7))
        self.n = f.args[1]
        self.numbers = numbers_of_lanes(shape)

        def block(b: Any, start: Any) -> None:
            rest = b.sub(self.n, start)
            full = b.icmp_signed("<", self.v.whole(BLOCK), rest)
            self.start, self.count = start, b.select(full, self.v.whole(BLOCK), rest)
            self.v.for_each(b, f.args[3], f.args[4], 1, [], lambda b, v, _: self.vector(b, v))

        def body(b: Any, start: Any, _: Any) -> list[Any]:
            block(b, start)
            return []

        self.v.for_each(b, self.v.whole(0), self.n, BLOCK, [], body)
        b.ret(self.v.whole(0))

    def vector(self, b: Any, v: Any) -> list[Any]:
        """One block of rows for one vector of lanes."""
        shape, count = self.shape, self.lanes.count
        base = b.mul(v, self.v.whole(self.numbers * count))
        places = [b.add(base, self.v.whole(q * count)) for q in range(self.numbers)]
        self.of_lane = [self.v.load(b, self.points, at, self.lanes) for at in places]
        if shape.diagonal:
            ints = self.lanes.integers
            steps = self.ir.Constant(ints, [self.ir.Constant(ints.element, i) for i in range(count)])
            index = b.add(b.mul(v, self.v.whole(count)), self.function.args[8])
            narrow = b.trunc(index, ints.element) if shape.single else index
            self.indices = b.add(self.v.splat(b, narrow, ints), steps)
        fade = None
        if shape.kind == "sum":
            self.sum(b, v)
            return []
        if shape.kind == "softmax":
            fade = self.softmax(b, v)
        else:
            self.v.for_each(b, self.v.whole(0), self.count, 1, [], self.keep)
        if shape.width:
            self.products(b, v, fade)
        return []

    def keep(self, b: Any, i: Any, _: Any) -> list[Any]:
        """`g_ij` into the cache."""
        b.store(self.value(b, i), b.gep(self.kept, [i]))
        return []

    def softmax(self, b: Any, v: Any) -> Any:
        """Scores, then exponentials into the cache; what the totals are scaled by."""
        lanes, wide = self.lanes, has_wide_vectors()
        at = b.mul(v, self.v.whole(2 * lanes.count))
        old = self.v.narrow(b, self.v.load_wide(b, self.state, at))

        def scores(b: Any, i: Any, top: list[Any]) -> list[Any]:
            score = self.value(b, i)
            b.store(score, b.gep(self.kept, [i]))
            return [b.select(b.fcmp_ordered(">", score, top[0]), score, top[0])]

        (top,) = self.v.for_each(b, self.v.whole(0), self.count, 1, [old], scores)

        def weights(b: Any, i: Any, total: list[Any]) -> list[Any]:
            place = b.gep(self.kept, [i])
            score = b.load(place, typ=lanes.vector)
            w = emit_exp(b, lanes, b.fsub(score, top), scalef=wide)
            b.store(w, place)
            return [b.fadd(total[0], w)]

        (total,) = self.v.for_each(b, self.v.whole(0), self.count, 1, [lanes.const(0.0)], weights)
        fade = self.v.widen(b, emit_exp(b, lanes, b.fsub(old, top), scalef=wide))
        place = b.add(at, self.v.whole(lanes.count))
        sums = [
            b.fadd(b.fmul(s, f), t)
            for s, f, t in zip(
                self.v.load_wide(b, self.state, place), fade, self.v.widen(b, total), strict=True
            )
        ]
        self.v.store_wide(b, self.state, at, self.v.widen(b, top))
        self.v.store_wide(b, self.state, place, sums)
        return fade

    def sum(self, b: Any, v: Any) -> None:
        """High and low parts of the sum over the rows."""
        at = b.mul(v, self.v.whole(2 * self.lanes.count))
        place = b.add(at, self.v.whole(self.lanes.count))
        start = [*self.v.load_wide(b, self.state, at), *self.v.load_wide(b, self.state, place)]
        parts = len(start) // 2

        def step(b: Any, i: Any, values: list[Any]) -> list[Any]:
            new = self.v.widen(b, self.value(b, i))
            pairs = [self.v.two_sum(b, s, x) for s, x in zip(values[:parts], new, strict=True)]
            return [s for s, _ in pairs] + [
                b.fadd(e, lost) for e, (_, lost) in zip(values[parts:], pairs, strict=True)
            ]

        found = self.v.for_each(b, self.v.whole(0), self.count, 1, start, step)
        self.v.store_wide(b, self.state, at, found[:parts])
        self.v.store_wide(b, self.state, place, found[parts:])

    def products(self, b: Any, v: Any, fade: Any) -> None:
        """`sum_i X_i g_ij` for every group of columns of X, added to the totals."""
        shape, lanes = self.shape, self.lanes

        def group(b: Any, g: Any, _: Any) -> list[Any]:
            first = b.mul(b.add(b.mul(g, self.n), self.start), self.v.whole(shape.width))

            def row(b: Any, i: Any, sums: list[Any]) -> list[Any]:
                weight = b.load(b.gep(self.kept, [i]), typ=lanes.vector)
                at = b.add(first, b.mul(i, self.v.whole(shape.width)))
                new = []
                for c, s in enumerate(sums):
                    x = self.v.splat(b, self.v.number(b, self.x, b.add(at, self.v.whole(c))), lanes.vector)
                    new.append(lanes.call(b, "llvm.fmuladd", x, weight, s))
                return new

            sums = self.v.for_each(b, self.v.whole(0), self.count, 1, [lanes.const(0.0)] * shape.width, row)
            at = b.mul(
                b.add(b.mul(v, self.v.whole(shape.groups)), g), self.v.whole(shape.width * lanes.count)
            )
            for c, s in enumerate(sums):
                place = b.add(at, self.v.whole(c * lanes.count))
                old = self.v.load_wide(b, self.totals, place)
                if fade is not None:
                    old = [b.fmul(o, f) for o, f in zip(old, fade, strict=True)]
                new = [b.fadd(o, x) for o, x in zip(old, self.v.widen(b, s), strict=True)]
                self.v.store_wide(b, self.totals, place, new)
            return []

        self.v.for_each(b, self.v.whole(0), self.v.whole(shape.groups), 1, [], group)

    def value(self, b: Any, i: Any) -> Any:
        """What the last stage gives for row i of the block."""
        shape, lanes = self.shape, self.lanes
        place = b.mul(b.add(self.start, i), self.v.whole(shape.rows))
        row_at = lane_at = 0

        def of_row(index: int) -> Any:
            return self.v.splat(
                b, self.v.number(b, self.rows, b.add(place, self.v.whole(index))), lanes.vector
            )

        exp = functools.partial(emit_exp, b, lanes, scalef=has_wide_vectors())
        found: list[Any] = []
        for number, stage in enumerate(shape.stages):
            columns = [of_row(row_at + p) for p in range(stage.rows)]
            columns += self.of_lane[lane_at : lane_at + stage.lanes]
            row_at, lane_at = row_at + stage.rows, lane_at + stage.lanes
            for product in stage.products:
                own, other = row_at + product.terms, lane_at + product.terms
                total = self.of_lane[other] if product.of_lane else None
                if product.of_row:
                    total = of_row(own) if total is None else b.fadd(total, of_row(own))
                for t in range(product.terms):
                    u, z = of_row(row_at + t), self.of_lane[lane_at + t]
                    total = b.fmul(u, z) if total is None else lanes.call(b, "llvm.fmuladd", u, z, total)
                columns.append(total)
                row_at, lane_at = own + product.of_row, other + product.of_lane
            if number + 1 == len(shape.stages):
                columns += [self.less(b, of_row, found, where) for where in shape.left_out]
            functions = {"exp": exp}
            found += emit_formula(stage.pair, columns, b, lanes, fused=stage.fused, functions=functions)
        result = found[-1]
        if shape.diagonal:
            index = b.add(self.start, i)
            narrow = b.trunc(index, lanes.integers.element) if shape.single else index
            same = b.icmp_signed("==", self.v.splat(b, narrow, lanes.integers), self.indices)
            result = b.select(same, self.of_lane[-1], result)
        return result

    def less(self, b: Any, of_row: Any, terms: list[Any], where: tuple[bool, int, int, int]) -> Any:
        """A sum in two parts, less a term, without losing the rest."""
        of_lane, high, low, term = where
        h, s = (self.of_lane[place] if of_lane else of_row(place) for place in (high, low))
        total, lost = self.v.two_sum(b, h, b.fneg(terms[term] if term >= 0 else self.of_lane[-1 - term]))
        return b.fadd(total, b.fadd(s, lost))


def numbers_of_lanes(shape: Shape) -> int:
    """Numbers of a lane."""
    stages = sum(s.lanes + sum(p.terms + p.of_lane for p in s.products) for s in shape.stages)
    beside = {term for *_, term in shape.left_out if term < 0}
    return stages + 2 * sum(lane for lane, *_ in shape.left_out) + len(beside) + shape.diagonal
