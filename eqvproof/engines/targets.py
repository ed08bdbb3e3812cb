"""Functions of all frameworks behind one interface: NumPy arrays in, one array out, and a trace.

An adapted function is a plain one for NumPy, else an `AdaptedFunction`.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from eqvproof.claims.signature import Signature
from eqvproof.support.deadline import reraise_time_is_up
from eqvproof.support.errors import BackendError, TraceError
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.libraries import SYMPY, AdaptedFunction, find_library, is_adapted
from eqvproof.tracing.numpy.trace import trace_all_sizes as read_all_sizes
from eqvproof.tracing.numpy.trace import trace_at as read_at
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.trace import Trace

if TYPE_CHECKING:
    from eqvproof.claims.dependence import Library

BACKENDS = ("numpy", "torch", "jax")
not_functions = LaterModule("eqvproof.engines.not_functions")
_MODULES = {"torch": "PyTorch", "jax": "JAX"}


def _require_function(f: Any) -> None:
    """Refuses what cannot be called, and calls that return no arrays: of classes, coroutines, ..."""
    called = f
    if callable(f) and not inspect.isroutine(f):
        called = getattr(f, "__call__", f)  # noqa: B004
    if (
        not callable(f)
        or isinstance(f, type)
        or inspect.iscoroutinefunction(called)
        or inspect.isgeneratorfunction(called)
    ):
        raise not_functions.not_a_function(f, called)


def adapt(
    f: Any, backend: str | None, signature: Signature, to_arrays: Callable[[Any], Any] = lambda f: f
) -> Callable[..., Any]:
    """Adapts a function of any framework to NumPy arrays.

    Args:
        f: the function, or a SymPy expression.
        backend: the framework; None if the function shows it.
        signature: its typing, whose names the symbols of a SymPy expression bind to.
        to_arrays: maps the function to the one of arrays, in its framework, that has this signature.

    Raises:
        BackendError: a backend that is unknown or not installed.
        OptionTypeError: the target is not a function.
    """
    if backend not in (None, *BACKENDS):
        raise not_functions.unknown_backend(backend, BACKENDS)
    if SYMPY.takes(f):
        return SYMPY.adapt(f, signature)
    _require_function(f)
    if backend in _MODULES:
        _load(str(backend))
    found = find_library(f, backend)
    if found is not None:
        return found.adapt(to_arrays(f), signature)
    return to_arrays(f)  # type: ignore[no-any-return]


def library_of(f: Any, backend: str | None) -> Library:
    """Returns the functions of the library whose arrays a function takes that claims call."""
    from eqvproof.claims.dependence import Library
    from eqvproof.tracing.models import picked

    library = find_library(f, backend)
    name = "numpy" if library is None else str(library.backend)
    module = importlib.import_module("jax.numpy" if name == "jax" else name)
    return Library(module.where, module.concatenate, picked)


def _load(backend: str) -> None:
    if backend in sys.modules:
        return
    try:
        importlib.import_module(backend)
    except ImportError as error:
        raise BackendError(
            f"{_MODULES[backend]} is not installed",
            hint=f'install it: pip install "eqvproof[{backend}]"',
            given=f"backend={backend!r}",
            expected="a framework that can be imported",
        ) from error


def trace_all_sizes(
    f: Callable[..., Any], signature: Signature, pins: Mapping[str, int], *, limited: bool = False,
    spans: Spans = NO_SPANS,
) -> Trace:  # fmt: skip
    """Traces an adapted function for all sizes, or for those in some spans.

    With `limited`, the trace holds only up to the sizes of `Trace.limits`.
    """
    with reraise_time_is_up():
        if isinstance(f, AdaptedFunction):
            return f.trace(signature, dict(pins), limited=limited, spans=spans)
        return read_all_sizes(f, signature, dict(pins), limited=limited, spans=spans)


def trace_at(
    f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int],
    held: Mapping[str, Any] | None = None,
) -> Trace:  # fmt: skip
    """Traces an adapted function at single sizes, with some arguments held constant.

    Raises:
        TraceError: sizes are missing, or arguments are held for a framework.
    """
    missing = [n for n in signature.input_names if n not in sizes]
    if is_adapted(f) and missing:
        raise TraceError("sizes are missing", given=str(dict(sizes)), expected=", ".join(missing))
    if not is_adapted(f):
        with reraise_time_is_up():
            return read_at(f, signature, sizes, held=held)
    if held:
        raise TraceError("positions and masks cannot be held while a framework reads the function")
    return trace_all_sizes(f, signature, sizes)


def read_again(
    f: Callable[..., Any], trace: Trace, signature: Signature, pins: Mapping[str, int]
) -> None:
    """Checks a trace once more before a proof rests on it, for functions of frameworks.

    The function traced with axes of size 1 must agree with the Program.

    Raises:
        TraceError: it does not.
    """
    if isinstance(f, AdaptedFunction):
        f.confirm(trace, signature, dict(pins))
