"""PyTorch functions and modules as Programs, through ``torch.export`` with dynamic sizes.

Parameters and buffers are constants, with the values that they have. Training-mode randomness, results that
depend on what a call changes, branches on values and operations without a real meaning are refused by name.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from eqvproof.errors import TraceError
from eqvproof.frontends.drafts import Drafts
from eqvproof.frontends.torch import rewrites
from eqvproof.frontends.torch.guards import is_harmless
from eqvproof.frontends.torch.reader import Reader
from eqvproof.program import Size
from eqvproof.signature import Signature

#: Sizes of the example inputs; different primes, so that equal sizes are equal names.
PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31)
#: Said in one operation, and not in indices, factors, or what a power 0 leaves of its matrix.
WHOLE = ("linalg_cross", "linalg_det", "linalg_matrix_power", "matrix_power")


def export_program(
    target: Callable[..., Any], signature: Signature, pins: Mapping[str, int], *, limited: bool = False
) -> Drafts:
    """The nodes of a torch target for all sizes, the user's line for each, and which is the result.

    Raises:
        TraceError: the target cannot be exported, or uses an operation that has no entry in the table.
    """
    import torch

    names = [n for n in signature.input_names if n not in pins]
    if len(names) > len(PRIMES):
        raise TraceError("too many axis names for one trace", given=str(len(names)))
    example = {**dict(zip(names, PRIMES, strict=False)), **pins}
    module = target if isinstance(target, torch.nn.Module) else _Wrapped.of(target)
    dtype = floating_type(module)
    known: dict[str, Any] = {}
    args, dynamic = [], []
    for argument in signature.inputs:
        kinds = {"bool": torch.bool, "index": torch.int64}
        value = 0.5 if argument.kind == "real" else 0
        shape = [axis.at(example) for axis in argument.axes]
        args.append(torch.full(shape, value, dtype=kinds.get(argument.kind, dtype)))
        free = {i: axis for i, axis in enumerate(argument.axes) if set(axis.names) - set(pins)}
        # A named Dim makes torch.export refuse every branch that depends on the size.
        dynamic.append(
            {
                i: known.setdefault(str(axis.size), torch.export.Dim(f"axis{len(known)}"))
                for i, axis in free.items()
            }
        )
    exported = _export(module, tuple(args), tuple(dynamic))
    reader = Reader(exported, signature, pins, limited=limited)
    drafts = reader.read()
    _refuse_guards(exported, reader.symbols)
    return drafts


class _Wrapped:
    """A function as a module (made when torch is there)."""

    @staticmethod
    def of(function: Callable[..., Any]) -> Any:
        import torch

        class Function(torch.nn.Module):
            def forward(self, *args: Any) -> Any:
                return function(*args)

        return Function()


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
    """What a function holds in its closure, and the globals that its code names."""
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


@functools.cache
def load() -> None:
    """The exporter, with all that it imports when it is first used, so that no copy of the process does."""
    import torch

    module = _Wrapped.of(lambda x: x + 1)
    _export(module, (torch.zeros(PRIMES[0]),), ({0: torch.export.Dim("axis0")},))


def _export(module: Any, args: tuple[Any, ...], dynamic: tuple[Any, ...]) -> Any:
    import torch

    quiet = logging.getLogger("torch")
    level = quiet.level
    try:
        quiet.setLevel(logging.CRITICAL)
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()), torch.no_grad():
            warnings.simplefilter("ignore")
            shapes = (
                {"args": dynamic} if isinstance(module, torch.nn.Module) and _is_variadic(module) else dynamic
            )
            with rewrites.mode():
                exported = torch.export.export(module, args, dynamic_shapes=shapes, strict=False)
            table: Any = torch.export.default_decompositions()
            for whole in WHOLE:
                table.pop(getattr(torch.ops.aten, whole).default, None)
            return exported.run_decompositions(table)
    except Exception as error:
        text = str(error).strip().splitlines()
        raise TraceError(
            "torch.export could not read the target for all sizes",
            given=f"{type(error).__name__}: {text[0] if text else ''}",
            hint="branches on values or sizes, and operations without a fixed shape, cannot be traced",
            code="trace.torch",
        ) from error
    finally:
        quiet.setLevel(level)


def _is_variadic(module: Any) -> bool:
    import inspect

    kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
    return inspect.Parameter.VAR_POSITIONAL in kinds


def _refuse_guards(exported: Any, symbols: Mapping[str, Size]) -> None:
    """Conditions on the sizes under which the graph was made: only equality of equal axes may be left."""
    for node in exported.graph.nodes:
        fake = getattr(node.meta.get("val"), "fake_mode", None)
        if fake is not None and fake.shape_env is not None:
            guards = [str(g.expr) for g in fake.shape_env.guards if not is_harmless(g.expr, symbols)]
            if guards:
                raise TraceError(
                    "the target branches on its sizes",
                    given=", ".join(guards),
                    expected="one path for all sizes",
                    code="trace.size",
                )
            return
