"""`sum_k phi(x_k)` as one compiled loop, and how far its result can be from the exact sum.

A loop runs over tiles of T rows. Before a tile is added, its entries are compared with the bounds C_j; a tile
that exceeds one (or holds a NaN) is left to the caller. Interval arithmetic turns the C_j into bounds
`|phi_f| <= 2^e` (`eqvproof.deepsets.phi.bounds`).

Float64, per lane, V = 64 additions a tile: with `p = M = 3/2 2^k`, k = e + 8, each value is added by
`t = p + x; q = x - (t - p); s = s + q`, exact but for the last addition (p keeps its exponent, so this is
Dekker's fast two-sum). `|s| <= V 2^(k-53)`, so that a tile loses at most `V^2 2^(k-106) <= 2^(e-86)` in each
of its lanes, that is `2^(e-92)` a row. Sums of tiles are carried with two exact error terms and lose less
than that again (at most 2^14 tiles a call): together at most `2^(e-91)` a row.

Float32 evaluation, V = 32: values are added in float64 from 0, each addition loses at most `2^-53 V 2^e =
2^(e-48)`.

The bits of the result do not rest on any of this: it only says when the sum, rounded, is beyond doubt.
"""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import FOREIGN, Formula
from eqvproof.deepsets.pooling.emit import Lanes, emit_columns, emit_formula

#: rows of a tile; tiles of a call
TILE, CALL = 512, 1 << 14
#: log2 of what a row can lose, relative to 2^e
LOSS = {False: -91, True: -47}
#: a value 2^e with e in this range keeps M, p and the error terms normal numbers
LOWEST, HIGHEST = -800, 900
#: more operations than this are not worth compiling
LONGEST = 6000
_HEADROOM = 8


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A compiled loop: call it with pointers and sizes; it returns how many tiles it added.

    Args:
        function: the machine code as a ctypes function (it releases Python's lock).
        engine: what owns the machine code.
        doubles: float64 numbers of state a feature.
    """

    function: Any
    engine: Any
    doubles: int


def can_compile(formula: Formula) -> bool:
    """Whether llvmlite (which comes with numba) is there and the formula is one for it."""
    if len(formula.nodes) > LONGEST or any(n.op in FOREIGN for n in formula.nodes) or formula.columns > 64:
        return False
    return _llvm() is not None


@functools.cache
def _llvm() -> Any:
    try:
        import llvmlite.binding as binding
        import llvmlite.ir as ir
    except ImportError:
        return None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding, ir


@functools.lru_cache(maxsize=256)
def loop(formula: Formula, *, single: bool, by_rows: bool, plain: bool) -> Loop:
    """The compiled loop of a formula; made once.

    Args:
        formula: phi, without foreign operations.
        single: evaluation in float32.
        by_rows: rows side by side in memory, rather than columns.
        plain: no check and no error terms.
    """
    binding, ir = _llvm()
    module = ir.Module(name="pool")
    _build(ir, module, expand(formula), single=single, by_rows=by_rows, plain=plain)
    text = str(module)
    parsed = binding.parse_assembly(text)
    parsed.verify()
    features = binding.get_host_cpu_features()
    wide = "avx512f" in features and features["avx512f"]
    flags = features.flatten() + (",-prefer-256-bit" if wide else "")
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu=binding.get_host_cpu_name(), features=flags, opt=3)
    engine = binding.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    pointer = ctypes.c_void_p
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int64, pointer, ctypes.c_int64, ctypes.c_int64, pointer, pointer, pointer
    )
    return Loop(kind(engine.get_function_address("pool")), engine, _parts(single=single, plain=plain) * 8)


def _parts(*, single: bool, plain: bool) -> int:
    """Vectors of 8 float64 that a feature keeps from tile to tile."""
    return (2 if single else 1) * (1 if plain else 3)


def _build(ir: Any, module: Any, formula: Formula, *, single: bool, by_rows: bool, plain: bool) -> None:
    """`int64 pool(x, column stride, tiles, bounds, anchors, state)`."""
    i64, void = ir.IntType(64), ir.IntType(8).as_pointer()
    function = ir.Function(module, ir.FunctionType(i64, [void, i64, i64, void, void, void]), name="pool")
    for a in (0, 3, 4, 5):
        function.args[a].add_attribute("noalias")
    _Builder(ir, function, formula, single=single, by_rows=by_rows, plain=plain).build()


class _Builder:
    """One loop over tiles: check, add, carry."""

    def __init__(
        self, ir: Any, function: Any, formula: Formula, *, single: bool, by_rows: bool, plain: bool
    ) -> None:
        self.ir, self.function, self.formula = ir, function, formula
        self.single, self.by_rows, self.plain = single, by_rows, plain
        self.lanes = Lanes(ir, 16 if single else 8, single)
        self.wide = Lanes(ir, 8, single=False)
        self.i64 = ir.IntType(64)
        self.parts = 2 if single else 1  # vectors of 8 float64 that L values fill

    def whole(self, value: int) -> Any:
        """An integer."""
        return self.ir.Constant(self.i64, value)

    def build(self) -> None:
        """The whole function."""
        f, ir = self.function, self.ir
        entry, head, body, done = (f.append_basic_block(n) for n in ("entry", "head", "body", "done"))
        b = ir.IRBuilder(entry)
        double, element = ir.DoubleType().as_pointer(), self.lanes.element.as_pointer()
        self.x = b.bitcast(f.args[0], element)
        self.stride = f.args[1]
        self.bounds = b.bitcast(f.args[3], element)
        self.anchors, self.state = b.bitcast(f.args[4], double), b.bitcast(f.args[5], double)
        b.branch(head)
        b.position_at_end(head)
        tile = b.phi(self.i64)
        tile.add_incoming(self.whole(0), entry)
        b.cbranch(b.icmp_signed("<", tile, f.args[2]), body, done)
        b.position_at_end(body)
        row = b.mul(tile, self.whole(TILE))
        if not self.plain:
            exceeded = self.check(b, row)
            fine = f.append_basic_block("fine")
            b.cbranch(exceeded, done, fine)
            b.position_at_end(fine)
        self.carry(b, self.add(b, row))
        tile.add_incoming(b.add(tile, self.whole(1)), b.block)
        b.branch(head)
        b.position_at_end(done)
        b.ret(tile)

    def for_each(self, b: Any, steps: int, start: list[Any], body: Any) -> list[Any]:
        """A loop with values carried from step to step; `body(b, step, values) -> values`."""
        before = b.block
        block, after = self.function.append_basic_block("loop"), self.function.append_basic_block("after")
        b.branch(block)
        b.position_at_end(block)
        step = b.phi(self.i64)
        carried = [b.phi(s.type) for s in start]
        new = body(b, step, carried)
        following = b.add(step, self.whole(1))
        step.add_incoming(self.whole(0), before)
        step.add_incoming(following, b.block)
        for phi, s, v in zip(carried, start, new, strict=True):
            phi.add_incoming(s, before)
            phi.add_incoming(v, b.block)
        b.cbranch(b.icmp_signed("<", following, self.whole(steps)), block, after)
        b.position_at_end(after)
        return list(new)

    def check(self, b: Any, row: Any) -> Any:
        """Whether an entry of the tile is NaN or exceeds its column's bound."""
        count, d = self.lanes.count, self.formula.columns
        masks = self.ir.VectorType(self.ir.IntType(1), count)
        columns = [j for j in range(d)]
        limits = [self.splat(b, self.bounds, j, self.lanes) for j in columns]
        if self.by_rows:  # entries as they lie in memory, beside bounds in the same order
            i32 = self.ir.IntType(32)
            patterns = []
            for s in range(d):
                vector = self.lanes.const(0.0)
                for lane in range(count):
                    bound = b.extract_element(limits[(s * count + lane) % d], self.ir.Constant(i32, 0))
                    vector = b.insert_element(vector, bound, self.ir.Constant(i32, lane))
                patterns.append(vector)
            limits = patterns

        def body(b: Any, step: Any, values: list[Any]) -> list[Any]:
            start = b.add(row, b.mul(step, self.whole(count)))
            if self.by_rows:
                first = b.mul(start, self.whole(d))
                entries = [
                    self.load(b, self.x, b.add(first, self.whole(count * s)), self.lanes) for s in range(d)
                ]
            else:
                entries = emit_columns(b, self.lanes, self.x, start, self.stride, d)
            result = values[0]
            for entry, limit in zip(entries, limits, strict=True):
                size = self.lanes.call(b, "llvm.fabs", entry)
                result = b.or_(result, b.fcmp_unordered(">", size, limit))
            return [result]

        none = self.ir.Constant(masks, [self.ir.Constant(self.ir.IntType(1), 0)] * count)
        found = self.for_each(b, TILE // count, [none], body)[0]
        bits = b.bitcast(found, self.ir.IntType(count))
        return b.icmp_unsigned("!=", bits, self.ir.Constant(self.ir.IntType(count), 0))

    def add(self, b: Any, row: Any) -> list[tuple[Any, Any]]:
        """The sums of a tile: for each feature and each 8 lanes `(p - M, s)`."""
        zero, m = self.wide.const(0.0), self.formula.features
        compensated = not (self.plain or self.single)
        anchors = [self.splat(b, self.anchors, i, self.wide) for i in range(m)] if compensated else []
        start = [v for f in range(m) for v in ([anchors[f], zero] if compensated else [zero] * self.parts)]
        in_place = self.plain and self.single  # summed as float32 within a tile
        if in_place:
            start = [self.lanes.const(0.0)] * m

        def body(b: Any, step: Any, values: list[Any]) -> list[Any]:
            first = b.add(row, b.mul(step, self.whole(self.lanes.count)))
            stride = None if self.by_rows else self.stride
            columns = emit_columns(b, self.lanes, self.x, first, stride, self.formula.columns)
            features = emit_formula(self.formula, columns, b, self.lanes, fused=self.plain)
            new: list[Any] = []
            for f, x in enumerate(features):
                if compensated:
                    p, s = values[2 * f], values[2 * f + 1]
                    t = b.fadd(p, x)
                    new += [t, b.fadd(s, b.fsub(x, b.fsub(t, p)))]
                elif in_place or not self.single:
                    new.append(b.fadd(values[f], x, flags=("contract",)))
                else:
                    new += [b.fadd(values[2 * f + h], part) for h, part in enumerate(self.halves(b, x))]
            return new

        sums = self.for_each(b, TILE // self.lanes.count, start, body)
        if compensated:
            return [(b.fsub(sums[2 * f], anchors[f]), sums[2 * f + 1]) for f in range(m)]
        if in_place:
            return [(part, zero) for x in sums for part in self.halves(b, x)]
        return [(x, zero) for x in sums]

    def halves(self, b: Any, x: Any) -> list[Any]:
        """16 float32 as twice 8 float64."""
        i32 = self.ir.IntType(32)
        eight = self.ir.VectorType(i32, 8)
        result = []
        for h in range(2):
            mask = self.ir.Constant(eight, [self.ir.Constant(i32, 8 * h + k) for k in range(8)])
            result.append(b.fpext(b.shuffle_vector(x, x, mask), self.wide.vector))
        return result

    def carry(self, b: Any, sums: list[tuple[Any, Any]]) -> None:
        """Adds the sums of a tile to the state: A, and what its additions lost."""
        per = 1 if self.plain else 3
        for i, (value, small) in enumerate(sums):
            at = [self.whole(8 * (per * i + k)) for k in range(per)]
            state = [self.load(b, self.state, a, self.wide) for a in at]
            if self.plain:
                new = [b.fadd(state[0], value)]
            else:
                total, lost = self.two_sum(b, state[0], value)
                second, lost_again = self.two_sum(b, state[1], lost)
                second, lost_more = self.two_sum(b, second, small)
                new = [total, second, b.fadd(b.fadd(state[2], lost_again), lost_more)]
            for a, v in zip(at, new, strict=True):
                self.store(b, self.state, a, v)

    def two_sum(self, b: Any, x: Any, y: Any) -> tuple[Any, Any]:
        """`x + y` rounded, and exactly what that lost (Knuth)."""
        s = b.fadd(x, y)
        t = b.fsub(s, x)
        return s, b.fadd(b.fsub(x, b.fsub(s, t)), b.fsub(y, t))

    def splat(self, b: Any, base: Any, index: int, lanes: Lanes) -> Any:
        """One number of an array in all lanes."""
        i32 = self.ir.IntType(32)
        value = b.load(b.gep(base, [self.whole(index)], source_etype=lanes.element), typ=lanes.element)
        one = b.insert_element(lanes.const(0.0), value, self.ir.Constant(i32, 0))
        zeros = self.ir.Constant(
            self.ir.VectorType(i32, lanes.count), [self.ir.Constant(i32, 0)] * lanes.count
        )
        return b.shuffle_vector(one, one, zeros)

    def load(self, b: Any, base: Any, at: Any, lanes: Lanes) -> Any:
        """L numbers from an array."""
        pointer = b.bitcast(b.gep(base, [at], source_etype=lanes.element), lanes.vector.as_pointer())
        return b.load(pointer, align=4 if lanes.single else 8, typ=lanes.vector)

    def store(self, b: Any, base: Any, at: Any, value: Any) -> None:
        """Eight float64 into an array."""
        pointer = b.bitcast(b.gep(base, [at], source_etype=self.wide.element), self.wide.vector.as_pointer())
        b.store(value, pointer, align=8)


def anchor(exponent: int) -> float:
    """M for values below 2^exponent."""
    return float(np.ldexp(1.5, exponent + _HEADROOM))
