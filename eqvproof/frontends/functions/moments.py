"""Variances, weighted means, medians; partial sums; sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.reductions import NO, finish, is_given, mean, refuse_where, sum_
from eqvproof.frontends.functions.registry import (
    Table,
    as_axes,
    as_axis,
    handles,
    in_type,
    lift,
    make,
    node_of,
    only,
    optional,
    real,
    require_float_dtype,
)
from eqvproof.frontends.sizes import size_of

FUNCTIONS: Table = {}


@handles(FUNCTIONS, np.count_nonzero)
def count_nonzero(context: TraceContext, a: object, axis: object = None, *, keepdims: object = False) -> Any:
    """How many entries are not 0."""
    return sum_(context, np.not_equal(lift(context, a), 0), axis, keepdims=keepdims)


@handles(FUNCTIONS, np.var)
def var(
    context: TraceContext, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False, *, where: Any = True, mean: Any = NO, correction: Any = NO,
) -> Any:  # fmt: skip
    """The mean squared distance from the mean, with ddof subtracted from the count."""
    only(context, out=out, mean=mean)
    refuse_where(context, where)
    require_float_dtype(context, dtype)
    x, b = lift(context, a), context.builder
    axes, node = as_axes(context, axis, x.ndim), node_of(x)
    freedom = size_of(correction if is_given(correction) else ddof)
    if freedom is None:
        context.refuse("ddof= that is no integer")
    count = b.prod_sizes(node, axes) - freedom
    if not count.is_at_least(0):
        context.refuse(
            f"a variance over {count} degrees of freedom, negative for some sizes", hint="give sizes="
        )
    middle = b.mean(node, axes)
    deviation = b.sub(node, b.restore(middle, axes))
    total = b.sum(b.mul(deviation, deviation), axes)
    return finish(context, x, b.div(total, b.size(count)), axes, keepdims, "f")


@handles(FUNCTIONS, np.std)
def std(context: TraceContext, a: object, *args: object, **kwargs: object) -> Any:
    """The square root of the variance."""
    return np.sqrt(var(context, a, *args, **kwargs))


@handles(FUNCTIONS, np.average)
def average(
    context: TraceContext, a: object, axis: object = None, weights: object = None, returned: bool = False, *,
    keepdims: object = False,
) -> Any:  # fmt: skip
    """The weighted mean."""
    x = lift(context, a)
    if returned:
        context.refuse("returned= is not traced")
    if weights is None:
        return mean(context, x, axis, keepdims=keepdims)
    x, w = (v if v._eqvproof.kind == "f" else v.astype(float) for v in (x, lift(context, weights)))
    if w.ndim == 1 and x.ndim > 1:
        place = as_axis(context, axis, x.ndim)
        w = np.reshape(w, (1,) * place + (-1,) + (1,) * (x.ndim - place - 1))
    total = sum_(context, np.multiply(x, w), axis, keepdims=keepdims)
    return total / sum_(context, np.multiply(np.ones_like(x), w), axis, keepdims=keepdims)


@handles(FUNCTIONS, np.cumsum, optional(np, "cumulative_sum"))
def cumsum(
    context: TraceContext,
    a: object,
    axis: object = None,
    dtype: object = None,
    out: object = None,
    include_initial: bool = False,
) -> Any:
    """Partial sums along an axis, as a contraction with a triangular matrix."""
    only(context, out=out)
    if include_initial:
        context.refuse("include_initial= is not traced")
    x = in_type(context, lift(context, a), dtype)
    if axis is None:
        x, axis = np.ravel(x), 0
    place, b, node = as_axis(context, axis, x.ndim), context.builder, node_of(x)
    size = b.shape(node)[place]
    triangle = b.tri(size, size)
    labels = list(range(x.ndim))
    output = [x.ndim if i == place else i for i in labels]
    if b.is_total(node):
        return real(context, b.einsum([triangle, node], [[x.ndim, place], labels], output), x)
    last = [i for i in labels if i != place] + [x.ndim, place]
    wide = [b.shape(node)[i] for i in labels if i != place] + [size, size]
    spread = b.einsum([node], [labels], last, {x.ndim: size})
    kept = b.select(b.broadcast_to(triangle, wide), spread, b.const(0))
    summed = b.sum(kept, [x.ndim])
    order = [i for i in labels if i != place]
    return real(
        context, b.transpose(summed, [order.index(i) if i != place else x.ndim - 1 for i in labels]), x
    )


@handles(FUNCTIONS, np.sort)
def sort(
    context: TraceContext, a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """Ascending order along an axis."""
    only(context, order=order)
    x = lift(context, a)
    if axis is None:
        x, axis = np.ravel(x), -1
    return make(context, context.builder.sort(node_of(x), as_axis(context, axis, x.ndim)), x._eqvproof.kind)
