"""Defines the entries of a row of symbols: numbers that record the operations on them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import EXPANDED, FOREIGN, Tape
from eqvproof.deepsets.phi.numbers import Number
from eqvproof.support.errors import TraceError


def _refuse(what: str) -> Any:
    raise TraceError(
        f"phi uses {what} of an entry of the row",
        expected="arithmetic, and functions of NumPy such as np.sqrt and np.exp",
        hint="write branches with Piecewise in SymPy, or let pool call phi row by row",
    )


class Entry(Number):
    """A number of a row, or computed from a row: the index of an operation on a tape.

    NumPy's functions call methods of this class by name, such as `exp`.
    """

    __slots__ = ("index", "tape")

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape, self.index = tape, index

    def _lift(self, other: Any) -> int | None:
        if isinstance(other, Entry):
            return other.index
        if isinstance(other, bool | int | float | Fraction | np.integer | np.floating | np.bool_):
            return self.tape.const(float(other))
        return None

    def _do(self, op: str, *args: Any) -> Any:
        found = [self._lift(a) for a in args]
        indices = [i for i in found if i is not None]
        if len(indices) < len(found):
            return NotImplemented
        if op == "ne":
            return 1 - self._do("eq", *args)
        return Entry(self.tape, self.tape.put(op, *indices))

    def _unary(self, op: str) -> Entry:
        return Entry(self.tape, self.tape.put(op, self.index))

    def __pos__(self) -> Entry:
        return self

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, int | float | np.number) and float(exponent).is_integer():
            return Entry(self.tape, self.tape.power(self.index, int(exponent)))
        if isinstance(exponent, float | np.floating) and float(exponent) == 0.5:
            return self._unary("sqrt")
        if isinstance(exponent, Entry | float | np.floating):
            return (self._unary("log") * exponent).exp()
        return NotImplemented

    def __rpow__(self, base: Any) -> Any:
        if isinstance(base, int | float | np.number) and base > 0:
            return (self * math.log(base)).exp()
        return NotImplemented

    def __bool__(self) -> bool:
        return bool(_refuse("the truth value"))

    def __float__(self) -> float:
        return float(_refuse("the value"))

    __int__ = __index__ = __float__

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        return lambda: self._unary(name)

    def conjugate(self) -> Entry:
        """Returns the number itself: it is real."""
        return self


#: names of operations that NumPy's object loops call as methods
_METHODS = {"sqrt", "rint", *EXPANDED, *FOREIGN}
