"""Tensors and modules that a torch target holds, and how they are called."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from eqvproof.tracing.observing.detect import reached

if TYPE_CHECKING:
    import torch


def floating_type(target: object, default: str = "float64") -> torch.dtype:
    """The floating type of the parameters that a target holds, else of its buffers, else of its tensors.

    The default where there are none.
    """
    import torch

    held = list(reached(target))
    modules = [m for m in held if isinstance(m, torch.nn.Module)]
    values: Iterator[object] = itertools.chain(
        *(m.parameters() for m in modules), *(m.buffers() for m in modules), held
    )
    for value in values:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            return value.dtype
    found: torch.dtype = getattr(torch, default)
    return found


def shortest(types: Iterable[torch.dtype]) -> torch.dtype:
    """The floating type that rounds most."""
    import torch

    return max(types, key=lambda t: torch.finfo(t).eps)


def modules_of(target: object) -> list[torch.nn.Module]:
    """The modules that a target is, or reaches, with all that are in them."""
    import torch

    found = (m for h in reached(target) if isinstance(h, torch.nn.Module) for m in h.modules())
    return list(dict.fromkeys(found))


def name_of(tensor: object, target: object) -> str:
    """The name that a module has for one of its tensors."""
    found = (
        n
        for m in modules_of(target)
        for n, t in (*m.named_buffers(), *m.named_parameters())
        if t is tensor
    )
    return next(found, "a tensor that the function holds")


@contextmanager
def slow_path() -> Iterator[None]:
    """Encoder layers as they are written: their fused form gives NaN where a whole sequence is masked."""
    import torch

    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
