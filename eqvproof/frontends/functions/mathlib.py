"""The functions and constants of Python's math module, as the reals that they stand for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.frontends import formulas
from eqvproof.frontends.constants import known_number
from eqvproof.frontends.context import TraceContext
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
        return real(context, formulas.log_base(context.builder, node_of(value), base=base))
    return xp.log(value) / xp.log(_scalar(context, base))


@handles(FUNCTIONS, math.hypot)
def hypot(context: TraceContext, *coordinates: object) -> Array:
    """The length of a vector."""
    b = context.builder
    nodes = [node_of(_scalar(context, c)) for c in coordinates]
    return real(context, b.map("sqrt", [b.add([b.mul(n, n) for n in nodes])]))


def _by(formula: formulas.Formula) -> Handler:
    return lambda context, x: real(context, formula(context.builder, node_of(_scalar(context, x))))


FUNCTIONS |= {
    math.log2: _by(formulas.log2), math.log10: _by(formulas.log10), math.erfc: _by(formulas.erfc),
    math.erf: _by(lambda b, x: b.map("erf", [x])),
}  # fmt: skip


def _to_integer(rule: Callable[..., int]) -> Handler:
    """A Python integer, of what depends on no input."""

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


#: Handled while tracing also where every argument is a number: their results are irrational.
EXACT: set[Any] = {*_SAME, math.log, math.log2, math.log10, math.hypot, math.erf, math.erfc} - {
    math.fabs, math.copysign, math.fmod
}  # fmt: skip
