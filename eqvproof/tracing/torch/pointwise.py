"""ATen operations that PyTorch tags as elementwise, read without a handler for each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch._ops import OpOverload

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import by_entries
from eqvproof.tracing.framework_arrays import Node


def handler_of(
    operation: OpOverload, given: Sequence[object], options: Mapping[str, object]
) -> Callable[..., int] | None:
    """Returns the handler of an elementwise operation of tensors and plain numbers; else None."""
    tags, numbers = operation.tags, (int, float, type(None))
    if torch.Tag.pointwise not in tags or torch.Tag.nondeterministic_seeded in tags:
        return None
    plain = [*(a for a in given if not isinstance(a, Node)), *options.values()]
    if operation._schema.is_mutable or not all(isinstance(a, numbers) for a in plain):
        return None
    written = ["x" if isinstance(a, Node) else repr(a) for a in given]
    written += [f"{key}_{value!r}" for key, value in sorted(options.items())]
    name = (
        ".".join(["torch.ops", str(operation), *written]).replace("-", "minus").replace("+", "plus")
    )

    def on_floats(*arrays: object) -> object:
        tensors = iter([torch.as_tensor(np.array(a, dtype=np.float64)) for a in arrays])
        found = operation(*(next(tensors) if isinstance(a, Node) else a for a in given), **options)
        if isinstance(found, torch.Tensor):
            return found.numpy()
        return found

    def handler(b: Builder, *args: object, **_: object) -> int:
        return by_entries.applied(b, name, on_floats, [int(a) for a in args if isinstance(a, Node)])

    return handler
