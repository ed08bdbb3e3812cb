"""Windows of a kernel that moves along the last axes of an array: convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import prod

from eqvproof.claims.size import settled_from
from eqvproof.programs import Builder, Size
from eqvproof.programs.places import WHOLE, Place
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.node_functions import padded

ONE = Size.of(1)


def windows(
    b: Builder, x: int, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int],
    edges: Sequence[tuple[Size, Size]], filler: int,
) -> list[int]:  # fmt: skip
    """Builds the windows of a kernel along the last axes, as a new last axis, row-major.

    Windows that touch without overlap are blocks: an element that moves blocks as a whole moves
    these. For a value that was joined before, which may be one axis continued periodically, there
    is one array for each place of the kernel: each is a part of the join, and may be a shift of the
    joined array. Otherwise there is one array for all.

    Args:
        b: the builder.
        x: the array.
        kernel: the sizes of the kernel.
        stride: how far it moves at a time.
        dilation: how far its places are from each other.
        edges: the numbers of entries `filler` added before and after each axis.
        filler: a scalar.
    """
    rank, joined = len(b.shape(x)) - len(kernel), b.nodes[x].op == "concat"
    for axis, (before, after) in enumerate(edges, start=rank):
        if before.terms or after.terms:
            x, joined = padded(b, x, axis, before, after, filler), False
    counts = []
    for axis, (k, s, d) in enumerate(zip(kernel, stride, dilation, strict=True), start=rank):
        span = b.shape(x)[axis] - d * (k - 1) - 1
        if span.constant is None:
            steps = span.divide(s)
        else:
            steps = Size.of(span.constant // s)
        if steps is None:
            raise TraceError(
                "a stride along an axis whose size is not a number", given=str(span + 1)
            )
        if not steps.is_at_least(0):
            raise TraceError(
                "a kernel that is longer than its array for some sizes",
                given=f"{steps + 1} windows",
                hint="give sizes=, so that there is a window",
                code=ErrorCode.TRACE_SIZE,
                spans=settled_from(steps.names, partial(steps.is_at_least, 0)),
            )
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
    for k, s, d, count, size in zip(
        kernel, stride, dilation, counts, b.shape(x)[rank:], strict=True
    ):
        order.append(len(shape))
        both = [count, Size.of(k)] if k > 1 else [count]
        blocks = len(both) == 2 and (s, d) == (k, 1) and count * k == size
        cut += both if blocks else [size]
        places += [WHOLE] * 2 if blocks else [Place(Size.of(0), (s, d)[: len(both)])]
        shape += both
        inner += [len(shape) - 1] if k > 1 else []
    read = b.transpose(b.read(b.reshape(x, cut), places, shape), [*order, *inner])
    return [b.reshape(read, [*(shape[a] for a in order), prod(kernel)])]


def correlation(
    b: Builder, x: int, kernel: int, groups: int, stride: Sequence[int], dilation: Sequence[int],
    edges: Sequence[tuple[Size, Size]],
) -> int:  # fmt: skip
    """Builds a correlation: entries times weights, summed over a kernel and a group's channels.

    Args:
        b: the builder.
        x: batch, channels, and axes along which the kernel moves.
        kernel: output channels, channels of a group, and the places of the kernel.
        groups: the number of groups of channels.
        stride: as in `windows`.
        dilation: as in `windows`.
        edges: as in `windows`, of zeros.

    Raises:
        TraceError: sizes of the kernel that are no numbers, channels that groups do not cut evenly.
    """
    (batch, channels), (filters, _, *extents) = b.shape(x)[:2], b.shape(kernel)
    sizes = [k.constant for k in extents if k.constant is not None]
    if len(sizes) != len(extents):
        raise TraceError("a kernel whose size is not a number", code="trace.operation")
    per, out = channels.divide(groups), filters.divide(groups)
    if per is None or out is None:
        raise TraceError("channels that are not a multiple of the groups", given=str(channels))
    taps, terms, at = b.reshape(kernel, [groups, out, per, prod(sizes)]), [], 0
    space = list(range(5, 5 + len(sizes)))
    for part in windows(b, x, sizes, stride, dilation, edges, b.const(0)):
        *lengths, places = b.shape(part)[2:]
        split, one = (
            b.reshape(part, [batch, groups, per, *lengths, places]),
            b.slice(taps, 3, at, places),
        )
        terms.append(
            b.einsum([one, split], [[1, 2, 3, 4], [0, 1, 3, *space, 4]], [0, 1, 2, *space])
        )
        at += places.constant or 0
    y = b.add(terms)
    return b.reshape(y, [batch, filters, *b.shape(y)[3:]])
