"""Numbers found in a target's own code: a branch ``if n > 6`` or ``norm > 1000`` hides behind them.

Nothing is run: code objects are read, with those of nested functions, of closures, of defaults, and
of the user's functions and numbers that the code names.
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

#: Arrays of up to so many entries are read.
_LARGEST_ARRAY = 64
#: So many objects are looked at.
_MOST_OBJECTS = 400
#: So many attributes of a callable object are looked at.
_MOST_ATTRIBUTES = 50


def mine_constants(function: Callable[..., Any], limit: int = 64) -> tuple[Number, ...]:
    """The distinct absolute values of the numbers in the code of a function, 0 excluded, in order met.

    Args:
        function: a function, method, partial, or an object that can be called.
        limit: at most so many numbers.

    Exactness: floats are the rationals that they are; infinities and NaN are left out.

    Example:
        >>> mine_constants(lambda x: x if len(x) > 6 else 0.5 * x)
        (6, Fraction(1, 2))
    """
    found: dict[Number, None] = {}
    for number in _numbers(function):
        found.setdefault(number)
        if len(found) >= limit:
            break
    return tuple(found)


def written_numbers(function: Callable[..., Any]) -> frozenset[Number]:
    """The absolute values of the numbers that stand in the code of a function, and in its data.

    Not those that Python computed when it compiled the code, where its text is there to tell.

    Example:
        >>> Fraction(0.1) in written_numbers(lambda x: 0.1 * x)
        True
    """
    return frozenset(_numbers(function, compiled=False))


def _numbers(root: Any, *, compiled: bool = True) -> Iterator[Number]:
    """The numbers in an object; those that were computed while the code was compiled where asked."""
    queue: list[Any] = [root]
    seen: set[int] = set()
    keep_alive: list[Any] = []
    while queue and len(seen) < _MOST_OBJECTS:
        value = queue.pop(0)
        with suppress(Exception):  # an object that does not let itself be looked at
            if isinstance(value, (str, bytes, ModuleType)) or value is None:
                continue
            number = _number(value)
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
    """The entries of a tensor of a framework; None for what is none."""
    if type(value).__module__.partition(".")[0] not in ("torch", "jax", "jaxlib"):
        return None
    if not hasattr(value, "shape"):
        return None
    return np.asarray(value.detach() if hasattr(value, "detach") else value)


def _as_written(code: CodeType) -> list[Any]:
    """The numbers that the text of some code holds, and nested code; what it loads where there is no text."""
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
    """The numbers in the text of a file with their lines; None where there is no text that can be read."""
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


def _number(value: Any) -> Number | None:
    """The absolute value of a number; None for what is none (truth values included)."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return abs(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            return None
        exact = abs(Fraction(*value.as_integer_ratio()))
        return int(exact) if exact.denominator == 1 else exact
    if isinstance(value, numbers.Rational):
        return abs(Fraction(int(value.numerator), int(value.denominator)))
    return None


def _inside(value: Any) -> list[Any]:
    """What is to be looked at within an object."""
    if isinstance(value, np.ndarray):
        return (
            list(value.flat) if value.size <= _LARGEST_ARRAY and value.dtype.kind in "iufO" else []
        )
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
    wrapped = inspect.unwrap(value) if callable(value) else value
    if wrapped is not value:
        return [wrapped]
    return _in_object(value)


def _in_code(code: CodeType) -> list[Any]:
    """Numbers that the instructions load (small ones are no constants in new Pythons), and nested code."""
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
    """The attributes of a user's object, and its ``__call__``; the methods of a user's class."""
    kind = value if isinstance(value, type) else type(value)
    call = getattr(kind, "__call__", None)  # noqa: B004
    own = [v for v in vars(kind).values() if isinstance(v, FunctionType)]
    if not isinstance(call, FunctionType) and not own:
        return []
    attributes = (
        list(getattr(value, "__dict__", {}).values()) if not isinstance(value, type) else []
    )
    return [
        *([call] if call is not None else []),
        *attributes[:_MOST_ATTRIBUTES],
        *own[:_MOST_ATTRIBUTES],
    ]
