"""Defines numbers whose operations write CUDA C++: float64, float32, 64-bit words, truth values.

Operations on floats are the intrinsics that round once and are never fused (`__dadd_rn`,
`__fmul_rn`, ...); constants are given by their bits. So a formula has the bits that it has in
NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.phi.numbers import Number

_FOREIGN = {"arctan": "atan", "arcsin": "asin", "arccos": "acos", "arcsinh": "asinh"}
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "rshift": ">>",
          "lt": "<", "le": "<=", "eq": "==", "ne": "!="}  # fmt: skip
_TRUTH = ("lt", "le", "eq", "ne")


class Name(Number):
    """A C++ expression without operations: a variable, or a constant."""

    __slots__ = ("kind", "source", "text")
    __array_ufunc__ = None  # NumPy's scalars leave operations to this

    def __init__(self, source: Source, kind: str, text: str) -> None:
        self.source, self.kind, self.text = source, kind, text

    def __str__(self) -> str:
        return self.text

    def _lift(self, other: Any) -> Any:
        if isinstance(other, Name):
            return other
        if self.kind == "word":
            return f"{int(other)}ULL"
        return self.source.const(float(other))

    def _do(self, op: str, *args: Any) -> Any:
        code, (x, *rest) = self.source, [self._lift(a) for a in args]
        if op == "neg":
            return code.put(self.kind, f"-{x}")
        if op == "abs":
            return code.put(self.kind, f"fabs{code.suffix}({x})")
        if op in ("add", "sub", "mul", "div") and self.kind != "word":
            return code.put(self.kind, f"__{self.kind[0]}{op}_rn({x}, {rest[0]})")
        kind = self.kind
        if op in _TRUTH:
            kind = "bool"
        return code.put(kind, f"{x} {_SIGNS[op]} {rest[0]}")


class Source:
    """C++ code under construction; it is the `numbers` with which formulas are written."""

    keep: tuple[str, ...] = ()

    def __init__(self, *, single: bool = False) -> None:
        if single:
            self.real, self.suffix, dtype = "float", "f", "<f4"
        else:
            self.real, self.suffix, dtype = "double", "", "<f8"
        self.kind: Any = np.dtype(dtype).type
        self.lines: list[str] = []

    def put(self, kind: str, text: str) -> Name:
        """Writes the declaration of a variable with the value ``text``."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"        const {kind} {name} = {text};")
        return Name(self, kind, name)

    def const(self, value: float) -> Name:
        """Returns a constant, given by its bits."""
        with np.errstate(over="ignore"):
            bits = self.kind(value).tobytes()[::-1].hex()
        if self.real == "double":
            return Name(self, self.real, f"__longlong_as_double(0x{bits}ll)")
        return Name(self, self.real, f"__uint_as_float(0x{bits}u)")

    def call(self, name: str, x: Name) -> Name:
        """Writes a call of a function of CUDA."""
        if name == "sqrt":
            return self.put(self.real, f"__{self.real[0]}sqrt_rn({x})")
        return self.put(self.real, f"{_FOREIGN.get(name, name)}{self.suffix}({x})")

    def where(self, condition: Name, a: Name, b: Name) -> Name:
        """Writes a selection: a if the condition holds, else b."""
        return self.put(self.real, f"{condition} ? {a} : {b}")

    def bits(self, op: str, x: Name) -> Name:
        """Writes `pow2` (2^k), `mantissa` or `exponent` of float64."""
        raw = f"__double_as_longlong({x})"
        if op == "pow2":
            return self.put("double", f"__longlong_as_double(((long long){x} + 1023ll) << 52)")
        if op == "mantissa":
            mantissa = f"({raw} & 0x000fffffffffffffll) | 0x3ff0000000000000ll"
            return self.put("double", f"__longlong_as_double({mantissa})")
        found: Name = self.put("double", f"(double)(({raw} >> 52) & 2047ll)") - 1023.0
        return found
