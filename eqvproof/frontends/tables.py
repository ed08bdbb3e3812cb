"""Arrays that are no inputs, indexed by inputs: ``table[z]``.

NumPy asks an index of a plain array for numbers, and never lets it answer itself. Where that ends a trace, it
is made once more with such arrays, as the user's code holds them by name, in the class `Table`: a view of the
same memory, which differs in its index alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.frontends.context import current_context

#: The code of the refusal after which a trace is made once more.
CODE = "trace.index"


class Table(np.ndarray[Any, Any]):
    """An array that traced arrays may index."""

    def __getitem__(self, key: Any) -> Any:
        from eqvproof.frontends.values import lift, mentions_trace

        context = current_context()
        if context is not None and context.active and mentions_trace(key):
            return lift(context, np.asarray(self))[key]
        return super().__getitem__(key)


def is_table(value: Any) -> bool:
    """Whether a value is a plain array of numbers with an axis to index."""
    return type(value) is np.ndarray and value.dtype.kind in "biuf" and value.ndim > 0


def as_table(value: Any) -> Any:
    """The same memory as a table."""
    return value.view(Table)
