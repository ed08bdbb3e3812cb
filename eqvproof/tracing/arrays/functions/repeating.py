"""Functions that reorder or repeat entries: flips, rolls, repeats, tiles."""

from __future__ import annotations

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays import cyclic
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axes,
    as_axis,
    as_int,
    as_sizes,
    handles,
    lift,
    make,
    node_of,
)
from eqvproof.tracing.arrays.functions.shaping import fresh, ravel, reshape
from eqvproof.tracing.arrays.lifting import shape_of
from eqvproof.tracing.arrays.values import Array, is_listed, is_traced

FUNCTIONS: Table = {}


@handles(FUNCTIONS, np.flip)
def flip(context: TraceContext, m: object, axis: object = None) -> Array:
    """Reverses axes."""
    x = lift(context, m)
    node = node_of(x)
    for i in as_axes(context, axis, x.ndim):
        node = context.builder.flip(node, i)
    return make(context, node, x._eqvproof.kind, view_of=x, array=True)


@handles(FUNCTIONS, np.roll)
def roll(context: TraceContext, a: object, shift: object, axis: object = None) -> Array:
    """Shifts cyclically."""
    x = lift(context, a)
    if axis is None:
        return reshape(context, roll(context, ravel(context, x), shift, 0), shape_of(x))
    axes = list(axis) if is_listed(axis) else [axis]
    shifts = list(shift) if is_listed(shift) else [shift]
    node, count = node_of(x), max(len(axes), len(shifts))
    for k in range(count):
        place, by = as_axis(context, axes[k % len(axes)], x.ndim), shifts[k % len(shifts)]
        if is_traced(by):
            turned = cyclic.rolled(context.builder, node, place, node_of(by))
        else:
            turned = None
        if turned is None:
            turned = context.builder.roll(node, place, as_int(context, by, "a shift"))
        node = turned
    return fresh(context, x, node)


@handles(FUNCTIONS, np.repeat)
def repeat(context: TraceContext, a: object, repeats: object, axis: object = None) -> Array:
    """Repeats every entry several times."""
    x = lift(context, a)
    if axis is None:
        x, axis = ravel(context, x), 0
    (count,) = as_sizes(context, repeats)
    place, b, node = as_axis(context, axis, x.ndim), context.builder, node_of(x)
    shape = list(b.shape(node))
    node = b.broadcast_to(
        b.expand(node, place + 1), [*shape[: place + 1], count, *shape[place + 1 :]]
    )
    shape[place] = shape[place] * count
    return fresh(context, x, b.reshape(node, shape))


@handles(FUNCTIONS, np.tile)
def tile(context: TraceContext, A: object, reps: object) -> Array:
    """Repeats the whole array several times along axes."""
    x = lift(context, A)
    counts, b, node = as_sizes(context, reps), context.builder, node_of(x)
    while len(b.shape(node)) < len(counts):
        node = b.expand(node, 0)
    counts = [Size.of(1)] * (len(b.shape(node)) - len(counts)) + counts
    for i, count in enumerate(counts):
        if count == Size.of(1):
            continue
        shape = list(b.shape(node))
        node = b.broadcast_to(b.expand(node, i), [*shape[:i], count, *shape[i:]])
        shape[i] = shape[i] * count
        node = b.reshape(node, shape)
    return fresh(context, x, node)
