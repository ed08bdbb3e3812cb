"""Tensors and modules that a torch target holds: their types, their names, and how they run."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from eqvproof.tracing.observing.detect import reached

if TYPE_CHECKING:
    import torch


def floating_type(target: object, default: str = "float64") -> torch.dtype:
    """Returns the floating type of the parameters that a target holds.

    Without parameters it is that of its buffers, or of its tensors, or else the default.
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


def least_precise(types: Iterable[torch.dtype]) -> torch.dtype:
    """Returns the floating type with the largest rounding errors."""
    import torch

    return max(types, key=lambda t: torch.finfo(t).eps)


def modules_of(target: object) -> list[torch.nn.Module]:
    """Returns the modules that a target is, or reaches, with all their submodules."""
    import torch

    found = (m for h in reached(target) if isinstance(h, torch.nn.Module) for m in h.modules())
    return list(dict.fromkeys(found))


def name_of(tensor: object, target: object) -> str:
    """Returns the name of one of a module's tensors."""
    found = (
        n
        for m in modules_of(target)
        for n, t in (*m.named_buffers(), *m.named_parameters())
        if t is tensor
    )
    return next(found, "a tensor that the function holds")


@contextmanager
def unfused_encoder_layers() -> Iterator[None]:
    """Runs encoder layers as they are written.

    Their fused form gives NaN where a whole sequence is masked.
    """
    import torch

    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
