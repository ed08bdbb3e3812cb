"""Tensors that a torch target holds, as constants of a Program."""

from __future__ import annotations

import numpy as np
import torch

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.pairs import Pair
from eqvproof.tracing.framework_arrays import Node, as_array, as_value, constant_array
from eqvproof.tracing.observing.entries import stored_entries

#: Number types whose numbers are taken as they are; others are converted to float64.
_TAKEN = (torch.float64, torch.float32, torch.float16, torch.int64)


def read_constant(context: TraceContext, given: torch.Tensor) -> object:
    """Returns a tensor of the target as exact rationals, some of them infinite or complex."""
    tensor = stored_entries(torch, given)
    if tensor.is_complex():
        parts = (
            Node(context.builder.const(p.double().numpy())) for p in (tensor.real, tensor.imag)
        )
        return Pair(*(as_array(context, part) for part in parts))
    if tensor.dtype not in _TAKEN:
        tensor = tensor.double()
    array = tensor.numpy()
    if np.isfinite(array).all():
        return Node(context.builder.const(array))
    return as_value(constant_array(context, array))
