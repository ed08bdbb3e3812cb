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
    only,
    real,
)
from eqvproof.frontends.values import constant_entries

FUNCTIONS: Table = {}


def _extremum(fn: str) -> Handler:
    """The position of the first greatest, or least, entry."""

    def handler(
        context: TraceContext, a: object, axis: Any = None, out: Any = None, *, keepdims: Any = False
    ) -> Any:
        only(context, out=out)
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
def argsort(
    context: TraceContext, a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """The positions in ascending order; of equal entries the first one first."""
    only(context, order=order)
    b, x = context.builder, lift(context, a)
    if axis is None:
        x, axis = np.ravel(x), 0
    return make(context, ordering.order(b, node_of(x), as_axis(context, axis, x.ndim)), "i", array=True)


@handles(FUNCTIONS, np.median)
def median(
    context: TraceContext, a: object, axis: object = None, out: object = None, overwrite_input: bool = False,
    keepdims: object = False,
) -> Any:  # fmt: skip
    """The middle entry, or the mean of the two in the middle."""
    return quantile(context, a, 0.5, axis, out, keepdims=keepdims)


@handles(FUNCTIONS, np.percentile)
def percentile(context: TraceContext, a: object, q: object, *args: object, **kwargs: object) -> Any:
    """Quantiles in hundredths."""
    listed = constant_entries(lift(context, q))
    if listed is not None and listed.ndim == 1 and len(listed):
        return np.stack([percentile(context, a, part, *args, **kwargs) for part in listed])
    return quantile(context, a, np.true_divide(lift(context, q), 100), *args, **kwargs)


@handles(FUNCTIONS, np.quantile)
def quantile(
    context: TraceContext, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: Any = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The entry at position q (n - 1) in ascending order, interpolated linearly."""
    only(context, out=out, weights=weights)
    if method != "linear":
        context.refuse(f"a quantile with method={method!r} is not traced")
    b, x, share = context.builder, lift(context, a), lift(context, q)
    listed = constant_entries(share) if share.ndim == 1 else None
    if listed is not None and len(listed):
        return np.stack([quantile(context, x, part, axis, keepdims=keepdims) for part in listed])
    axes = as_axes(context, axis, x.ndim)
    value = b.scalar_value(node_of(share))
    if share.ndim or value is None or not 0 <= value <= 1:
        context.refuse("quantiles are traced for fixed numbers from 0 to 1")
    node, place = ordering.flattened(b, node_of(x), axes)
    node = ordering.quantile(b, node, place, node_of(share))
    return real(context, context.builder.restore(node, axes) if keepdims is True else node, kind="f")


def accumulated(context: TraceContext, a: object, axis: object, fn: str) -> Any:
    """A running sum, product, maximum or minimum."""
    x = lift(context, a)
    if axis is None:
        x, axis = np.ravel(x), 0
    node = ordering.running(context.builder, node_of(x), as_axis(context, axis, x.ndim), fn)
    if fn == "prod":
        return real(context, node, x, array=True)
    return make(context, node, x._eqvproof.kind, array=True, dtype=x._eqvproof.dtype)


@handles(FUNCTIONS, np.cumprod)
def cumprod(context: TraceContext, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The product of all entries up to each."""
    only(context, out=out)
    return accumulated(context, in_type(context, lift(context, a), dtype), axis, "prod")
