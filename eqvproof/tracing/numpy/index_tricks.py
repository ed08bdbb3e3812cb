"""``np.r_``, ``np.c_``, ``np.vectorize``, ``np.piecewise`` and ``np.broadcast`` in a trace."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace, shape_of
from eqvproof.tracing.arrays.paths import Path, every_path, joined
from eqvproof.tracing.arrays.values import (
    Array,
    is_complex,
    is_listed,
    is_selection,
    make,
    node_of,
    xp,
)


class Joined:
    """The ``np.r_`` (joins along the first axis) or ``np.c_`` (vectors as columns) of traced code.

    Args:
        original: NumPy's own, used if no part is traced.
        columns: whether vectors become columns.
    """

    __slots__ = ("_columns", "_original", "_state")

    def __init__(self, original: Any, *, columns: bool) -> None:
        self._original = original
        self._columns = columns
        self._state = _state(original)

    def __getitem__(self, key: object) -> Any:
        context, parts = current_context(), key if isinstance(key, tuple) else (key,)
        if context is None or not context.active or not mentions_trace(parts):
            return self._original[key]
        if any(
            isinstance(p, str) or (isinstance(p, slice) and mentions_trace((p.step,)))
            for p in parts
        ):
            context.refuse(
                "a directive between the brackets of np.r_ or np.c_", hint="use np.concatenate"
            )
        arrays = [np.atleast_1d(self._original[p] if isinstance(p, slice) else p) for p in parts]
        if _state(self._original) != self._state or (
            self._columns and any(a.ndim > 2 for a in arrays)
        ):
            context.refuse(
                "np.c_ of three axes, or changed by somebody, is not traced",
                hint="use np.concatenate",
            )
        return context.call(np.column_stack if self._columns else np.concatenate, (arrays,), {})


def _state(original: Any) -> tuple[object, ...]:
    """Returns its settings (axis and so on), which anybody may change."""
    return original.axis, original.matrix, original.ndmin, original.trans1d


class Vectorized:
    """The ``np.vectorize`` of traced code: applies a function of numbers to whole arrays."""

    def __init__(
        self, pyfunc: Callable[..., Any], otypes: object = None, **options: object
    ) -> None:
        self._function, self._options = (
            pyfunc,
            options if otypes is None else {"otypes": otypes, **options},
        )

    @classmethod
    def of(cls, made: np.vectorize) -> Vectorized:
        """Returns the stand-in for an object that np.vectorize has made."""
        options = {"excluded": made.excluded, "cache": made.cache, "signature": made.signature}
        return cls(made.pyfunc, made.otypes, **{k: v for k, v in options.items() if v})

    def __call__(self, *args: Any) -> object:
        """Applies the function; to traced arrays as a whole, which acts on them entry by entry."""
        context = current_context()
        if context is None or not mentions_trace(args):
            made: Any = np.vectorize
            return made(self._function, **self._options)(*args)
        options = dict(self._options)
        if options.pop("otypes", "d") not in _FLOATS or options:
            context.refuse("np.vectorize with options")
        arrays = cast(tuple[Array, ...], context.call(np.broadcast_arrays, args, {}))
        if context.path is None:
            return xp.broadcast_arrays(self._function(*arrays) * 1.0, *arrays)[0]
        with context.by_entries():
            return self._by_entries(context, arrays)

    def _by_entries(self, context: TraceContext, args: Sequence[Array]) -> Array:
        """Joins the ways through the function, where a branch asks each entry for itself."""
        outer, shape = context.path, args[0]._eqvproof.shape
        kinds: set[str] = set()

        def run(path: Path) -> tuple[int, None]:
            context.path, path.shape = path, shape
            found = lift(context, self._function(*args))
            kinds.add(found._eqvproof.kind)
            return context.builder.broadcast_to(node_of(found * 1.0), shape), None

        try:
            taken = list(every_path(run))
        finally:
            context.path = outer
        if len(kinds) > 1 and "otypes" not in self._options:
            context.refuse(
                "np.vectorize of a function that returns integers and floats has the type of its"
                " first result",
                hint="give otypes=[float]",
            )
        node = joined(context.builder, taken, [t.result for t in taken])
        return make(context, node, "f", array=True)


#: Types of results of `np.vectorize` that are floats.
_FLOATS = ("d", [float], [np.float64], ["d"], ["float64"], ["float"])


_PIECEWISE: Callable[..., object] = np.piecewise


def _piecewise(
    x: object, condlist: object, funclist: Sequence[object], *args: object, **kw: object
) -> object:
    """Computes ``np.piecewise``: functions of the entries that conditions pick."""
    context, listed = current_context(), condlist if is_listed(condlist) else [condlist]
    if context is None or not mentions_trace((x, *listed)):
        return _PIECEWISE(x, condlist, funclist, *args, **kw)
    array, masks = lift(context, x), [lift(context, mask) for mask in listed]
    is_usual = all(mask._eqvproof.kind == "b" for mask in masks)
    if array._eqvproof.kind != "f" or not is_usual or not array.ndim:
        context.refuse("np.piecewise of integers, or of what are no masks", hint="use np.where")
    if len(funclist) == len(masks) + 1:
        masks.append(xp.logical_not(functools.reduce(xp.logical_or, masks)))
    found = cast(Array, context.call(np.zeros_like, (array,), {}))
    for mask, function in zip(masks, funclist, strict=True):
        value = function
        if callable(function):
            with context.by_entries():
                value = function(array[mask], *args, **kw)
        found[mask] = value
    return found


class Broadcast:
    """The ``np.broadcast`` of traced arrays: its shape follows from their shapes.

    What goes through the entries one by one is refused.
    """

    __slots__ = ("_context", "ndim", "numiter", "shape", "size")

    def __init__(self, context: TraceContext, arrays: tuple[object, ...]) -> None:
        self._context = context
        first, *_ = cast(tuple[Array, ...], context.call(np.broadcast_arrays, arrays, {}))
        self.shape, self.size = shape_of(first), first.size
        self.ndim, self.numiter = len(self.shape), len(arrays)

    @property
    def nd(self) -> int:
        """Returns the number of axes."""
        return self.ndim

    def __getattr__(self, name: str) -> object:
        if not hasattr(np.broadcast, name):
            raise AttributeError(f"'numpy.broadcast' object has no attribute '{name}'")
        self._context.refuse(f".{name} of np.broadcast is not traced", hint=_ENTRIES)

    def __iter__(self) -> NoReturn:
        self._context.refuse("a loop over np.broadcast is not traced", hint=_ENTRIES)

    __next__ = __iter__


_BROADCAST: Callable[..., object] = np.broadcast
_ENTRIES = "np.broadcast_arrays gives the arrays, for operations on all entries at once"


def _broadcast(*arrays: object) -> object:
    """Computes ``np.broadcast``; its shape alone where an array is traced."""
    context = current_context()
    if context is None or not context.active:
        return _BROADCAST(*arrays)
    if any(is_complex(a) or is_selection(a) for a in arrays):
        context.refuse("np.broadcast of complex arrays or picked entries is not traced")
    if not mentions_trace(arrays):
        return _BROADCAST(*arrays)
    return Broadcast(context, arrays)


#: NumPy's objects with a syntax of their own, and their replacements in traced code.
STAND_INS: tuple[tuple[object, object], ...] = (
    (np.r_, Joined(np.r_, columns=False)),
    (np.c_, Joined(np.c_, columns=True)),
    (np.vectorize, Vectorized),
    (np.broadcast, _broadcast),
    (np.piecewise, _piecewise),
)
