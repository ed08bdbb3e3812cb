"""`rounding_bound`, the public call: traces a function and evaluates it with bounds of rounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.targets import adapt
from eqvproof.rounding.adjoints import AdjointSystem, is_deep
from eqvproof.rounding.boxes import bound_over_box, read_box
from eqvproof.rounding.draws import draws_for
from eqvproof.rounding.dtypes import computation_dtype
from eqvproof.rounding.enclosed import Enclosed, fill_bound
from eqvproof.rounding.formats import ULPS, Format, name_of, with_underflow
from eqvproof.rounding.probable import RISK, ProbableSystem
from eqvproof.rounding.result import BoundedResult, RoundingBound
from eqvproof.rounding.system import RoundingSystem
from eqvproof.rounding.tracing import (
    Array,
    TracedFunction,
    arrays_by_name,
    as_array,
    assumptions,
    shapes,
    single_sizes,
    trace_with_roundings,
)
from eqvproof.support.errors import OptionError
from eqvproof.support.short_tracebacks import shortens_tracebacks

MODELS = ("certain", "probable")
#: The size of an array that is allocated and freed once, so that glibc's malloc reuses the memory of
#: arrays up to this size (its greatest threshold, 32 MB, less a header). Otherwise the operating
#: system provides it anew for each array, which takes a third of the total time.
LARGEST_CACHED = 2**25 - 2**16


@shortens_tracebacks
def rounding_bound(
    f: Callable[..., Any],
    signature: str,
    *arrays: Any,
    dtype: Any = None,
    model: str = "certain",
    sizes: Mapping[str, int] | None = None,
    box: Any = None,
    ulps: float = ULPS,
    underflow: str = "abrupt",
    backend: str | None = None,
    **named_arrays: Any,
) -> RoundingBound:
    """Returns an upper bound of ``|computed - real|`` for every entry of f's result.

    The bound is valid for every order of summation, with and without fused products;
    ``.assumptions`` lists its other assumptions. ``.flips`` lists comparisons that rounding may
    change; the bound holds for both outcomes.

    Args:
        f: a function of arrays, or a module, in the order of the signature.
        signature: the typing.
        arrays: the inputs, or a dict of them. Numbers that the dtype cannot represent are rounded
            first; the bound includes this error.
        dtype: "float64", "float32", "tf32", "float16" or "bfloat16": the dtype to which every
            operation rounds. By default that of the module's parameters, else that of the arrays,
            else "float32". A module whose parameters are of another dtype is refused.
        model: "certain", or "probable": roundings are independent and of mean 0.
        sizes: axis sizes, if a box replaces the arrays.
        box: ``(low, high)`` for all inputs, or a dict of these by name: the bound holds for all
            inputs in it.
        ulps: the error, in ulps, of elementary functions of the library that f calls; 0.5 if they
            are rounded correctly.
        underflow: "abrupt" (the default): numbers below the least normal one (1.2e-38 in float32)
            may be lost, as on processors that flush them to 0; nothing is assumed about yours.
            "gradual": subnormal numbers are kept, as IEEE 754 requires; this assumes that
            processor, compiler and library keep them (NumPy and torch on CPUs, unless
            torch.set_flush_denormal; not XLA, and not fast-math kernels of GPUs). float16 keeps
            them in both cases.
        backend: "numpy", "torch" or "jax", if f does not show which arrays it takes.
        named_arrays: the inputs by name, in place of `arrays`.

    Exactness: computed in float64, rounded outwards.

    Raises:
        TraceError: f cannot be traced. ShapeError, OptionError, SignatureError: bad input.

    Example:
        >>> found = ep.rounding_bound(lambda x: x.sum(), "x: n -> ()", np.full(100, 0.1, np.float32))
        >>> bool(0 < found.bound < 1e-3)
        True
    """
    if not (isinstance(ulps, (int, float)) and 0.5 <= ulps < np.inf):
        raise OptionError(
            "the error of library functions is a number of ulps", given=repr(ulps),
            expected="0.5 or more", hint="ulps=4, or ulps=0.5 for correct rounding", code="ulps",
        )  # fmt: skip
    parsed = parse_signature(signature)
    if named_arrays and (
        arrays or box is not None or set(named_arrays) - {a.name for a in parsed.inputs}
    ):
        raise OptionError(
            "a keyword is neither an option nor an input, or inputs are given twice",
            given=", ".join(named_arrays),
            expected="all inputs in order, or all by name",
            code="rounding.keywords",
            hint=f"rounding_bound(f, signature, {', '.join(a.name for a in parsed.inputs)})",
        )
    known = single_sizes(sizes or {}, parsed, parsed.pins)
    if box is not None:
        given: Mapping[str, Any] = {}
    else:
        given = arrays_by_name(parsed, (named_arrays,) if named_arrays else arrays)
    target = adapt(f, backend, parsed)
    dtype = computation_dtype(f, target, list(given.values()), dtype)
    if box is not None:
        inputs, spreads = read_box(parsed, box, known)
    else:
        inputs, spreads = {n: as_array(a) for n, a in given.items()}, {}
    known = {**shapes(parsed, inputs), **known}
    traced = trace_with_roundings(f, parsed, known, backend, dtype, target)
    return bound_traced(traced, inputs, known, dtype, model, spreads, ulps, underflow)


def bound_traced(
    traced: TracedFunction, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: Any,
    model: str = "certain", spreads: Mapping[str, Array] | None = None, ulps: float = ULPS,
    underflow: str = "abrupt",
) -> RoundingBound:  # fmt: skip
    """Returns the bound for a traced function."""
    form = with_underflow(traced.format(dtype, ulps), underflow)
    require_model(model)

    def at(middles: Mapping[str, Array], reach: Mapping[str, Array]) -> BoundedResult:
        given = enclose_inputs(traced.signature, RoundingSystem(form), middles, reach)
        return bound_result(traced, given, sizes, form, model, is_point=not reach)

    found = bound_over_box(at, inputs, spreads or {})
    return RoundingBound(
        found.bound,
        found.value,
        name_of(dtype),
        model,
        found.risk,
        assumptions(form, model),
        found.flips,
    )


def require_model(model: str) -> None:
    """Raises OptionError if a model of rounding is not known."""
    if model not in MODELS:
        raise OptionError(
            "this model of rounding is not known",
            given=repr(model),
            expected=" or ".join(MODELS),
            hint='model="certain" needs no assumption about chance',
            code="model",
        )


def bound_result(
    traced: TracedFunction,
    inputs: Mapping[str, Enclosed],
    sizes: Mapping[str, int],
    form: Format,
    model: str,
    *,
    is_point: bool = True,
) -> BoundedResult:
    """Bounds the result at inputs that may have errors themselves.

    If `is_point` is False, the inputs are a box, and the bounds hold for all of it.
    """
    np.empty(LARGEST_CACHED, dtype=np.uint8)
    risk = RISK if model == "probable" else 0.0
    if is_point and is_deep(traced.trace.program, sizes, form):
        adjoint = AdjointSystem(form, risk)
        numbers = {n: adjoint.as_input(x) for n, x in inputs.items()}
        number, flips = traced.walk(adjoint, numbers, sizes)
        bound = adjoint.bound(number)
        if adjoint.is_done:
            bound = np.where(np.isnan(bound) | np.isnan(number.known.value), np.inf, bound)
            return BoundedResult(np.array(number.known.value), bound, risk, flips)
    if model == "probable":
        entries = (prod(node.lengths(sizes)) for node in traced.trace.program.nodes)
        system = ProbableSystem(form, draws_for(entries))
        once = traced.nodes_used_once()

        def mark(node: int, value: Any) -> None:
            if node - 1 in once:
                value.is_used_once = True

        given = {name: system.as_input(x) for name, x in inputs.items()}
        drawn, flips = traced.walk(system, given, sizes, mark)
        result, bound = drawn.known, system.bound(drawn)
    else:
        result, flips = traced.walk(RoundingSystem(form), inputs, sizes)
        bound = fill_bound(result.error, result.shape)
    bound = np.where(np.isnan(bound) | np.isnan(result.value), np.inf, bound)
    return BoundedResult(np.array(result.value), bound, risk, flips)


def enclose_inputs(
    signature: Signature,
    system: RoundingSystem,
    inputs: Mapping[str, Array],
    spreads: Mapping[str, Array],
) -> dict[str, Enclosed]:
    """Converts inputs to numbers of the system."""
    return {a.name: system.as_input(inputs[a.name], spreads.get(a.name)) for a in signature.inputs}
