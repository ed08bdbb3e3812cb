"""Torch functions and modules as targets: calls with tensors, buffers compared around each call."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.support.errors import ErrorCode, TargetError
from eqvproof.tracing.arrays.object_state import kept
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.observing.frames import owner_of_module
from eqvproof.tracing.observing.pure import is_installed_library
from eqvproof.tracing.rounding import is_singular
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.torch.parameters import (
    floating_type,
    least_precise,
    modules_of,
    unfused_encoder_layers,
)

if TYPE_CHECKING:
    import torch


class Torch:
    """PyTorch as a `Framework`: read for sizes from 2 up; conditions on sizes are refused."""

    name = "torch"
    asks_of_code = False  # torch notes every condition on a size

    def __init__(self, target: object, default: str = "float64") -> None:
        self._comparisons_left = 4  # number of calls that change buffers and are made twice
        self._dtype, self._modules = floating_type(target, default), modules_of(target)
        self._shortest = self._dtype
        self._differentiates = False
        self._originals: dict[int, torch.Tensor] = {}

    def call(self, target: Callable[..., object], arrays: tuple[Any, ...]) -> object:
        """Calls the target on tensors of its floating type, with gradients if it needs them.

        A function that holds no numbers gets float64, or torch's default type where it makes
        numbers of that type. torch raises a plain RuntimeError where gradients are missing, and
        where types are mixed, as it does for many other reasons: the first other way in which the
        call returns is kept.
        """
        import torch

        try:
            return self._call_once(target, arrays)
        except RuntimeError as error:
            if is_singular(error) or isinstance(error, torch.OutOfMemoryError):
                raise
            for dtype, differentiates in self._other_ways():
                with suppress(RuntimeError), self._in_way(dtype, differentiates=differentiates):
                    return self._call_once(target, arrays)
            raise

    def _other_ways(self) -> Iterator[tuple[torch.dtype, bool]]:
        """Yields floating types, and whether gradients are computed, for calls after an error."""
        import torch

        now = self._dtype, self._differentiates
        for dtype in dict.fromkeys((self._dtype, torch.get_default_dtype())):
            for differentiates in dict.fromkeys((self._differentiates, True)):
                if (dtype, differentiates) != now:
                    yield dtype, differentiates

    @contextmanager
    def _in_way(self, dtype: torch.dtype, *, differentiates: bool) -> Iterator[None]:
        """Calls the target in another way within the block, and keeps to it if the block ends well."""
        before = self._differentiates, self._dtype
        self._differentiates, self._dtype = differentiates, dtype
        try:
            yield
        except BaseException:
            self._differentiates, self._dtype = before
            raise
        if dtype != before[1]:
            self._shortest = dtype

    def _call_once(self, target: Callable[..., object], arrays: tuple[Any, ...]) -> object:
        import torch

        kinds = [self._dtype if a.dtype.kind == "f" else None for a in arrays]

        def run_target() -> Any:
            given = zip(arrays, kinds, strict=True)
            tensors = [torch.tensor(np.ascontiguousarray(a), dtype=k) for a, k in given]
            result = target(*tensors)
            if isinstance(result, torch.Tensor):
                found = result.detach().cpu()
                if not found.is_floating_point():
                    return found.numpy().copy()
                self._shortest = least_precise([self._shortest, found.dtype])
                return found.double().numpy().copy()
            return result

        gradients = torch.set_grad_enabled(self._differentiates)
        with gradients, unfused_encoder_layers(), _restoring_buffers(self._modules) as changed:
            result, names = run_target(), changed()
            if names and self._comparisons_left:
                self._comparisons_left -= 1
                again = run_target()
                if isinstance(result, np.ndarray) and not np.array_equal(
                    result, again, equal_nan=True
                ):
                    raise TargetError(
                        f"two equal calls gave different answers; each changes {', '.join(names)}",
                        given="a module or function that keeps state",
                        expected="equal results for equal arguments",
                        hint="call eval(), or return the state as a result",
                        code=ErrorCode.TARGET_STATE,
                    )
        return result

    def read(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int], *,
        limited: bool = False, spans: Spans = NO_SPANS,
    ) -> Drafts:  # fmt: skip
        """Reads the target from a run on tensors without entries."""
        from eqvproof.tracing.torch.reader import Reader

        with kept(self.holders(target)):
            reader = Reader(
                target,
                signature,
                pins,
                self._dtype,
                spans,
                limited=limited,
                originals=self._originals,
                gradients=self._differentiates,
            )
            drafts = reader.read()
        self._shortest = least_precise([self._shortest, *reader.floats])
        return drafts

    def holders(self, target: Callable[..., object]) -> list[tuple[dict[str, Any], str]]:
        """Lists the dictionaries of torch's own layers, and of libraries of layers above it.

        The list is empty if the first call makes some parameters.
        """
        import torch

        layers = self._modules
        parameters = (p for m in layers for p in m._parameters.values() if p is not None)
        if any(map(torch.nn.parameter.is_lazy, parameters)):
            return []
        homes = {m: type(m).__module__ for m in layers}
        apart = [m for m, home in homes.items() if owner_of_module(home) != "user"]
        apart = [m for m in apart if not is_installed_library(homes[m])]
        return [(d, type(m).__name__) for m in apart for d in (vars(m), m._buffers, m._parameters)]

    def precision(self, target: Callable[..., object]) -> str:
        """Returns the shortest floating type that occurred: of parameters, results or others."""
        return str(self._shortest).removeprefix("torch.")

    def caller(self, target: Callable[..., object], *, first: bool) -> Callable[..., object]:
        """Returns the target itself."""
        return lambda *arrays: self.call(target, arrays)

    def widened(self, target: Callable[..., object]) -> FrameworkTarget | None:
        """Returns a copy in float64 of a module whose parameters are shorter."""
        import torch

        if self._dtype == torch.float64 or not isinstance(target, torch.nn.Module):
            return None
        try:
            copied = copy.deepcopy(target).double()
        except Exception:  # a class may refuse to be copied
            return None
        return FrameworkTarget(copied, Torch(copied))

    def running_in(self, target: Callable[..., object], bits: int) -> FrameworkTarget:
        """Returns the target computing in floats of 64 bits or fewer, with equal parameters.

        A copy of the module runs, since it may ask for the type (`RMSNorm`, whose eps is that of
        the type). Half formats are computed in float32.
        """
        import torch

        kind = "float64" if bits == 64 else "float32"
        is_short = self._dtype.itemsize < 8
        if not isinstance(target, torch.nn.Module) or is_short == (bits < 64):
            return FrameworkTarget(target, Torch(target, kind))
        try:
            copied = copy.deepcopy(target).to(getattr(torch, kind))
        except Exception:  # as in `widened`
            return FrameworkTarget(target, Torch(target, kind))
        framework = Torch(copied, kind)
        pairs = zip(_parameters_and_buffers(copied), _parameters_and_buffers(target), strict=True)
        framework._originals = {id(made): given for made, given in pairs}
        return FrameworkTarget(copied, framework)

    def session(self) -> AbstractContextManager[object]:
        """Returns an empty context: torch has no settings that matter here."""
        return nullcontext()


def _parameters_and_buffers(module: torch.nn.Module) -> list[torch.Tensor]:
    """Returns the parameters and buffers of a module."""
    return [*module.parameters(), *module.buffers()]


@contextmanager
def _restoring_buffers(modules: list[torch.nn.Module]) -> Iterator[Callable[[], list[str]]]:
    """Restores the buffers after a call; yields a function that lists the changed ones."""
    import torch

    buffers = [(m, n, b) for m in modules for n, b in m._buffers.items() if b is not None]
    before = [(m, n, b, b.clone()) for m, n, b in buffers]

    def changed() -> list[str]:
        # the buffers of a TorchScript module are no dictionary
        now = [dict(m._buffers.items()).get(n) for m, n, *_ in before]
        return [
            x[1] for x, b in zip(before, now, strict=True) if b is None or not torch.equal(b, x[3])
        ]

    try:
        yield changed
    finally:
        with torch.no_grad():
            for module, name, buffer, old in before:
                module._buffers[name] = buffer
                if not torch.equal(buffer, old):
                    buffer.copy_(old)


@functools.cache
def _import_and_read_example() -> None:
    """Reads an example once, so that torch's imports and registrations precede any fork."""

    def example(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    Torch(example).read(example, parse_signature("x: n -> n"), {})


def adapt(target: Callable[..., object], signature: Signature) -> FrameworkTarget:
    """Returns a torch target behind the calling convention of NumPy targets."""
    _import_and_read_example()
    return FrameworkTarget(target, Torch(target))
