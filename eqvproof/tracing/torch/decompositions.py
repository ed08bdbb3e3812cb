"""Formulas for operations of torch without a handler of their own, such as `index_add`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import cast

import torch
from torch._ops import OpOverload

from eqvproof.tracing.torch.random_draws import dropout

aten = torch.ops.aten
#: Operations recorded as one, which torch would decompose into several, or into index operations.
WHOLE = frozenset({
    "linalg_cross", "t", "transpose", "stack", "cat", "masked_fill", "silu", "mish", "detach",
    "_unsafe_view", "baddbmm", "all", "roll", "select_scatter", "logaddexp", "logaddexp2",
})  # fmt: skip


def name_of(target: object) -> str:
    """Returns the name of an operation, without its overload."""
    packet = getattr(target, "_overloadpacket", target)
    return str(getattr(packet, "__name__", packet))


@functools.cache
def decompositions() -> dict[object, Callable[..., object]]:
    """Returns the functions that replace operations for which there are no handlers."""
    table = cast(
        "dict[OpOverload, Callable[..., object]]", torch._decomp.core_aten_decompositions()
    )
    random = torch.Tag.nondeterministic_seeded  # a formula draws other numbers than the operation
    found = dict[object, Callable[..., object]]()
    for operation, formula in table.items():
        if name_of(operation) not in WHOLE and random not in operation.tags:
            found[operation] = formula
    stateful = (aten.native_batch_norm.default, aten._native_batch_norm_legit.default)
    asked: dict[object, Callable[..., object]] = {
        aten._is_all_true.default: lambda x: x.all(), aten._is_any_true.default: lambda x: x.any(),
        aten.native_dropout.default: dropout,
        aten.allclose.default: lambda *given, **more: bool(torch.isclose(*given, **more).all()),
        aten.where.self: _where, aten.__lshift__.Scalar: _shift_left,
        aten.bitwise_left_shift.Tensor_Scalar: _shift_left,
    }  # fmt: skip
    return {**found, **asked, **dict.fromkeys(stateful, _batch_norm)}


def _where(condition: torch.Tensor, chosen: torch.Tensor, other: torch.Tensor) -> object:
    """Chooses by a mask of bytes, which torch takes as truth values."""
    if condition.dtype != torch.uint8:
        return NotImplemented
    return torch.where(condition != 0, chosen, other)


def _shift_left(x: torch.Tensor, places: object) -> object:
    """Multiplies integers by a power of 2."""
    if x.dtype not in (torch.int32, torch.int64) or type(places) is not int:
        return NotImplemented
    if not 0 <= places < torch.iinfo(x.dtype).bits - 1:
        return NotImplemented
    return x * 2**places


def _batch_norm(
    x: object,
    weight: object,
    bias: object,
    mean: torch.Tensor | None,
    var: torch.Tensor | None,
    training: object,
    momentum: float,
    eps: float,
) -> object:
    """Normalises by the batch, and updates running statistics; or by running statistics."""
    if not training:
        return aten._native_batch_norm_legit_no_training.default(
            x, weight, bias, mean, var, momentum, eps
        )
    for statistic in (mean, var):
        if statistic is not None:
            statistic.mul_(1 - momentum)
    return aten._native_batch_norm_legit.no_stats(x, weight, bias, training, momentum, eps)
