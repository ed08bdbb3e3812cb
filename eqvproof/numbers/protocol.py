"""NumPy's protocols: dispatch of NumPy calls on exact values to their implementations.

The implementations need the classes of values, so they are loaded at the first call, and register
themselves here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

#: "ufunc" and "function" -> the implementation of such a call; `ufuncs` and `functions` register
#: theirs.
HANDLERS: dict[str, Callable[..., Any]] = {}


def _handler(kind: str) -> Callable[..., Any]:
    """Returns the implementation of ufuncs, or of other functions."""
    if kind not in HANDLERS:
        importlib.import_module(f"eqvproof.numbers.{kind}s")
    return HANDLERS[kind]


class Operand:
    """A value with its own implementation of NumPy's ufuncs."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _handler("ufunc")(ufunc, method, inputs, kwargs)


class FunctionOperand(Operand):
    """A value with its own implementation of NumPy's other functions, too."""

    __slots__ = ()

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _handler("function")(func, args, kwargs)
