"""Runs of PyTorch modules, recorded by hooks."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from eqvproof.interface.profile.recording import Array, Key, Run, replace_arrays


class TorchModel:
    """A copy of a module in one dtype, whose runs are recorded.

    Args:
        module: the module; its mode (train or eval) stays.
        like: its arguments, whose devices and dtypes of integers stay.
        dtype: the dtype of its parameters and of the arguments; None for their own.
    """

    def __init__(self, module: Any, like: Sequence[Any], dtype: str | None) -> None:
        self._torch: Any = sys.modules["torch"]
        self._module = module
        self._copy = copy.deepcopy(module)
        self._like = [self._torch.as_tensor(a) for a in like]
        self._dtype, self._device = None, None
        if dtype is not None:
            self._dtype = getattr(self._torch, dtype)
            self._copy = self._copy.to(self._dtype)
        parameters = [p for p in self._copy.parameters() if p.is_floating_point()]
        if parameters:
            self._device = parameters[0].device
            if dtype is None and not any(hasattr(a, "detach") for a in like):
                self._dtype = parameters[0].dtype

    @property
    def dtype(self) -> str:
        """The name of the dtype in which it is run."""
        if self._dtype is not None:
            return str(self._dtype).removeprefix("torch.")
        floats = [a.dtype for a in self._like if a.is_floating_point()]
        return str(floats[0]).removeprefix("torch.")

    def run(self, arrays: Sequence[Array], changes: Mapping[Key, Array]) -> Run:
        """Runs the module."""
        run = Run(changes)
        model = copy.deepcopy(self._copy)  # which may count its calls
        given = [self._as_tensor(a, like) for a, like in zip(arrays, self._like, strict=True)]
        for path, module in model.named_modules():
            _watch(run, path, module)
        with _all_submodules(self._torch), self._torch.no_grad():
            model(*given)
        return run

    def kind(self, path: str) -> str:
        """Returns the class of a submodule."""
        return type(self._module.get_submodule(path)).__name__

    def submodule(self, path: str) -> Any:
        """Returns a submodule."""
        return self._module.get_submodule(path)

    def _as_tensor(self, array: Array, like: Any) -> Any:
        found = self._torch.as_tensor(array)
        if like.is_floating_point():
            return found.to(dtype=self._dtype or like.dtype, device=self._device or like.device)
        return found.to(dtype=like.dtype, device=self._device or like.device)


@contextmanager
def _all_submodules(torch: Any) -> Iterator[None]:
    """Has transformers call their submodules, where a faster path would pass over them."""
    fast = torch.backends.mha
    before = fast.get_fastpath_enabled()
    fast.set_fastpath_enabled(False)
    try:
        yield
    finally:
        fast.set_fastpath_enabled(before)


def _watch(run: Run, path: str, module: Any) -> None:
    """Records the arguments and results of a module from now on."""
    torch: Any = sys.modules["torch"]

    def visit(side: Any) -> Any:
        def visited(tensor: Any, number: int) -> Any:
            numbers = tensor.detach().cpu()
            if numbers.is_floating_point():
                numbers = numbers.double()
            new = run.keep(path, side, number, numbers.numpy())
            if new is None:
                return tensor
            return torch.as_tensor(new).to(dtype=tensor.dtype, device=tensor.device)

        return visited

    def before(_: Any, args: Any, kwargs: Any) -> Any:
        args, only = replace_arrays(args, torch.is_tensor, visit("in"))
        if kwargs or not only:
            run.others.add(path)
        return args, kwargs

    def after(_: Any, args: Any, result: Any) -> Any:
        return replace_arrays(result, torch.is_tensor, visit("out"))[0]

    module.register_forward_pre_hook(before, with_kwargs=True)
    module.register_forward_hook(after)
