"""The Programs of a function at single sizes, each read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from eqvproof.engines.targets import trace_at
from eqvproof.errors import ShapeError, TargetError, TraceError
from eqvproof.evaluate.library import library_functions
from eqvproof.frontends import Trace
from eqvproof.signature import Signature

_Key = tuple[tuple[tuple[str, int], ...], int]


class AtSizes:
    """What became of reading a function at single sizes.

    Attributes:
        signature: the typing of the function.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self._function = function
        self.signature = signature
        self._known: dict[_Key, Trace | str] = {}

    def trace(self, sizes: Mapping[str, int], mode: int = 0) -> Trace:
        """The Program at some sizes.

        Args:
            sizes: of the names of the inputs.
            mode: how the processor rounds now, which constants that the target computes may depend on.

        Raises:
            TraceError: the function cannot be read there. TimeIsUp.
        """
        key = tuple((n, sizes[n]) for n in self.signature.input_names), mode
        if key not in self._known:
            self._known[key] = self._read(dict(key[0]))
        found = self._known[key]
        if isinstance(found, str):
            raise TraceError(found)
        return found

    def _read(self, sizes: Mapping[str, int]) -> Trace | str:
        try:
            trace = trace_at(self._function, self.signature, sizes)
        except (TraceError, TargetError, ShapeError) as error:
            return error.message
        names = ", ".join(library_functions(trace.program))
        return f"{names} is not traced" if names else replace(trace, drafts=None)
