"""``X[...]``: integers, slices, None, Ellipsis; integer arrays and masks where they are constants.

Whether an index lies in an axis must be the same for all sizes from 1 up, including NumPy's
clipping of slices (``X[:2]`` of one row): an index that depends on the size is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays.boolean_indexing import at_positions, holds_picked, pick
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.gathering import (
    HINT,
    as_nodes,
    gather,
    index_start,
    refuse_sign,
)
from eqvproof.tracing.arrays.lifting import mentions_trace, stacked
from eqvproof.tracing.arrays.masks import is_high, mirror, with_infinities
from eqvproof.tracing.arrays.node_functions import how_many
from eqvproof.tracing.arrays.refusals import guarded
from eqvproof.tracing.arrays.sizes import SymbolicSize, size_of
from eqvproof.tracing.arrays.values import (
    Array,
    TracedArray,
    constant_entries,
    is_traced,
    make,
    node_of,
)

#: Largest number of positions that are written out one by one.
MOST_GATHERED = 4096


def get_item(tracer: TracedArray, index: object) -> object:
    """Returns ``tracer[index]``."""
    context: TraceContext = tracer._eqvproof.context
    integers = tracer._eqvproof.dtype, True
    return guarded(context, "an index", _get, (tracer, index), {}, integers)


def _get(context: TraceContext, tracer: Array, index: object) -> Any:
    if is_high(tracer):
        return mirror(_get(context, mirror(tracer), index))
    if is_traced(index) and index._eqvproof.kind == "b" and constant_entries(index) is None:
        return pick(context, tracer, index)
    if holds_picked(index):
        return at_positions(context, tracer, index)
    rank = len(tracer._eqvproof.shape)
    items = normalise(context, index, rank)
    kind = tracer._eqvproof.kind
    if any(map(is_traced, items)):
        return _looked_up(context, tracer, items)
    if any(type(i) is np.ndarray for i in items):
        return make(context, _gather(context, tracer, items), kind, array=True)
    flags = tracer._eqvproof.low_flags
    node = basic(context, node_of(tracer) if flags is None else tracer._eqvproof.node, items)
    whole = any(i is Ellipsis for i in (index if type(index) is tuple else (index,)))
    copied = not (whole or context.builder.shape(node))  # a number, which shares no memory
    result = make(context, node, kind, view_of=None if copied else tracer, array=whole)
    if flags is not None:
        with_infinities(result, basic(context, flags, items))
    if not copied and None not in items:
        result._eqvproof.part = tracer, tuple(items)
    return result


def normalise(context: TraceContext, index: object, rank: int) -> list[Any]:
    """Normalises an index to one item for each axis, and None for new axes.

    Items are integers, sizes, slices, and constant integer arrays.
    """
    items = [constant_index(context, i) for i in (index if type(index) is tuple else (index,))]
    taken = sum(
        1 if not _is_mask(i) else i.ndim for i in items if i is not None and i is not Ellipsis
    )
    if taken > rank:
        context.refuse(f"an index with {taken} entries into an array of {rank} axes")
    dots = [k for k, i in enumerate(items) if i is Ellipsis]
    if len(dots) > 1:
        context.refuse("an index with two ellipses")
    filler = [slice(None)] * (rank - taken)
    at = dots[0] if dots else len(items)
    items[at : at + len(dots)] = filler
    return items


def _looked_up(context: TraceContext, tracer: Array, items: list[object]) -> object:
    """Returns the entries at places given by traced arrays, including where they are -inf."""
    value = tracer._eqvproof
    flags = value.low_flags
    b = context.builder
    node, rest = _slices_first(context, node_of(tracer) if flags is None else value.node, items)
    chosen = as_nodes(context, b.shape(node), rest)
    result = make(context, gather(b, node, chosen), value.kind, array=True)
    if flags is None:
        return result
    flags, _ = _slices_first(context, flags, items)
    return with_infinities(result, gather(b, flags, chosen))


def _slices_first(
    context: TraceContext, node: int, items: list[object]
) -> tuple[int, list[object]]:
    """Applies the slices of an index that also holds arrays; leaves whole slices in their place."""
    axis = 0
    for item in items:
        if type(item) is slice:
            node = take_slice(context, node, axis, item)
        axis += item is not None
    return node, [slice(None) if type(i) is slice else i for i in items]


def _is_mask(item: object) -> bool:
    return type(item) is np.ndarray and item.dtype.kind == "b"


def constant_index(context: TraceContext, item: Any) -> Any:
    """Returns one item of an index in plain form."""
    kind = type(item)
    if item is None or item is Ellipsis or kind in (int, slice, SymbolicSize):
        return item
    if kind is bool or issubclass(kind, np.bool_):
        context.refuse("an index that is a boolean")
    if issubclass(kind, np.integer):
        return int(item)
    if kind is list and mentions_trace(item):
        item = stacked(context, item)
    if is_traced(item):
        entries = constant_entries(item)
        if entries is None and item._eqvproof.kind == "i":
            return item
        if entries is None or item._eqvproof.kind == "f":
            context.refuse(
                "an index that is computed from the inputs",
                hint="write np.where(mask, X, 0) in place of X[mask]",
                code="trace.value",
            )
        item = np.array(entries.tolist(), dtype=bool if item._eqvproof.kind == "b" else np.int64)
        if item.ndim == 0 and item.dtype.kind == "i":
            return int(item)
        return item
    if kind in (list, range, np.ndarray):
        array = np.array(item)
        if array.dtype.kind in "iub" or array.size == 0:
            if array.dtype.kind == "b":
                return array
            return array.astype(np.int64)
    context.refuse(f"an index that is a {kind.__name__}")


def basic(context: TraceContext, node: int, items: list[object]) -> int:
    """Applies an index of integers, slices and new axes."""
    b = context.builder
    axis = 0
    for item in items:
        if item is None:
            node = b.expand(node, axis)
        elif type(item) is slice:
            node = take_slice(context, node, axis, item)
        else:
            size = b.shape(node)[axis]
            start = index_start(context, item, size)
            node = b.squeeze(b.slice(node, axis, start, 1), axis)
            continue
        axis += 1
    return node


def slice_range(context: TraceContext, item: slice, size: Size) -> tuple[Size, Size, int]:
    """Returns start, length and step of a slice; a negative step as (lowest, length, step)."""
    step = 1 if item.step is None else size_of(constant_index(context, item.step))
    step = step.constant if isinstance(step, Size) else step
    if not isinstance(step, int) or step == 0:
        context.refuse("a slice whose step is no fixed integer")
    bounds = [
        None if v is None else size_of(constant_index(context, v)) for v in (item.start, item.stop)
    ]
    if size.constant is not None and all(v is None or v.constant is not None for v in bounds):
        plain = [None if v is None else v.constant for v in bounds]
        found = range(size.constant)[slice(plain[0], plain[1], step)]
        if not found:
            return Size.of(0), Size.of(0), 1
        return Size.of(min(found[0], found[-1])), Size.of(len(found)), step
    if step < 0:
        if step == -1 and bounds == [None, None]:
            return Size.of(0), size, -1
        context.refuse("a slice with a negative step over an axis of any size", hint=HINT)
    start = _clipped(context, bounds[0], size, Size.of(0))
    stop = _clipped(context, bounds[1], size, size)
    length = stop - start
    if (-length).is_at_least(0):
        return Size.of(0), Size.of(0), 1
    if not length.is_at_least(0):
        context.refuse_for_some(
            f"a slice of {length} entries, which is negative for some sizes", length.names,
            lambda: length.is_at_least(0) or (-length).is_at_least(0), hint=HINT,
        )  # fmt: skip
    if step > 1:
        count = how_many(length, step)
        if count is None:
            context.refuse(
                f"every {step}th of {length} entries: how many depends on the size", hint=HINT
            )
        length = count
    return start, length, step


def _clipped(context: TraceContext, bound: Size | None, size: Size, default: Size) -> Size:
    if bound is None:
        return default
    if not bound.is_at_least(0):
        if not (-bound).is_at_least(1):
            refuse_sign(context, f"the slice bound {bound}, negative for some sizes", bound)
        bound = size + bound
        if not bound.is_at_least(0):
            if (-bound).is_at_least(0):
                return Size.of(0)
            refuse_sign(
                context, f"the slice bound {bound} lies before the start for some sizes", bound
            )
    if (size - bound).is_at_least(0):
        return bound
    if (bound - size).is_at_least(0):
        return size
    message = f"the slice bound {bound} lies beyond an axis of size {size} for some sizes"
    refuse_sign(context, message, size - bound)


def take_slice(context: TraceContext, node: int, axis: int, item: slice) -> int:
    """Applies a slice along one axis."""
    b = context.builder
    start, length, step = slice_range(context, item, b.shape(node)[axis])
    if step == -1 and length == b.shape(node)[axis]:
        return b.flip(node, axis)
    node = b.slice(node, axis, start, length, abs(step))
    if step < 0:
        return b.flip(node, axis)
    return node


def take_along(context: TraceContext, node: int, axis: int, positions: list[int]) -> int:
    """Selects fixed positions of one axis in order; keeps runs of neighbours in one slice."""
    b = context.builder
    size = b.shape(node)[axis]
    if len(positions) > MOST_GATHERED:
        context.refuse(f"an index array of {len(positions)} entries")
    if not positions:
        return b.slice(node, axis, 0, 0)
    parts: list[int] = []
    k = 0
    while k < len(positions):
        run = 1
        while k + run < len(positions) and positions[k + run] == positions[k] + run:
            run += 1
        start = index_start(context, positions[k], size)
        if positions[k] < 0 <= positions[k] + run - 1:
            run = -positions[k]
        parts.append(b.slice(node, axis, start, run))
        k += run
    return b.concat(parts, axis)


def _gather(context: TraceContext, tracer: Array, items: list[Any]) -> int:
    """Applies an index of constant integer arrays and masks."""
    b = context.builder
    node = node_of(tracer)
    shape = b.shape(node)
    if all(s.constant is not None for s in shape):
        sizes = tuple(s.constant or 0 for s in shape)
        grid = np.arange(int(np.prod(sizes))).reshape(sizes)
        found = grid[tuple(items)]
        flat = take_along(
            context, b.reshape(node, (grid.size,)), 0, [int(v) for v in found.ravel()]
        )
        return b.reshape(flat, found.shape)
    arrays = [k for k, i in enumerate(items) if isinstance(i, np.ndarray)]
    if len(arrays) > 1 or any(type(i) in (int, SymbolicSize) for i in items):
        context.refuse("an index of several arrays into an array of any size", hint="give sizes=")
    chosen = items[arrays[0]]
    axis = sum(1 for i in items[: arrays[0]] if i is not None)
    if _is_mask(chosen):
        if chosen.ndim != 1 or shape[axis] != Size.of(len(chosen)):
            context.refuse("a mask over an axis of any size", hint="write np.where(mask, X, 0)")
        chosen = np.flatnonzero(chosen)
    node = take_along(context, node, axis, [int(v) for v in chosen.ravel()])
    shape = b.shape(node)
    node = b.reshape(node, (*shape[:axis], *chosen.shape, *shape[axis + 1 :]))
    at = arrays[0]
    items = [*items[:at], *([slice(None)] * chosen.ndim), *items[at + 1 :]]
    return basic(context, node, items)
