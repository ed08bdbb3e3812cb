"""``np.broadcast`` in a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import mentions_trace, shape_of
from eqvproof.tracing.arrays.values import Array, is_complex, is_selection


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


def broadcast(*arrays: object) -> object:
    """Computes ``np.broadcast``; its shape alone where an array is traced."""
    context = current_context()
    if context is None or not context.active:
        return _BROADCAST(*arrays)
    if any(is_complex(a) or is_selection(a) for a in arrays):
        context.refuse("np.broadcast of complex arrays or picked entries is not traced")
    if not mentions_trace(arrays):
        return _BROADCAST(*arrays)
    return Broadcast(context, arrays)
