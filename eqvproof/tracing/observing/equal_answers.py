"""Compares the attributes of traced arrays with those of real ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from eqvproof.tracing.observing.pure import attributes


def are_harmless(asked: Iterable[str] | None) -> bool:
    """Checks whether traced arrays answer like real ones when asked for some attributes."""
    if asked is None:
        return False
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    pairs: list[tuple[type, type]] = []
    if torch is not None:
        from torch._subclasses.fake_tensor import FakeTensor

        pairs.append((torch.Tensor, FakeTensor))
    if jax is not None:
        from jax._src.array import ArrayImpl
        from jax._src.interpreters.partial_eval import DynamicJaxprTracer

        pairs.append((ArrayImpl, DynamicJaxprTracer))
    usual = attributes(torch is not None)
    for name in asked:
        has = [(_has(real, name), _has(traced, name)) for real, traced in pairs]
        if name.startswith("_") or any(a != b or (a and name not in usual) for a, b in has):
            return False
    return True


def _has(cls: type, name: str) -> bool:
    return hasattr(cls, name) or any(name in getattr(c, "__annotations__", {}) for c in cls.__mro__)
