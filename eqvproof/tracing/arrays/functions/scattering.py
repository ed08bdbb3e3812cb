"""Scatters and gathers by positions: ``ufunc.at``, bincount, take_along_axis, put_along_axis."""

from __future__ import annotations

import numpy as np

from eqvproof.tracing.arrays import positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axis,
    as_sizes,
    handles,
    lift,
    make,
    node_of,
    real,
)
from eqvproof.tracing.arrays.gathering import along, as_nodes, gather, named, scatter, take_along
from eqvproof.tracing.arrays.indexing import normalise
from eqvproof.tracing.arrays.inplace import as_written, overwrite, require_writable
from eqvproof.tracing.arrays.masks import alive_node, finite, is_masked, mirror, with_infinities
from eqvproof.tracing.arrays.values import Array, xp

FUNCTIONS: Table = {}
SCATTERS: dict[object, str] = {
    np.add: "add", np.subtract: "add", np.maximum: "max", np.minimum: "min", np.multiply: "prod",
    np.logical_or: "max", np.logical_and: "min",
}  # fmt: skip


def at(
    context: TraceContext, ufunc: np.ufunc, a: Array, indices: object, b: object = None, /
) -> None:
    """Applies ``ufunc.at`` in place; a place that is selected twice counts twice."""
    how = SCATTERS.get(ufunc)
    if how is None or b is None:
        context.refuse(f"np.{ufunc.__name__}.at is not traced")
    out = lift(context, a)
    if out is not a:
        context.refuse(
            "an array that is not traced is written into", hint="make it inside the function"
        )
    require_writable(out)
    values = as_written(context, lift(context, b), out._eqvproof)
    if (
        ufunc in (np.logical_or, np.logical_and)
        and not out._eqvproof.kind == values._eqvproof.kind == "b"
    ):
        context.refuse("logic at places is traced for booleans")
    rank = len(out._eqvproof.shape)
    items = as_nodes(context, out._eqvproof.shape, normalise(context, indices, rank))
    if is_masked(out) or is_masked(values):
        if how not in ("max", "min"):
            context.refuse("infinite entries are traced in np.maximum.at and np.minimum.at only")
        overwrite(out, extreme_at(context, out, items, values, how))
        return
    node = node_of(values)
    if ufunc is np.subtract:
        node = context.builder.neg(node)
    else:
        node = node
    result = scatter(context.builder, node_of(out), items, node, how)
    overwrite(out, make(context, result, out._eqvproof.kind, dtype=out._eqvproof.dtype))


def extreme_at(
    context: TraceContext,
    out: Array,
    items: list[object],
    values: Array,
    how: str,
    *,
    wrap: bool = True,
) -> Array:
    """Returns np.maximum.at where entries are -inf (np.minimum.at where they are +inf).

    An entry -inf takes the largest real value given for it. To compute this, it is first set to the
    smallest of all numbers given, and values -inf do not count. np.minimum.at is the mirror image.
    """
    if how == "min":
        return mirror(extreme_at(context, mirror(out), items, mirror(values), "max", wrap=wrap))
    b = context.builder
    here, there = alive_node(out), alive_node(values)
    old, new = finite(out)._eqvproof.node, finite(values)._eqvproof.node
    low = b.reduce("min", b.reshape(new, [b.prod_sizes(new)]), [0])
    result = scatter(b, b.select(here, old, low), items, new, "max", there, wrap=wrap)
    alive = scatter(b, here, items, there, "max", wrap=wrap)
    if b.scalar_value(there) == 1:
        context.sure.add(gather(b, alive, items, wrap=wrap))
    return with_infinities(make(context, result, array=True), alive)


@handles(FUNCTIONS, np.bincount)
def bincount(
    context: TraceContext, x: object, /, weights: object = None, minlength: object = 0
) -> Array:
    """Counts how often each position occurs, or sums the weights there."""
    b, index = context.builder, node_of(lift(context, x))
    (length,) = as_sizes(context, minlength)
    if positions.range_of(b, index) != length:
        context.refuse(
            "np.bincount of numbers that may reach minlength: how long the result is depends on"
            " them",
            hint="give minlength=, the size of the axis that the numbers index",
        )
    if weights is None:
        values = None
    else:
        values = node_of(lift(context, weights))
    return real(
        context, positions.binned(b, index, length, values), kind="i" if values is None else "f"
    )


@handles(FUNCTIONS, np.take_along_axis)
def take_along_axis(
    context: TraceContext, arr: object, indices: object, axis: object = -1
) -> Array:
    """Returns the entries at positions along an axis, line by line."""
    x, index = lift(context, arr), lift(context, indices)
    if axis is None:
        x, axis = xp.ravel(x), 0
    b, place = context.builder, as_axis(context, axis, x.ndim)
    result = take_along(b, node_of(x), node_of(index), place)
    return make(context, result, x._eqvproof.kind, array=True)


@handles(FUNCTIONS, np.put_along_axis)
def put_along_axis(
    context: TraceContext, arr: object, indices: object, values: object, axis: object
) -> None:
    """Writes one number at positions along an axis, line by line."""
    x, value, b = lift(context, arr), lift(context, values), context.builder
    place = as_axis(context, axis, x.ndim)
    if x is not arr or value.ndim:
        context.refuse("np.put_along_axis is traced for a single number")
    value = as_written(context, value, x._eqvproof)
    found = along(b, b.shape(node_of(x)), node_of(lift(context, indices)), place)
    if found.bounds:
        context.refuse("np.put_along_axis at positions that may be out of range")
    if not {*found.row} <= {*range(x.ndim + 1)}:
        context.refuse("np.put_along_axis with an index that does not cover the array")
    overwrite(
        x, make(context, b.select(named(b, found), node_of(value), node_of(x)), x._eqvproof.kind)
    )
