"""Functions of order: argmax, argsort, median, quantiles, histograms, running sums and products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import eqvproof.programs.operations as ops
from eqvproof.tracing.arrays import ordering
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.reductions import keep
from eqvproof.tracing.arrays.functions.registry import (
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
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.values import Array, constant_entries, is_listed, xp

FUNCTIONS: Table = {}


def _extremum(fn: str) -> Handler:
    """Returns the handler for the position of the first largest, or smallest, entry."""

    def handler(
        context: TraceContext, a: object, axis: object = None, *, keepdims: object = False
    ) -> Array:
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
    context: TraceContext, a: Array, axis: object = -1, kind: object = None, stable: object = None
) -> Array:
    """Returns the positions in ascending order; a stable sort keeps the order of equal entries."""
    b, x = context.builder, lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), 0
    keeps = stable is True or (kind is not None and str(kind)[:1].lower() in "sm")
    of = x._eqvproof.dtype or x._eqvproof.kind
    algorithm = "" if keeps else f"numpy.argsort.{kind or 'quicksort'}.{of}"
    node = ordering.order(b, node_of(x), as_axis(context, axis, x.ndim), unstable=algorithm)
    return make(context, node, "i", array=True)


@handles(FUNCTIONS, np.lexsort)
def lexsort(context: TraceContext, keys: object, axis: object = -1) -> Array:
    """Returns the positions in lexicographic order of several keys, the last key compared first."""
    b = context.builder
    if is_listed(keys) and len(keys) > 0:
        nodes = [node_of(lift(context, key)) for key in keys]
        if len({b.shape(x) for x in nodes}) > 1:
            context.refuse("np.lexsort of keys of different shapes", code="trace.shape")
        place = as_axis(context, axis, len(b.shape(nodes[0])))
        return make(context, ordering.lexicographic(b, nodes[::-1], place), "i", array=True)
    x = lift(context, keys)
    if x.ndim < 2:
        context.refuse("np.lexsort of numbers, each of them a key")
    place = 1 + as_axis(context, axis, x.ndim - 1)
    return make(context, ordering.lexicographic_along(b, node_of(x), place), "i", array=True)


@handles(FUNCTIONS, np.median)
def median(
    context: TraceContext, a: object, axis: object = None, keepdims: object = False
) -> Array:
    """Returns the middle entry, or the mean of the two middle ones."""
    return quantile(context, a, 0.5, axis, keepdims=keepdims)


@handles(FUNCTIONS, np.percentile)
def percentile(
    context: TraceContext, a: object, q: object, axis: object = None, method: str = "linear",
    keepdims: object = False,
) -> Array:  # fmt: skip
    """Returns quantiles given in hundredths."""
    listed = constant_entries(lift(context, q))
    if listed is not None and listed.ndim == 1 and len(listed):
        return xp.stack([percentile(context, a, part, axis, method, keepdims) for part in listed])
    return quantile(context, a, xp.true_divide(lift(context, q), 100), axis, method, keepdims)


@handles(FUNCTIONS, np.quantile)
def quantile(
    context: TraceContext, a: object, q: object, axis: object = None, method: str = "linear",
    keepdims: object = False,
) -> Array:  # fmt: skip
    """Returns the entry at position q (n - 1) in ascending order, interpolated linearly."""
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
    return real(
        context, context.builder.restore(node, axes) if keepdims is True else node, kind="f"
    )


def accumulated(context: TraceContext, a: object, axis: object, fn: str) -> Array:
    """Returns a running sum, product, maximum or minimum."""
    x = lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), 0
    node = ordering.running(context.builder, node_of(x), as_axis(context, axis, x.ndim), fn)
    if fn in ("sum", "prod"):
        return real(context, node, x, array=True)
    return make(context, node, x._eqvproof.kind, array=True, dtype=x._eqvproof.dtype)


@handles(FUNCTIONS, np.cumsum, optional(np, "cumulative_sum"))
def cumsum(context: TraceContext, a: object, axis: object = None, dtype: TypeLike = None) -> Array:
    """Returns the sum of all entries up to each entry."""
    return accumulated(context, in_type(context, lift(context, a), dtype), axis, "sum")


@handles(FUNCTIONS, np.cumprod)
def cumprod(context: TraceContext, a: object, axis: object = None, dtype: TypeLike = None) -> Array:
    """Returns the product of all entries up to each entry."""
    return accumulated(context, in_type(context, lift(context, a), dtype), axis, "prod")


@handles(FUNCTIONS, np.digitize)
def digitize(context: TraceContext, x: object, bins: object, right: object = False) -> object:
    """Counts the bounds that are at most each entry (with right, less than it).

    If the bounds descend, it counts those above the entry (with right, at least it).
    """
    bounds = lift(context, bins)
    ascends = _ascends(context, bounds)
    inside = (
        (xp.greater if right else xp.greater_equal)
        if ascends
        else (xp.less_equal if right else xp.less)
    )
    result = xp.sum(inside(xp.expand_dims(lift(context, x), -1), bounds), axis=-1)
    context.builder.ranges.setdefault(
        node_of(result), context.builder.shape(node_of(bounds))[0] + 1
    )
    return result


@handles(FUNCTIONS, np.searchsorted)
def searchsorted(context: TraceContext, a: object, v: object, side: object = "left") -> object:
    """Returns the positions at which entries belong among ascending numbers."""
    bounds = lift(context, a)
    if not _ascends(context, bounds) or side not in ("left", "right"):
        context.refuse("np.searchsorted in what is not known to ascend")
    return digitize(context, v, bounds, right=side == "left")


def _ascends(context: TraceContext, bounds: Array) -> bool:
    """Checks whether fixed numbers, or sorted values, ascend; False if they descend.

    Bounds in no order, or that depend on the inputs, are refused.
    """
    if bounds.ndim == 1 and isinstance(context.builder.nodes[node_of(bounds)], ops.Sort):
        return True
    listed = constant_entries(bounds)
    if listed is None or listed.ndim != 1:
        context.refuse("bounds of bins that depend on the inputs")
    pairs = [*itertools.pairwise(listed)]
    ascends = all(p <= q for p, q in pairs)
    if not ascends and not all(p >= q for p, q in pairs):
        context.refuse("bounds of bins in no order")
    return ascends


@handles(FUNCTIONS, np.histogram)
def histogram(
    context: TraceContext,
    a: object,
    bins: object = 10,
    range: Any = None,
    density: object = None,
    weights: object = None,
) -> object:
    """Counts the entries, or sums the weights, in each bin; returns counts and edges.

    A bin includes its lower bound, and the last bin includes both bounds.
    """
    x = xp.ravel(lift(context, a))
    if type(bins) is int and range is not None:
        bins = np.linspace(float(range[0]), float(range[1]), bins + 1)
    edges = lift(context, bins)
    if edges.ndim != 1 or not _ascends(context, edges):
        context.refuse("bins that the inputs decide", hint="give range=, or the bounds of the bins")
    count = edges.shape[0] - 1
    above = xp.greater_equal(xp.expand_dims(x, -1), edges[:-1])
    below = xp.less(xp.expand_dims(x, -1), edges[1:])
    last = xp.equal(xp.arange(count), count - 1)
    at_end = xp.logical_and(xp.equal(xp.expand_dims(x, -1), edges[1:]), last)
    inside = xp.logical_and(above, xp.logical_or(below, at_end))
    factor = 1 if weights is None else xp.expand_dims(xp.ravel(lift(context, weights)), -1)
    counts = xp.sum(inside * factor, axis=0)
    if density:
        counts = counts / ((edges[1:] - edges[:-1]) * xp.sum(counts))
    return counts, edges
