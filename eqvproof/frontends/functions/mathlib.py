"""The functions and constants of Python's math module, as the reals that they stand for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.frontends.constants import known_number
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.formulas import log_base
from eqvproof.frontends.functions.registry import Handler, Table, handles, lift, node_of, real
from eqvproof.frontends.sizes import SymbolicSize
from eqvproof.frontends.values import Array, xp

FUNCTIONS: Table = {}

_SAME: dict[Any, Any] = {
    math.sqrt: np.sqrt, math.exp: np.exp, math.sin: np.sin, math.cos: np.cos, math.tan: np.tan,
    math.sinh: np.sinh, math.cosh: np.cosh, math.tanh: np.tanh, math.asin: np.arcsin, math.acos: np.arccos,
    math.atan: np.arctan, math.asinh: np.arcsinh, math.acosh: np.arccosh, math.atanh: np.arctanh,
    math.atan2: np.arctan2, math.expm1: np.expm1, math.log1p: np.log1p, math.fabs: np.absolute,
    math.degrees: np.rad2deg, math.radians: np.deg2rad, math.cbrt: np.cbrt, math.exp2: np.exp2,
    math.copysign: np.copysign, math.fmod: np.fmod, math.pow: np.power,
}  # fmt: skip


def _scalar(context: TraceContext, value: object) -> Array:
    x = lift(context, value)
    if x.ndim:
        context.refuse(
            "a function of the math module takes one number, not an array", hint="use the one of NumPy"
        )
    return x if x._eqvproof.kind == "f" else x.astype(float)


def _forwarded(ufunc: Callable[..., Array]) -> Handler:
    def handler(context: TraceContext, *args: object) -> Array:
        return ufunc(*(_scalar(context, a) for a in args))

    return handler


for _function, _ufunc in _SAME.items():
    FUNCTIONS[_function] = _forwarded(_ufunc)


@handles(FUNCTIONS, math.log)
def log(context: TraceContext, x: object, base: Any = None) -> Array:
    """The natural logarithm, or that to a base."""
    value = _scalar(context, x)
    if base is None or base == math.e:
        return xp.log(value)
    if type(base) in (int, float) and base > 1:
        return real(context, log_base(context.builder, node_of(value), base=base))
    return xp.log(value) / xp.log(_scalar(context, base))


@handles(FUNCTIONS, math.log2)
def log2(context: TraceContext, x: object) -> Array:
    """The logarithm to base 2."""
    return real(context, log_base(context.builder, node_of(_scalar(context, x)), base=2))


@handles(FUNCTIONS, math.log10)
def log10(context: TraceContext, x: object) -> Array:
    """The logarithm to base 10."""
    return real(context, log_base(context.builder, node_of(_scalar(context, x)), base=10))


@handles(FUNCTIONS, math.hypot)
def hypot(context: TraceContext, *coordinates: object) -> Array:
    """The length of a vector."""
    b = context.builder
    nodes = [node_of(_scalar(context, c)) for c in coordinates]
    return real(context, b.map("sqrt", [b.add([b.mul(n, n) for n in nodes])]))


@handles(FUNCTIONS, math.erf)
def erf(context: TraceContext, x: object) -> Array:
    """The error function."""
    return real(context, context.builder.map("erf", [node_of(_scalar(context, x))]))


@handles(FUNCTIONS, math.erfc)
def erfc(context: TraceContext, x: object) -> Array:
    """1 - erf(x)."""
    return 1 - erf(context, x)


def _to_integer(context: TraceContext, value: object, rule: Callable[..., int], name: str) -> object:
    if type(value) is SymbolicSize:
        return value
    number = known_number(_scalar(context, value), exact=True)
    if number is None:
        context.refuse(f"math.{name} makes a Python integer of a value that depends on the inputs")
    return rule(number)


@handles(FUNCTIONS, math.floor)
def floor(context: TraceContext, x: object) -> object:
    """The integer below."""
    return _to_integer(context, x, math.floor, "floor")


@handles(FUNCTIONS, math.ceil)
def ceil(context: TraceContext, x: object) -> object:
    """The integer above."""
    return _to_integer(context, x, math.ceil, "ceil")


@handles(FUNCTIONS, math.trunc)
def trunc(context: TraceContext, x: object) -> object:
    """The integer towards 0."""
    return _to_integer(context, x, math.trunc, "trunc")


#: Handled while tracing also where every argument is a number: their results are irrational.
EXACT: set[Any] = {*_SAME, math.log, math.log2, math.log10, math.hypot, math.erf, math.erfc} - {
    math.fabs, math.copysign, math.fmod
}  # fmt: skip
