"""State of installed packages: what their names, classes and objects hold from call to call.

A package may keep values in an attribute of an object, a dictionary of its module or class, a
default, a variable of an enclosing function, or what a cached function returned. Its code is not
read as the user's is, so that all of it which names and objects reach is compared.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from types import CellType, CodeType, FrameType, FunctionType, ModuleType

import numpy as np

from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays.attribute_reads import Watch
from eqvproof.tracing.arrays.context import make_error
from eqvproof.tracing.arrays.holder_content import (
    CACHE,
    attributes_of,
    held_in,
    in_cell,
    is_array,
    is_dead_proxy,
)  # fmt: skip
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import reads
from eqvproof.tracing.observing.frames import is_logger
from eqvproof.tracing.observing.held_objects import ATOMS

#: Libraries whose objects calls do not change; but JAX and SymPy keep caches in them.
_IMMUTABLE = frozenset({"jax", "jaxlib", "sympy", "mpmath"})
#: Largest number of objects reached from a name that are compared.
MOST = 100000


def held_by(frame: FrameType, started: Collection[CodeType]) -> Iterator[tuple[str, object]]:
    """Yields what code holds beside its arguments: names, variables around it, defaults, class.

    Variables of a function around it that `started` in the same call are no state.
    """
    code, scope = frame.f_code, frame.f_globals
    name = str(scope.get("__name__"))
    yield name, sys.modules.get(name)
    for read in reads(code):
        if read.name in scope:
            yield read.name, scope[read.name]
    for name in () if any(code in c.co_consts for c in started) else code.co_freevars:
        yield name, frame.f_locals.get(name)
    home: object = None
    for part in code.co_qualname.split("."):
        found = scope.get(part) if home is None else getattr(home, "__dict__", {}).get(part)
        if isinstance(found, FunctionType) and found.__code__ is code:
            yield part, found
        elif isinstance(found, type):
            yield part, found
        home = found


def reached(root: object, *, caches: bool = False) -> Iterator[object]:
    """Yields the objects reached from a value in which a call may change something.

    Args:
        root: the value.
        caches: whether caches of functions count, and not only what they have stored.

    Raises:
        TraceError: there are too many.
    """
    queue, seen = deque([root]), {id(root)}
    while queue:
        value = queue.popleft()
        if is_dead_proxy(value) or _is_aside(value):
            continue
        if caches or not isinstance(value, CACHE):
            yield value
        for part in _parts_of_value(value):
            if type(part) not in ATOMS and id(part) not in seen:
                seen.add(id(part))
                queue.append(part)
        if len(seen) > MOST:
            raise make_error(
                f"more than {MOST} objects are reached from one of a package, which calls may"
                f" change",
                "",
                code=ErrorCode.TRACE_STATE,
            )


def _is_aside(value: object) -> bool:
    """Checks whether an object is not looked into: loggers, other modules, what JAX and SymPy make."""
    if isinstance(value, ModuleType):
        return not pure.is_installed_library(value.__name__)
    if isinstance(value, type) or is_array(value):
        return False
    if type(value) is Watch:
        return True
    # what a logger keeps is what it has been asked
    return is_logger(value) or type(value).__module__.partition(".")[0] in _IMMUTABLE


def _parts_of_value(value: object) -> Iterable[object]:
    """Returns the parts of a value."""
    if isinstance(value, FunctionType):
        return [value.__defaults__, value.__kwdefaults__, vars(value), *(value.__closure__ or ())]
    if isinstance(value, CellType):
        return in_cell(value)
    if isinstance(value, ContextVar):
        return [held_in(value)]
    if isinstance(value, CACHE):
        return _remembered(value)
    if isinstance(value, type):
        own = pure.is_installed_library(value.__module__)
        return [v for n, v in vars(value).items() if own and not n.startswith(("__", "_abc_"))]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return list(value.flat)
    if is_array(value) or isinstance(value, ModuleType):
        return ()
    # of values that belong to a thread, it is not among the others
    held = attributes_of(value)
    return [*([held] if type(held) is dict else []), *gc.get_referents(value)]


def _remembered(cache: functools._lru_cache_wrapper[object]) -> list[object]:
    """Returns the results in a function's cache, which callers may change, and perhaps more."""
    parts = gc.get_referents(cache) if cache.cache_info().currsize else []
    if cache.cache_parameters()["maxsize"] is None:
        return [v for p in parts if type(p) is dict for v in p.values()]
    return [
        p
        for p in parts
        if not (type(p) is dict and any(type(v).__name__ == _LINK for v in p.values()))
    ]


#: Class of the other objects in a cache of limited size.
_LINK = "_lru_list_elem"
