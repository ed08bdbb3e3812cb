"""Formulas as LLVM vector instructions, built as data: no text is compiled, no fast-math flag is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.deepsets.phi.formula import Formula, Node


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """L rows side by side: `<L x double>` or `<L x float>`, and the integers of the same width."""

    ir: Any  # llvmlite.ir
    count: int
    single: bool

    @property
    def element(self) -> Any:
        """The type of one number."""
        return self.ir.FloatType() if self.single else self.ir.DoubleType()

    @property
    def vector(self) -> Any:
        """The type of L numbers."""
        return self.ir.VectorType(self.element, self.count)

    @property
    def integers(self) -> Any:
        """The type of L integers as wide as the numbers."""
        return self.ir.VectorType(self.ir.IntType(32 if self.single else 64), self.count)

    def const(self, value: float) -> Any:
        """The same number in all lanes."""
        one = self.ir.Constant(self.element, value)
        return self.ir.Constant(self.vector, [one] * self.count)

    def integer(self, value: int) -> Any:
        """The same integer in all lanes."""
        one = self.ir.Constant(self.integers.element, value)
        return self.ir.Constant(self.integers, [one] * self.count)

    def call(self, builder: Any, name: str, *args: Any) -> Any:
        """An LLVM intrinsic on vectors."""
        name = f"{name}.v{self.count}f{32 if self.single else 64}"
        module = builder.module
        function = module.globals.get(name)
        if function is None:
            function = self.ir.Function(
                module, self.ir.FunctionType(self.vector, [self.vector] * len(args)), name
            )
        return builder.call(function, args)


def emit_formula(
    formula: Formula,
    columns: list[Any],
    builder: Any,
    lanes: Lanes,
    *,
    fused: bool,
    functions: Mapping[str, Callable[[Any], Any]] | None = None,
) -> list[Any]:
    """The features of L rows as vectors.

    Args:
        formula: without expanded or foreign operations, but those in ``functions``.
        columns: a vector each.
        builder: where the instructions go.
        lanes: L numbers side by side.
        fused: a product may be added without being rounded.
        functions: what emits an operation of one argument, by its name.
    """
    flags = ("contract",) if fused else ()
    values: list[Any] = []
    for node in formula.nodes:
        args = [values[a] for a in node.args]
        if functions is not None and node.op in functions:
            values.append(functions[node.op](args[0]))
        else:
            values.append(_emit(node, args, columns, builder, lanes, flags))
    return [values[o] for o in formula.outputs]


def _emit(
    node: Node, args: list[Any], columns: list[Any], b: Any, lanes: Lanes, flags: tuple[str, ...]
) -> Any:
    op = node.op
    if op == "column":
        return columns[int(node.value)]
    if op == "const":
        return lanes.const(node.value)
    if op in ("add", "sub", "mul", "div"):
        return getattr(b, f"f{op}")(*args, flags=flags)
    if op == "neg":
        return b.fneg(args[0])
    if op in ("abs", "sqrt", "rint"):
        return lanes.call(b, {"abs": "llvm.fabs"}.get(op, f"llvm.{op}"), args[0])
    if op in ("max", "min"):
        x, y = args
        first = b.or_(b.fcmp_ordered(">" if op == "max" else "<", x, y), b.fcmp_unordered("uno", x, x))
        return b.select(first, x, y)
    if op in ("lt", "le", "eq"):
        sign = {"lt": "<", "le": "<=", "eq": "=="}[op]
        return b.select(b.fcmp_ordered(sign, *args), lanes.const(1.0), lanes.const(0.0))
    if op == "select":
        return b.select(b.fcmp_unordered("!=", args[0], lanes.const(0.0)), args[1], args[2])
    if op == "pow2":
        k = b.add(b.fptosi(args[0], lanes.integers), lanes.integer(1023))
        return b.bitcast(b.shl(k, lanes.integer(52)), lanes.vector)
    bits = b.bitcast(args[0], lanes.integers)
    if op == "mantissa":
        kept = b.and_(bits, lanes.integer((1 << 52) - 1))
        return b.bitcast(b.or_(kept, lanes.integer(1023 << 52)), lanes.vector)
    if op == "exponent":
        k = b.and_(b.lshr(bits, lanes.integer(52)), lanes.integer(2047))
        return b.fsub(b.sitofp(k, lanes.vector), lanes.const(1023.0))
    raise NotImplementedError(op)  # foreign operations are never compiled


def emit_columns(builder: Any, lanes: Lanes, base: Any, start: Any, stride: Any, columns: int) -> list[Any]:
    """The columns of L rows, from rows side by side (``stride`` None) or columns ``stride`` apart."""
    ir, i64 = lanes.ir, lanes.ir.IntType(64)

    def load(offset: Any) -> Any:
        at = builder.gep(base, [offset], source_etype=lanes.element)
        pointer = builder.bitcast(at, lanes.vector.as_pointer())
        return builder.load(pointer, align=4 if lanes.single else 8, typ=lanes.vector)

    if stride is not None:
        return [load(builder.add(start, builder.mul(stride, ir.Constant(i64, j)))) for j in range(columns)]
    first = builder.mul(start, ir.Constant(i64, columns))
    parts = [load(builder.add(first, ir.Constant(i64, lanes.count * s))) for s in range(columns)]
    return pick_columns(builder, lanes, parts)


def pick_columns(builder: Any, lanes: Lanes, parts: list[Any]) -> list[Any]:
    """The columns of L rows that lie side by side in as many vectors as there are columns."""
    return parts if len(parts) == 1 else [_pick(builder, lanes, parts, j) for j in range(len(parts))]


def _pick(builder: Any, lanes: Lanes, parts: list[Any], column: int) -> Any:
    """Lane l is element `l d + column` of the parts side by side: one shuffle a part."""
    ir, d, count = lanes.ir, len(parts), lanes.count
    i32 = ir.IntType(32)
    masks = ir.VectorType(i32, count)
    result = parts[0]
    places = [divmod(lane * d + column, count) for lane in range(count)]
    for s in range(d):
        mask = []
        for lane, (part, at) in enumerate(places):
            if s == 0:
                mask.append(at if part == 0 else 0)
            else:
                mask.append(count + at if part == s else lane)
        other = parts[s] if s else parts[0]
        constant = ir.Constant(masks, [ir.Constant(i32, m) for m in mask])
        result = builder.shuffle_vector(result, other, constant)
    return result
