"""Functions that NumPy writes in Python, run unchanged on traced arrays.

In the namespace in which the code runs, NumPy's functions are replaced by functions that trace
where an argument is traced. The result is compared with the function itself on real arrays, like
every trace.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.arrays.context import current_context
from eqvproof.tracing.arrays.lifting import mentions_trace
from eqvproof.tracing.arrays.values import is_traced


class _Traced:
    """A function that NumPy's code calls, which is traced where an argument is traced."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    def __call__(self, *args: object, **kwargs: object) -> object:
        context, function = current_context(), self._function
        if context is None or not (mentions_trace(args) or mentions_trace(kwargs)):
            return function(*args, **kwargs)
        return context.call(function, args, kwargs)

    def __getattr__(self, name: str) -> object:
        return getattr(self._function, name)


class _Module:
    """A module of NumPy as seen by NumPy's own code."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        return _named(getattr(self._module, name))


class _Converter:
    """A stand-in for NumPy's internal converter between arguments and arrays."""

    def __init__(self, *given: object) -> None:
        self._arrays = tuple(v if is_traced(v) else np.asanyarray(v) for v in given)

    def as_arrays(self, **_: object) -> tuple[object, ...]:
        return self._arrays

    def __getitem__(self, place: int) -> object:
        return self._arrays[place]

    def __len__(self) -> int:
        return len(self._arrays)

    def wrap(self, result: object, to_scalar: object = None) -> object:
        return result


def _len(value: Any) -> Any:
    if is_traced(value):
        return value.shape[0]
    return len(value)


def _named(value: object) -> object:
    """Returns the object that NumPy's code gets in place of a named value."""
    if isinstance(value, FunctionType) and value.__module__.startswith("numpy."):
        return _of_own_names(value)
    if isinstance(value, ModuleType) and value.__name__.split(".")[0] == "numpy":
        return _Module(value)
    of_numpy = str(getattr(value, "__module__", "")).split(".")[0] == "numpy"
    if isinstance(value, np.ufunc) or (
        of_numpy and not isinstance(value, type) and callable(value)
    ):
        return _Traced(value)
    return value


#: Name of a module of NumPy -> the namespace in which its code runs.
_scopes: dict[str, dict[str, Any]] = {}


def _scope(names: Mapping[str, Any]) -> dict[str, Any]:
    home = str(names["__name__"])
    if home not in _scopes:
        scope: dict[str, Any] = {"__name__": home, "__builtins__": {**vars(builtins), "len": _len}}
        _scopes[home] = scope
        if "_array_converter" in names:
            scope["_array_converter"] = _Converter
        scope |= {name: _named(value) for name, value in names.items() if name not in scope}
    return _scopes[home]


@cache
def _of_own_names(function: FunctionType) -> FunctionType:
    made = FunctionType(
        function.__code__, _scope(function.__globals__), function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip
    made.__kwdefaults__ = function.__kwdefaults__
    return made


#: The functions whose code is running.
_running: set[FunctionType] = set()


def own_code(function: object) -> Callable[..., Any] | None:
    """Returns a NumPy function's Python code, with names that trace.

    Returns None where the function is compiled, or is running already.
    """
    found: Any = getattr(function, "_implementation", None)
    of_numpy = isinstance(found, FunctionType) and found.__module__.startswith("numpy.")
    if not of_numpy or found in _running:
        return None
    code = _of_own_names(found)

    def run(*args: object, **kwargs: object) -> object:
        _running.add(found)
        try:
            return code(*args, **kwargs)
        finally:
            _running.discard(found)

    return run
