"""The interface of handlers of array functions: what one takes and may return, and their tables.

A handler is called as ``handler(context, *args, **kwargs)`` with the arguments of the call, and
returns what the function returns: a traced array, a list or tuple of them, or, for questions about
a shape or a dtype, plain Python values. A keyword that its signature does not list is refused by the caller.
"""

from __future__ import annotations

import importlib
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, SupportsIndex, TypeVar, cast

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.sizes import SymbolicSize, size_of
from eqvproof.tracing.arrays.values import Array, Kind, is_listed, is_traced, make, node_of

Handler = Callable[..., Any]
H = TypeVar("H", bound=Handler)
K = TypeVar("K")
Table = dict[object, Handler]


def find_functions(module: ModuleType, names: str) -> list[object]:
    """Returns the functions of a module with some dotted names, apart from those that it lacks."""
    found = []
    for name in names.split():
        value: object = module
        for part in name.split("."):
            value = getattr(value, part, None)
        if value is not None:
            found.append(value)
    return found


class LazyTable(Mapping[object, Handler]):
    """A table from functions to handlers that imports a module of handlers when it is needed.

    Args:
        package: the package of the modules of handlers.
        table: the name of the table that holds the handlers in each of these modules.
        owners: modules of functions, each with the names of its functions by module of handlers.
    """

    def __init__(
        self,
        package: str,
        table: str,
        owners: Sequence[tuple[ModuleType, Mapping[str, str]]],
    ) -> None:
        self._package, self._table = package, table
        self._handlers: dict[object, Handler] = {}
        self._places: dict[object, str] = {}
        for owner, places in owners:
            for place, names in places.items():
                self._places |= dict.fromkeys(find_functions(owner, names), place)

    def __getitem__(self, function: object) -> Handler:
        if function not in self._handlers:
            module = importlib.import_module(f"{self._package}.{self._places[function]}")
            self._handlers[function] = getattr(module, self._table)[function]
        return self._handlers[function]

    def __contains__(self, function: object) -> bool:
        return function in self._places or function in self._handlers

    def __iter__(self) -> Iterator[object]:
        yield from {**self._places, **self._handlers}

    def __len__(self) -> int:
        return len({**self._places, **self._handlers})

    def update(self, handlers: Mapping[object, Handler]) -> None:
        """Enters handlers of functions whose library has been imported."""
        self._handlers.update(handlers)


def handles(table: dict[K, Handler], *functions: K | None) -> Callable[[H], H]:
    """Returns a decorator that registers a handler for some functions, or names, in a table.

    None stands for a function that the installed NumPy lacks.
    """

    def enter(handler: H) -> H:
        table.update(dict.fromkeys([f for f in functions if f is not None], handler))
        return handler

    return enter


def optional(owner: object, name: str) -> object:
    """Returns a function that older releases lack, or None."""
    return getattr(owner, name, None)


def as_int(context: TraceContext, value: object, what: str = "an axis") -> int:
    """Returns a Python integer."""
    if type(value) is SymbolicSize:
        context.refuse(f"{what} that depends on a size", hint="give sizes=")
    return operator.index(cast(SupportsIndex, value))


def as_axes(context: TraceContext, axis: object, rank: int) -> list[int]:
    """Returns axes as a sorted list of numbers from 0 up; None means all axes."""
    if axis is None:
        return list(range(rank))
    given = axis if is_listed(axis) else (axis,)
    found = [as_int(context, a) for a in given]
    for a in found:
        if not -rank <= a < rank:
            context.refuse(f"axis {a} of an array of {rank} axes", code="trace.shape")
    result = sorted({a % rank for a in found})
    if len(result) != len(found):
        context.refuse("the same axis twice")
    return result


def as_axis(context: TraceContext, axis: object, rank: int) -> int:
    """Returns one axis as a number from 0 up."""
    return as_axes(context, as_int(context, axis), rank)[0]


def as_sizes(context: TraceContext, shape: object) -> list[Size]:
    """Returns a shape argument as polynomials (-1 stays -1)."""
    one = is_traced(shape) or not isinstance(shape, tuple | list | np.ndarray)
    given: Iterable[object] = (shape,) if one else cast(Iterable[object], shape)
    result = []
    for s in given:
        size = size_of(s)
        if size is None:
            size = Size.of(operator.index(cast(SupportsIndex, s)))
        result.append(size)
    return result


#: Options that say how a function is computed, or how its result lies in memory.
IDLE = frozenset(
    "casting check_finite copy kind like order overwrite_input overwrite_x stable subok workers"
    " writeable".split()
)


_NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD


@cache
def _parameters(function: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """Returns the parameters of a function by name; an empty dict where they are not known."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def taken(
    context: TraceContext,
    function: Callable[..., object],
    handler: Handler,
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Returns the arguments in the form that a handler takes, by names from the second on.

    An option that the handler does not take is dropped where it has its default, or is idle; else
    it is refused.
    """
    wanted, declared = _parameters(handler), _parameters(function)
    kinds = {p.kind for p in wanted.values()}
    if inspect.Parameter.VAR_KEYWORD in kinds:
        return args, kwargs
    more = [*declared.values()][1 : len(args)]
    if inspect.Parameter.VAR_POSITIONAL not in kinds and {p.kind for p in more} == {_NAMED}:
        args, kwargs = (
            args[:1],
            {**dict(zip((p.name for p in more), args[1:], strict=True)), **kwargs},
        )
    given = {name: value for name, value in kwargs.items() if name in wanted}
    for name in kwargs.keys() - given.keys() - IDLE:
        value, default = kwargs[name], declared[name].default if name in declared else None
        here = name == "device" and type(value) is str and value == "cpu"
        usual = (None, np._NoValue, default, {"where": True}.get(name))
        if not here and not any(value is v for v in usual):
            context.refuse(f"{name}= is not traced", hint="leave it out, and write what it does")
    return args, given


def require_float_dtype(context: TraceContext, dtype: TypeLike) -> None:
    """Accepts dtypes that at most round real numbers; refuses those that change them."""
    if dtype is not None and np.dtype(dtype).kind != "f":
        context.refuse(f"dtype={np.dtype(dtype)} is not traced here", hint="use a float dtype")
    note_precision(context, dtype)


def in_type(context: TraceContext, x: Array, dtype: TypeLike) -> Array:
    """Converts the array to the type in which a function computes and returns its result."""
    if dtype is None:
        return x
    kind = np.dtype(dtype)
    if kind.kind not in "fiu":
        context.refuse(f"dtype={kind} is not traced here", hint="use a float dtype")
    context.integers = kind, True
    return x.astype(kind)


def note_precision(context: TraceContext, dtype: TypeLike) -> None:
    """Records that the target rounds to short floats; over the reals that is the identity."""
    if dtype is not None and np.dtype(dtype).kind == "f" and np.dtype(dtype).itemsize < 8:
        context.bits = min(context.bits, 8 * np.dtype(dtype).itemsize)


def real(
    context: TraceContext, node: int, *sources: Array, kind: Kind | None = None, array: bool = False
) -> Array:
    """Returns a new traced array: integers if all sources are integers or booleans, else floats."""
    if kind is None:
        kinds = {s._eqvproof.kind for s in sources}
        kind = "f" if "f" in kinds or not kinds else "i"
    return make(context, node, kind, array=array)


__all__ = [
    "Handler",
    "Table",
    "as_axes",
    "as_axis",
    "as_int",
    "as_sizes",
    "handles",
    "in_type",
    "is_traced",
    "lift",
    "make",
    "node_of",
    "note_precision",
    "optional",
    "real",
    "require_float_dtype",
]
