"""The Programs of a function at single sizes, each read once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.engines.targets import trace_at
from eqvproof.programs.evaluate.library_functions import library_functions
from eqvproof.support.errors import ShapeError, TargetError, TraceError
from eqvproof.tracing.trace import Trace
from eqvproof.tracing.vector_signs import NO_SIGN, signs_matter

_Key = tuple[Hashable, ...]
Held = Mapping[str, np.ndarray[Any, Any]]
#: Programs that are kept; those for single positions are many.
_KEPT = 256


class AtSizes:
    """What became of reading a function at single sizes.

    Args:
        function: the function.
        signature: its typing.
        state: why calls change what the function is, where they do: it is not read then.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature, state: str = "") -> None:
        self.function = function
        self.signature = signature
        self._state = state
        self._known: dict[_Key, Trace | str] = {}

    @property
    def known(self) -> list[Trace]:
        """The traces that were read, and are kept."""
        return [t for t in self._known.values() if isinstance(t, Trace)]

    def trace(self, sizes: Mapping[str, int], mode: int = 0, held: Held | None = None) -> Trace:
        """The Program at some sizes.

        Args:
            sizes: of the names of the inputs.
            mode: how the processor rounds now, which constants that the target computes may depend
                on.
            held: positions and masks at which the function is read, where it cannot be for all of
                them.

        Raises:
            TraceError: the function cannot be read there. TimeIsUp.
        """
        if self._state:
            raise TraceError(self._state, code="trace.state")
        known = {n: sizes[n] for n in self.signature.input_names}
        key = (*known.items(), mode, *((n, a.tobytes()) for n, a in (held or {}).items()))
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = self._read(known, held)
        found = self._known[key]
        if isinstance(found, str):
            raise TraceError(found)
        return found

    def signs_at(self, sizes: Mapping[str, int]) -> str:
        """What is said of a function whose results depend on the signs of eigenvectors; "" of others."""
        try:
            self.trace(sizes)
        except TraceError as error:
            return error.message if NO_SIGN in error.message else ""
        return ""

    def _read(self, sizes: Mapping[str, int], held: Held | None) -> Trace | str:
        try:
            trace = trace_at(self.function, self.signature, sizes, held)
        except (TraceError, TargetError, ShapeError) as error:
            return error.message
        signs = signs_matter(trace.program, trace.lines, self.signature, sizes)
        if signs:
            return signs
        names = ", ".join(library_functions(trace.program))
        return f"{names} is not traced" if names else replace(trace, drafts=None)
