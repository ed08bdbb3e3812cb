"""Gathers and scatters of JAX by index arrays that are arguments, or are computed from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays import gathering, positions
from eqvproof.tracing.arrays.constants import integers_of
from eqvproof.tracing.arrays.functions.scattering import extreme_at
from eqvproof.tracing.arrays.masks import is_high, number_flags
from eqvproof.tracing.arrays.values import make
from eqvproof.tracing.framework_arrays import Node, as_value
from eqvproof.tracing.jax.equations import Equation
from eqvproof.tracing.jax.reader import Reader
from eqvproof.tracing.jax.special_values import array_of, is_infinite, select_infinite
from eqvproof.tracing.jax.values import Known, Value

WHOLE = slice(None)
#: Primitive of JAX -> name of the way in `gathering.scatter`.
HOW = {
    "scatter": "set",
    "scatter-add": "add",
    "scatter_add": "add",
    "scatter-max": "max",
    "scatter_max": "max",
    "scatter-min": "min",
    "scatter_min": "min",
    "scatter-mul": "prod",
    "scatter_mul": "prod",
}


def _index_error() -> TraceError:
    return TraceError(
        "an index array that depends on the inputs", code=ErrorCode.TRACE_INDEX,
        hint="index arguments are declared by the axis that they index: E[n]: 2 m",
    )  # fmt: skip


def _components(r: Reader, indices: Value, count: int) -> list[int]:
    """Returns the arrays of positions that the last axis holds, one for each component."""
    b, node = r.builder, r.node(indices)
    rank = len(b.shape(node))
    known = integers_of(b, node)
    if known is not None:
        return [b.const(known[..., k]) for k in range(count)]
    parts = [b.squeeze(b.slice(node, rank - 1, k, 1), rank - 1) for k in range(count)]
    if any(positions.range_of(b, p) is None and not positions.is_integer(b, p) for p in parts):
        raise _index_error()
    return parts


def _clip_by_mode(r: Reader, e: Equation, position: int, size: Size) -> int:
    """Returns positions in an axis, clipped as the mode says.

    Positions outside stay where the mode drops or fills them; other modes are refused.
    """
    if positions.lie_within(r.builder, position, size):
        return position
    mode = getattr(e.params.get("mode"), "name", "")
    if mode == "CLIP" and not e.primitive.name.startswith("scatter"):
        return positions.clipped(r.builder, position, size)
    fills = e.params.get("fill_value") is None and np.issubdtype(
        e.outvars[0].aval.dtype, np.floating
    )
    if mode != "FILL_OR_DROP" or not (fills or e.primitive.name.startswith("scatter")):
        raise _index_error()
    return position


def _items(
    r: Reader, e: Equation, shape: Sequence[Size], indices: Value, axes: tuple[int, ...]
) -> list[object]:
    """Returns one item for each axis: positions along `axes`, and whole axes."""
    items: list[object] = [WHOLE] * len(shape)
    for axis, part in zip(axes, _components(r, indices, len(axes)), strict=True):
        items[axis] = _clip_by_mode(r, e, part, shape[axis])
    return items


def gather_at(r: Reader, e: Equation, x: int, indices: Value) -> int:
    """Returns entries at positions and along whole axes; indexed axes may stay, with size 1."""
    b, numbers = r.builder, e.params["dimension_numbers"]
    axes = tuple(numbers.start_index_map)
    shape, sizes = b.shape(x), r.sizes(e.params["slice_sizes"])
    whole = all(s == (Size.of(1) if k in axes else shape[k]) for k, s in enumerate(sizes))
    if not {*axes} >= {*numbers.collapsed_slice_dims} or not whole:
        raise _index_error()
    made = gathering.gather(b, x, _items(r, e, shape, indices, axes), wrap=False)
    batch, kept = len(r.shape(indices)) - 1, [k for k in range(len(shape)) if k not in axes]
    order = _numpy_axis_order(sorted(axes), kept, batch)
    stay = [k for k in range(len(shape)) if k not in numbers.collapsed_slice_dims]
    output, rest, single = [], iter(range(batch)), []
    offsets = dict(zip(numbers.offset_dims, stay, strict=True))
    for place in range(batch + len(stay)):
        if offsets.get(place) in axes:
            single.append(place)
            continue
        if place in offsets:
            output.append(order.index(("kept", offsets[place])))
        else:
            output.append(order.index(("batch", next(rest))))
    made = b.transpose(made, output)
    for place in single:
        made = b.expand(made, place)
    return made


def slice_at_position(r: Reader, x: int, axis: int, index: Value) -> int:
    """Returns the entries at one position of an axis, clipped to it; keeps the axis with size 1."""
    b, node = r.builder, r.node(index)
    if not positions.is_integer(b, node):
        raise _index_error()
    items: list[object] = [WHOLE] * len(b.shape(x))
    size = b.shape(x)[axis]
    if not positions.lie_within(b, node, size):
        node = positions.clipped(b, node, size)
    items[axis] = node
    return b.expand(gathering.gather(b, x, items, wrap=False), axis)


def take_along_axis(r: Reader, e: Equation, x: int, indices: Value) -> int:
    """Returns entries at positions of one axis, with the other axes shared."""
    b, numbers, rank = r.builder, e.params["dimension_numbers"], len(r.builder.shape(x))
    shared, axes = tuple(numbers.operand_batching_dims), tuple(numbers.start_index_map)
    plain = shared == tuple(numbers.start_indices_batching_dims) and not numbers.offset_dims
    if (
        not plain
        or len(axes) != 1
        or {*shared, *axes} != {*range(rank)}
        or len(r.shape(indices)) != rank + 1
    ):
        raise TraceError("a gather with batch axes", code=ErrorCode.TRACE_INDEX)
    (part,) = _components(r, indices, 1)
    return gathering.take_along(
        b, x, _clip_by_mode(r, e, part, b.shape(x)[axes[0]]), axes[0], wrap=False
    )


def scatter_at(r: Reader, e: Equation, x: Value, indices: Value, updates: Value) -> Value:
    """Returns the array after a scatter; its infinite entries are extremes of no values."""
    b, numbers = r.builder, e.params["dimension_numbers"]
    how = HOW[e.primitive.name]
    axes = tuple(numbers.scatter_dims_to_operand_dims)
    shape, given = r.shape(x), r.shape(updates)
    kept = [k for k in range(len(shape)) if k not in axes]
    whole = [given[w] for w in numbers.update_window_dims] == [shape[k] for k in kept]
    if {*axes} != {*numbers.inserted_window_dims} or not whole or numbers.operand_batching_dims:
        raise _index_error()
    if how == "set" and is_infinite(updates):
        return _set_infinite(r, e, x, indices, updates)
    new = r.node(updates)
    if how == "set" and b.scalar_value(new) is None:
        raise TraceError(
            "a write whose result depends on the order of equal positions",
            code=ErrorCode.TRACE_INDEX,
        )
    windows = dict(zip(kept, numbers.update_window_dims, strict=True))
    lead = [i for i in range(len(given)) if i not in numbers.update_window_dims]
    order = _numpy_axis_order(sorted(axes), kept, len(lead))
    new = b.transpose(new, [windows[k] if kind == "kept" else lead[k] for kind, k in order])
    items = _items(r, e, shape, indices, axes)
    if how in ("max", "min") and is_infinite(x):
        found = ((items[axis], shape[axis]) for axis in axes)
        if not all(isinstance(i, int) and positions.lie_within(b, i, size) for i, size in found):
            raise _index_error()
        values = make(r.context, new, array=True)
        return as_value(extreme_at(r.context, array_of(r, x), items, values, how, wrap=False))
    return Node(gathering.scatter(b, r.node(x), items, new, how, wrap=False, drops=True))


def _set_infinite(r: Reader, e: Equation, x: Value, indices: Value, updates: Value) -> Value:
    """Returns the array with -inf (or +inf) at positions.

    It is a choice by the array in which 1 is set at the positions in 0s.
    """
    b, given = r.builder, array_of(r, updates)
    if b.scalar_value(number_flags(given)) != 0:
        raise _index_error()
    zeros, ones = (b.broadcast_to(b.const(k), r.shape(v)) for k, v in ((0, x), (1, updates)))
    here = scatter_at(r, e, Node(zeros), indices, Node(ones))
    return select_infinite(
        r, r.node(here), Known(np.asarray(np.inf if is_high(given) else -np.inf)), x
    )


def _numpy_axis_order(axes: list[int], kept: list[int], batch: int) -> list[tuple[str, int]]:
    """Returns the axes of a gather in NumPy's order: index axes at the first indexed axis.

    Where whole axes stand between indexed axes, the index axes come first.
    """
    first = 0
    if axes == list(range(axes[0], axes[0] + len(axes))):
        first = sum(k < axes[0] for k in kept)
    rows = [("kept", k) for k in kept]
    return [*rows[:first], *(("batch", k) for k in range(batch)), *rows[first:]]
