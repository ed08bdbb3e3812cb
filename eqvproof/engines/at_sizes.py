"""Programs of a function at single sizes, each traced once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.engines.targets import trace_at
from eqvproof.programs.evaluate.library_functions import library_functions
from eqvproof.support.errors import ErrorCode, ShapeError, TargetError, TraceError
from eqvproof.tracing.trace import Trace

_Key = tuple[Hashable, ...]
Held = Mapping[str, np.ndarray[Any, Any]]
#: Largest number of cached Programs; there are many for single positions.
_KEPT = 256


class AtSizes:
    """A function traced at single sizes, with cached traces.

    Args:
        function: the function.
        signature: its typing.
        state: the reason why calls change the function, or ""; such a function is not traced.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature, state: str = "") -> None:
        self.function = function
        self.signature = signature
        self._state = state
        self._known: dict[_Key, Trace | TraceError] = {}

    @property
    def known(self) -> list[Trace]:
        """Returns the cached traces."""
        return [t for t in self._known.values() if isinstance(t, Trace)]

    def trace(self, sizes: Mapping[str, int], mode: int = 0, held: Held | None = None) -> Trace:
        """Returns the trace of the function at some sizes.

        Args:
            sizes: those of the names of the inputs.
            mode: the processor's present rounding mode; constants that the function computes may
                depend on it.
            held: positions and masks at which the function is traced, if it cannot be traced for
                all of them.

        Raises:
            TraceError: the function cannot be traced there.
            TimeIsUp: the time is over.
        """
        if self._state:
            raise TraceError(self._state, code=ErrorCode.TRACE_STATE)
        known = {n: sizes[n] for n in self.signature.input_names}
        key = (*known.items(), mode, *((n, a.tobytes()) for n, a in (held or {}).items()))
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = self._read(known, held)
        found = self._known[key]
        if isinstance(found, TraceError):
            raise TraceError(found.message, code=found.code)
        return found

    def signs_at(self, sizes: Mapping[str, int]) -> str:
        """Returns an error text if results depend on the signs of eigenvectors; "" otherwise."""
        try:
            self.trace(sizes)
        except TraceError as error:
            if error.code == ErrorCode.TRACE_SIGNS:
                return error.message
            return ""
        return ""

    def _read(self, sizes: Mapping[str, int], held: Held | None) -> Trace | TraceError:
        try:
            trace = trace_at(self.function, self.signature, sizes, held)
        except (TraceError, TargetError, ShapeError) as error:
            code = error.code if isinstance(error, TraceError) else ""
            return TraceError(error.message, code=code)
        from eqvproof.tracing.vector_signs import signs_matter

        signs = signs_matter(trace.program, trace.lines, self.signature, sizes)
        if signs:
            return TraceError(signs, code=ErrorCode.TRACE_SIGNS)
        names = ", ".join(library_functions(trace.program))
        if names:
            return TraceError(f"{names} is not traced")
        return replace(trace, drafts=None)
