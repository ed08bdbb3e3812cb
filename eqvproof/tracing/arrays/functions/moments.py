"""Handlers of variances, weighted means, counts, and sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.reductions import NO, finish, is_given, mean, sum_
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axes,
    as_axis,
    handles,
    lift,
    make,
    node_of,
    require_float_dtype,
)
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.sizes import size_of
from eqvproof.tracing.arrays.values import Array, xp

FUNCTIONS: Table = {}


@handles(FUNCTIONS, np.count_nonzero)
def count_nonzero(
    context: TraceContext, a: object, axis: object = None, *, keepdims: object = False
) -> Array:
    """Counts the entries that are not 0."""
    return sum_(context, xp.not_equal(lift(context, a), 0), axis, keepdims=keepdims)


@handles(FUNCTIONS, np.var)
def var(
    context: TraceContext, a: object, axis: object = None, dtype: TypeLike = None, ddof: Any = 0,
    keepdims: object = False, *, correction: object = NO,
) -> Array:  # fmt: skip
    """Returns the mean squared distance from the mean, with ddof subtracted from the count."""
    require_float_dtype(context, dtype)
    x, b = lift(context, a), context.builder
    axes, node = as_axes(context, axis, x.ndim), node_of(x)
    freedom = size_of(correction if is_given(correction) else ddof)
    if freedom is None:
        context.refuse("ddof= that is no integer")
    count = b.prod_sizes(node, axes) - freedom
    if not count.is_at_least(0):
        context.refuse(
            f"a variance over {count} degrees of freedom, negative for some sizes",
            hint="give sizes=",
        )
    middle = b.mean(node, axes)
    deviation = b.sub(node, b.restore(middle, axes))
    total = b.sum(b.mul(deviation, deviation), axes)
    return finish(context, x, b.div(total, b.size(count)), axes, keepdims, "f")


@handles(FUNCTIONS, np.std)
def std(
    context: TraceContext, a: object, axis: object = None, dtype: TypeLike = None, ddof: object = 0,
    keepdims: object = False, *, correction: object = NO,
) -> Array:  # fmt: skip
    """Returns the standard deviation, the square root of the variance."""
    return xp.sqrt(var(context, a, axis, dtype, ddof, keepdims, correction=correction))


@handles(FUNCTIONS, np.average)
def average(
    context: TraceContext,
    a: object,
    axis: object = None,
    weights: object = None,
    *,
    keepdims: object = False,
) -> Array:
    """Returns the weighted mean."""
    x = lift(context, a)
    if weights is None:
        return mean(context, x, axis, keepdims=keepdims)
    x, w = (v if v._eqvproof.kind == "f" else v.astype(float) for v in (x, lift(context, weights)))
    if w.ndim == 1 and x.ndim > 1:
        place = as_axis(context, axis, x.ndim)
        w = xp.reshape(w, (1,) * place + (-1,) + (1,) * (x.ndim - place - 1))
    total = sum_(context, xp.multiply(x, w), axis, keepdims=keepdims)
    return total / sum_(context, xp.multiply(xp.ones_like(x), w), axis, keepdims=keepdims)


@handles(FUNCTIONS, np.sort)
def sort(context: TraceContext, a: Array, axis: object = -1) -> Array:
    """Sorts in ascending order along an axis."""
    x = lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), -1
    return make(
        context, context.builder.sort(node_of(x), as_axis(context, axis, x.ndim)), x._eqvproof.kind
    )
