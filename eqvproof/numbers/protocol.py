"""NumPy's protocols: what hands a call of NumPy on exact values over to the functions that know them.

The classes of values are needed by these functions, so the functions are entered here when they are
there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: "ufunc" and "function" -> what computes such a call; `ufuncs` and `functions` enter theirs.
HANDLERS: dict[str, Callable[..., Any]] = {}


class Operand:
    """A value that computes ufuncs of NumPy itself."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return HANDLERS["ufunc"](ufunc, method, inputs, kwargs)


class FunctionOperand(Operand):
    """A value that computes other functions of NumPy too."""

    __slots__ = ()

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return HANDLERS["function"](func, args, kwargs)
