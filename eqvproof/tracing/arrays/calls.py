"""Calls of NumPy functions on traced values, passed to the handlers that add nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.tracing.arrays import promotion
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions import FUNCTIONS, UFUNCS
from eqvproof.tracing.arrays.functions.registry import require_float_dtype, taken
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.masks import finite, is_high, is_masked
from eqvproof.tracing.arrays.refusals import guarded, name_of, require_running, unsupported
from eqvproof.tracing.arrays.values import (
    INFINITE,
    is_complex,
    is_complex_constant,
    is_listed,
    is_traced,
)

_REDUCTIONS: dict[np.ufunc, Callable[..., object]] = {
    np.add: np.sum,
    np.multiply: np.prod,
    np.maximum: np.max,
    np.minimum: np.min,
    np.logical_and: np.all,
    np.logical_or: np.any,
    np.logaddexp: np.logaddexp.reduce,
}
_SUMS: dict[np.ufunc, Callable[..., object]] = {np.add: np.cumsum, np.multiply: np.cumprod}
_RUNNING = {np.maximum: "max", np.minimum: "min"}
#: Functions that skip NaN, and their equals where all entries are numbers.
_OF_NUMBERS = {np.fmax: np.maximum, np.fmin: np.minimum}
_EQUALITIES = frozenset((np.equal, np.not_equal))
#: Transforms that take complex arrays.
TRANSFORMS = frozenset(
    (np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn)
)
#: Functions whose out= may be an argument: each entry is read before it is written.
_READ_FIRST = frozenset((np.clip, np.cumsum, np.cumprod, np.round))
#: Functions that NumPy defines for booleans without a conversion to short floats.
_OF_BOOLEANS = frozenset({
    np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.true_divide,
    np.logical_and, np.logical_or, np.logical_not, np.logical_xor, np.bitwise_and,
    np.bitwise_or, np.bitwise_xor, np.invert, np.equal, np.not_equal,
    np.less, np.less_equal, np.greater, np.greater_equal, np.absolute,
})  # fmt: skip


def apply_ufunc(
    context: TraceContext,
    ufunc: np.ufunc,
    method: str,
    inputs: Sequence[object],
    kwargs: dict[str, Any],
    *,
    operator: bool = False,
) -> Any:
    """Applies a universal function, or one of its methods, to traced values.

    With `operator`, Python's operator was called, which gives a Python integer for Python integers.
    """
    name = name_of(ufunc)
    if _has_complex(inputs):
        from eqvproof.tracing.arrays import fourier_transforms, pairs

        if any(map(pairs.is_transform, inputs)) and not pairs.has_pair(inputs):
            return fourier_transforms.apply_ufunc(context, ufunc, method, inputs, kwargs)
        if pairs.has_pair(inputs) or pairs.has_constant(inputs):
            return pairs.apply_ufunc(ufunc, method, inputs, kwargs)
    out = kwargs.pop("out", None)
    if ufunc in _OF_NUMBERS and _are_numbers(context, inputs):
        ufunc = _OF_NUMBERS[ufunc]
    if method == "reduce" and ufunc in _REDUCTIONS:
        kwargs.setdefault("axis", inputs[1] if len(inputs) > 1 else 0)
        return apply_function(context, _REDUCTIONS[ufunc], inputs[:1], {**kwargs, "out": out})
    if method == "accumulate" and ufunc in _SUMS:
        kwargs.setdefault("axis", inputs[1] if len(inputs) > 1 else 0)
        return apply_function(context, _SUMS[ufunc], inputs[:1], {**kwargs, "out": out})
    if method == "accumulate" and ufunc in _RUNNING:
        from eqvproof.tracing.arrays.functions.ordering import accumulated

        axis = kwargs.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        given = (inputs[0], axis, _RUNNING[ufunc])
        result = guarded(context, f"{name}.accumulate", accumulated, given, kwargs)
        return _stored(context, result, out)
    if method == "at":
        from eqvproof.tracing.arrays.functions.scattering import at

        return guarded(context, f"{name}.at", at, (ufunc, *inputs), kwargs)
    known = UFUNCS.get(ufunc)
    if known is None:
        from eqvproof.tracing.arrays.by_entries import handler_of

        known = handler_of(ufunc)
    if method not in ("__call__", "outer") or known is None:
        return unsupported(context, name if method == "__call__" else f"{name}.{method}")
    is_plain = method == "__call__" and out is None and not kwargs
    if ufunc in _EQUALITIES and is_plain and any(map(_is_nothing, inputs)):
        array = next(x for x in inputs if not _is_nothing(x))
        return apply_function(
            context, np.full_like, (array, ufunc is np.not_equal), {"dtype": bool}
        )
    handler = known
    for key in ("casting", "order", "subok"):
        kwargs.pop(key, None)
    dtype = kwargs.pop("dtype", None)
    require_float_dtype(context, dtype)
    where = kwargs.pop("where", True)
    if kwargs:
        context.refuse(f"{name} with {', '.join(kwargs)}= is not traced")

    def call(context: TraceContext, *args: object) -> object:
        traced = [lift(context, a) for a in args]
        if ufunc not in _OF_BOOLEANS and all(t._eqvproof.kind == "b" for t in traced):
            context.refuse(f"{name} of booleans", hint="make floats of them first: mask * 1.0")
        if any(map(is_masked, traced)):
            from eqvproof.tracing.arrays.functions import masking

            if is_high(traced):
                infinite = masking.HIGH_UFUNCS
            else:
                infinite = masking.UFUNCS
            if method == "outer" or ufunc not in infinite:
                context.refuse(f"{name} of infinite entries", hint=INFINITE)
            return infinite[ufunc](context, *traced)
        if method == "outer":
            from eqvproof.tracing.arrays.functions.ufuncs import spread_outer

            traced = spread_outer(context, traced)
        context.integers = promotion.of_ufunc(context, ufunc, traced, operator=operator)
        return handler(context, *traced)

    made: object = guarded(context, name, call, inputs, {})
    if where is not True:
        if out is None:
            context.refuse(
                f"{name} with where= and without out=", hint="what is left out has no value"
            )
        made = apply_function(context, np.where, (where, made, _target(out)), {})
    return _stored(context, made, out)


def _is_nothing(value: object) -> bool:
    """Checks whether a value is None, or an array without axes that holds None."""
    if type(value) is np.ndarray and value.dtype == object and not value.ndim:
        return value.item() is None
    return value is None


def _are_numbers(context: TraceContext, inputs: Sequence[object]) -> bool:
    """Checks whether all entries of traced arrays are defined at all inputs, possibly infinite.

    Returns False if an argument is a list or tuple.
    """
    arrays = [finite(x) if is_masked(x) else x for x in inputs if is_traced(x)]
    plain = not any(isinstance(x, (list, tuple)) for x in inputs)
    return plain and all(context.builder.is_total(x._eqvproof.node) for x in arrays)


def _stored(context: TraceContext, result: object, out: object) -> object:
    """Returns the result, written into out= where that is given."""
    if out is None:
        return result
    from eqvproof.tracing.arrays.inplace import overwrite

    target = _target(out)
    if not is_traced(target):
        context.refuse(
            "out= an array that is not traced",
            hint="make the array inside the function, with np.zeros",
        )
    return overwrite(target, result)


def _target(out: object) -> object:
    """Returns the array that out= names, by itself or alone in a tuple."""
    if type(out) is tuple and len(out) == 1:
        return out[0]
    return out


def _has_complex(given: Sequence[object]) -> bool:
    """Checks whether arguments, or lists and tuples among them, contain complex values."""
    return any(
        is_complex(v) or is_complex_constant(v) or (is_listed(v) and _has_complex(v)) for v in given
    )


def apply_function(
    context: TraceContext,
    function: Callable[..., object],
    args: Sequence[object],
    kwargs: dict[str, object],
) -> Any:
    """Applies a NumPy function to traced values."""
    handler = FUNCTIONS.get(function)
    if _has_complex(args):
        from eqvproof.tracing.arrays import pairs

        is_plain = function not in TRANSFORMS and (pairs.has_pair(args) or pairs.has_constant(args))
        if is_plain or (handler is None and any(map(pairs.is_transform, args))):
            return pairs.apply_function(function, args, kwargs)
    if any(map(is_masked, args)):
        from eqvproof.tracing.arrays.functions import masking

        if any(map(is_high, args)):
            known = masking.HIGH_FUNCTIONS
        else:
            known = masking.FUNCTIONS
        handler = known.get(function, handler)
    if handler is None:
        from eqvproof.tracing.arrays.constants import with_constants

        require_running(context)
        concrete = with_constants(context, function, args, kwargs)
        if concrete is not None:
            return concrete[0]
        from eqvproof.tracing.arrays.numpy_code import own_code

        code = own_code(function)
        if code is None:
            return unsupported(context, name_of(function))
        return code(*args, **kwargs)
    out = kwargs.get("out")
    if out is not None:
        _require_apart(context, function, args, out)
        kwargs = {name: value for name, value in kwargs.items() if name != "out"}
    integers = promotion.of_function(function, (*args, *kwargs.values()))

    def call(context: TraceContext, *args: object, **kwargs: object) -> object:
        args, kwargs = taken(context, function, handler, args, kwargs)
        return handler(context, *args, **kwargs)

    result = guarded(context, name_of(function), call, args, kwargs, integers)
    target = _target(out)
    if is_traced(target) and is_traced(result) and target._eqvproof.kind != result._eqvproof.kind:
        context.refuse(
            "out= an array of another kind, in whose type sums are computed", hint="leave it out"
        )
    return _stored(context, result, out)


def _require_apart(
    context: TraceContext, function: Callable[..., object], args: Sequence[object], out: object
) -> None:
    """Refuses out= an array that the function may read while it writes there."""
    memory = out._eqvproof.storage if is_traced(out) else None
    if function not in _READ_FIRST and any(
        is_traced(a) and a._eqvproof.storage is memory for a in args
    ):
        context.refuse("out= an array that is an argument, too", hint="write into another array")
