"""Defines numbers whose operations write LLVM instructions, by llvmlite (which numba installs).

No fast-math flag is set, except on products that may be added without being rounded, if the caller
allows that.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eqvproof.deepsets.emit.exponential import exponential
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import Number, evaluate
from eqvproof.support.optional import installed
from eqvproof.support.writing import write_whole


@functools.cache
def llvm() -> Any:
    """Loads (llvmlite.binding, llvmlite.ir) for this processor; None without llvmlite."""
    binding, ir = map(installed, ("llvmlite.binding", "llvmlite.ir"))
    if binding is None:
        return None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding, ir


@functools.cache
def has_wide_vectors() -> bool:
    """Checks whether this processor has 64-byte vectors (AVX-512), and so 32 registers of them."""
    binding, _ = llvm()
    return bool(binding.get_host_cpu_features().get("avx512f", False))


@functools.cache
def adds_products() -> bool:
    """Checks whether this processor has the instruction "fma": `x y + z`, rounded once."""
    binding, _ = llvm()
    return bool(binding.get_host_cpu_features().get("fma", False))


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes of a vector: ``count`` float32 or float64 numbers side by side."""

    count: int
    single: bool

    @property
    def wide(self) -> Lanes:
        """The float64 lanes, of at most 64 bytes, to which L numbers are widened.

        L numbers fill one such vector, or two.
        """
        if self.single:
            return Lanes(self.count // 2, single=False)
        return self


#: operation -> method of llvmlite's builder for floats, and for integers
_BUILD = {
    "add": ("fadd", "add"),
    "sub": ("fsub", "sub"),
    "mul": ("fmul", "mul"),
    "div": ("fdiv", "udiv"),
    "neg": ("fneg", "neg"),
    "and": ("", "and_"),
    "or": ("", "or_"),
    "lshift": ("", "shl"),
    "rshift": ("", "lshr"),
}
_SIGNS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}
_ROUNDED = ("add", "sub", "mul", "div")


class MachineCodeCache:
    """Caches machine code in the user's folder, so that other processes need not compile it.

    A file holds the code and its digest; an incomplete or unreadable file is treated as missing.
    """

    def __init__(self, key: str) -> None:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._file = Path(base) / "eqvproof" / "machine-code" / key

    def get(self, _module: Any) -> bytes | None:
        """Returns the cached code, or None."""
        with contextlib.suppress(OSError):
            raw = self._file.read_bytes()
            digest, code = raw[:32], raw[32:]
            if hashlib.sha256(code).digest() == digest:
                return code
        return None

    def put(self, _module: Any, code: bytes) -> None:
        """Writes the code to the cache, if that is possible."""
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._file, hashlib.sha256(code).digest() + bytes(code))


class Value(Number):
    """Numbers of one vector, or one number: a register of the function under construction."""

    __slots__ = ("code", "ir")

    def __init__(self, code: Code, ir: Any) -> None:
        self.code, self.ir = code, ir

    def _do(self, op: str, *args: Any) -> Any:
        code, kind = self.code, self.ir.type
        given = [code.as_value(kind, a).ir for a in args]
        element = getattr(kind, "element", kind)
        floats = isinstance(element, code.ir.FloatType | code.ir.DoubleType)
        if op == "abs":
            return code.call("fabs", self)
        if op in _SIGNS:
            if not floats:
                comparison = code.b.icmp_signed
            elif op == "ne":
                comparison = code.b.fcmp_unordered
            else:
                comparison = code.b.fcmp_ordered
            return Value(code, comparison(_SIGNS[op], *given))
        build = getattr(code.b, _BUILD[op][not floats])
        flags = {}
        if floats and code.fused and op in _ROUNDED:
            flags = {"flags": ("contract",)}
        return Value(code, build(*given, **flags))


class Code:
    """A function under construction, of 64-bit integers and pointers, that returns an integer.

    Args:
        arguments: one letter each: "p" for a pointer, "i" for a 64-bit integer.
        lanes: the numbers that formulas are evaluated in.
    """

    def __init__(self, arguments: str, lanes: Lanes) -> None:
        _, self.ir = llvm()
        self.lanes, self.fused = lanes, False
        self.module = self.ir.Module()
        self.i64 = self.ir.IntType(64)
        letters = {"p": self.ir.PointerType(), "i": self.i64}
        kinds = [letters[a] for a in arguments]
        self.function = self.ir.Function(
            self.module, self.ir.FunctionType(self.i64, kinds), name="run"
        )
        for argument, kind in zip(self.function.args, arguments, strict=True):
            if kind == "p":
                argument.add_attribute("noalias")
        self.b = self.ir.IRBuilder(self.function.append_basic_block("entry"))
        self.arguments = [Value(self, a) for a in self.function.args]

    def kind(self, lanes: Lanes | None = None, *, integer: bool = False) -> Any:
        """Returns the LLVM type of a vector of lanes, or of integers of the same width.

        The default lanes are those of formulas.
        """
        lanes, ir = lanes or self.lanes, self.ir
        if integer and lanes.single:
            element = ir.IntType(32)
        elif integer:
            element = ir.IntType(64)
        elif lanes.single:
            element = ir.FloatType()
        else:
            element = ir.DoubleType()
        return ir.VectorType(element, lanes.count)

    def constant(self, kind: Any, value: Any) -> Value:
        """Builds a constant in all lanes of a type."""
        count = getattr(kind, "count", None)
        if count is None:
            return Value(self, self.ir.Constant(kind, value))
        one = self.ir.Constant(kind.element, value)
        return Value(self, self.ir.Constant(kind, [one] * count))

    def as_value(self, kind: Any, value: Any) -> Value:
        """Returns a value unchanged; converts a number to a constant of a type."""
        if isinstance(value, Value):
            return value
        return self.constant(kind, value)

    def whole(self, value: int) -> Value:
        """Builds a 64-bit integer constant."""
        return self.constant(self.i64, value)

    # formulas

    def formula(self, formula: Formula, columns: list[Value], *, fused: bool) -> list[Any]:
        """Writes a formula; returns the features of L rows.

        With ``fused``, a product may be added without being rounded.
        """
        before, self.fused = self.fused, fused
        found = evaluate(formula, columns, self)
        self.fused = before
        return found

    #: the functions that are not expanded to primitive operations
    keep = ("exp",)

    def const(self, value: float) -> Value:
        """Builds a constant of formulas, in all lanes."""
        return self.constant(self.kind(), value)

    def call(self, name: str, *arguments: Value) -> Value:
        """Writes a call of a function of LLVM, or exp, on L numbers."""
        if name == "exp":
            found: Value = exponential(self, *arguments)
            return found
        kind = arguments[0].ir.type
        width = 32 if isinstance(kind.element, self.ir.FloatType) else 64
        return self.intrinsic(f"llvm.{name}.v{kind.count}f{width}", kind, arguments)

    def intrinsic(self, name: str, kind: Any, arguments: Sequence[Any]) -> Value:
        """Writes a call of an LLVM intrinsic, by its name."""
        registers = [a.ir if isinstance(a, Value) else a for a in arguments]
        function = self.module.globals.get(name)
        if function is None:
            signature = self.ir.FunctionType(kind, [r.type for r in registers])
            function = self.ir.Function(self.module, signature, name)
        return Value(self, self.b.call(function, registers))

    def fma(self, x: Value, y: Value, z: Value) -> Value:
        """Writes `x y + z`, rounded once or twice, whichever is faster."""
        return self.call("fmuladd", x, y, z)

    def where(self, condition: Value, x: Value, y: Value) -> Value:
        """Writes a selection: x if a condition holds, else y."""
        return Value(self, self.b.select(condition.ir, x.ir, y.ir))

    def bits(self, op: str, x: Value) -> Value:
        """Writes `pow2`, `mantissa` or `exponent` of float64."""
        if op == "pow2":
            k = Value(self, self.b.fptosi(x.ir, self.kind(integer=True))) + 1023
            return self.floats(k << 52)
        raw = self.integers(x)
        if op == "mantissa":
            return self.floats((raw & ((1 << 52) - 1)) | (1023 << 52))
        found: Value = Value(self, self.b.sitofp(((raw >> 52) & 2047).ir, self.kind())) - 1023.0
        return found

    def integers(self, x: Value) -> Value:
        """Reinterprets L numbers as integers of the same bits."""
        return Value(self, self.b.bitcast(x.ir, self.kind(integer=True)))

    def floats(self, x: Value) -> Value:
        """Reinterprets L integers as numbers of the same bits."""
        return Value(self, self.b.bitcast(x.ir, self.kind()))

    def halve(self, x: Value) -> Value:
        """Writes the division of L integers by 2, rounded down."""
        return Value(self, self.b.ashr(x.ir, self.constant(x.ir.type, 1).ir))

    @property
    def has_scaling(self) -> bool:
        """True if the processor multiplies by powers of two in one instruction."""
        return has_wide_vectors()

    def scale_by_power(self, x: Value, k: Value) -> Value:
        """Writes `x 2^k`, rounded once."""
        count, letter, width = self.lanes.count, "d", 64
        if self.lanes.single:
            letter, width = "s", 32
        mask = self.ir.Constant(self.ir.IntType(count), (1 << count) - 1)
        mode = self.ir.Constant(self.ir.IntType(32), 4)
        name = f"llvm.x86.avx512.mask.scalef.p{letter}.{width * count}"
        return self.intrinsic(name, self.kind(), [x, k, x, mask, mode])

    # memory

    def place(self, base: Value, at: Any, lanes: Lanes | None = None) -> Value:
        """Writes the address of a number of an array."""
        index = self.as_value(self.i64, at).ir
        return Value(self, self.b.gep(base.ir, [index], source_etype=self.kind(lanes).element))

    def load(self, base: Value, at: Any, lanes: Lanes | None = None, *, align: int = 4) -> Value:
        """Loads L numbers of an array."""
        kind = self.kind(lanes)
        return Value(self, self.b.load(self.place(base, at, lanes).ir, align=align, typ=kind))

    def number(self, base: Value, at: Any, lanes: Lanes | None = None) -> Value:
        """Loads one number of an array into all lanes."""
        kind = self.kind(lanes)
        one = self.b.load(self.place(base, at, lanes).ir, typ=kind.element)
        return self.splat(Value(self, one), kind)

    def splat(self, value: Value, kind: Any) -> Value:
        """Copies one number to all lanes."""
        undefined, i32 = self.ir.Constant(kind, self.ir.Undefined), self.ir.IntType(32)
        one = Value(self, self.b.insert_element(undefined, value.ir, self.ir.Constant(i32, 0)))
        return self.shuffle(one, Value(self, undefined), [0] * kind.count)

    def store(
        self, base: Value, at: Any, value: Value, lanes: Lanes | None = None, *, align: int = 4
    ) -> None:
        """Stores L numbers in an array."""
        self.b.store(value.ir, self.place(base, at, lanes).ir, align=align)

    def prefetch(self, place: Value) -> None:
        """Prefetches a line into the second-level cache; the first-level one admits few requests."""
        number = self.ir.IntType(32)
        options = [self.ir.Constant(number, k) for k in (0, 2, 1)]
        self.intrinsic("llvm.prefetch.p0", self.ir.VoidType(), [place, *options])

    # lanes

    def shuffle(self, x: Value, y: Value, lanes: Sequence[int]) -> Value:
        """Selects lanes of two vectors side by side."""
        i32 = self.ir.IntType(32)
        mask = self.ir.Constant(
            self.ir.VectorType(i32, len(lanes)), [self.ir.Constant(i32, k) for k in lanes]
        )
        return Value(self, self.b.shuffle_vector(x.ir, y.ir, mask))

    def widen(self, x: Value) -> list[Value]:
        """Widens L numbers of formulas to float64."""
        if not self.lanes.single:
            return [x]
        half = self.lanes.wide.count
        parts = [self.shuffle(x, x, range(p * half, (p + 1) * half)) for p in range(2)]
        return [Value(self, self.b.fpext(p.ir, self.kind(self.lanes.wide))) for p in parts]

    def narrow(self, values: list[Value]) -> Value:
        """Rounds float64 numbers to numbers of formulas."""
        if not self.lanes.single:
            return values[0]
        half = Lanes(self.lanes.wide.count, single=True)
        x, y = (Value(self, self.b.fptrunc(v.ir, self.kind(half))) for v in values)
        return self.shuffle(x, y, range(self.lanes.count))

    def any_lane(self, found: Value) -> Value:
        """Writes a test whether any lane of a mask is set."""
        kind = self.ir.IntType(found.ir.type.count)
        somewhere: Value = Value(self, self.b.bitcast(found.ir, kind)) != self.constant(kind, 0)
        return somewhere

    # control

    def block(self, name: str) -> Any:
        """Appends an empty basic block."""
        return self.function.append_basic_block(name)

    def loop(
        self,
        first: Any,
        stop: Value,
        step: int,
        start: list[Value],
        body: Callable[..., list[Value]],
    ) -> list[Value]:
        """Writes a loop that may run zero times; `body(index, *values) -> values`."""
        before, index_from = self.b.block, self.as_value(self.i64, first)
        head, inside, after = (self.block(name) for name in ("head", "body", "after"))
        self.b.branch(head)
        self.b.position_at_end(head)
        index = self.b.phi(self.i64)
        carried = [self.b.phi(s.ir.type) for s in start]
        self.b.cbranch((Value(self, index) < stop).ir, inside, after)
        self.b.position_at_end(inside)
        new = body(Value(self, index), *(Value(self, c) for c in carried))
        index.add_incoming(index_from.ir, before)
        index.add_incoming((Value(self, index) + step).ir, self.b.block)
        for phi, s, v in zip(carried, start, new, strict=True):
            phi.add_incoming(s.ir, before)
            phi.add_incoming(v.ir, self.b.block)
        self.b.branch(head)
        self.b.position_at_end(after)
        return [Value(self, c) for c in carried]

    def compile(self) -> Any:
        """Compiles the function to machine code, as a ctypes function that owns its code.

        It releases Python's lock.
        """
        binding, _ = llvm()
        text, processor = str(self.module), binding.get_host_cpu_name()
        parsed = binding.parse_assembly(text)
        parsed.verify()
        features = binding.get_host_cpu_features()
        flags = features.flatten()
        if has_wide_vectors():
            flags += ",-prefer-256-bit"
        target = binding.Target.from_default_triple()
        machine = target.create_target_machine(cpu=processor, features=flags, opt=3)
        engine = binding.create_mcjit_compiler(parsed, machine)
        key = "\n".join((text, processor, flags, str(binding.llvm_version_info)))
        objects = MachineCodeCache(hashlib.sha256(key.encode()).hexdigest())
        engine.set_object_cache(objects.put, objects.get)
        engine.finalize_object()
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(self.arguments))
        function = kind(engine.get_function_address("run"))
        function.owner = (engine, objects)  # type: ignore[attr-defined]
        return function
