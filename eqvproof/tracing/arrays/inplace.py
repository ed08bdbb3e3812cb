"""Writes in place: allowed into memory that the target made itself.

    v = a[index]; v becomes w
    -------------------------------------------------------------
    a becomes a with w at index; every other part of a is a[its index] again

An index of integers and slices gives a part of its array in NumPy too, for all sizes. A write into
an argument, or into memory that is shared with an array that is no such part (a transpose, a
reshape), is refused: the Program is a formula, and has no memory.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays.boolean_indexing import Picked, holds_picked, mask_of, put
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.gathering import as_nodes, index_start, scatter
from eqvproof.tracing.arrays.indexing import basic, normalise, slice_range
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.masks import choose, is_masked, with_infinities
from eqvproof.tracing.arrays.node_functions import with_block
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.refusals import guarded
from eqvproof.tracing.arrays.values import (
    Array,
    TracedArray,
    Value,
    is_traced,
    make,
    node_of,
    settle,
)

#: Largest number of entries of arrays that are filled entry by entry.
MOST_ENTRIES = 1024


def require_writable(tracer: TracedArray) -> None:
    """Refuses a write that would be visible elsewhere."""
    value = tracer._eqvproof
    context: TraceContext = value.context
    if not context.active:
        context.refuse("a value of an earlier call is used: the function keeps state between calls")
    if value.storage.locked:
        context.refuse(
            f"a write into {value.storage.locked}",
            hint="write into a copy: X = X.copy()",
            code="trace.write",
        )
    if sum(t._eqvproof.part is None for t in value.storage.live()) > 1:
        context.refuse(
            "a write into memory that another array shares (a view)",
            hint="write into a copy, or make a new array",
            code="trace.write",
        )


def overwrite(tracer: TracedArray, result: object) -> TracedArray:
    """Gives an array new contents, which every reference to it sees."""
    value = tracer._eqvproof
    context: TraceContext = value.context
    if not is_traced(result):
        context.refuse("a function of several results writes into out=")
    require_writable(tracer)
    settle(result)
    result = as_written(context, result, value)
    node, infinite = result._eqvproof.node, result._eqvproof.infinite
    b = context.builder
    if b.broadcast_shapes([value.shape, b.shape(node)]) != value.shape:
        context.refuse("a write in place that changes the shape")
    value.node = b.broadcast_to(node, value.shape)
    value.entries, value.blank = None, False
    value.infinite = None
    if infinite is not None:
        with_infinities(cast(Array, tracer), infinite.numbers, high=infinite.high)
    _show(context, cast(Array, tracer))
    return tracer


def _show(context: TraceContext, tracer: Array) -> None:
    """Updates the arrays that share the memory of a written array: its parents and other parts."""
    users, written = tracer._eqvproof.storage.live(), {id(tracer)}
    if len(users) == 1:
        return
    if any(map(is_masked, users)):
        context.refuse("a write of or into infinite entries that another array shares")
    while (part := tracer._eqvproof.part) is not None:
        whole, items = part
        _write(context, whole, items, tracer)
        tracer = whole
        written.add(id(tracer))
    for user in users:
        part = user._eqvproof.part
        if part is not None and id(user) not in written:
            user._eqvproof.node, user._eqvproof.entries = (
                basic(context, node_of(part[0]), [*part[1]]),
                None,
            )


def as_written(context: TraceContext, new: Array, old: Value) -> Array:
    """Converts a value to the type of the array it is written into.

    The array must hold at least that kind of numbers.
    """
    value, source, target = new._eqvproof, new._eqvproof.kind, old.kind
    if "bif".index(source) > "bif".index(target):
        names = {"f": "floats", "i": "integers", "b": "booleans"}
        context.refuse(
            f"{names[source]} written into an array of {names[target]}",
            hint="make the array of floats: np.zeros(shape)",
        )
    if target != "i" or (value.dtype is not int and value.dtype == old.dtype):
        return new
    return make(context, node_of(new), "i", dtype=old.dtype, wraps=value.dtype is not int)


def set_item(tracer: TracedArray, index: object, new: object) -> None:
    """Performs ``tracer[index] = new``."""
    value = tracer._eqvproof
    given = (tracer, index, new)
    guarded(value.context, "a write in place", _set, given, {}, (value.dtype, True))


def _set(context: TraceContext, tracer: Array, index: object, new: object) -> None:
    value = tracer._eqvproof
    require_writable(tracer)
    if holds_picked(index):
        index, new = mask_of(context, index, new)
    if type(new) is Picked and is_traced(index) and index._eqvproof.kind == "b":
        _undefine(context, value)
        new, index = put(context, index, new, tracer), ...
    _write(context, tracer, index, as_written(context, lift(context, new), value))
    _show(context, tracer)


def _write(context: TraceContext, tracer: Array, index: object, source: Array) -> None:
    value = tracer._eqvproof
    if is_traced(index) and index._eqvproof.kind == "b":
        _set_masked(context, tracer, index, source)
        return
    if is_masked(source) or is_masked(tracer):
        context.refuse(
            "a write of or into infinite entries, but at a mask",
            hint="write np.where(mask, -np.inf, X)",
        )
    items = normalise(context, index, len(value.shape))
    if any(map(is_traced, items)):
        _undefine(context, value)
        chosen = as_nodes(context, value.shape, items)
        value.node = scatter(context.builder, node_of(tracer), chosen, node_of(source), "set")
        return
    total = context.builder.prod_sizes(value.node).constant
    # else what is written as a whole stays one value
    by_entries = value.blank or value.entries is not None
    if (
        total is not None
        and total <= MOST_ENTRIES
        and (by_entries or slice not in map(type, items))
    ):
        _set_entries(context, tracer, items, source)
        return
    if any(isinstance(i, np.ndarray) for i in items):
        context.refuse("a write at an index array, into an array of any size", hint="give sizes=")
    items = [i for i in items if i is not None]
    _undefine(context, value)
    value.node = _set_basic(context, node_of(tracer), items, node_of(source))


def _undefine(context: TraceContext, value: Value) -> None:
    """Makes entries of np.empty undefined before some are written at non-constant places."""
    if value.blank and value.entries is None:
        value.node = context.builder.broadcast_to(undefined(context.builder), value.shape)
        value.blank = False


def _set_masked(context: TraceContext, tracer: Array, mask: Array, source: Array) -> None:
    value, b = tracer._eqvproof, context.builder
    chosen = node_of(mask)
    if source._eqvproof.shape or b.shape(chosen) != value.shape[: len(b.shape(chosen))]:
        context.refuse(
            "a write at a mask, of more than one number", hint="write np.where(mask, new, old)"
        )
    for _ in range(len(value.shape) - len(b.shape(chosen))):
        chosen = b.expand(chosen, len(b.shape(chosen)))
    settle(tracer)
    result = choose(context, chosen, source, tracer, value.kind)
    value.node, value.infinite = result._eqvproof.node, result._eqvproof.infinite


def _set_entries(context: TraceContext, tracer: Array, items: list[Any], source: Array) -> None:
    value, b = tracer._eqvproof, context.builder
    sizes = tuple(s.constant or 0 for s in value.shape)
    positions = np.arange(int(np.prod(sizes))).reshape(sizes)[tuple(items)]
    node = node_of(source)
    shape = b.shape(node)
    while len(shape) > positions.ndim and shape[0] == Size.of(1):
        node = b.squeeze(node, 0)
        shape = b.shape(node)
    targets = np.ravel(positions)
    entries = {} if value.entries is None else value.entries
    if not shape:
        entries.update((int(p), node) for p in targets)
    else:
        spread = b.broadcast_to(node, positions.shape)
        flat = b.reshape(spread, (targets.size,))
        for k, p in enumerate(targets):
            entries[int(p)] = b.reshape(b.slice(flat, 0, k, 1), ())
    value.entries = entries


def _set_basic(context: TraceContext, node: int, items: list[object], source: int) -> int:
    """Returns the array with the block at `items` (one for each axis) replaced by `source`."""
    b, places = context.builder, list[tuple[Size, Size, int]]()
    for axis, (item, size) in enumerate(zip(items, b.shape(node), strict=True)):
        if type(item) is slice:
            places.append(slice_range(context, item, size))
            continue
        places.append((index_start(context, item, size), Size.of(1), 1))
        behind = sum(type(i) is slice for i in items[axis + 1 :])
        if len(b.shape(source)) > behind:
            source = b.expand(source, len(b.shape(source)) - behind)
    block = b.broadcast_to(source, [count for _, count, _ in places])
    for axis in [k for k, (_, _, step) in enumerate(places) if step < 0]:
        block = b.flip(block, axis)
    return with_block(b, node, [p[0] for p in places], [abs(p[2]) for p in places], block)
