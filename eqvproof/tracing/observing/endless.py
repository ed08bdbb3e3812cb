"""Detection of targets that may block signals: compiled code that never returns.

A loop of Python can be interrupted. A target needs no process of its own where its code can be read
and runs nothing but functions of known libraries on arrays of small sizes. A target that is not
known to be like that needs one.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile
from math import isfinite, prod
from types import CodeType
from typing import Any

import numpy as np

from eqvproof.tracing.observing.code import (
    cells_of,
    examine,
    imports,
    instructions,
    integer_constants,
    nested_codes,
    reads,
)
from eqvproof.tracing.observing.frames import LIBRARIES, is_library_file
from eqvproof.tracing.observing.held_objects import slots_of

#: Parts of the standard library whose functions return soon.
_STDLIB = frozenset(
    "math cmath operator functools typing dataclasses fractions numbers enum abc copy types"
    " warnings "
    "collections random __future__ _operator _functools _collections _abc builtins eqvproof".split()
)
#: Builtins that take time only for their arguments, which are finite.
_BUILTINS = frozenset(
    "sum max min any all list tuple set frozenset sorted dict bytes bytearray abs bool callable"
    " complex "
    "divmod enumerate filter float int isinstance issubclass len map next object pow property"
    " range repr "
    "reversed round slice staticmethod classmethod str super type zip "
    "hash id getattr hasattr setattr print format ValueError TypeError IndexError KeyError "
    "NotImplementedError RuntimeError AssertionError ArithmeticError ZeroDivisionError"
    " StopIteration "
    "Exception Ellipsis NotImplemented __debug__ NotImplementedType".split()
)
#: Largest number of objects of a collection that is inspected.
MANY = 1024
#: Larger numbers in code may be sizes of arrays that take long: single numbers, products of one
#: shape; and the largest number of entries of all arrays.
LARGE, LARGE_SHAPE, MOST_ENTRIES = 32, 4096, 100_000
#: Functions that make large integers of small ones; functions that make integers of floats, or
#: arrays as long as floats say.
_GROWING = frozenset("factorial comb perm gamma".split())
_COUNTING = frozenset(
    "int round floor ceil trunc rint astype arange intp int_ int32 int64 uint32 uint64"
    " longlong".split()
)
#: Longer texts are not read as numbers.
_LONGEST_NUMBER = 24
#: Exponents up to this keep sizes small; other powers of integers may have any size.
_EXPONENT = 4
_PLAIN = (
    bool,
    float,
    complex,
    str,
    bytes,
    Fraction,
    slice,
    np.generic,
    np.dtype,
    type(None),
    type(...),
)


def surely_returns(*values: object) -> bool:
    """Checks whether calls of functions return soon or can be interrupted, from their code."""
    try:
        return _Walk(values).answer
    except Exception:  # objects that do not answer as objects do
        return False


class _Walk:
    """A walk over all objects that functions can reach, until one is not known to return."""

    def __init__(self, roots: Iterable[object]) -> None:
        self._queue = deque(roots)
        self._seen: set[int] = set()
        self._alive: list[object] = []
        self._entries = 0
        self._counts = self._holds_large = False
        self.answer = True
        while self._queue and self.answer:
            value = self._queue.popleft()
            if id(value) not in self._seen:
                self._seen.add(id(value))
                self._alive.append(value)
                self.answer = self._is_known(value) and self._entries <= MOST_ENTRIES
                self.answer = self.answer and not (self._counts and self._holds_large)

    def _later(self, *values: object) -> bool:
        self._queue.extend(values)
        return True

    def _is_known(self, value: Any) -> bool:
        kind = type(value)
        if isinstance(value, _PLAIN):
            self._holds_large |= _is_large(value)
            return True
        if kind is int:
            return bool(-LARGE <= value <= LARGE)
        if kind in (list, tuple, set, frozenset):
            return len(value) <= MANY and self._later(*value)
        if isinstance(value, (dict, types.MappingProxyType)):
            return len(value) <= MANY and self._later(*value.values())
        if kind is types.FunctionType:
            return self._function(value)
        if kind is types.MethodType:
            return self._later(value.__self__, value.__func__)
        if kind in (staticmethod, classmethod):
            return self._later(value.__func__)
        if kind is property:
            return self._later(value.fget)
        if isinstance(value, functools.partial):
            return self._later(value.func, value.args, value.keywords)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, types.ModuleType):
            return _is_library(value.__name__)
        if isinstance(value, (types.BuiltinFunctionType, np.ufunc, type(np.sum))):
            owner: object = getattr(value, "__self__", None)
            return _is_library(getattr(value, "__module__", None) or type(owner).__module__)
        return self._instance(value)

    def _function(self, function: types.FunctionType) -> bool:
        if is_library_file(function.__code__.co_filename) or _is_library(function.__module__):
            return _is_library(function.__module__)
        self._later(function.__defaults__, function.__kwdefaults__, function.__dict__)
        self._later(*(cell.cell_contents for cell in cells_of(function).values()))
        return all(
            self._code(code, function.__globals__) for code in nested_codes(function.__code__)
        )

    def _code(self, code: CodeType, scope: Mapping[str, object]) -> bool:
        self._counts |= not _COUNTING.isdisjoint(code.co_names)
        self._holds_large |= any(map(_is_large, _plain_constants(code)))
        for name in {read.name for read in reads(code)}:
            if name in scope:
                self._later(scope[name])
            elif name in vars(builtins) and name not in _BUILTINS:
                return False
        return _is_tame(code) and all(_is_library(name) for _, name in imports(code))

    def _class(self, cls: type) -> bool:
        for base in cls.__mro__:
            if base.__module__ == "builtins":
                if base.__name__ not in _BUILTINS:
                    return False
            elif not _is_library(base.__module__):
                if not _is_of_python(base):
                    return False
                kinds = (types.FunctionType, staticmethod, classmethod, property)
                self._later(*(v for v in vars(base).values() if isinstance(v, kinds)))
        return True

    def _instance(self, value: Any) -> bool:
        torch, jax = (sys.modules.get(name) for name in ("torch", "jax"))
        if isinstance(value, np.ndarray):
            self._entries += value.size
            return value.dtype != object or (value.size <= MANY and self._later(*value.flat))
        if torch is not None and isinstance(value, torch.Tensor):
            self._entries += value.numel()
            return True
        if jax is not None and isinstance(value, jax.Array):
            self._entries += value.size
            return True
        cls = type(value)
        if not self._class(cls):
            return False
        held = [getattr(value, "__wrapped__", None), *(item for _, item in slots_of(value))]
        held += getattr(value, "__dict__", {}).values()
        # a number that a library keeps is the size of what it holds
        return self._later(
            *(v for v in held if type(v) is not int or not _is_library(cls.__module__))
        )


def _is_large(value: object) -> bool:
    """Checks whether a float, or the number in a text, is so large that it may be a long size."""
    if isinstance(value, str) and len(value) > _LONGEST_NUMBER:
        return False
    try:
        size = abs(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return isfinite(size) and size > LARGE


def _plain_constants(code: CodeType) -> Iterator[object]:
    """Yields the floats and the texts among the constants of a code object."""
    yield from (c for c in integer_constants(code) if type(c) is float)
    yield from (c for c in code.co_consts if type(c) is str)


def _is_library(module: str | None) -> bool:
    """Checks whether a module belongs to a library whose functions return soon on small arrays."""
    return (module or "").split(".")[0] in LIBRARIES | _STDLIB


def _is_of_python(cls: type) -> bool:
    """Checks whether Python code defines a class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return cls.__module__ == "__main__" or file.endswith(".py")


@functools.lru_cache(maxsize=512)
def _is_tame(code: CodeType) -> bool:
    """Checks whether a code object hides no effect, catches nothing, and makes no large numbers."""
    if examine(code) or not _GROWING.isdisjoint(code.co_names):
        return False
    body = instructions(code)
    if any(type(c) is int and abs(c) > LARGE for c in integer_constants(code)):
        return False
    shapes = (c for c in code.co_consts if type(c) is tuple)
    if any(prod(n for n in shape if type(n) is int) > LARGE_SHAPE for shape in shapes):
        return False
    for before, i in pairwise(body):
        grows = i.opname == "BINARY_OP" and i.argrepr.rstrip("=") in ("**", "<<")
        if grows and not (type(before.argval) in (int, float) and abs(before.argval) <= _EXPONENT):
            return False
    steps = (body[k:] for k, i in enumerate(body) if i.argval == "arange")
    if any(map(_has_small_step, steps)):
        return False
    return all(_is_looped_over(body[k:]) for k, i in enumerate(body) if i.argval == "range")


def _has_small_step(body: Sequence[dis.Instruction]) -> bool:
    """Checks whether code that begins with the name of ``arange`` passes it a small number."""
    given = takewhile(lambda i: not i.opname.startswith("CALL"), body)
    return any(type(i.argval) is float and abs(i.argval) < 1 / LARGE for i in given)


def _is_looped_over(body: Sequence[dis.Instruction]) -> bool:
    """Checks whether code that begins with a function's name calls it and loops over the result."""
    depth = 0
    for i, after in pairwise(body):
        depth += dis.stack_effect(i.opcode, i.arg, jump=False)
        if i.opname == "CALL" and depth <= 1:
            return after.opname == "GET_ITER"
    return False
