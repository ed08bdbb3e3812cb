"""Order: argmax, argsort, median, quantiles, running products and maxima."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.frontends import ordering
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.reductions import keep
from eqvproof.frontends.functions.registry import (
    Handler,
    Table,
    as_axes,
    as_axis,
    handles,
    in_type,
    lift,
    make,
    node_of,
    optional,
    real,
)
from eqvproof.frontends.values import Array, constant_entries, xp

FUNCTIONS: Table = {}


def _extremum(fn: str) -> Handler:
    """The position of the first greatest, or least, entry."""

    def handler(context: TraceContext, a: object, axis: object = None, *, keepdims: object = False) -> Array:
        b, x = context.builder, lift(context, a)
        node, place, axes = node_of(x), 0, list(range(x.ndim))
        if axis is None:
            node = b.reshape(node, [b.prod_sizes(node)])
        else:
            place = as_axis(context, axis, x.ndim)
            axes = [place]
        node = ordering.first_extremum(b, node, place, fn)
        return make(context, b.restore(node, axes) if keep(keepdims) else node, "i")

    return handler


FUNCTIONS.update({np.argmax: _extremum("max"), np.argmin: _extremum("min")})


@handles(FUNCTIONS, np.argsort)
def argsort(context: TraceContext, a: Any, axis: object = -1) -> Array:
    """The positions in ascending order; of equal entries the first one first."""
    b, x = context.builder, lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), 0
    return make(context, ordering.order(b, node_of(x), as_axis(context, axis, x.ndim)), "i", array=True)


@handles(FUNCTIONS, np.median)
def median(context: TraceContext, a: object, axis: object = None, keepdims: object = False) -> Array:
    """The middle entry, or the mean of the two in the middle."""
    return quantile(context, a, 0.5, axis, keepdims=keepdims)


@handles(FUNCTIONS, np.percentile)
def percentile(
    context: TraceContext, a: object, q: object, axis: object = None, method: str = "linear",
    keepdims: object = False,
) -> Array:  # fmt: skip
    """Quantiles in hundredths."""
    listed = constant_entries(lift(context, q))
    if listed is not None and listed.ndim == 1 and len(listed):
        return xp.stack([percentile(context, a, part, axis, method, keepdims) for part in listed])
    return quantile(context, a, xp.true_divide(lift(context, q), 100), axis, method, keepdims)


@handles(FUNCTIONS, np.quantile)
def quantile(
    context: TraceContext, a: Any, q: Any, axis: object = None, method: str = "linear", keepdims: object =
    False,
) -> Array:  # fmt: skip
    """The entry at position q (n - 1) in ascending order, interpolated linearly."""
    if method != "linear":
        context.refuse(f"a quantile with method={method!r} is not traced")
    b, x, share = context.builder, lift(context, a), lift(context, q)
    listed = constant_entries(share) if share.ndim == 1 else None
    if listed is not None and len(listed):
        return xp.stack([quantile(context, x, part, axis, keepdims=keepdims) for part in listed])
    axes = as_axes(context, axis, x.ndim)
    value = b.scalar_value(node_of(share))
    if share.ndim or value is None or not 0 <= value <= 1:
        context.refuse("quantiles are traced for fixed numbers from 0 to 1")
    node, place = ordering.flattened(b, node_of(x), axes)
    node = ordering.quantile(b, node, place, node_of(share))
    return real(context, context.builder.restore(node, axes) if keepdims is True else node, kind="f")


def accumulated(context: TraceContext, a: object, axis: object, fn: str) -> Array:
    """A running sum, product, maximum or minimum."""
    x = lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), 0
    node = ordering.running(context.builder, node_of(x), as_axis(context, axis, x.ndim), fn)
    if fn in ("sum", "prod"):
        return real(context, node, x, array=True)
    return make(context, node, x._eqvproof.kind, array=True, dtype=x._eqvproof.dtype)


@handles(FUNCTIONS, np.cumsum, optional(np, "cumulative_sum"))
def cumsum(context: TraceContext, a: object, axis: object = None, dtype: object = None) -> Array:
    """The sum of all entries up to each."""
    return accumulated(context, in_type(context, lift(context, a), dtype), axis, "sum")


@handles(FUNCTIONS, np.cumprod)
def cumprod(context: TraceContext, a: Any, axis: object = None, dtype: Any = None) -> Array:
    """The product of all entries up to each."""
    return accumulated(context, in_type(context, lift(context, a), dtype), axis, "prod")
