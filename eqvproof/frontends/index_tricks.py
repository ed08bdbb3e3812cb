"""``np.r_`` and ``np.c_`` while a target is traced: arrays joined by writing them between brackets."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.arrays import functions
from eqvproof.arrays.context import current_context
from eqvproof.arrays.lifting import mentions_trace


class Joined:
    """What traced code sees as ``np.r_`` (along the first axis) or ``np.c_`` (vectors as columns).

    Args:
        original: NumPy's own, which is asked where no part is traced.
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
        if any(isinstance(p, str) or (isinstance(p, slice) and mentions_trace((p.step,))) for p in parts):
            context.refuse("a directive between the brackets of np.r_ or np.c_", hint="use np.concatenate")
        arrays = [np.atleast_1d(self._original[p] if isinstance(p, slice) else p) for p in parts]
        if _state(self._original) != self._state or (self._columns and any(a.ndim > 2 for a in arrays)):
            context.refuse(
                "np.c_ of three axes, or changed by somebody, is not traced", hint="use np.concatenate"
            )
        join = functions.FUNCTIONS[np.column_stack if self._columns else np.concatenate]
        return join(context, arrays)


def _state(original: Any) -> tuple[object, ...]:
    """Along which axis, and so on: anybody may change it."""
    return original.axis, original.matrix, original.ndmin, original.trans1d


#: NumPy's objects that are asked by brackets, and what traced code sees in their places.
STAND_INS: tuple[tuple[object, Joined], ...] = (
    (np.r_, Joined(np.r_, columns=False)), (np.c_, Joined(np.c_, columns=True)),
)  # fmt: skip
