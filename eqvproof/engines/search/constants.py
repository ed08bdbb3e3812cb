"""Numbers in a function's own code: thresholds of branches such as ``if n > 6``.

Nothing is run: code objects are inspected, with those of nested functions, of closures, of
defaults, and of the user's functions and numbers that the code names.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import math
import numbers
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.observing.code import cells_of, instructions, nested_codes
from eqvproof.tracing.observing.frames import owner_of_file

Number = int | Fraction

#: Largest number of entries of arrays that are inspected.
_LARGEST_ARRAY = 64
#: Largest number of objects inspected.
_MOST_OBJECTS = 400
#: Largest number of attributes of a callable object that are inspected.
_MOST_ATTRIBUTES = 50


def mine_constants(function: Callable[..., Any], limit: int = 64) -> tuple[Number, ...]:
    """Returns the absolute values of the numbers in a function's code, without 0 and duplicates.

    Args:
        function: a function, method, partial, or an object that can be called.
        limit: largest number of values.

    Exactness: floats are returned as the rationals that they are; infinities and NaN are left out.

    Example:
        >>> mine_constants(lambda x: x if len(x) > 6 else 0.5 * x)
        (6, Fraction(1, 2))
    """
    found: dict[Number, None] = {}
    for number in _numbers_within(function):
        found.setdefault(number)
        if len(found) >= limit:
            break
    return tuple(found)


def written_numbers(function: Callable[..., Any]) -> frozenset[Number]:
    """Returns the absolute values of the numbers written in a function's code, or held in its data.

    Numbers that Python computed when it compiled the code are excluded if the source is available.

    Example:
        >>> Fraction(0.1) in written_numbers(lambda x: 0.1 * x)
        True
    """
    return frozenset(_numbers_within(function, compiled=False))


def _numbers_within(root: Any, *, compiled: bool = True) -> Iterator[Number]:
    """Yields the numbers in an object, with those computed by the compiler if requested."""
    queue: list[Any] = [root]
    seen: set[int] = set()
    keep_alive: list[Any] = []
    while queue and len(seen) < _MOST_OBJECTS:
        value = queue.pop(0)
        with suppress(Exception):  # an object that raises when it is inspected
            if isinstance(value, (str, bytes, ModuleType)) or value is None:
                continue
            number = _absolute_value(value)
            if number is not None:
                if number:
                    yield number
                continue
            if isinstance(value, CodeType) and not compiled:
                queue.extend(_as_written(value))
                continue
            if not compiled and (array := _tensor(value)) is not None:
                value = array
            if id(value) in seen:
                continue
            seen.add(id(value))
            keep_alive.append(value)
            queue.extend(_inside(value))


def _tensor(value: Any) -> Any:
    """Returns the entries of a tensor of a framework; None for other objects."""
    if type(value).__module__.partition(".")[0] not in ("torch", "jax", "jaxlib"):
        return None
    if not hasattr(value, "shape"):
        return None
    if hasattr(value, "detach"):
        value = value.detach()
    return np.asarray(value)


def _as_written(code: CodeType) -> list[Any]:
    """Returns the numbers in the source of some code, and nested code.

    Without a source, returns the numbers that the code loads.
    """
    text = _numbers_of_file(code.co_filename)
    if text is None:
        return _in_code(code)
    lines = {line for _, _, line in code.co_lines() if line}
    first, last = min(lines, default=0), max(lines, default=0)
    nested = [
        value for value in code.co_consts if not isinstance(value, (int, float, tuple, frozenset))
    ]
    return [*nested, *(number for line, number in text if first <= line <= last)]


@functools.lru_cache(maxsize=64)
def _numbers_of_file(name: str) -> list[tuple[int, float]] | None:
    """Returns the numbers in a source file with their lines; None if it cannot be parsed."""
    try:
        tree = ast.parse("".join(linecache.getlines(name)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    ]
    return found or None


def _absolute_value(value: Any) -> Number | None:
    """Returns the absolute value of a number; None for other objects and truth values."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return abs(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            return None
        exact = abs(Fraction(*value.as_integer_ratio()))
        if exact.denominator == 1:
            return int(exact)
        return exact
    if isinstance(value, numbers.Rational):
        return abs(Fraction(int(value.numerator), int(value.denominator)))
    return None


def _inside(value: Any) -> list[Any]:
    """Returns the objects to inspect within an object."""
    if isinstance(value, np.ndarray):
        if value.size <= _LARGEST_ARRAY and value.dtype.kind in "iufO":
            return list(value.flat)
        return []
    if isinstance(value, (tuple, list, set, frozenset)):
        return list(islice(iter(value), _LARGEST_ARRAY))  # some tuples have no length
    if isinstance(value, dict):
        return list(value.values())[:_LARGEST_ARRAY]
    if isinstance(value, CodeType):
        return _in_code(value)
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, FunctionType):
        return _in_function(value)
    if callable(value) and (wrapped := inspect.unwrap(value)) is not value:
        return [wrapped]
    return _in_object(value)


def _in_code(code: CodeType) -> list[Any]:
    """Returns the numbers that instructions load, and nested code.

    Small numbers are not among the constants in new versions of Python.
    """
    loaded = [
        i.argval
        for i in instructions(code)
        if i.opname in ("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST")
    ]
    return [*loaded, *code.co_consts]


def _in_function(function: FunctionType) -> list[Any]:
    if owner_of_file(function.__code__.co_filename) != "user":
        return []
    parts: list[Any] = [function.__code__, *(function.__defaults__ or ())]
    parts += (function.__kwdefaults__ or {}).values()
    parts += (cell.cell_contents for cell in cells_of(function).values())
    for code in nested_codes(function.__code__):
        parts += [function.__globals__[n] for n in code.co_names if n in function.__globals__]
    if (wrapped := getattr(function, "__wrapped__", None)) is not None:
        parts.append(wrapped)
    return parts


def _in_object(value: Any) -> list[Any]:
    """Returns attributes and ``__call__`` of a user's object, or methods of a user's class."""
    kind = value if isinstance(value, type) else type(value)
    call = getattr(kind, "__call__", None)  # noqa: B004
    own = [v for v in vars(kind).values() if isinstance(v, FunctionType)]
    if not isinstance(call, FunctionType) and not own:
        return []
    if not isinstance(value, type):
        attributes = list(getattr(value, "__dict__", {}).values())
    else:
        attributes = []
    found: list[Any] = [*attributes[:_MOST_ATTRIBUTES], *own[:_MOST_ATTRIBUTES]]
    if call is not None:
        found.insert(0, call)
    return found
