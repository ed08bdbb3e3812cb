"""ATen operations behind layers: convolutions, pooling, padding, windows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.node_functions import padded
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.numpy.windows import correlation, windows
from eqvproof.tracing.torch.aten import (
    TABLE,
    Handler,
    lift,
    op,
)


@op("constant_pad_nd")
def _pad_with_constant(b: Builder, x: int, widths: Sequence[int], value: object = 0) -> int:
    node = int(x)
    for k in range(len(widths) // 2):
        before, after = (Size.of(int(w)) for w in widths[2 * k : 2 * k + 2])
        node = padded(b, node, len(b.shape(node)) - 1 - k, before, after, lift(b, value))
    return node


def _for_each_axis(given: int | Sequence[int], count: int) -> list[int]:
    """Returns one integer for each of `count` axes; one that is given alone holds for all."""
    if not isinstance(given, Sequence):
        given = [given]
    if len(given) == 1:
        return [int(given[0])] * count
    return [int(v) for v in given]


@op("convolution")
def _convolution(
    b: Builder,
    x: int,
    weight: int,
    bias: int | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: object,
    output_padding: int | Sequence[int],
    groups: int,
) -> int:
    """Returns the correlation of one image, or of a batch, with the weight, or its transpose."""
    count = len(b.shape(weight)) - 2
    alone = len(b.shape(x)) == count + 1
    steps, pads, gaps = (_for_each_axis(given, count) for given in (stride, padding, dilation))
    edges = [(Size.of(p), Size.of(p)) for p in pads]
    images, kernel = int(x), int(weight)
    if alone:
        images = b.expand(images, 0)
    if transposed:
        extents = b.shape(kernel)[2:]
        more = _for_each_axis(output_padding, count)
        spans = [(k - 1) * gap for k, gap in zip(extents, gaps, strict=True)]
        edges = [(s - p, s - p + m) for s, p, m in zip(spans, pads, more, strict=True)]
        images, kernel = _spread(b, images, steps), _transposed_kernel(b, kernel, groups)
        steps = [1] * count
    y = correlation(b, images, kernel, groups, steps, gaps, edges)
    if bias is not None:
        y = b.add([y, b.reshape(int(bias), [1, b.shape(kernel)[0], *[1] * count])])
    if alone:
        return b.squeeze(y, 0)
    return y


def _spread(b: Builder, x: int, steps: Sequence[int]) -> int:
    """Returns images with zeros between the entries, so that these are some steps apart."""
    for axis, step in enumerate(steps, start=2):
        if step > 1:
            shape = b.shape(x)
            zeros = b.broadcast_to(b.const(0), [*shape[: axis + 1], step - 1, *shape[axis + 1 :]])
            apart = b.concat([b.expand(x, axis + 1), zeros], axis + 1)
            length = shape[axis] * step
            joined = b.reshape(apart, [*shape[:axis], length, *shape[axis + 1 :]])
            x = b.slice(joined, axis, 0, length - (step - 1))
    return x


def _transposed_kernel(b: Builder, kernel: int, groups: int) -> int:
    """Returns the kernel of the correlation that is a transposed convolution without steps."""
    channels, filters, *extents = b.shape(kernel)
    per = channels.divide(groups)
    if per is None:
        raise TraceError("channels that are not a multiple of the groups", given=str(channels))
    rank = len(extents) + 3
    split = b.reshape(kernel, [groups, per, filters, *extents])
    turned = b.transpose(split, [0, 2, 1, *range(3, rank)])
    for axis in range(3, rank):
        turned = b.flip(turned, axis)
    return b.reshape(turned, [filters * groups, per, *extents])


def _pooling(fn: str, count: int) -> Handler:
    def handler(
        b: Builder,
        x: int,
        kernel: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        *more: object,
    ) -> Any:
        sizes = _for_each_axis(kernel, count)
        steps = _for_each_axis(stride, count) or sizes
        edges = _for_each_axis(padding, count)
        if fn == "max":
            is_usual = all(m in (1, [1], [1, 1], [1, 1, 1]) for m in more[:1]) and not any(more[1:])
        else:
            is_usual = not any(more[:1]) and not any(more[2:])
        if not is_usual:
            raise TraceError("pooling with dilation, a rounded-up length or a divisor of its own")
        if fn == "mean" and any(edges) and more[1:2] == (False,):
            raise TraceError("a mean of fewer entries at the edges")
        rank = len(b.shape(x))
        filler, space = b.const(0), range(rank - count, rank)
        if fn == "max" and any(edges):  # the least entry, which is never above one that is there
            filler = b.restore(b.reduce("min", int(x), space), space)
        both = [(Size.of(p), Size.of(p)) for p in edges]
        parts = windows(b, int(x), sizes, steps, [1] * count, both, filler)
        if fn == "mean":
            return b.div(b.add([b.sum(p, [rank]) for p in parts]), b.const(prod(sizes)))
        return b.reduce("max", b.concat(parts, rank), [rank]), undefined(b)

    return handler


op("avg_pool1d")(_pooling("mean", 1))
op("avg_pool2d")(_pooling("mean", 2))
op("avg_pool3d")(_pooling("mean", 3))
op("max_pool2d_with_indices")(_pooling("max", 2))
op("max_pool3d_with_indices")(_pooling("max", 3))


@op("adaptive_max_pool2d", "adaptive_max_pool3d")
def _adaptive_max_pool(b: Builder, x: int, output: Sequence[int]) -> tuple[int, int]:
    """Returns the largest entry of each of `output` equal windows of the last axes."""
    node, rank = int(x), len(b.shape(x))
    for axis, count in zip(range(rank - len(output), rank), output, strict=True):
        shape = list(b.shape(node))
        length = shape[axis].divide(count)
        if length is None:
            raise TraceError(
                "adaptive pooling into windows of different lengths", given=str(shape[axis])
            )
        cut = b.reshape(node, [*shape[:axis], Size.of(count), length, *shape[axis + 1 :]])
        node = b.reduce("max", cut, [axis + 1])
    return node, undefined(b)


@op("unfold")
def _unfold(b: Builder, x: int, dim: int, size: int, step: int) -> int:
    """Returns windows along an axis, as a last axis."""
    axis = b.axis(x, dim)
    span = b.shape(x)[axis] - size
    if span.constant is None:
        count = span.divide(step)
    else:
        count = Size.of(span.constant // step)
    if count is None:
        raise TraceError("windows whose number depends on the size")
    rank = len(b.shape(x))
    parts = [b.expand(b.slice(int(x), axis, k, count + 1, step), rank) for k in range(size)]
    return b.concat(parts, rank)


@op("var_mean")
def _var_mean(
    b: Builder, x: int, dim: object = None, *, correction: object = 1, keepdim: object = None
) -> tuple[int, ...]:
    variance = TABLE["var"](b, x, dim, correction=correction, keepdim=keepdim)
    return variance, TABLE["mean"](b, x, dim, keepdim)
