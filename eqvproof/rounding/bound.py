"""`rounding_bound`: bounds the distance of a function's computed result from the real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.targets import adapt
from eqvproof.rounding.adjoints import TracingSystem, is_deep
from eqvproof.rounding.boxes import over_box, read_box
from eqvproof.rounding.drawn import draws_for
from eqvproof.rounding.dtypes import computed_in
from eqvproof.rounding.enclosed import Enclosed, filled
from eqvproof.rounding.formats import ULPS, Format, name_of, with_underflow
from eqvproof.rounding.probable import RISK, ProbableSystem
from eqvproof.rounding.reading import (
    Array,
    Reading,
    arrays_by_name,
    as_array,
    assumptions,
    read_with_roundings,
    shapes,
    single_sizes,
)
from eqvproof.rounding.result import Bounded, RoundingBound
from eqvproof.rounding.system import RoundingSystem
from eqvproof.support.errors import OptionError

MODELS = ("certain", "probable")
#: The size of an array that is freed, so that glibc's malloc keeps arrays of up to this size (its
#: greatest threshold, 32 MB, less a header) for the next ones. Otherwise each is requested from the
#: operating system again, at a third of the total time.
KEPT = 2**25 - 2**16


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

    Valid for every order of summation, with and without fused products; what else it rests on is in
    ``.assumptions``. Comparisons that rounding may turn are in ``.flips``, and the bound holds for
    both ways.

    Args:
        f: a function of arrays, or a module, in the order of the signature.
        signature: the typing.
        arrays: the inputs, or a dict of them. Numbers that the dtype does not
            hold are rounded first, which counts.
        dtype: "float64", "float32", "tf32", "float16" or "bfloat16": what every operation rounds
            to. Where it is left out, that of the module's parameters, else that of the arrays, else
            "float32". A module whose parameters are of another dtype is refused.
        model: "certain", or "probable": roundings are independent and of mean 0.
        sizes: axis sizes, where a box takes the place of arrays.
        box: ``(low, high)`` for all inputs, or a dict of these by name: the bound for all inputs in
            it.
        ulps: the error, in ulps, of elementary functions of the library that f calls; 0.5 if they
            are rounded correctly.
        underflow: "abrupt" (the default): numbers below the least normal one (1.2e-38 in float32)
            may be lost, as processors that flush them to 0 do, and nothing is assumed of yours.
            "gradual": subnormal numbers are kept, as IEEE 754 asks; it is assumed that processor,
            compiler and library do (NumPy and torch on CPUs, unless torch.set_flush_denormal; not
            XLA, and not fast-math kernels of GPUs). float16 keeps them either way.
        backend: "numpy", "torch" or "jax", if f does not show which arrays it takes.
        named_arrays: the inputs by name, in place of `arrays`.

    Exactness: computed in float64, rounded outwards.

    Raises:
        TraceError: f cannot be read. ShapeError, OptionError, SignatureError: bad input.
    """
    if not (isinstance(ulps, (int, float)) and 0.5 <= ulps < np.inf):
        raise OptionError(
            "how far functions of a library are off is a number of ulps", given=repr(ulps),
            expected="0.5 or more", hint="ulps=4, or ulps=0.5 for correct rounding", code="ulps",
        )  # fmt: skip
    parsed = parse_signature(signature)
    if named_arrays and (
        arrays or box is not None or set(named_arrays) - {a.name for a in parsed.inputs}
    ):
        raise OptionError(
            "neither an option nor an input, or inputs that are given twice",
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
    dtype = computed_in(f, target, list(given.values()), dtype)
    if box is not None:
        inputs, spreads = read_box(parsed, box, known)
    else:
        inputs, spreads = {n: as_array(a) for n, a in given.items()}, {}
    known = {**shapes(parsed, inputs), **known}
    reading = read_with_roundings(f, parsed, known, backend, dtype, target)
    return bound_of(reading, inputs, known, dtype, model, spreads, ulps, underflow)


def bound_of(
    reading: Reading, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: Any,
    model: str = "certain", spreads: Mapping[str, Array] | None = None, ulps: float = ULPS,
    underflow: str = "abrupt",
) -> RoundingBound:  # fmt: skip
    """Returns the bound for a function that has been read."""
    form = with_underflow(reading.format(dtype, ulps), underflow)
    require_model(model)

    def at(middles: Mapping[str, Array], reach: Mapping[str, Array]) -> Bounded:
        given = enclosed(reading.signature, RoundingSystem(form), middles, reach)
        return bound_result(reading, given, sizes, form, model, is_point=not reach)

    found = over_box(at, inputs, spreads or {})
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
            "a model of rounding that is not known",
            given=repr(model),
            expected=" or ".join(MODELS),
            hint='model="certain" needs no assumption about chance',
            code="model",
        )


def bound_result(
    reading: Reading,
    inputs: Mapping[str, Enclosed],
    sizes: Mapping[str, int],
    form: Format,
    model: str,
    *,
    is_point: bool = True,
) -> Bounded:
    """Bounds the result at inputs that may have errors themselves.

    Where `is_point` is False, the inputs are a box, and the bounds hold for all of it.
    """
    np.empty(KEPT, dtype=np.uint8)
    risk = RISK if model == "probable" else 0.0
    if is_point and is_deep(reading.trace.program, sizes, form):
        tracing = TracingSystem(form, risk)
        traced, flips = reading.walk(
            tracing, {n: tracing.given(x) for n, x in inputs.items()}, sizes
        )
        bound = tracing.bound(traced)
        if tracing.is_done:
            bound = np.where(np.isnan(bound) | np.isnan(traced.known.value), np.inf, bound)
            return Bounded(np.array(traced.known.value), bound, risk, flips)
    if model == "probable":
        entries = (prod(node.lengths(sizes)) for node in reading.trace.program.nodes)
        system = ProbableSystem(form, draws_for(entries))
        once = reading.taken_once()

        def mark(node: int, value: Any) -> None:
            if node - 1 in once:
                value.is_used_once = True

        given = {name: system.given(x) for name, x in inputs.items()}
        drawn, flips = reading.walk(system, given, sizes, mark)
        result, bound = drawn.known, system.bound(drawn)
    else:
        result, flips = reading.walk(RoundingSystem(form), inputs, sizes)
        bound = filled(result.error, result.shape)
    bound = np.where(np.isnan(bound) | np.isnan(result.value), np.inf, bound)
    return Bounded(np.array(result.value), bound, risk, flips)


def enclosed(
    signature: Signature,
    system: RoundingSystem,
    inputs: Mapping[str, Array],
    spreads: Mapping[str, Array],
) -> dict[str, Enclosed]:
    """Returns inputs as numbers of the system."""
    return {a.name: system.given(inputs[a.name], spreads.get(a.name)) for a in signature.inputs}
