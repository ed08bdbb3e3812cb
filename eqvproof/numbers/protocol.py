"""NumPy's protocols: dispatch of NumPy calls on exact values to their implementations.

The implementations need the classes of values, so they are registered here when they are loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: "ufunc" and "function" -> the implementation of such a call; `ufuncs` and `functions` register
#: theirs.
HANDLERS: dict[str, Callable[..., Any]] = {}


class Operand:
    """A value with its own implementation of NumPy's ufuncs."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return HANDLERS["ufunc"](ufunc, method, inputs, kwargs)


class FunctionOperand(Operand):
    """A value with its own implementation of NumPy's other functions, too."""

    __slots__ = ()

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return HANDLERS["function"](func, args, kwargs)
