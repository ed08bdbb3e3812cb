"""Operators that change a value of a trace in place, so that other names of it hold the result."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from eqvproof.tracing.arrays.operators import Arithmetic


class ArithmeticInPlace(Arithmetic):
    """Arithmetic with `x += y` and its like as the operation, whose result the value then holds."""

    __slots__ = ()

    @abstractmethod
    def _changed(self, found: Any) -> object:
        """Holds the result of an operation from now on, or refuses; returns the value itself."""

    def __iadd__(self, other: object) -> object:  # type: ignore[misc]
        return self._changed(self + other)

    def __isub__(self, other: object) -> object:  # type: ignore[misc]
        return self._changed(self - other)

    def __imul__(self, other: object) -> object:  # type: ignore[misc]
        return self._changed(self * other)

    def __itruediv__(self, other: object) -> object:  # type: ignore[misc]
        return self._changed(self / other)

    def __ipow__(self, other: object) -> object:  # type: ignore[misc]
        return self._changed(self**other)
