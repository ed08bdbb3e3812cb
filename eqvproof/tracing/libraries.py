"""Recognises functions of torch, JAX and SymPy, and adapts them to NumPy arrays.

Any other function is a NumPy function. The modules for a library are imported when a function of it
is found.
"""

from __future__ import annotations

import importlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from eqvproof.tracing.observing.detect import asks_arguments_for, mentions

if TYPE_CHECKING:
    from eqvproof.claims.signature import Signature
    from eqvproof.tracing.samples import Spans
    from eqvproof.tracing.trace import Trace


class AdaptedFunction(ABC):
    """A function of a framework, or an expression, that is called as a NumPy function is.

    Attributes:
        library: the name of the framework.
        source: the user's object, whose code is examined.
    """

    library: str
    source: Any

    @abstractmethod
    def __call__(self, *arrays: Any) -> Any:
        """Returns the result at NumPy arrays, as a NumPy array."""

    @abstractmethod
    def trace(
        self, signature: Signature, pins: Mapping[str, int], *, limited: bool, spans: Spans
    ) -> Trace:
        """Traces it to a Program, and finds the lines of the user's code that made its nodes."""

    @abstractmethod
    def confirm(self, trace: Trace, signature: Signature, pins: Mapping[str, int]) -> None:
        """Checks a trace once more before a proof rests on it; raises TraceError if it is wrong."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose functions are adapted to NumPy arrays.

    Attributes:
        backend: the word by which users ask for it; empty if only objects show it.
        module: the module whose ``adapt(function, signature)`` adapts a function.
        takes: recognises functions of this kind, without an import.
    """

    backend: str
    module: str
    takes: Callable[[object], bool]

    def adapt(self, function: Any, signature: Signature) -> AdaptedFunction:
        """Adapts a function of this kind, with its typing."""
        adapt = importlib.import_module(self.module).adapt
        return cast(AdaptedFunction, adapt(function, signature))


def is_adapted(f: object) -> bool:
    """Checks whether a function is traced by its framework or by a walk through an expression.

    Other functions are traced by NumPy's protocols.
    """
    return issubclass(type(f), AdaptedFunction)


def source_of(f: Any) -> Any:
    """Returns the user's object whose code is examined: that of an adapted function, or itself."""
    return f.source if is_adapted(f) else f


def library_name(f: object) -> str:
    """Returns the name of the framework of an adapted function; "numpy" for other functions."""
    return f.library if isinstance(f, AdaptedFunction) else "numpy"


def is_torch(f: object) -> bool:
    """Checks whether a function seems to take tensors: a module, or a function that names torch."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    return (
        isinstance(f, torch.nn.Module)
        or mentions(f, ("torch", "torch_geometric", "e3nn"))
        or asks_arguments_for(f, torch.Tensor)
    )


def is_jax(f: object) -> bool:
    """Checks whether a function seems to take JAX arrays, from the names and objects it uses."""
    return "jax" in sys.modules and mentions(f, ("jax", "jaxlib", "flax", "equinox", "haiku"))


def is_sympy(f: object) -> bool:
    """Checks whether f is a SymPy expression, a matrix or an array of them, or a `Lambda`."""
    sympy = sys.modules.get("sympy")
    if sympy is None or isinstance(f, type):
        return False
    return isinstance(f, (sympy.Basic, sympy.MatrixBase)) or isinstance(f, sympy.NDimArray)


TORCH = Library("torch", "eqvproof.tracing.torch.target", is_torch)
JAX = Library("jax", "eqvproof.tracing.jax.target", is_jax)
SYMPY = Library("", "eqvproof.tracing.sympy.target", is_sympy)


def find_library(f: object, backend: str | None) -> Library | None:
    """Returns the library of a callable, or the one that the user asks for; None for NumPy."""
    for library in (TORCH, JAX):
        if backend == library.backend or (backend is None and library.takes(f)):
            return library
    return None
