"""A torch function or module as a target: called with tensors, traced by torch.export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from eqvproof.frontends.detect import mentions
from eqvproof.frontends.drafts import Drafts
from eqvproof.frontends.framework import FrameworkTarget
from eqvproof.frontends.torch.export import export_program, floating_type
from eqvproof.signature import Signature

#: Modules whose objects show that a function takes tensors.
ROOTS = ("torch", "torch_geometric", "e3nn")


class Torch:
    """PyTorch as a `Framework`: exported for sizes from 2 up, conditions on sizes refused."""

    name = "torch"
    asks_of_code = False  # torch.export notes every condition on a size

    def call(self, target: Callable[..., Any], arrays: tuple[Any, ...]) -> Any:
        """The result for tensors of the target's floating type, without gradients."""
        import torch

        dtype = floating_type(target)
        kinds = [dtype if a.dtype.kind == "f" else None for a in arrays]
        tensors = [torch.tensor(np.ascontiguousarray(a), dtype=k) for a, k in zip(arrays, kinds, strict=True)]
        with torch.no_grad():
            result = target(*tensors)
        if isinstance(result, torch.Tensor):
            found = result.detach().cpu()
            return (found.double() if found.is_floating_point() else found).numpy()
        return result

    def read(
        self, target: Callable[..., Any], signature: Signature, pins: Mapping[str, int], *,
        limited: bool = False,
    ) -> Drafts:  # fmt: skip
        """The exported graph."""
        return export_program(target, signature, pins, limited=limited)

    def precision(self, target: Callable[..., Any]) -> str:
        """The floating type of the parameters."""
        return str(floating_type(target)).removeprefix("torch.")

    def caller(self, target: Callable[..., Any], *, first: bool) -> Callable[..., Any]:
        """The target itself."""
        return lambda *arrays: self.call(target, arrays)

    def session(self) -> AbstractContextManager[Any]:
        """Nothing: torch has no settings that matter here."""
        return nullcontext()


def torch_target(target: Callable[..., Any]) -> FrameworkTarget:
    """A torch target behind the calling convention of NumPy targets."""
    return FrameworkTarget(target, Torch())


def is_torch(f: Any) -> bool:
    """Whether a target takes tensors, as far as that shows: a module, or a function that names torch."""
    import sys

    torch = sys.modules.get("torch")
    return torch is not None and (isinstance(f, torch.nn.Module) or mentions(f, ROOTS))
