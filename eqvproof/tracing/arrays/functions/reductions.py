"""Reductions: sums, means, products, extrema, any and all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    Table,
    as_axes,
    handles,
    in_type,
    lift,
    node_of,
    real,
    require_float_dtype,
)
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.values import Array, Kind, xp

FUNCTIONS: Table = {}
NO = np._NoValue


def is_given(value: object) -> bool:
    """Checks whether an optional argument has a value."""
    return value is not None and value is not NO


def keep(keepdims: object) -> bool:
    """Checks whether reduced axes stay, with size 1."""
    return bool(keepdims) and keepdims is not NO


def finish(
    context: TraceContext,
    x: Array,
    node: int,
    axes: list[int],
    keepdims: object,
    kind: Kind | None = None,
) -> Array:
    """Returns the traced result of a reduction."""
    if keep(keepdims):
        node = context.builder.restore(node, axes)
    else:
        node = node
    return real(context, node, x, kind=kind)


@handles(FUNCTIONS, np.sum)
def sum_(
    context: TraceContext,
    a: object,
    axis: object = None,
    dtype: TypeLike = None,
    keepdims: object = False,
    initial: object = NO,
) -> Array:
    """Returns the sum over axes."""
    x = in_type(context, lift(context, a), dtype)
    axes = as_axes(context, axis, x.ndim)
    result = finish(context, x, context.builder.sum(node_of(x), axes), axes, keepdims)
    if is_given(initial):
        return result + initial
    return result


@handles(FUNCTIONS, np.mean)
def mean(
    context: TraceContext,
    a: object,
    axis: object = None,
    dtype: TypeLike = None,
    keepdims: object = False,
) -> Array:
    """Returns the mean over axes."""
    require_float_dtype(context, dtype)
    x = lift(context, a)
    axes = as_axes(context, axis, x.ndim)
    return finish(context, x, context.builder.mean(node_of(x), axes), axes, keepdims, "f")


def _reduced(
    context: TraceContext, fn: str, a: object, axis: object, keepdims: object, initial: object
) -> Array:
    x = lift(context, a)
    axes = as_axes(context, axis, x.ndim)
    kind = x._eqvproof.kind if fn != "prod" else None
    result = finish(context, x, context.builder.reduce(fn, node_of(x), axes), axes, keepdims, kind)
    if not is_given(initial):
        return result
    if fn == "prod":
        return result * initial
    absent = -np.inf if fn == "max" else np.inf
    if type(initial) is float and initial == absent:
        return result
    if fn == "max":
        return xp.maximum(result, initial)
    return xp.minimum(result, initial)


def _extreme(fn: str) -> Callable[..., Array]:
    def handler(
        context: TraceContext,
        a: object,
        axis: object = None,
        keepdims: object = False,
        initial: object = NO,
    ) -> Array:
        return _reduced(context, fn, a, axis, keepdims, initial)

    return handler


max_ = handles(FUNCTIONS, np.max, np.amax)(_extreme("max"))
min_ = handles(FUNCTIONS, np.min, np.amin)(_extreme("min"))


@handles(FUNCTIONS, np.prod)
def prod(
    context: TraceContext,
    a: object,
    axis: object = None,
    dtype: TypeLike = None,
    keepdims: object = False,
    initial: object = NO,
) -> Array:
    """Returns the product over axes."""
    x = in_type(context, lift(context, a), dtype)
    return _reduced(context, "prod", x, axis, keepdims, initial)


def _truth(fn: str) -> Handler:
    """Returns the handler of np.any (fn="max") or np.all (fn="min")."""

    def handler(
        context: TraceContext, a: object, axis: object = None, keepdims: object = False
    ) -> Array:
        x = lift(context, a)
        b, axes, node = context.builder, as_axes(context, axis, x.ndim), node_of(x)
        if x._eqvproof.kind != "b":
            node = b.map("ne", [node, b.const(0)])
        return finish(context, x, b.reduce(fn, node, axes), axes, keepdims, "b")

    return handler


handles(FUNCTIONS, np.any)(_truth("max"))
handles(FUNCTIONS, np.all)(_truth("min"))


@handles(FUNCTIONS, np.ptp)
def ptp(context: TraceContext, a: Array, axis: object = None, keepdims: object = False) -> Array:
    """Returns the largest minus the smallest entry."""
    return max_(context, a, axis, keepdims) - min_(context, a, axis, keepdims)
