"""Functions that join and split arrays: concatenate, stack, split, pad, diff."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axis,
    as_int,
    handles,
    lift,
    make,
    node_of,
    optional,
    real,
)
from eqvproof.tracing.arrays.inplace import as_written
from eqvproof.tracing.arrays.node_functions import padded
from eqvproof.tracing.arrays.sizes import plain, size_of
from eqvproof.tracing.arrays.values import Array, joint_kind, xp

FUNCTIONS: Table = {}


def _parts(context: TraceContext, arrays: Any) -> list[Array]:
    given = list(arrays)
    if not given:
        context.refuse("need at least one array to join")
    return [lift(context, a) for a in given]


@handles(FUNCTIONS, np.concatenate, np.concat)
def concatenate(context: TraceContext, arrays: object, /, axis: object = 0) -> Array:
    """Joins arrays along an axis."""
    parts = _parts(context, arrays)
    if axis is None:
        parts, axis = [xp.ravel(p) for p in parts], 0
    place = as_axis(context, axis, parts[0].ndim)
    return make(
        context, context.builder.concat([node_of(p) for p in parts], place), joint_kind(parts)
    )


@handles(FUNCTIONS, np.stack)
def stack(context: TraceContext, arrays: object, axis: object = 0) -> Array:
    """Joins arrays along a new axis."""
    parts = _parts(context, arrays)
    if len({p._eqvproof.shape for p in parts}) != 1:
        context.refuse("a stack of arrays of different shapes", code="trace.shape")
    place = as_axis(context, axis, parts[0].ndim + 1)
    nodes = [context.builder.expand(node_of(p), place) for p in parts]
    return make(context, context.builder.concat(nodes, place), joint_kind(parts))


@handles(FUNCTIONS, np.block)
def block(context: TraceContext, arrays: object) -> Array:
    """Builds a matrix from blocks."""
    if type(arrays) is not list or any(type(row) is not list for row in arrays):
        if type(arrays) is list:
            return xp.hstack(arrays)
        context.refuse("np.block is traced for lists of lists")
    return xp.vstack([xp.hstack([xp.atleast_2d(p) for p in _parts(context, r)]) for r in arrays])


@handles(FUNCTIONS, np.split, np.array_split)
def split(
    context: TraceContext, ary: object, indices_or_sections: Any, axis: object = 0
) -> list[Array]:
    """Splits an array into parts of equal length, or at given places."""
    x = lift(context, ary)
    place, b, node = as_axis(context, axis, x.ndim), context.builder, node_of(x)
    total = b.shape(node)[place]
    if type(indices_or_sections) in (list, tuple, np.ndarray):
        cuts = [size_of(v) for v in indices_or_sections]
        if any(c is None for c in cuts):
            context.refuse("a split at places that are no integers")
        bounds = [Size.of(0), *(c for c in cuts if c is not None), total]
    else:
        count = as_int(context, indices_or_sections, "a number of parts")
        length = total.divide(count)
        if length is None:
            context.refuse(f"a split of {total} entries into {count} equal parts")
        bounds = [length * k for k in range(count + 1)]
    items = [slice(None)] * place
    ends = [plain(context, c) for c in bounds]
    return [x[(*items, slice(p, q))] for p, q in pairwise(ends)]


@handles(FUNCTIONS, optional(np, "unstack"))
def unstack(context: TraceContext, x: object, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Returns the arrays along an axis of fixed size."""
    return tuple(xp.moveaxis(lift(context, x), axis, 0))


def wrapped(b: Builder, x: int, axis: int, before: int, after: int) -> int:
    """Continues an axis cyclically at both ends, however short it is."""
    front = [b.slice(b.roll(x, axis, before - k), axis, 0, 1) for k in range(before)]
    behind = [b.slice(b.roll(x, axis, -k), axis, 0, 1) for k in range(after)]
    made = b.concat([*front, x, *behind], axis)
    b.wraps.setdefault(made, (x, axis, before))
    return made


@handles(FUNCTIONS, np.lib.stride_tricks.sliding_window_view)
def windows(context: TraceContext, x: object, window_shape: Any, axis: Any = None) -> Array:
    """Returns windows of a fixed length along an axis, as a last axis."""
    value, b = lift(context, x), context.builder
    if type(window_shape) in (tuple, list):
        sizes = list(window_shape)
    else:
        sizes = [window_shape]
    if type(axis) in (tuple, list):
        axes = list(axis)
    elif axis is None:
        axes = list(range(value.ndim))
    else:
        axes = [axis]
    if len(sizes) != len(axes):
        context.refuse("windows of other axes than there are", code="trace.shape")
    node = node_of(value)
    for length, a in zip(sizes, axes, strict=True):
        place, count = (
            as_axis(context, a, value.ndim),
            as_int(context, length, "the length of a window"),
        )
        rank, rest = len(b.shape(node)), b.shape(node)[place] - count + 1
        if not rest.is_at_least(1):
            context.refuse_for_some(
                f"windows of {count} entries, of which an axis has fewer for some sizes",
                rest.names,
                partial(rest.is_at_least, 1),
                hint="give sizes=",
                code=ErrorCode.TRACE_SIZE,
            )
        parts = [b.expand(b.slice(node, place, k, rest), rank) for k in range(count)]
        node = b.concat(parts, rank)
    return real(context, node, value, array=True)


def _slid(context: TraceContext, a: object, v: object, mode: Any, *, turned: bool) -> Array:
    """Returns sums over a sliding window, weighted by the shorter array.

    Its length is fixed. For a convolution (`turned`) it is reversed.
    """
    b, x, w = context.builder, lift(context, a), lift(context, v)
    if x.ndim != 1 or w.ndim != 1:
        context.refuse("a convolution of arrays that are no vectors", code="trace.shape")
    if w._eqvproof.shape[0].constant is None and turned:
        x, w = w, x
    count, long = w._eqvproof.shape[0].constant, x._eqvproof.shape[0]
    if count is None or not (long - count).is_at_least(0):
        context.refuse(
            "a convolution with a kernel whose length is no number, or exceeds that of the array"
        )
    kernel = b.flip(node_of(w), 0) if turned else node_of(w)
    extra = {
        "valid": (0, 0),
        "full": (count - 1, count - 1),
        "same": (count // 2, (count - 1) // 2),
    }
    before, after = map(Size.of, extra[mode])
    node = padded(b, node_of(x), 0, before, after, b.const(0))
    rest = b.shape(node)[0] - count + 1
    terms = []
    for k in range(count):
        weight = b.squeeze(b.slice(kernel, 0, k, 1), 0)
        terms.append(b.mul(weight, b.slice(node, 0, k, rest)))
    return real(context, b.add(terms), x, w, array=True)


@handles(FUNCTIONS, np.convolve)
def convolve(context: TraceContext, a: object, v: object, mode: object = "full") -> Array:
    """Returns the convolution with a kernel of fixed length."""
    return _slid(context, a, v, mode, turned=True)


@handles(FUNCTIONS, np.correlate)
def correlate(context: TraceContext, a: object, v: object, mode: object = "valid") -> Array:
    """Returns the correlation with a kernel of fixed length; refuses the modes full and same."""
    if mode != "valid":
        context.refuse(f"np.correlate with mode={mode!r} is not traced")
    return _slid(context, a, v, mode, turned=False)


@handles(FUNCTIONS, np.pad)
def pad(
    context: TraceContext, array: object, pad_width: object, mode: object = "constant",
    constant_values: object = 0,
) -> Array:  # fmt: skip
    """Pads with constants, or with the entries at the edges; `wrap` continues cyclically."""
    x = lift(context, array)
    if mode not in ("constant", "wrap", "edge") or type(constant_values) not in (int, float):
        context.refuse(f"np.pad with mode={mode!r} is not traced")
    as_written(context, lift(context, constant_values), x._eqvproof)
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2)).tolist()
    b, node = context.builder, node_of(x)
    for axis, (before, after) in enumerate(widths):
        if mode == "wrap" and (before or after):
            node = wrapped(b, node, axis, int(before), int(after))
        elif mode == "edge":
            first, last = (
                b.slice(node, axis, at, 1) for at in (Size.of(0), b.shape(node)[axis] - 1)
            )
            node = b.concat([*[first] * before, node, *[last] * after], axis)
        else:
            node = padded(b, node, axis, Size.of(before), Size.of(after), b.const(constant_values))
    return real(context, node, x)


def _edge(context: TraceContext, x: Array, place: int, given: object) -> Array | None:
    """Returns the array that np.diff joins to an end; None if there is none.

    A number is repeated as one more entry along the axis.
    """
    if given is None or given is np._NoValue:
        return None
    edge = lift(context, given)
    if edge.ndim:
        return edge
    return xp.broadcast_to(edge, tuple(1 if k == place else s for k, s in enumerate(x.shape)))


@handles(FUNCTIONS, np.diff)
def diff(
    context: TraceContext,
    a: Any,
    n: int = 1,
    axis: object = -1,
    prepend: Any = None,
    append: object = None,
) -> Array:
    """Returns differences of neighbours."""
    x = lift(context, a)
    place = as_axis(context, axis, x.ndim)
    edges = [_edge(context, x, place, e) for e in (prepend, append)]
    if any(e is not None for e in edges):
        x = xp.concatenate([e for e in (edges[0], x, edges[1]) if e is not None], axis=place)
    head = [slice(None)] * place
    for _ in range(as_int(context, n)):
        x = x[(*head, slice(1, None))] - x[(*head, slice(None, -1))]
    return x


@handles(FUNCTIONS, np.take)
def take(
    context: TraceContext, a: Any, indices: Any, axis: object = None, mode: str = "raise"
) -> Array:
    """Returns the entries at given positions of an axis."""
    if mode != "raise":
        context.refuse(f"np.take with mode={mode!r} is not traced")
    x = lift(context, a)
    if axis is None:
        x, axis = xp.ravel(x), 0
    place = as_axis(context, axis, x.ndim)
    return x[(*([slice(None)] * place), indices)]
