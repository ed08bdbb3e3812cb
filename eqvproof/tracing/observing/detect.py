"""Detection of the library that a target uses, from names in its code and the objects it holds."""

from __future__ import annotations

import functools
import itertools
import sys
import weakref
from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.observing.code import (
    attributes_of_locals,
    cells_of,
    import_statements,
    names_passed_values,
    nested_codes,
    reads,
)
from eqvproof.tracing.observing.frames import LIBRARIES, owner_of_file, owner_of_module
from eqvproof.tracing.observing.pure import is_installed_library

#: Functions that ask what an argument is.
_CHECKS = frozenset({"hasattr", "getattr", "isinstance", "type", "issubclass"})
#: Largest number of objects inspected.
MOST = 400


def mentions(f: object, roots: tuple[str, ...]) -> bool:
    """Checks whether a target, or an object it reaches by name, comes from or uses libraries."""
    return any(belongs(value, roots) or _uses(value, roots) for value in reached(f))


def asks_arguments_for(f: object, kind: type) -> bool:
    """Checks whether a function uses attributes of its arguments that only this kind of array has.

    NumPy's arrays must lack the attribute.

    Code that asks for classes or attributes first, or mentions NumPy, may take arrays.
    """
    code = getattr(f, "__code__", None)
    if code is None or mentions(f, ("numpy",)):
        return False
    if not _CHECKS.isdisjoint(read.name for part in nested_codes(code) for read in reads(part)):
        return False
    given = code.co_varnames[: code.co_argcount]
    return any(
        name in given and hasattr(kind, attribute) and not hasattr(np.ndarray, attribute)
        for name, attribute in attributes_of_locals(code)
    )


def reached(f: object) -> Iterator[object]:
    """Yields a target and the objects it reaches by names, in objects, partials and containers."""
    queue, seen = [f], set[int]()
    while queue and len(seen) < MOST:
        value = queue.pop(0)
        if id(value) not in seen and type(value) not in weakref.ProxyTypes:
            seen.add(id(value))
            yield value
            queue.extend(itertools.islice(_inside(value, own=value is f), MOST))


def may_compute_numbers(f: object) -> bool:
    """Checks whether the user's functions or modules may compute numbers in a call of a target.

    Functions that only pass values on to modules of torch compute none: ``lambda x: net(x)[0]``.
    """
    torch: Any = sys.modules.get("torch")
    for value in reached(f):
        if isinstance(value, FunctionType) and owner_of_file(value.__code__.co_filename) == "user":
            if torch is None or not _passes_on(value, torch.nn.Module, torch.Tensor):
                return True
        if torch is not None and isinstance(value, torch.nn.Module):
            if any(
                owner_of_module(type(module).__module__) == "user" for module in value.modules()
            ):
                return True
    return not isinstance(
        f, (FunctionType, MethodType, *([] if torch is None else [torch.nn.Module]))
    )


def _passes_on(function: FunctionType, module: type, tensor: type) -> bool:
    """Checks whether a function only passes values and stored tensors on to modules."""
    names = names_passed_values(function.__code__)
    if names is None:
        return False
    scope = function.__globals__ | {n: c.cell_contents for n, c in cells_of(function).items()}
    values = [scope.get(name) for name in names]
    return all(isinstance(value, module) or type(value) is tensor for value in values)


def _uses(value: object, roots: tuple[str, ...]) -> bool:
    """Checks whether an object comes from a package that imports some of these libraries."""
    home = home_of(value)
    if not is_installed_library(home) or isinstance(value, ModuleType):
        return False
    held = vars(sys.modules[home]).values()
    return any(isinstance(v, (ModuleType, type)) and belongs(v, roots) for v in held)


def home_of(value: object) -> str:
    """Returns the module of a function, class or object; a module's own name; "" if unknown."""
    if isinstance(value, ModuleType):
        return value.__name__
    home = getattr(
        value if isinstance(value, (type, FunctionType)) else type(value), "__module__", None
    )
    if isinstance(home, str):
        return home
    return ""


def belongs(value: object, roots: tuple[str, ...]) -> bool:
    """Checks whether a module, function or object comes from one of some libraries."""
    names = (
        [value.__name__] if isinstance(value, ModuleType) else [getattr(value, "__module__", None)]
    )
    if not isinstance(value, (ModuleType, type, FunctionType)):
        names += [c.__module__ for c in type(value).__mro__]
    return any(isinstance(n, str) and n.split(".")[0] in roots for n in names)


def _inside(value: Any, *, own: bool) -> Iterator[Any]:
    """Yields the objects that a function's code can reach by name, or that an object holds."""
    if isinstance(value, functools.partial):
        yield value.func
        yield from value.args
        yield from value.keywords.values()
    elif isinstance(value, MethodType):
        yield value.__func__
        yield value.__self__
    elif type(value) in (list, tuple, set, frozenset):
        yield from value
    elif type(value) is dict:
        yield from value.values()
    elif isinstance(value, FunctionType):
        if owner_of_file(value.__code__.co_filename) == "user":
            yield from _named(value)
        if hasattr(value, "__wrapped__"):
            yield value.__wrapped__
    elif not isinstance(value, type) and (own or owner_of_module(type(value).__module__) == "user"):
        yield from vars(value).values() if hasattr(value, "__dict__") else ()
        yield from (v for v in vars(type(value)).values() if isinstance(v, FunctionType))


def _named(function: FunctionType) -> Iterator[object]:
    """Yields the objects that a function reads by (dotted) name, and those it imports."""
    outer = {name: cell.cell_contents for name, cell in cells_of(function).items()}
    yield from outer.values()
    for code in nested_codes(function.__code__):
        for read in reads(code):
            yield _followed(outer.get(read.name, function.__globals__.get(read.name)), read.chain)
        for module, names in import_statements(code):
            found = sys.modules.get(module)
            yield from (_followed(found, (name,)) for name in names) if names else (found,)
    yield from function.__defaults__ or ()


def _followed(value: object, chain: Iterable[str]) -> object:
    """Follows a dotted name through modules, up to another object or a known library's module."""
    for name in chain:
        if not isinstance(value, ModuleType) or value.__name__.partition(".")[0] in LIBRARIES:
            break
        value = getattr(value, name, None)
    return value
