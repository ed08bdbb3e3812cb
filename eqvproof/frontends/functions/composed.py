"""Elementwise functions that are compositions of a Program's maps: log1p, hypot, heaviside, ..."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.registry import Table, handles, node_of, real

UFUNCS: Table = {}


def _exp_of(context: TraceContext, a: Any, base: int) -> Any:
    """base to the power a, as exp(a log(base))."""
    builder = context.builder
    return real(
        context, builder.map("exp", [builder.mul(node_of(a), builder.map("log", [builder.const(base)]))])
    )


@handles(UFUNCS, np.exp2)
def exp2(context: TraceContext, a: Any) -> Any:
    """2 to the power a."""
    return _exp_of(context, a, 2)


@handles(UFUNCS, np.expm1)
def expm1(context: TraceContext, a: Any) -> Any:
    """exp(a) - 1."""
    builder = context.builder
    return real(context, builder.sub(builder.map("exp", [node_of(a)]), builder.const(1)))


@handles(UFUNCS, np.log1p)
def log1p(context: TraceContext, a: Any) -> Any:
    """log(1 + a)."""
    builder = context.builder
    return real(context, builder.map("log", [builder.add([builder.const(1), node_of(a)])]))


def log_base(context: TraceContext, a: Any, base: Any) -> Any:
    """log(a) / log(base), exact where that is an integer."""
    builder = context.builder
    value, root = builder.scalar_value(node_of(a)), Fraction(base)
    if value is not None and value > 0 and not builder.shape(node_of(a)):
        power, count = Fraction(1), 0
        while power < max(value, 1 / value):
            power, count = power * root, count + 1
        if power == max(value, 1 / value):
            return real(context, builder.const(count if value >= 1 else -count))
    return real(
        context, builder.div(builder.map("log", [node_of(a)]), builder.map("log", [builder.const(base)]))
    )


@handles(UFUNCS, np.log2)
def log2(context: TraceContext, a: Any) -> Any:
    """log(a) / log(2)."""
    return log_base(context, a, 2)


@handles(UFUNCS, np.log10)
def log10(context: TraceContext, a: Any) -> Any:
    """log(a) / log(10)."""
    return log_base(context, a, 10)


@handles(UFUNCS, np.arccosh)
def arccosh(context: TraceContext, a: Any) -> Any:
    """log(a + sqrt(a^2 - 1)), undefined below 1."""
    builder, x = context.builder, node_of(a)
    root = builder.map("sqrt", [builder.sub(builder.mul(x, x), builder.const(1))])
    return real(context, builder.map("log", [builder.add([x, root])]))


@handles(UFUNCS, np.arctanh)
def arctanh(context: TraceContext, a: Any) -> Any:
    """(log(1 + a) - log(1 - a)) / 2."""
    builder, x, one = context.builder, node_of(a), context.builder.const(1)
    above = builder.map("log", [builder.add([one, x])])
    below = builder.map("log", [builder.sub(one, x)])
    return real(context, builder.mul(builder.const(Fraction(1, 2)), builder.sub(above, below)))


@handles(UFUNCS, np.hypot)
def hypot(context: TraceContext, a: Any, b: Any) -> Any:
    """sqrt(a^2 + b^2)."""
    builder, x, y = context.builder, node_of(a), node_of(b)
    return real(context, builder.map("sqrt", [builder.add([builder.mul(x, x), builder.mul(y, y)])]))


@handles(UFUNCS, np.logaddexp)
def logaddexp(context: TraceContext, a: Any, b: Any) -> Any:
    """log(exp(a) + exp(b)) = max(a, b) + log(1 + exp(-|a - b|))."""
    builder, x, y = context.builder, node_of(a), node_of(b)
    gap = builder.neg(builder.map("abs", [builder.sub(x, y)]))
    rest = builder.map("log", [builder.add([builder.const(1), builder.map("exp", [gap])])])
    return real(context, builder.add([builder.map("maximum", [x, y]), rest]))


@handles(UFUNCS, np.logaddexp2)
def logaddexp2(context: TraceContext, a: Any, b: Any) -> Any:
    """log2(2^a + 2^b)."""
    builder = context.builder
    total = builder.add([node_of(_exp_of(context, a, 2)), node_of(_exp_of(context, b, 2))])
    return log_base(context, real(context, total), 2)


@handles(UFUNCS, np.heaviside)
def heaviside(context: TraceContext, a: Any, half: Any) -> Any:
    """0 below 0, `half` at 0, 1 above."""
    builder, zero = context.builder, context.builder.const(0)
    x = node_of(a)
    step = builder.map("gt", [x, zero])
    return real(context, builder.select(builder.map("eq", [x, zero]), node_of(half), step), kind="f")


@handles(UFUNCS, np.copysign)
def copysign(context: TraceContext, a: Any, b: Any) -> Any:
    """|a| with the sign of b, that of 0 taken as +."""
    builder = context.builder
    size = builder.map("abs", [node_of(a)])
    below = builder.map("lt", [node_of(b), builder.const(0)])
    return real(context, builder.select(below, builder.neg(size), size), kind="f")


@handles(UFUNCS, np.deg2rad, np.radians)
def deg2rad(context: TraceContext, a: Any) -> Any:
    """a pi / 180."""
    builder = context.builder
    return real(context, builder.mul(builder.mul(builder.const(Fraction(1, 180)), builder.pi()), node_of(a)))


@handles(UFUNCS, np.rad2deg, np.degrees)
def rad2deg(context: TraceContext, a: Any) -> Any:
    """a 180 / pi."""
    builder = context.builder
    return real(context, builder.div(builder.mul(builder.const(180), node_of(a)), builder.pi()))
