"""The functions and constants of Python's math module, as exact real functions and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import GeneratorType
from typing import Any

import numpy as np

from eqvproof.tracing.arrays import formulas
from eqvproof.tracing.arrays.constants import known_number
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions import logic, ufuncs
from eqvproof.tracing.arrays.functions.registry import Handler, Table, handles, lift, node_of, real
from eqvproof.tracing.arrays.sizes import SymbolicSize
from eqvproof.tracing.arrays.values import Array, xp

FUNCTIONS: Table = {}


def _scalar(context: TraceContext, value: object) -> Array:
    x = lift(context, value)
    if x.ndim:
        context.refuse(
            "a function of the math module takes one number, not an array",
            hint="use the one of NumPy",
        )
    if x._eqvproof.kind == "f":
        return x
    return x.astype(float)


def _of_scalars(handler: Handler) -> Handler:
    return lambda context, *args: handler(context, *(_scalar(context, a) for a in args))


_SAME = {
    getattr(math, name): _of_scalars(h) for name, h in ufuncs.NAMED.items() if hasattr(math, name)
}
_ASKED: Table = {
    function: _of_scalars(logic.UFUNCS[ufunc])
    for function, ufunc in (
        (math.isfinite, np.isfinite),
        (math.isinf, np.isinf),
        (math.isnan, np.isnan),
    )
}
FUNCTIONS |= {
    **_SAME,
    **_ASKED,
    math.fmod: _of_scalars(ufuncs.fmod),
    math.pow: _of_scalars(ufuncs.power),
}


@handles(FUNCTIONS, math.log)
def log(context: TraceContext, x: object, base: Any = None) -> Array:
    """Returns the natural logarithm, or that to a base."""
    value = _scalar(context, x)
    if base is None or base == math.e:
        return xp.log(value)
    if type(base) in (int, float) and base > 1:
        return real(context, formulas.log_base(context.builder, node_of(value), base=base))
    return xp.log(value) / xp.log(_scalar(context, base))


@handles(FUNCTIONS, math.hypot)
def hypot(context: TraceContext, *coordinates: object) -> Array:
    """Returns the length of a vector."""
    b = context.builder
    nodes = [node_of(_scalar(context, c)) for c in coordinates]
    return real(context, b.map("sqrt", [b.add([b.mul(n, n) for n in nodes])]))


@handles(FUNCTIONS, math.fsum)
def fsum(context: TraceContext, seq: object) -> Array:
    """Returns the sum of the numbers along an axis, or in a list."""
    x = lift(context, list(seq) if isinstance(seq, GeneratorType) else seq)
    if x.ndim != 1:
        context.refuse("math.fsum takes numbers, not rows of them", hint="use np.sum")
    return xp.sum(x)


def _to_integer(rule: Callable[..., int]) -> Handler:
    """Returns a handler that makes a Python integer of a value that depends on no input."""

    def handler(context: TraceContext, x: object) -> object:
        if type(x) is SymbolicSize:
            return x
        number = known_number(_scalar(context, x), exact=True)
        if number is None:
            context.refuse(
                f"math.{rule.__name__} makes a Python integer of a value that depends on the inputs"
            )
        return rule(number)

    return handler


FUNCTIONS |= {rule: _to_integer(rule) for rule in (math.floor, math.ceil, math.trunc)}
