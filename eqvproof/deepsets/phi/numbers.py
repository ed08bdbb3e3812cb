"""Evaluates formulas on numbers of any kind: arrays, exact numbers, registers, C++ names.

A kind of numbers consists of values with Python's operators and an object with the other
operations: `const`, `call` (a function by its name), `where`, `bits`, and `keep`, the names of the
functions that are not expanded.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import Formula, Node
from eqvproof.support.errors import DomainError

OPERATORS: dict[str, Any] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "abs": abs,
}  # fmt: skip
_COMPARE: dict[str, Any] = {"lt": operator.lt, "le": operator.le, "eq": operator.eq}


def _operator_methods(op: str) -> tuple[Any, Any]:
    """Returns the method of an operator, and its reflected method."""
    return (lambda x, y: x._do(op, x, y)), (lambda x, y: x._do(op, y, x))


class Number:
    """A base class of symbolic numbers: each operator calls `_do` with the operation's name."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _do(self, op: str, *args: Any) -> Any:
        raise NotImplementedError(op)

    __add__, __radd__ = _operator_methods("add")
    __sub__, __rsub__ = _operator_methods("sub")
    __mul__, __rmul__ = _operator_methods("mul")
    __truediv__, __rtruediv__ = _operator_methods("div")
    __and__, __or__, __xor__ = (_operator_methods(op)[0] for op in ("and", "or", "xor"))
    __lshift__, __rshift__ = (_operator_methods(op)[0] for op in ("lshift", "rshift"))
    __lt__, __gt__ = _operator_methods("lt")
    __le__, __ge__ = _operator_methods("le")
    __eq__, __ne__ = (_operator_methods(op)[0] for op in ("eq", "ne"))

    def __neg__(self) -> Any:
        return self._do("neg", self)

    def __abs__(self) -> Any:
        return self._do("abs", self)


def two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Returns `x + y` rounded, and its exact rounding error (Knuth); 0 for exact numbers."""
    s = x + y
    t = s - x
    return s, (x - (s - t)) + (y - t)


def evaluate(formula: Formula, columns: list[Any], numbers: Any = None) -> list[Any]:
    """Evaluates the features of a formula.

    Args:
        formula: phi.
        columns: d values; arrays (b,), float32 or float64, contiguous, unless ``numbers`` is given.
        numbers: the operations of the values, such as `Arrays`.

    Exactness: each operation is rounded once to nearest, in the formula's order. NaN and infinities
        are those of IEEE 754; no warnings.
    """
    broadcast = numbers is None
    if numbers is None:
        numbers = Arrays(columns[0])
    formula = expand(formula, numbers.keep)
    free = formula.last_use()
    values: list[Any] = [None] * len(formula.nodes)
    with np.errstate(all="ignore"):
        for i, node in enumerate(formula.nodes):
            values[i] = _apply(node, [values[a] for a in node.args], columns, numbers)
            for a in free.get(i, ()):
                values[a] = None
    found = [values[o] for o in formula.outputs]
    if not broadcast:
        return found
    shape = columns[0].shape
    for i, value in enumerate(found):
        if value.shape != shape:
            found[i] = np.broadcast_to(value, shape)
    return found


def _apply(node: Node, args: list[Any], columns: list[Any], numbers: Any) -> Any:
    op = node.op
    if op in OPERATORS:
        return OPERATORS[op](*args)
    if op == "column":
        return columns[int(node.value)]
    if op == "const":
        return numbers.const(node.value)
    if op in _COMPARE:
        return numbers.where(_COMPARE[op](*args), numbers.const(1.0), numbers.const(0.0))
    if op in ("max", "min"):
        a, b = args
        if op == "max":
            first = a > b
        else:
            first = a < b
        return numbers.where(first | (a != a), a, b)
    if op == "select":
        return numbers.where(args[0] != 0, args[1], args[2])
    if op in ("pow2", "mantissa", "exponent"):
        return numbers.bits(op, args[0])
    return numbers.call(op, args[0])


class Arrays:
    """Machine numbers in arrays of NumPy or CuPy that broadcast, or exact numbers.

    Args:
        like: an array with the dtype of all; None for Python's floats.
        xp: numpy or cupy.
        exact: whether the numbers are Fractions.
        constants: pairs (float in the formula, exact value).
        keep: functions that the library evaluates.
    """

    __slots__ = ("constants", "exact", "keep", "like", "xp")

    def __init__(
        self, like: Any, xp: Any = np, *, exact: bool = False, constants: Any = (), keep: Any = ()
    ) -> None:
        self.like, self.xp, self.keep = like, xp, keep
        self.exact, self.constants = exact, dict(constants)

    def const(self, value: float) -> Any:
        """Returns a constant."""
        if self.exact:
            return self.constants.get(value, Fraction(value))
        if self.like is None:
            return value
        return self.like.dtype.type(value)

    def call(self, name: str, x: Any) -> Any:
        """Calls the library's function on machine numbers."""
        if self.exact:
            raise DomainError(
                "the function has irrational values",
                given=f"{name} of exact numbers",
                expected="arithmetic only, or floats",
                hint="convert the arrays with astype(float)",
            )
        return getattr(self.xp, name)(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """Selects a if the condition holds, else b."""
        return self.xp.where(condition, a, b)

    def bits(self, op: str, x: Any) -> Any:
        """Computes 2^k, mantissa or exponent from the bits of float64."""
        if op == "pow2":
            return ((x.astype(np.int64) + 1023) << 52).view(np.float64)
        raw = x.view(np.int64)
        if op == "mantissa":
            return ((raw & ((1 << 52) - 1)) | (1023 << 52)).view(np.float64)
        return ((raw >> 52) & 2047).astype(np.float64) - 1023.0
