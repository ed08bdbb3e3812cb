"""ATen operations that create, rearrange, join and select: creation, views, indexing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from eqvproof.claims.size import settled_from
from eqvproof.programs import Builder, Size
from eqvproof.programs.ranges import end_of, progression
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays import node_functions as arrays
from eqvproof.tracing.arrays import symmetric
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.torch.aten import TABLE, Axes, Length, UnreadArgument, lift, op


@op("empty", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")
def _empty(b: Builder, *_: object) -> int:
    """Returns undefined entries: memory that must be filled before it is used."""
    return undefined(b)


@op("repeat")
def _repeat(b: Builder, x: int, counts: Sequence[Length]) -> int:
    """Repeats x along each axis as often as `counts` says."""
    for _ in range(len(counts) - len(b.shape(x))):
        x = b.expand(x, 0)
    for axis, count in enumerate(counts):
        shape = list(b.shape(x))
        if shape[axis] == Size.of(1):
            shape[axis] = Size.of(count)
            x = b.broadcast_to(x, shape)
        elif (number := Size.of(count).constant) is None:
            before, after = shape[:axis], shape[axis + 1 :]
            x = b.broadcast_to(b.expand(x, axis), [*before, Size.of(count), *shape[axis:]])
            x = b.reshape(x, [*before, shape[axis] * Size.of(count), *after])
        elif not number:
            x = b.slice(x, axis, 0, 0)
        elif number != 1:
            x = b.concat([x] * number, axis)
    return int(x)


@op("transpose")
def _transpose(b: Builder, x: int, i: int, j: int) -> int:
    return symmetric.exchange(b, x, b.axis(x, i), b.axis(x, j))


@op("expand")
def _expand(b: Builder, x: int, shape: Sequence[Length]) -> int:
    old = b.shape(x)
    shift = len(shape) - len(old)
    new = [
        old[i - shift] if isinstance(s, int) and s == -1 else Size.of(s)
        for i, s in enumerate(shape)
    ]
    return b.broadcast_to(x, new)


@op("squeeze")
def _squeeze(b: Builder, x: int, dim: Axes = None) -> int:
    one = Size.of(1)
    shape = b.shape(x)
    if dim is None:
        dim = range(len(shape))
    elif not isinstance(dim, Sequence):
        dim = [dim]
    axes = sorted({b.axis(x, d) for d in dim}, reverse=True)
    for axis in axes:
        if shape[axis] == one:
            x = b.squeeze(x, axis)
    return int(x)


def index_from_start(b: Builder, x: int, axis: int, index: Length) -> Size:
    """Returns an index counted from the start of the axis.

    Raises:
        TraceError: it is negative at some sizes, and at others not.
    """
    given = Size.of(index)
    if given.is_at_least(0, is_capped=True):
        return given
    if (-given).is_at_least(1, is_capped=True):
        return b.shape(x)[axis] + given
    raise _bound_error(
        f"the index {given} is negative for some sizes", given, lambda: _has_sign(given)
    )


def _has_sign(index: Size) -> bool:
    return index.is_at_least(0) or (-index).is_at_least(1)


def _bound_error(message: str, size: Size, is_settled: Callable[[], bool]) -> TraceError:
    spans = settled_from(size.names, is_settled)
    return TraceError(message, hint="give sizes=", code=ErrorCode.TRACE_SIZE, spans=spans)


@op("select")
def _select_index(b: Builder, x: int, dim: int, index: Length) -> int:
    axis = b.axis(x, dim)
    return b.squeeze(b.slice(x, axis, index_from_start(b, x, axis, index), 1), axis)


@op("slice")
def _slice(
    b: Builder,
    x: int,
    dim: int = 0,
    start: Length | None = None,
    end: Length | None = None,
    step: int = 1,
) -> int:
    axis = b.axis(x, dim)
    size = b.shape(x)[axis]
    first = clipped_bound(b, x, axis, start, Size.of(0))
    if isinstance(end, int) and end >= 2**31:  # torch's way of saying: up to the last entry
        end = None
    last = clipped_bound(b, x, axis, end, size)
    if (first - last).is_at_least(0):
        return b.slice(x, axis, 0, 0)
    if step != 1:
        count = arrays.how_many(last - first, step)
        if count is None:
            raise TraceError("a step along an axis, how many entries depends on its size")
        return b.slice(x, axis, first, count, step)
    return b.slice(x, axis, first, last - first)


def clipped_bound(b: Builder, x: int, axis: int, index: Length | None, default: Size) -> Size:
    """Returns the start or end of a part of an axis, clipped to the axis as in Python.

    Raises:
        TraceError: at some sizes it lies outside, and at others not.
    """
    if index is None:
        return default
    size, place = b.shape(x)[axis], index_from_start(b, x, axis, index)
    if place.is_at_least(0) and (size - place).is_at_least(0):
        return place
    if (-place).is_at_least(0, is_capped=True):
        return Size.of(0)
    if (place - size).is_at_least(0, is_capped=True):
        return size
    message = f"the slice bound {index} lies outside of an axis of size {size} for some sizes"
    raise _bound_error(message, size - place, lambda: _is_inside_or_outside(place, size))


def _is_inside_or_outside(place: Size, size: Size) -> bool:
    """Checks whether a place lies in an axis at all sizes, or outside at all of them."""
    within = place.is_at_least(0) and (size - place).is_at_least(0)
    return within or (-place).is_at_least(0) or (place - size).is_at_least(0)


@op("cat")
def _cat(b: Builder, xs: Sequence[int], dim: int = 0) -> int:
    # torch leaves out empty vectors
    whole = [int(x) for x in xs if b.shape(x) != (Size.of(0),)] or [int(xs[0])]
    return b.concat(whole, dim)


@op("stack")
def _stack(b: Builder, xs: Sequence[int], dim: int = 0) -> int:
    place = dim % (len(b.shape(xs[0])) + 1)
    return b.concat([b.expand(x, place) for x in xs], place)


@op("split_with_sizes")
def _split_sizes(b: Builder, x: int, sizes: Sequence[Length], dim: int = 0) -> list[int]:
    start = Size.of(0)
    parts: list[int] = []
    for s in sizes:
        parts.append(b.slice(x, dim, start, Size.of(s)))
        start = start + Size.of(s)
    return parts


@op("split")
def _split_evenly(b: Builder, x: int, size: Length, dim: int = 0) -> list[int]:
    total, each = b.shape(x)[b.axis(x, dim)].constant, Size.of(size).constant
    if total is None or each is None:
        raise TraceError("a split of an axis whose size is not a number")
    return list(_split_sizes(b, x, [min(each, total - k) for k in range(0, total, each)], dim))


@op("flip")
def _flip(b: Builder, x: int, axes: Sequence[int]) -> int:
    for axis in axes:
        x = b.flip(x, axis)
    return int(x)


@op("roll")
def _roll(b: Builder, x: int, shifts: Sequence[int], axes: Sequence[int] = ()) -> int:
    """Shifts cyclically; without axes, all entries in a row."""
    if not axes:
        shape = b.shape(x)
        return b.reshape(_roll(b, b.reshape(x, [math.prod(shape)]), shifts, (0,)), shape)
    for axis, shift in zip(axes, shifts, strict=True):
        if type(shift) is not int:
            raise UnreadArgument("a shift that depends on a size", given=str(shift))
        x = b.roll(x, axis, shift)
    return int(x)


@op("diagonal")
def _diagonal_view(b: Builder, x: int, offset: int = 0, i: int = 0, j: int = 1) -> int:
    return arrays.diagonal(b, x, offset, b.axis(x, i), b.axis(x, j))


def constant_tensor(b: Builder, shape: Sequence[Length], value: object) -> int:
    """Returns a constant tensor."""
    return b.broadcast_to(lift(b, value), [Size.of(s) for s in shape])


TABLE |= {
    "clone": lambda b, x, *_: x,
    "copy": lambda b, x, source, *_: b.broadcast_to(lift(b, source), b.shape(x)),
    "permute": lambda b, x, order: b.transpose(x, list(order)),
    "t": lambda b, x: b.transpose(x),
    "unsqueeze": lambda b, x, dim: b.expand(x, dim % (len(b.shape(x)) + 1)),
    "full": constant_tensor,
    "view": arrays.reshape,
    "_unsafe_view": arrays.reshape,
    "scalar_tensor": lift,
    "full_like": lambda b, x, value: constant_tensor(b, b.shape(x), value),
}
TABLE |= dict.fromkeys(("alias", "detach", "lift_fresh"), TABLE["clone"])


@op("arange")
def _arange(b: Builder, start: object, end: object = None, step: object = 1) -> int:
    """Returns start, start + step, ..., below the end."""
    if end is None:
        start, end = 0, start
    low, high, by = end_of(start), end_of(end), end_of(step)
    if low is None or high is None or by is None or by[0].terms or not by[1]:
        raise TraceError("a range of values, or in steps that depend on the sizes")
    made = progression(b, low, high, by[1])
    if made is None:
        raise TraceError("a range of numbers, how many depends on the sizes")
    return made
