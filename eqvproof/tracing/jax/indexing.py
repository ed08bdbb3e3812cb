"""Primitives that select entries by indices that are known for all sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.node_functions import with_block
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.jax import positions
from eqvproof.tracing.jax.equations import Equation
from eqvproof.tracing.jax.reader import Reader, primitive
from eqvproof.tracing.jax.special_values import is_infinite
from eqvproof.tracing.jax.values import Affine, Columns, Known, Value, as_affine, extreme_entries

#: Largest number of slices that are joined for one index array.
MOST = 512


def start_of(value: Value) -> Size:
    """Returns the size of an index that is one integer.

    Raises:
        TraceError: it depends on the inputs.
    """
    found = as_affine(value)
    if found is None or any(found.steps):
        raise TraceError("an index that depends on the inputs", code=ErrorCode.TRACE_INDEX)
    return found.low


@primitive("dynamic_slice")
def _dynamic_slice(r: Reader, e: Equation, x: Value, *starts: Value) -> int:
    node = r.node(x)
    counts = r.sizes(e.outvars[0].aval.shape)
    for axis, (start, count) in enumerate(zip(starts, counts, strict=True)):
        if count == r.builder.shape(node)[axis]:
            continue
        if as_affine(start) is None and count == Size.of(1):
            node = positions.slice_at_position(r, node, axis, start)
        else:
            node = r.builder.slice(node, axis, start_of(start), count)
    return node


@primitive("dynamic_update_slice")
def _update(r: Reader, e: Equation, x: Value, new: Value, *starts: Value) -> int:
    return with_block(
        r.builder, r.node(x), [*map(start_of, starts)], [1] * len(starts), r.node(new)
    )


def components(r: Reader, indices: Value) -> list[Affine] | None:
    """Returns the index vectors of a gather as affine arrays, one for each component.

    Returns None for other indices.
    """
    if isinstance(indices, Columns):
        return list(indices.parts)
    if isinstance(indices, Affine):
        if indices.shape[-1].constant is None:
            return None
        count, step = indices.shape[-1].constant, indices.steps[-1]
        return [
            Affine(indices.shape[:-1], indices.low + step * k, indices.steps[:-1])
            for k in range(count)
        ]
    if isinstance(indices, Known):
        found = [as_affine(Known(indices.array[..., k])) for k in range(indices.array.shape[-1])]
        if any(f is None for f in found):
            return None
        return [f for f in found if f is not None]
    return None


@primitive("gather")
def _gather(r: Reader, e: Equation, x: Value, indices: Value) -> int:
    numbers = e.params["dimension_numbers"]
    if numbers.operand_batching_dims or numbers.start_indices_batching_dims:
        return positions.take_along_axis(r, e, r.node(x), indices)
    sizes = r.sizes(e.params["slice_sizes"])
    parts = components(r, indices)
    if parts is not None:
        return _affine_gather(r, r.node(x), numbers, sizes, parts)
    if isinstance(indices, Known) and indices.array.size <= MOST * indices.array.shape[-1]:
        return _known_gather(r, r.node(x), numbers, sizes, indices.array)
    return positions.gather_at(r, e, r.node(x), indices)


def _affine_gather(
    r: Reader, node: int, numbers: Any, sizes: Sequence[Size], parts: Sequence[Affine]
) -> int:
    """Returns entries at index vectors that are affine in their position: slices and diagonals."""
    b = r.builder
    rank = len(b.shape(node))
    batch = parts[0].shape if parts else ()
    # the label of each axis; batch axis k has the label rank + k
    labels: list[int] = list(range(rank))
    for axis in range(rank):
        size = b.shape(node)[axis]
        if axis not in numbers.start_index_map:
            if sizes[axis] != size:
                node = b.slice(node, axis, 0, sizes[axis])
            continue
        part = parts[numbers.start_index_map.index(axis)]
        moving = [k for k, s in enumerate(part.steps) if s and batch[k] != Size.of(1)]
        if not moving:
            node = b.slice(node, axis, part.low, sizes[axis])
            continue
        if len(moving) > 1 or axis not in numbers.collapsed_slice_dims:
            raise TraceError("an index array of this form", code=ErrorCode.TRACE_INDEX)
        k = moving[0]
        low, high = extreme_entries(part)
        if not low.is_at_least(0) or not (size - high).is_at_least(1):
            raise TraceError(
                "an index that is out of range for some sizes", code=ErrorCode.TRACE_INDEX
            )
        step = part.steps[k]
        node = b.slice(node, axis, low, batch[k], abs(step))
        if step < 0:
            node = b.flip(node, axis)
        labels[axis] = rank + k
    return _arranged(r, node, numbers, labels, batch)


def _arranged(
    r: Reader,
    node: int,
    numbers: Any,
    labels: list[int],
    batch: Sequence[Size],
    lead: Sequence[int] = (),
) -> int:
    """Arranges axes in the order of the result: offset axes at their places, batch axes between.

    Batch axis k has the label rank + k; `lead` are the labels of axes of the node before those of
    the array.
    """
    rank = len(labels)
    kept = [a for a in range(rank) if a not in numbers.collapsed_slice_dims]
    total = len(kept) + len(batch)
    offsets = dict(zip(numbers.offset_dims, kept, strict=True))
    rest = iter(range(len(batch)))
    output = [labels[offsets[i]] if i in offsets else rank + next(rest) for i in range(total)]
    sizes = {rank + k: s for k, s in enumerate(batch) if rank + k not in (*lead, *labels)}
    return r.builder.einsum([node], [[*lead, *labels]], output, sizes)


def _known_gather(
    r: Reader, node: int, numbers: Any, sizes: Sequence[Size], indices: Numbers
) -> int:
    """Returns entries at given index vectors, as joined slices."""
    b = r.builder
    batch = indices.shape[:-1]
    pieces = []
    for vector in indices.reshape(-1, indices.shape[-1]):
        piece = node
        for axis, count in enumerate(sizes):
            if axis in numbers.start_index_map:
                start = int(vector[numbers.start_index_map.index(axis)])
            else:
                start = 0
            if count != b.shape(piece)[axis] or start:
                piece = b.slice(piece, axis, start, count)
        pieces.append(b.expand(piece, 0))
    joined = b.concat(pieces, 0)
    joined = b.reshape(joined, [*batch, *b.shape(joined)[1:]])
    rank, lengths = len(sizes), b.shape(joined)[: len(batch)]
    lead = range(rank, rank + len(batch))
    return _arranged(r, joined, numbers, list(range(rank)), lengths, lead)


@primitive(*positions.HOW)
def _scatter(r: Reader, e: Equation, x: Value, indices: Value, updates: Value) -> Value | int:
    """Sets, adds to, or multiplies a block at one place; passes other updates to `scatter_at`."""
    b = r.builder
    numbers = e.params["dimension_numbers"]
    parts = components(r, indices)
    one = parts is not None and all(
        not any(p.steps) and all(s == Size.of(1) for s in p.shape) for p in parts
    )
    if parts is None or not one or e.primitive.name[8:] in ("max", "min") or is_infinite(updates):
        return positions.scatter_at(r, e, x, indices, updates)
    if numbers.operand_batching_dims:
        raise TraceError("a write at indices that are not one place", code=ErrorCode.TRACE_INDEX)
    old = r.node(x)
    new = r.node(updates)
    rank = len(b.shape(old))
    gone = [i for i in range(len(r.shape(updates))) if i not in numbers.update_window_dims]
    for axis in sorted(gone, reverse=True):
        new = b.squeeze(new, axis)
    for axis in sorted(numbers.inserted_window_dims):
        new = b.expand(new, axis)
    starts = [Size.of(0)] * rank
    for part, axis in zip(parts, numbers.scatter_dims_to_operand_dims, strict=True):
        starts[axis] = part.low
    if e.primitive.name != "scatter":
        block = old
        for axis, (start, count) in enumerate(zip(starts, b.shape(new), strict=True)):
            block = b.slice(block, axis, start, count)
        if "add" in e.primitive.name:
            new = b.add([block, new])
        else:
            new = b.mul(block, new)
    return with_block(b, old, starts, [1] * rank, new)
