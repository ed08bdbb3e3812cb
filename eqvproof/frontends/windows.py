"""The entries that a kernel meets as it moves along the last axes of an array: convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from eqvproof.errors import TraceError
from eqvproof.operations.places import WHOLE, Place
from eqvproof.program import Builder, Size

ONE = Size.of(1)


def padded(b: Builder, x: int, axis: int, before: Size, after: Size, filler: int) -> int:
    """The value with entries `filler` before and after along an axis."""
    shape = b.shape(x)

    def edge(count: Size) -> list[int]:
        wide = [*shape[:axis], count, *shape[axis + 1 :]]
        return [b.broadcast_to(filler, wide)] if count.terms else []

    return b.concat([*edge(before), x, *edge(after)], axis)


def windows(
    b: Builder, x: int, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int],
    edges: Sequence[tuple[Size, Size]], filler: int,
) -> list[int]:  # fmt: skip
    """The entries of the last axes that a kernel meets, along a new last axis, row-major in the kernel.

    Windows that touch without overlap are blocks: whatever moves blocks as a whole moves these. Of a value
    that was joined before, which may be one axis gone round, there is one array for each place of the kernel:
    each is a part of the join, and may be a shift of what was joined. Else there is one for all.

    Args:
        b: the builder.
        x: the array.
        kernel: the sizes of the kernel.
        stride: how far it moves at a time.
        dilation: how far its places are from each other.
        edges: so many entries `filler` are put before and after each axis.
        filler: a scalar.
    """
    rank, joined = len(b.shape(x)) - len(kernel), b.nodes[x].op == "concat"
    for axis, (before, after) in enumerate(edges, start=rank):
        if before.terms or after.terms:
            x, joined = padded(b, x, axis, before, after, filler), False
    counts = []
    for axis, (k, s, d) in enumerate(zip(kernel, stride, dilation, strict=True), start=rank):
        span = b.shape(x)[axis] - d * (k - 1) - 1
        steps = span.divide(s) if span.constant is None else Size.of(span.constant // s)
        if steps is None:
            raise TraceError("a stride along an axis whose size is not a number", given=str(span + 1))
        counts.append(steps + 1)
    if joined:
        parts = []
        for place in product(*map(range, kernel)):
            part = x
            for axis, (offset, d, count, s) in enumerate(
                zip(place, dilation, counts, stride, strict=True), start=rank
            ):
                part = b.slice(part, axis, offset * d, count, s)
            parts.append(b.expand(part, rank + len(kernel)))
        return parts
    shape, order, cut = [*b.shape(x)[:rank]], list(range(rank)), [*b.shape(x)[:rank]]
    places, inner = [WHOLE] * rank, list[int]()
    for k, s, d, count, size in zip(kernel, stride, dilation, counts, b.shape(x)[rank:], strict=True):
        order.append(len(shape))
        both = [count, Size.of(k)] if k > 1 else [count]
        blocks = len(both) == 2 and (s, d) == (k, 1) and count * k == size
        cut += both if blocks else [size]
        places += [WHOLE] * 2 if blocks else [Place(Size.of(0), (s, d)[: len(both)])]
        shape += both
        inner += [len(shape) - 1] if k > 1 else []
    read = b.transpose(b.read(b.reshape(x, cut), places, shape), [*order, *inner])
    return [b.reshape(read, [*(shape[a] for a in order), prod(kernel)])]
