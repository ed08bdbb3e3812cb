"""Traces a function with its roundings, and evaluates its Program in a number system of bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.scope import read_sizes
from eqvproof.engines.targets import adapt, trace_all_sizes, trace_at
from eqvproof.programs import as_computed
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import Operation
from eqvproof.rounding.formats import ULPS, Format, format_of
from eqvproof.rounding.functions import COMPARISONS
from eqvproof.rounding.result import Flip
from eqvproof.support.code_line import NO_LINE
from eqvproof.support.errors import OptionError, ShapeError, TraceError
from eqvproof.support.writing import in_line
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.libraries import library_name
from eqvproof.tracing.observing.restore_process import left_as_found
from eqvproof.tracing.torch.target import Torch
from eqvproof.tracing.trace import Trace

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class TracedFunction:
    """A function and its Program, with the operations in the order in which they are computed.

    Attributes:
        target: the function, called with NumPy arrays.
        signature: the typing of the function.
        trace: the Program, with the user's lines.
        is_torch: True if it runs in PyTorch, whose half formats add in float32.
    """

    target: Callable[..., Any]
    signature: Signature
    trace: Trace
    is_torch: bool

    def format(self, dtype: object, ulps: float = ULPS) -> Format:
        """Returns the format in which the function rounds, for a dtype and the library's ulps."""
        drafts = self.trace.drafts
        bits = 64 if drafts is None else drafts.builder.bits
        roots = 1.0 if isinstance(self.target, FrameworkTarget) else 0.5
        form = format_of(dtype, bits=bits, sums_apart=self.is_torch)
        return replace(form, ulps=ulps, roots=roots)

    def walk(
        self, system: Any, inputs: Mapping[str, Any], sizes: Mapping[str, int],
        before: Callable[[int, Any], None] | None = None,
    ) -> tuple[Any, tuple[Flip, ...]]:  # fmt: skip
        """Evaluates the Program; returns the result, and the decisions that rounding may change.

        `before` is called before each node, with its number and the value of the previous node.
        """
        flips: list[Flip] = []
        seen = 0

        def watch(_: Operation, value: Any) -> bool:
            nonlocal seen
            flips.extend(
                Flip(what, str(self.trace.lines.get(seen, NO_LINE)), n) for what, n in system.flips
            )
            system.flips.clear()
            seen += 1
            if before is not None:
                before(seen, value)
            return False

        if before is not None:
            before(0, None)
        known = bind(self.trace.program, inputs, sizes)
        getattr(system, "base", system).compares = any(
            node.function in COMPARISONS for node in self.trace.program.nodes
        )
        with np.errstate(all="ignore"):
            result = evaluate_program(self.trace.program, system, inputs, known, {}, watch)
        return result, _merge_flips(flips)

    def nodes_used_once(self) -> frozenset[int]:
        """Returns the nodes whose value is used once, by a product, a sum or a function."""
        nodes = self.trace.program.nodes
        uses = Counter(a for node in nodes for a in node.args)
        by_others = {
            a
            for node in nodes
            if not (node.terms or node.as_product or node.function)
            for a in node.args
        }
        once = frozenset(a for a, n in uses.items() if n == 1)
        return once - by_others - {self.trace.program.output}


def trace_with_roundings(
    f: Any, signature: str | Signature, sizes: Mapping[str, int], backend: str | None = None,
    dtype: object = None, target: Any = None,
) -> TracedFunction:  # fmt: skip
    """Traces a function with its roundings, for all sizes if possible, else at the given sizes.

    Since a function of tensors may inspect their dtype (`torch.finfo`), it is traced in the
    requested one, a module as a copy of it, and half formats in float32, in which they compute.

    Raises:
        TraceError: it cannot be traced, or has no order of operations (a SymPy expression).
    """
    parsed = parse_signature(signature) if isinstance(signature, str) else signature
    if target is None:
        target = adapt(f, backend, parsed)
    if library_name(target) == "SymPy":
        raise TraceError(
            "a SymPy expression does not determine its roundings", given=type(f).__name__,
            expected="a function of arrays", hint="convert it with sympy.lambdify",
        )  # fmt: skip
    is_torch = isinstance(target, FrameworkTarget) and target.framework.name == "torch"
    running = target
    if (
        isinstance(target, FrameworkTarget)
        and isinstance(target.framework, Torch)
        and dtype is not None
    ):
        running = target.framework.running_in(target.target, format_of(dtype).bits)
    with left_as_found(), as_computed():
        try:
            trace = trace_all_sizes(running, parsed, dict(parsed.pins))
        except TraceError:
            trace = trace_at(running, parsed, sizes)
    return TracedFunction(target, parsed, trace, is_torch)


def as_array(x: Any) -> Array:
    """Converts an argument to a NumPy array on the CPU, floats to float64.

    Raises:
        ShapeError: it is no array of real numbers, or float64 cannot represent them.
    """
    if hasattr(x, "detach"):
        x = x.detach().cpu()
        if x.is_floating_point():
            x = x.double()
    elif hasattr(x, "get") and hasattr(x, "device"):
        x = x.get()
    hint = "give an array of numbers, not a name"
    try:
        array = np.asarray(x)
        if array.dtype.kind not in "OSU":
            hint = "pass real and imaginary parts as two arguments; round longer floats first"
        if array.dtype.kind not in "cSU":
            floats = array if array.dtype.kind in "biu" else array.astype(np.float64)
            if bool(np.all((floats == array) | (array != array))):
                return floats
    except (TypeError, ValueError):
        pass
    raise ShapeError(
        "an argument is no array of real numbers", given=in_line(repr(x)),
        expected="integers, or numbers of float64",
        hint=hint,
        code="array.numbers",
    )  # fmt: skip


def arrays_by_name(signature: Signature, arrays: Any) -> dict[str, Any]:
    """Returns arrays by name, given one, several in the order of the signature, or a dict.

    Raises:
        ShapeError: there are more or fewer than in the signature, or one has another
            number of axes.
    """
    given = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
    names = [a.name for a in signature.inputs]
    found: Mapping[Any, Any] = dict(zip(names, given, strict=False))
    if len(given) == 1 and isinstance(given[0], Mapping):
        found, given = given[0], list(given[0])
    if len(given) != len(names) or set(found) != set(names):
        raise ShapeError(
            "the arrays are not the arguments of the signature",
            given=", ".join(map(str, found)) or "no arrays",
            expected=", ".join(names),
            hint="give them in the order of the signature, or by name in a dict",
        )
    made = {a: found[a] if hasattr(found[a], "dtype") else as_array(found[a]) for a in names}
    for argument in signature.inputs:
        if np.ndim(made[argument.name]) != len(argument.axes):
            raise ShapeError(
                f"{argument.name} has another number of axes than in the signature",
                given=f"shape {tuple(made[argument.name].shape)}",
                expected=" ".join(map(str, argument.axes)) or "a number",
                hint="add or drop axes of length 1",
            )
    return made


def shapes(signature: Signature, inputs: Mapping[str, Any]) -> dict[str, int]:
    """Returns the sizes of axes, from the shapes of the arrays."""
    return signature.shown_sizes(
        (inputs[n].shape for n in signature.argument_names), signature.pins
    )


def single_sizes(sizes: Any, signature: Signature, pins: Mapping[str, int]) -> dict[str, int]:
    """Returns the sizes given by the user, one number for each axis, and those of the pins.

    Raises:
        OptionError: they are not one number for each axis.
    """
    if not isinstance(sizes, Mapping):
        raise OptionError(
            "sizes= is no dict", given=repr(sizes), expected="sizes of axes by name",
            hint='sizes={"n": 64}', code="sizes.mapping",
        )  # fmt: skip
    found, ranges, _ = read_sizes(sizes, signature, pins)
    if ranges:
        raise OptionError(
            "floats need a single size for each axis",
            given=str(dict(sizes)),
            expected="one number for each",
            hint='sizes={"n": 64}',
            code="sizes.value",
        )
    return found


def assumptions(form: Format, model: str = "certain") -> tuple[str, ...]:
    """Returns the assumptions of a bound, in words."""
    found = []
    if model == "probable":
        found.append("roundings are independent, and of mean 0")
    underflow = f"underflow is gradual: multiples of {form.least:.3g} are kept"
    if form.least >= form.normal:
        underflow = f"numbers below {form.least:.3g} may be lost"
    found += [
        f"operations round to nearest within {form.unit:.3g} (IEEE 754)",
        underflow,
        f"elementary functions of libraries are within {form.ulps:g} ulps",
        "matrix products and convolutions are sums of products, in any order (no Strassen, no"
        " Winograd)",
        "means and variances of layers are computed in two passes, or by updates (Welford)",
    ]
    if form.factors:
        found.append(
            f"matrix products truncate their factors within {form.factors:.3g}, and add in float32"
        )
    if form.sums < form.unit:
        found.append(
            "sums and functions are computed in float32, then rounded; scattered sums are not"
        )
    return tuple(found)


def _merge_flips(flips: Sequence[Flip]) -> tuple[Flip, ...]:
    counts: dict[tuple[str, str], int] = {}
    for flip in flips:
        counts[flip.what, flip.line] = counts.get((flip.what, flip.line), 0) + flip.entries
    return tuple(Flip(what, line, n) for (what, line), n in counts.items())
