"""From a call of a NumPy function on traced values to the handler that adds nodes.

Whatever goes wrong inside a handler becomes a refusal that names the function and the user's line.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.errors import ShapeError, TraceError
from eqvproof.frontends.context import UNKNOWN, TraceContext
from eqvproof.frontends.watch import pause, resume

_REDUCTIONS = {
    np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min, np.fmax: np.max,
    np.fmin: np.min, np.logical_and: np.all, np.logical_or: np.any,
}  # fmt: skip
_SUMS = {np.add: np.cumsum, np.multiply: np.cumprod}
_RUNNING = {np.maximum: "max", np.minimum: "min", np.fmax: "max", np.fmin: "min"}
#: What NumPy defines for booleans without a change to short numbers.
_OF_BOOLEANS = frozenset({
    np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.true_divide,
    np.logical_and, np.logical_or, np.logical_not, np.logical_xor, np.bitwise_and,
    np.bitwise_or, np.bitwise_xor, np.invert, np.equal, np.not_equal,
    np.less, np.less_equal, np.greater, np.greater_equal, np.absolute,
})  # fmt: skip


def name_of(function: Any) -> str:
    """How users write the function."""
    module = getattr(function, "__module__", None) or "numpy"
    if isinstance(function, np.ufunc) and "scipy" not in str(module):
        module = "numpy"
    if module.startswith(("numpy._core", "numpy.lib", "numpy.core")):
        module = "numpy"
    short = module.replace("numpy", "np", 1) if module.startswith("numpy") else module
    return f"{short}.{getattr(function, '__name__', function)}"


def require_running(context: TraceContext) -> None:
    """Refuse the use of a traced value after its call, or in another thread."""
    if not context.active:
        context.refuse("a value of an earlier call is used: the function keeps state between calls")
    if context.thread != threading.get_ident():
        context.refuse("a traced value is used in another thread")


def guarded(
    context: TraceContext, name: str, handler: Callable[..., Any], args: Any, kwargs: Any,
    integers: tuple[Any, bool] = UNKNOWN,
) -> Any:  # fmt: skip
    """The result of a handler, its errors turned into refusals; `integers`: of which type these are."""
    require_running(context)
    paused, before = pause(), context.integers
    context.integers = integers
    try:
        return handler(context, *args, **kwargs)
    except TraceError:
        raise
    except ShapeError as error:
        given = f": {error.given}" if error.given else ""
        context.refuse(f"{name}: {error.message}{given}", hint=error.hint, code="trace.shape")
    except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError) as error:
        context.refuse(f"{name} with these arguments is not traced ({error})", code="trace.unsupported")
    finally:
        context.integers = before
        resume(paused)


def unsupported(context: TraceContext, name: str) -> Any:
    """Refuse a function that has no handler."""
    context.refuse(
        f"{name} is not traced",
        hint="write it with the functions that are, or leave it uninterpreted with eqvproof.opaque",
        code="trace.unsupported",
    )


def apply_ufunc(
    context: TraceContext, ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any], *,
    operator: bool = False,
) -> Any:  # fmt: skip
    """A universal function, or one of its methods, on traced values; with `operator` Python's operator."""
    from eqvproof.frontends import promotion, waves
    from eqvproof.frontends.functions import UFUNCS, masking

    name = name_of(ufunc)
    if any(type(x) is waves.Waves for x in inputs):
        return waves.apply_ufunc(context, ufunc, method, inputs, kwargs)
    out = kwargs.pop("out", None)
    if method == "reduce" and ufunc in _REDUCTIONS:
        kwargs.setdefault("axis", inputs[1] if len(inputs) > 1 else 0)
        return _stored(context, apply_function(context, _REDUCTIONS[ufunc], inputs[:1], kwargs), out)
    if method == "accumulate" and ufunc in _SUMS:
        kwargs.setdefault("axis", inputs[1] if len(inputs) > 1 else 0)
        return _stored(context, apply_function(context, _SUMS[ufunc], inputs[:1], kwargs), out)
    if method == "accumulate" and ufunc in _RUNNING:
        from eqvproof.frontends.functions.ordering import accumulated

        axis = kwargs.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        given = (inputs[0], axis, _RUNNING[ufunc])
        result = guarded(context, f"{name}.accumulate", accumulated, given, kwargs)
        return _stored(context, result, out)
    if method == "at":
        from eqvproof.frontends.functions.scattering import at

        return guarded(context, f"{name}.at", at, (ufunc, *inputs), kwargs)
    if method not in ("__call__", "outer") or ufunc not in UFUNCS:
        unsupported(context, name if method == "__call__" else f"{name}.{method}")
    for key in ("casting", "order", "subok"):
        kwargs.pop(key, None)
    dtype = kwargs.pop("dtype", None)
    if dtype is not None and np.dtype(dtype).kind != "f":
        context.refuse(f"{name} with dtype={np.dtype(dtype)} is not traced")
    if kwargs:
        context.refuse(f"{name} with {', '.join(kwargs)}= is not traced")

    def call(context: TraceContext, *args: Any) -> Any:
        from eqvproof.frontends.values import lift

        traced = [lift(context, a) for a in args]
        if ufunc not in _OF_BOOLEANS and all(t._eqvproof.kind == "b" for t in traced):
            context.refuse(f"{name} of booleans", hint="make floats of them first: mask * 1.0")
        if any(t._eqvproof.alive is not None for t in traced):
            if method == "outer" or ufunc not in masking.UFUNCS:
                context.refuse(
                    f"{name} of entries -inf", hint="-inf is traced in masks that end in exp or softmax"
                )
            return masking.UFUNCS[ufunc](context, *traced)
        if method == "outer":
            from eqvproof.frontends.functions.ufuncs import spread_outer

            traced = spread_outer(context, traced)
        context.integers = promotion.of_ufunc(context, ufunc, traced, operator=operator)
        return UFUNCS[ufunc](context, *traced)

    return _stored(context, guarded(context, name, call, inputs, {}), out)


def _stored(context: TraceContext, result: Any, out: Any) -> Any:
    """The result, written into out= where that is given."""
    if out is None:
        return result
    from eqvproof.frontends.inplace import overwrite
    from eqvproof.frontends.values import is_traced

    targets = out if type(out) is tuple else (out,)
    if len(targets) != 1 or not is_traced(targets[0]):
        context.refuse(
            "out= an array that is not traced", hint="make the array inside the function, with np.zeros"
        )
    return overwrite(targets[0], result)


def apply_function(context: TraceContext, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A NumPy function on traced values."""
    from eqvproof.frontends import promotion
    from eqvproof.frontends.constants import with_constants
    from eqvproof.frontends.functions import FUNCTIONS, masking

    handler = FUNCTIONS.get(function)
    if function in masking.FUNCTIONS and any(map(masking.is_masked, args)):
        handler = masking.FUNCTIONS[function]
    if handler is None:
        require_running(context)
        concrete = with_constants(context, function, args, kwargs)
        if concrete is not None:
            return concrete[0]
        return unsupported(context, name_of(function))
    integers = promotion.of_function(function, (*args, *kwargs.values()))
    return guarded(context, name_of(function), handler, args, kwargs, integers)
