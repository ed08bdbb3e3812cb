"""Functions of shapes and types: transposes, reshapes, broadcasts, new axes, copies, casts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays import machine
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    Table,
    as_axes,
    as_axis,
    as_sizes,
    handles,
    lift,
    make,
    node_of,
    note_precision,
)
from eqvproof.tracing.arrays.lifting import shape_of
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.refusals import record_memory_query
from eqvproof.tracing.arrays.sizes import plain
from eqvproof.tracing.arrays.values import Array, Kind, constant_entries, is_listed

FUNCTIONS: Table = {}


def _view(context: TraceContext, x: Array, node: int) -> Array:
    return make(context, node, x._eqvproof.kind, view_of=x, array=True)


def fresh(context: TraceContext, x: Array, node: int) -> Array:
    """Returns a node as an array with its own memory, of the kind of another array."""
    return make(context, node, x._eqvproof.kind, array=True)


@handles(FUNCTIONS, np.transpose, np.permute_dims)
def transpose(context: TraceContext, a: object, axes: Iterable[object] | None = None) -> Array:
    """Permutes the axes."""
    x = lift(context, a)
    if axes is None:
        order = None
    else:
        order = [as_axis(context, i, x.ndim) for i in axes]
    return _view(context, x, context.builder.transpose(node_of(x), order))


@handles(FUNCTIONS, np.swapaxes)
def swapaxes(context: TraceContext, a: object, axis1: object, axis2: object) -> Array:
    """Exchanges two axes."""
    from eqvproof.tracing.arrays.symmetric import exchange

    x = lift(context, a)
    i, j = as_axis(context, axis1, x.ndim), as_axis(context, axis2, x.ndim)
    return _view(context, x, exchange(context.builder, node_of(x), i, j))


@handles(FUNCTIONS, np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(context: TraceContext, x: object, /) -> Array:
    """Exchanges the last two axes."""
    return swapaxes(context, x, -1, -2)


@handles(FUNCTIONS, np.moveaxis)
def moveaxis(context: TraceContext, a: object, source: object, destination: object) -> Array:
    """Moves axes to other places."""
    x = lift(context, a)
    pair = [list(v) if is_listed(v) else [v] for v in (source, destination)]
    origin, target = ([as_axis(context, i, x.ndim) for i in v] for v in pair)
    order = [i for i in range(x.ndim) if i not in origin]
    for place, i in sorted(zip(target, origin, strict=True)):
        order.insert(place, i)
    return transpose(context, x, order)


@handles(FUNCTIONS, np.reshape)
def reshape(
    context: TraceContext,
    a: object,
    /,
    shape: object = None,
    order: str = "C",
    *,
    newshape: object = None,
) -> Array:
    """Reshapes an array; one size may be -1."""
    from eqvproof.tracing.arrays import node_functions

    x = lift(context, a)
    sizes = as_sizes(context, newshape if shape is None else shape)
    if order not in ("C", "F"):
        context.refuse(f"order={order!r} depends on memory")
    if order == "F":
        return transpose(context, reshape(context, transpose(context, x), tuple(sizes)[::-1]))
    return _view(context, x, node_functions.reshape(context.builder, node_of(x), sizes))


@handles(FUNCTIONS, np.ravel)
def ravel(context: TraceContext, a: object, order: str = "C") -> Array:
    """Returns all entries in a row."""
    x = lift(context, a)
    if order == "F":
        x = transpose(context, x)
    elif order != "C":
        context.refuse(f"order={order!r} depends on memory")
    return _view(
        context, x, context.builder.reshape(node_of(x), [context.builder.prod_sizes(node_of(x))])
    )


@handles(FUNCTIONS, np.squeeze)
def squeeze(context: TraceContext, a: object, axis: object = None) -> Array:
    """Removes axes of size 1."""
    x = lift(context, a)
    b, node = context.builder, node_of(x)
    if axis is None:
        axes = []
        for i, s in enumerate(b.shape(node)):
            if s.constant is None and not s.is_at_least(2):
                context.refuse(
                    f"squeeze() removes the axis of size {s} when it is 1",
                    hint="name the axis: squeeze(axis=...)",
                )
            if s == Size.of(1):
                axes.append(i)
    else:
        axes = as_axes(context, axis, x.ndim)
    for i in reversed(axes):
        node = b.squeeze(node, i)
    return _view(context, x, node)


@handles(FUNCTIONS, np.expand_dims)
def expand_dims(context: TraceContext, a: object, axis: object) -> Array:
    """Adds new axes of size 1."""
    x = lift(context, a)
    given = axis if is_listed(axis) else (axis,)
    node = node_of(x)
    for i in as_axes(context, tuple(given), x.ndim + len(given)):
        node = context.builder.expand(node, i)
    return _view(context, x, node)


@handles(FUNCTIONS, np.broadcast_to)
def broadcast_to(context: TraceContext, array: object, shape: object) -> Array:
    """Repeats along new axes and axes of size 1; read-only, as in NumPy."""
    x = lift(context, array)
    node = context.builder.broadcast_to(node_of(x), as_sizes(context, shape))
    return make(
        context,
        node,
        x._eqvproof.kind,
        view_of=x,
        array=True,
        locked="a broadcast array, which is read-only",
    )


@handles(FUNCTIONS, np.broadcast_arrays)
def broadcast_arrays(
    context: TraceContext, *args: object, subok: bool = False
) -> tuple[Array, ...]:
    """Broadcasts all arrays to their common shape."""
    traced = [lift(context, a) for a in args]
    sizes = context.builder.broadcast_shapes([context.builder.shape(node_of(x)) for x in traced])
    shape = tuple(plain(context, s) for s in sizes)
    return tuple(broadcast_to(context, x, shape) for x in traced)


@handles(FUNCTIONS, np.broadcast_shapes)
def broadcast_shapes(context: TraceContext, *args: object) -> tuple[object, ...]:
    """Returns the common shape of arrays of some shapes."""
    shapes = [tuple(as_sizes(context, a)) for a in args]
    return tuple(plain(context, s) for s in context.builder.broadcast_shapes(shapes))


def _atleast(rank: int) -> Handler:
    def handler(context: TraceContext, *args: object) -> Array | tuple[Array, ...]:
        results = []
        for a in args:
            x = lift(context, a)
            node = node_of(x)
            count = x.ndim
            while count < rank:
                node = context.builder.expand(node, count if rank == 3 and count >= 2 else 0)
                if rank == 3 and count == 1:
                    node = context.builder.expand(node, 2)
                    count += 1
                count += 1
            results.append(x if count == x.ndim else _view(context, x, node))
        if len(results) == 1:
            return results[0]
        return tuple(results)

    return handler


FUNCTIONS.update(
    {np.atleast_1d: _atleast(1), np.atleast_2d: _atleast(2), np.atleast_3d: _atleast(3)}
)


@handles(FUNCTIONS, np.copy)
def copy(context: TraceContext, a: object) -> Array:
    """Returns a copy with its own memory."""
    x = lift(context, a)
    return fresh(context, x, node_of(x))


@handles(FUNCTIONS, np.astype)
def astype(
    context: TraceContext,
    x: Array,
    dtype: TypeLike,
    order: object = None,
    casting: object = None,
    subok: object = None,
    copy: bool = True,
) -> object:
    """Casts to a type: between floats it rounds at most, hence is the identity of real numbers."""
    new, old = np.dtype(dtype), x._eqvproof.kind
    if new.kind == "c":
        part = x.astype(np.dtype(f"f{new.itemsize // 2}"))
        from eqvproof.tracing.arrays.pairs import Pair

        return Pair(part, part * 0.0)
    note_precision(context, dtype)
    node, b = node_of(x), context.builder
    if new.kind == "b" and old != "b":
        node = b.map("ne", [node, b.const(0)])
    elif new.kind in "iu" and old == "f":
        node = _whole(context, node, new)
    elif new.kind not in "fbiu":
        context.refuse(f"a cast to {new}")
    elif new.kind == "f" and new.itemsize < 8:
        node = _shortened(context, x, new)
    kind: Kind = "i" if new.kind in "iu" else "b" if new.kind == "b" else "f"
    view, wraps = None if copy else x, x._eqvproof.dtype is not int
    return make(context, node, kind, view_of=view, array=True, dtype=new, wraps=wraps)


def _shortened(context: TraceContext, x: Array, dtype: np.dtype[np.generic]) -> int:
    """Returns the values; constants that a shorter float type rounds are rounded to it."""
    entries = constant_entries(x)
    if entries is None or not entries.size or any(Fraction(float(v)) != v for v in entries.ravel()):
        return node_of(x)
    short = entries.astype(np.float64).astype(dtype)
    if np.isfinite(short).all():
        return node_of(lift(context, short))
    return node_of(x)


def _whole(context: TraceContext, node: int, dtype: TypeLike) -> int:
    """Truncates to whole numbers; refuses those that may not fit into the type."""
    b = context.builder
    if not b.intervals.is_whole(node):
        node = b.mul(b.map("sign", [node]), b.map("floor", [b.map("abs", [node])]))
    if not (b.limited or machine.fits(b, node, dtype)):
        context.refuse(
            "a cast of floats to integers", hint="np.floor or np.rint says which integer"
        )
    return node


@handles(FUNCTIONS, np.shape)
def shape(context: TraceContext, a: object) -> tuple[object, ...]:
    """Returns the shape."""
    return shape_of(lift(context, a))


@handles(FUNCTIONS, np.may_share_memory, np.shares_memory)
def shares_memory(context: TraceContext, a: object, b: object, max_work: object = None) -> bool:
    """Checks whether two arrays share memory, and records that the user's code asked."""
    record_memory_query(context)
    first, second = (getattr(x, "_eqvproof", None) for x in (a, b))
    return first is not None and second is not None and first.storage is second.storage


@handles(FUNCTIONS, np.ndim)
def ndim(context: TraceContext, a: object) -> int:
    """Returns the number of axes."""
    return lift(context, a).ndim


@handles(FUNCTIONS, np.size)
def size(context: TraceContext, a: object, axis: object = None) -> object:
    """Returns the number of entries."""
    x = lift(context, a)
    if axis is None:
        return x.size
    return plain(context, context.builder.prod_sizes(node_of(x), as_axes(context, axis, x.ndim)))
