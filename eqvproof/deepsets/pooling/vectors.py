"""Vectors of L numbers in LLVM instructions: loading, spreading, widening, and loops over rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eqvproof.deepsets.pooling.emit import Lanes


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """L float32 or float64 side by side, in a function that is being written.

    Args:
        ir: llvmlite.ir.
        function: the LLVM function.
        lanes: the L numbers.
    """

    ir: Any
    function: Any
    lanes: Lanes

    @property
    def half(self) -> Lanes:
        """Float64: half of L float32, or L float64."""
        count = self.lanes.count // 2 if self.lanes.single else self.lanes.count
        return Lanes(self.ir, count, single=False)

    @property
    def i64(self) -> Any:
        """The type of indices."""
        return self.ir.IntType(64)

    def whole(self, value: int) -> Any:
        """An integer."""
        return self.ir.Constant(self.i64, value)

    def for_each(self, b: Any, first: Any, stop: Any, step: int, start: list[Any], body: Any) -> list[Any]:
        """A loop that may run no times; `body(b, index, values) -> values`."""
        f, before = self.function, b.block
        head, inside, after = (f.append_basic_block(name) for name in ("head", "body", "after"))
        b.branch(head)
        b.position_at_end(head)
        index = b.phi(self.i64)
        carried = [b.phi(s.type) for s in start]
        b.cbranch(b.icmp_signed("<", index, stop), inside, after)
        b.position_at_end(inside)
        new = body(b, index, carried)
        following = b.add(index, self.whole(step))
        index.add_incoming(first, before)
        index.add_incoming(following, b.block)
        for phi, s, v in zip(carried, start, new, strict=True):
            phi.add_incoming(s, before)
            phi.add_incoming(v, b.block)
        b.branch(head)
        b.position_at_end(after)
        return carried

    def two_sum(self, b: Any, x: Any, y: Any) -> tuple[Any, Any]:
        """`x + y` rounded, and exactly what that lost (Knuth)."""
        s = b.fadd(x, y)
        t = b.fsub(s, x)
        return s, b.fadd(b.fsub(x, b.fsub(s, t)), b.fsub(y, t))

    def splat(self, b: Any, value: Any, kind: Any) -> Any:
        """One number in all lanes."""
        i32 = self.ir.IntType(32)
        undefined = self.ir.Constant(kind, self.ir.Undefined)
        one = b.insert_element(undefined, value, self.ir.Constant(i32, 0))
        zeros = self.ir.Constant(self.ir.VectorType(i32, kind.count), [self.ir.Constant(i32, 0)] * kind.count)
        return b.shuffle_vector(one, undefined, zeros)

    def number(self, b: Any, base: Any, at: Any) -> Any:
        """One number from an array."""
        return b.load(b.gep(base, [at], source_etype=self.lanes.element), typ=self.lanes.element)

    def load(self, b: Any, base: Any, at: Any, lanes: Lanes) -> Any:
        """A vector from an array."""
        place = b.gep(base, [at], source_etype=lanes.element)
        return b.load(b.bitcast(place, lanes.vector.as_pointer()), align=4, typ=lanes.vector)

    def prefetch(self, b: Any, place: Any) -> None:
        """Asks for a line to be read, as far as the second cache: requests of the first are few."""
        pointer, number = self.ir.IntType(8).as_pointer(), self.ir.IntType(32)
        name = "llvm.prefetch.p0"
        function = b.module.globals.get(name)
        if function is None:
            kind = self.ir.FunctionType(self.ir.VoidType(), [pointer, number, number, number])
            function = self.ir.Function(b.module, kind, name)
        b.call(function, [b.bitcast(place, pointer), *(self.ir.Constant(number, k) for k in (0, 2, 1))])

    def load_wide(self, b: Any, base: Any, at: Any) -> list[Any]:
        """L float64 as one vector, or two."""
        half = self.half
        parts = self.lanes.count // half.count
        return [self.load(b, base, b.add(at, self.whole(p * half.count)), half) for p in range(parts)]

    def store_wide(self, b: Any, base: Any, at: Any, values: list[Any]) -> None:
        """L float64 into an array."""
        half = self.half
        for p, value in enumerate(values):
            place = b.gep(base, [b.add(at, self.whole(p * half.count))], source_etype=half.element)
            b.store(value, b.bitcast(place, half.vector.as_pointer()), align=8)

    def widen(self, b: Any, x: Any) -> list[Any]:
        """L numbers as float64."""
        if not self.lanes.single:
            return [x]
        i32, count = self.ir.IntType(32), self.half.count
        result = []
        for p in range(2):
            picked = [self.ir.Constant(i32, p * count + q) for q in range(count)]
            mask = self.ir.Constant(self.ir.VectorType(i32, count), picked)
            result.append(b.fpext(b.shuffle_vector(x, x, mask), self.half.vector))
        return result

    def narrow(self, b: Any, values: list[Any]) -> Any:
        """Float64 that are numbers of the loop's kind, as such."""
        if not self.lanes.single:
            return values[0]
        i32, count = self.ir.IntType(32), self.lanes.count
        kind = self.ir.VectorType(self.lanes.element, self.half.count)
        picked = [self.ir.Constant(i32, q) for q in range(count)]
        mask = self.ir.Constant(self.ir.VectorType(i32, count), picked)
        return b.shuffle_vector(*(b.fptrunc(v, kind) for v in values), mask)
