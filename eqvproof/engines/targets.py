"""Targets of every kind behind one calling convention: NumPy arrays in, one array out, and a trace."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from eqvproof.errors import BackendError, TraceError
from eqvproof.frontends import Trace
from eqvproof.frontends import trace_all_sizes as read_all_sizes
from eqvproof.frontends import trace_at as read_at
from eqvproof.signature import Signature

BACKENDS = ("numpy", "torch")


def adapt(f: Callable[..., Any], backend: str | None) -> Callable[..., Any]:
    """The target as a function of NumPy arrays.

    Args:
        f: the target.
        backend: what it takes; None: as far as the target shows.

    Raises:
        BackendError: a backend that is unknown or not installed.
    """
    if backend not in (None, *BACKENDS):
        raise BackendError(f"the backend {backend!r} is not known", expected=", ".join(BACKENDS))
    if backend == "torch" and "torch" not in sys.modules:
        try:
            import torch  # noqa: F401
        except ImportError as error:
            raise BackendError(
                "PyTorch is not installed", hint='install it: pip install "eqvproof[torch]"'
            ) from error
    if "torch" in sys.modules and backend != "numpy":
        from eqvproof.frontends.torch import TorchTarget, is_torch

        if backend == "torch" or is_torch(f):
            return TorchTarget(f)
    return f


def trace_all_sizes(f: Callable[..., Any], signature: Signature, pins: Mapping[str, int]) -> Trace:
    """The Program of an adapted target for all sizes."""
    trace = getattr(f, "trace", None) if type(f).__name__ == "TorchTarget" else None
    if trace is not None:
        found: Trace = trace(signature, dict(pins))
        return found
    return read_all_sizes(f, signature, dict(pins))


def trace_at(f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int]) -> Trace:
    """The Program of an adapted target at single sizes."""
    if type(f).__name__ == "TorchTarget":
        raise TraceError("torch targets are traced for all sizes only")
    return read_at(f, signature, sizes)


def confirm(f: Callable[..., Any], trace: Trace, signature: Signature, pins: Mapping[str, int]) -> None:
    """What an adapted target still has to show before a proof rests on its trace; raises TraceError."""
    if type(f).__name__ == "TorchTarget":
        f.confirm(trace.program, signature, dict(pins))  # type: ignore[attr-defined]
