"""``np.r_``, ``np.c_``, ``np.vectorize`` and ``np.broadcast`` while a function is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, cast

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import mentions_trace, shape_of
from eqvproof.tracing.arrays.values import Array, is_complex, is_selection


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

    def __call__(self, *args: Any) -> object:
        """Applies the function; to traced arrays as a whole, which acts on them entry by entry."""
        context = current_context()
        if context is None or not mentions_trace(args):
            made: Any = np.vectorize
            return made(self._function, **self._options)(*args)
        options = dict(self._options)
        if options.pop("otypes", "d") not in _FLOATS or options:
            context.refuse("np.vectorize with options")
        return np.broadcast_arrays(self._function(*args) * 1.0, *args)[0]


#: Types of results of `np.vectorize` that are floats.
_FLOATS = ("d", [float], [np.float64], ["d"], ["float64"], ["float"])


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
)
