"""Tensors and modules that a torch target holds."""

from __future__ import annotations

import functools
from typing import Any


def floating_type(target: Any) -> Any:
    """The floating type of a module's parameters and buffers; float64 where there are none.

    Of a function: that of the modules and tensors that it names.
    """
    import torch

    for held in (target, *named(target)):
        values = (*held.parameters(), *held.buffers()) if isinstance(held, torch.nn.Module) else (held,)
        for value in values:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                return value.dtype
    return torch.float64


def named(target: Any) -> list[Any]:
    """What a function holds in its closure, and the globals that its code names; what a partial holds."""
    if isinstance(target, functools.partial):
        return [part for p in (target.func, *target.args) for part in (p, *named(p))]
    code = getattr(target, "__code__", None)
    if code is None:
        return []
    found = [c.cell_contents for c in getattr(target, "__closure__", None) or () if _is_filled(c)]
    return found + [target.__globals__[n] for n in code.co_names if n in target.__globals__]


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def modules_of(target: Any) -> list[Any]:
    """The modules that a target is, or holds by name, with all that are in them."""
    import torch

    return [m for h in (target, *named(target)) if isinstance(h, torch.nn.Module) for m in h.modules()]


def name_of(tensor: Any, target: Any) -> str:
    """The name that a module has for one of its tensors."""
    found = (
        n for m in modules_of(target) for n, t in (*m.named_buffers(), *m.named_parameters()) if t is tensor
    )
    return next(found, "a tensor that the function holds")
