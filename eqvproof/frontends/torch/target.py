"""A torch function or module as a target: called with NumPy arrays, traced by torch.export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.errors import TargetError, TraceError
from eqvproof.evaluate import evaluate_float
from eqvproof.frontends.samples import make_inputs, size_choices
from eqvproof.frontends.torch.export import export_program, floating_type
from eqvproof.frontends.torch.state import Surroundings
from eqvproof.frontends.trace import Trace
from eqvproof.program import Program, substituted
from eqvproof.signature import Signature

#: Two evaluations of one formula in float32 differ by less than this, relative to the largest entry.
SLACK = {"float64": 1e-7, "float32": 2e-3, "float16": 0.1, "bfloat16": 0.3}


class TorchTarget:
    """A torch target behind the calling convention of NumPy targets.

    Args:
        target: a function of tensors, or a module.
    """

    def __init__(self, target: Callable[..., Any]) -> None:
        self.target = target
        self.__name__ = getattr(target, "__name__", type(target).__name__)

    def __call__(self, *arrays: Any) -> Any:
        """The result as a NumPy array; the arguments as tensors of the target's floating type."""
        import torch

        dtype = floating_type(self.target)
        tensors = []
        for array in arrays:
            if array.dtype == object:
                raise TypeError("a torch target does not run on exact numbers")
            kind = dtype if array.dtype.kind == "f" else None
            tensors.append(torch.tensor(np.ascontiguousarray(array), dtype=kind))
        with torch.no_grad():
            result = self.target(*tensors)
        if isinstance(result, torch.Tensor):
            found = result.detach().cpu()
            return (found.double() if found.is_floating_point() else found).numpy()
        return result

    def trace(self, signature: Signature, pins: Mapping[str, int]) -> Trace:
        """The Program for all sizes from 1 up, those in ``pins`` fixed.

        The graph is exported for sizes from 2 up and compared with the target at several sizes, 1 among
        them; `confirm` exports it again at size 1.

        Raises:
            TraceError: the target cannot be read so.
        """
        pins = {n: s for n, s in pins.items() if n in signature.input_names}
        if any(a.kind != "real" for a in signature.inputs):
            raise TraceError("arguments that hold indices or booleans are not traced yet")
        before = Surroundings(self.target)
        before.judge()
        program, lines = export_program(self.target, signature, pins)
        free = [n for n in signature.input_names if n not in pins]
        rng = np.random.default_rng(0)
        finite = 0
        for sizes in size_choices(free, ()):
            for style in ("normal", "integers", "zeros"):
                finite += self._replay(program, signature, {**pins, **sizes}, style, rng)
        if not finite:
            raise TraceError(
                "no input was found at which the result is a finite number", code="trace.undefined"
            )
        if Surroundings(self.target).token != before.token:
            raise TraceError("the target keeps state between calls", code="trace.state")
        return Trace(program, lines)

    def confirm(self, program: Program, signature: Signature, pins: Mapping[str, int]) -> None:
        """The graph exported with axes of size 1 must agree with the Program; a proof waits for this.

        Raises:
            TraceError: it does not.
        """
        free = [n for n in signature.input_names if n not in pins]
        rng = np.random.default_rng(1)
        for ones in [*((n,) for n in free), tuple(free)][: len(free) + (len(free) > 1)]:
            single, _ = export_program(self.target, signature, {**pins, **dict.fromkeys(ones, 1)})
            self._compare_programs(substituted(program, dict.fromkeys(ones, 1)), single, signature, rng, free)

    def _compare_programs(
        self, main: Program, single: Program, signature: Signature, rng: np.random.Generator, free: list[str]
    ) -> None:
        for size in (1, 3):
            names = sorted(main.names)
            sizes = dict.fromkeys(names, size)
            inputs = {
                name: rng.normal(size=tuple(s.value(sizes) for s in shape)) for name, shape in main.inputs
            }
            one = np.asarray(evaluate_float(main, inputs, sizes))
            two = np.asarray(evaluate_float(single, inputs, sizes))
            if one.shape != two.shape or not _close(one, two, 1e-9):
                raise TraceError(
                    "the target computes something else at axes of size 1",
                    given=", ".join(free),
                    code="trace.size",
                )

    def _replay(
        self,
        program: Program,
        signature: Signature,
        sizes: Mapping[str, int],
        style: str,
        rng: np.random.Generator,
    ) -> int:
        dtype = str(floating_type(self.target)).removeprefix("torch.")
        inputs = make_inputs(signature, dict(sizes), style, rng)
        if dtype != "float64":
            inputs = {n: a.astype(np.float32).astype(np.float64) for n, a in inputs.items()}
        expected = np.asarray(evaluate_float(program, inputs, dict(sizes)))
        copies = [np.array(inputs[a.name]) for a in signature.inputs]
        try:
            result = np.asarray(self(*copies))
        except Exception as error:
            raise TargetError(
                f"the target raises {type(error).__name__}: {error}", given=str(dict(sizes))
            ) from error
        if result.shape != expected.shape:
            raise TraceError("the trace has another shape", given=f"{expected.shape} and {result.shape}")
        if not _close(result, expected, SLACK.get(dtype, 0.3)):
            raise TraceError(
                f"the target returns something else than its exported graph{_worst(result, expected)}",
                given=f"{style} inputs at {dict(sizes)}",
                code="trace.replay",
            )
        return int(np.isfinite(result).any() and np.isfinite(expected).any())


def _worst(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> str:
    """The entry in which two arrays differ most, in words."""
    gap = np.abs(np.where(np.isnan(a) != np.isnan(b), np.inf, np.nan_to_num(a - b)))
    if not gap.size:
        return ""
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(gap)), gap.shape))
    return f": entry {at} is {a[at]!r}, the graph gives {b[at]!r}"


def _close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], slack: float) -> bool:
    both = np.isfinite(a) & np.isfinite(b)
    if (np.isnan(a) != np.isnan(b)).any():
        return False
    if not both.any():
        return True
    scale = max(1.0, float(np.abs(b[both]).max()))
    return bool(np.abs(a[both] - b[both]).max() <= slack * scale)


def is_torch(f: Any) -> bool:
    """Whether a target takes tensors, as far as that shows: a module, or a function that names torch."""
    import sys
    from types import FunctionType

    torch = sys.modules.get("torch")
    if torch is None:
        return False
    if isinstance(f, torch.nn.Module):
        return True
    if not isinstance(f, FunctionType):
        return False
    scope = dict(f.__globals__)
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:
            continue
    names = {*f.__code__.co_names, *f.__code__.co_freevars}
    return any(_belongs(scope.get(name), torch) for name in names)


def _belongs(value: Any, torch: Any) -> bool:
    if value is torch or isinstance(value, (torch.Tensor, torch.nn.Module)):
        return True
    return str(getattr(value, "__name__", "")).startswith("torch.") or str(
        getattr(value, "__module__", "")
    ).startswith("torch.")
