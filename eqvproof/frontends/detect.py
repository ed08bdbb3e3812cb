"""Which framework a target belongs to, as far as that shows: what its code names, what it is made of."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from eqvproof.frontends.code import nested_codes, reads
from eqvproof.frontends.frames import owner_of_file

#: So many objects are looked at.
MOST = 400


def mentions(f: Any, roots: tuple[str, ...]) -> bool:
    """Whether a target, or a user's function that it reaches by name, names objects of some libraries."""
    queue, seen = [f], set[int]()
    while queue and len(seen) < MOST:
        value = queue.pop(0)
        if id(value) in seen:
            continue
        seen.add(id(value))
        if belongs(value, roots):
            return True
        queue.extend(_inside(value, own=value is f))
    return False


def belongs(value: Any, roots: tuple[str, ...]) -> bool:
    """Whether a module, function or object comes from one of some libraries."""
    names = [value.__name__] if isinstance(value, ModuleType) else [getattr(value, "__module__", None)]
    if not isinstance(value, (ModuleType, type, FunctionType)):
        names += [c.__module__ for c in type(value).__mro__]
    return any(isinstance(n, str) and n.split(".")[0] in roots for n in names)


def _inside(value: Any, *, own: bool) -> Iterator[Any]:
    """What the code of a function can reach by a name; what an object or a partial holds."""
    if isinstance(value, functools.partial):
        yield value.func
        yield from value.args
        yield from value.keywords.values()
    elif isinstance(value, MethodType):
        yield value.__func__
        yield value.__self__
    elif isinstance(value, FunctionType):
        if owner_of_file(value.__code__.co_filename) == "user":
            yield from _named(value)
        if hasattr(value, "__wrapped__"):
            yield value.__wrapped__
    elif own and callable(value):
        yield from vars(value).values() if hasattr(value, "__dict__") else ()
        yield from (v for v in vars(type(value)).values() if isinstance(v, FunctionType))


def _named(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a cell that is still empty
            continue
    for code in nested_codes(function.__code__):
        for read in reads(code):
            if read.name in function.__globals__:
                yield function.__globals__[read.name]
    yield from function.__defaults__ or ()
