"""``np.r_``, ``np.c_``, ``np.vectorize``, ``np.piecewise`` and ``np.broadcast`` in a trace."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.values import Array, is_listed, xp


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
        arrays = [xp.atleast_1d(self._part(context, p)) for p in parts]
        if _state(self._original) != self._state or (
            self._columns and any(a.ndim > 2 for a in arrays)
        ):
            context.refuse(
                "np.c_ of three axes, or changed by somebody, is not traced",
                hint="use np.concatenate",
            )
        return context.call(np.column_stack if self._columns else np.concatenate, (arrays,), {})

    def _part(self, context: TraceContext, part: object) -> Array:
        """Returns the array that a part between the brackets stands for."""
        if isinstance(part, slice):
            return cast(Array, self._original[part])
        if is_listed(part) and mentions_trace(part):
            return lift(context, part)
        return cast(Array, part)


def _state(original: Any) -> tuple[object, ...]:
    """Returns its settings (axis and so on), which anybody may change."""
    return original.axis, original.matrix, original.ndmin, original.trans1d


_ENTRIES = LaterModule("eqvproof.tracing.numpy.entry_functions")


def replaced_vectorize(made: object) -> object:
    """Returns an object that np.vectorize has made as traced code sees it."""
    return _ENTRIES.Vectorized.of(made)


#: NumPy's objects with a syntax of their own, and their replacements in traced code.
STAND_INS: tuple[tuple[object, object], ...] = (
    (np.r_, Joined(np.r_, columns=False)),
    (np.c_, Joined(np.c_, columns=True)),
    (np.vectorize, _ENTRIES.function("Vectorized")),
    (np.broadcast, LaterModule("eqvproof.tracing.numpy.broadcast").function("broadcast")),
    (np.piecewise, _ENTRIES.function("piecewise")),
)
