"""Primitives that contract, reduce, accumulate and sort; convolutions and pooling."""

from __future__ import annotations

from eqvproof.programs import Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import gathering, ordering
from eqvproof.tracing.arrays.machine import fits
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax.equations import Equation, Handler
from eqvproof.tracing.jax.reader import Reader, library_function, primitive
from eqvproof.tracing.jax.values import Affine, Value
from eqvproof.tracing.numpy.windows import correlation, windows


@primitive("dot_general")
def _dot_general(r: Reader, e: Equation, x: Value, y: Value) -> int:
    contracted, batch = e.params["dimension_numbers"]
    (left, right), (batch_left, batch_right) = (
        tuple([int(i) for i in side] for side in pair) for pair in (contracted, batch)
    )
    first, second = r.nodes([x, y])
    ranks = len(r.builder.shape(first)), len(r.builder.shape(second))
    labels: list[list[int]] = [list(range(ranks[0])), [ranks[0] + i for i in range(ranks[1])]]
    for i, j in [*zip(left, right, strict=True), *zip(batch_left, batch_right, strict=True)]:
        labels[1][j] = labels[0][i]
    free_left = [labels[0][i] for i in range(ranks[0]) if i not in (*left, *batch_left)]
    free_right = [labels[1][j] for j in range(ranks[1]) if j not in (*right, *batch_right)]
    output = [labels[0][i] for i in batch_left] + free_left + free_right
    return r.builder.einsum([first, second], labels, output)


@primitive("reduce_sum")
def _reduce_sum(r: Reader, e: Equation, x: Value) -> int:
    return r.builder.sum(r.node(x), list(e.params["axes"]))


def _reduction(fn: str) -> Handler:
    def handler(r: Reader, e: Equation, x: Value) -> int:
        return r.builder.reduce(fn, r.node(x), list(e.params["axes"]))

    return handler


for _name, _fn in {"reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod"}.items():
    primitive(_name)(_reduction(_fn))


@primitive("reduce_or", "reduce_and")
def _reduce_booleans(r: Reader, e: Equation, x: Value) -> int:
    """Returns the largest or smallest boolean; for integers the operation acts on bits."""
    node = r.node(x)
    if e.outvars[0].aval.dtype != bool and not fits(r.builder, node, "bool"):
        raise TraceError("an operation on the bits of integers", given=e.primitive.name)
    return r.builder.reduce(
        "max" if e.primitive.name == "reduce_or" else "min", node, list(e.params["axes"])
    )


@primitive("argmax", "argmin")
def _arg_extremum(r: Reader, e: Equation, x: Value) -> int:
    """Returns the first position of the largest or smallest entry."""
    (axis,) = e.params["axes"]
    return ordering.first_extremum(
        r.builder, r.node(x), int(axis), e.primitive.name.removeprefix("arg")
    )


@primitive("cumsum", "cumprod", "cummax", "cummin")
def _running(r: Reader, e: Equation, x: Value) -> int:
    b, node, axis = r.builder, r.node(x), int(e.params["axis"])
    fn = e.primitive.name.removeprefix("cum")
    if e.params["reverse"]:
        return b.flip(ordering.running(b, b.flip(node, axis), axis, fn), axis)
    return ordering.running(b, node, axis, fn)


@primitive("sort")
def _sort_by_keys(r: Reader, e: Equation, *args: Value) -> list[Value]:
    """Sorts by the first arrays, the keys, and puts the others in the same order."""
    b, axis, key = r.builder, int(e.params["dimension"]), r.node(args[0])
    if (count := int(e.params["num_keys"])) != 1:
        if not e.params["is_stable"]:
            raise TraceError("a sort by several keys that is not stable", code="trace.operation")
        order = ordering.lexicographic(b, r.nodes(args[:count]), axis)
        return [Node(_sorted_along(r, x, order, axis)) for x in args]
    found = [b.sort(key, axis)]
    if len(args) > 1:
        order = ordering.order(
            b, key, axis, unstable="" if e.params["is_stable"] else "jax.lax.sort"
        )
        found += [_sorted_along(r, other, order, axis) for other in args[1:]]
    return [Node(x) for x in found]


def _sorted_along(r: Reader, x: Value, order: int, axis: int) -> int:
    """Returns what is sorted along with a key: positions, reversed positions, or other entries."""
    b, n = r.builder, r.builder.shape(order)[axis]
    steps = tuple(int(k == axis) for k in range(len(b.shape(order))))
    if isinstance(x, Affine) and (x.low, x.steps) == (Size.of(0), steps):
        return order
    if isinstance(x, Affine) and (x.low, x.steps) == (n - 1, tuple(-k for k in steps)):
        back = b.sub(b.size(n - 1), order)
        b.ranges.setdefault(back, n)
        b.hots.setdefault((back, n), b.flip(b.hots[order, n], len(steps)))
        return back
    return gathering.take_along(b, r.node(x), order, axis)


@primitive("top_k")
def _top_k(r: Reader, e: Equation, x: Value) -> list[Value]:
    """Returns the largest entries and their positions; of equal entries the first one first."""
    found = ordering.largest(
        r.builder, r.node(x), int(e.params["axis"]), r.symbols.size(e.params["k"])
    )
    return [Node(part) for part in found]


@primitive("conv_general_dilated")
def _convolution(r: Reader, e: Equation, x: Value, kernel: Value) -> int:
    """Returns a correlation."""
    b, p = r.builder, e.params
    numbers = p["dimension_numbers"]
    if p["batch_group_count"] != 1 or set(p["lhs_dilation"]) - {1}:
        raise TraceError(
            "a convolution with groups of images or dilated inputs", code="trace.operation"
        )
    image, weights = r.nodes([x, kernel])
    image, weights = (
        b.transpose(image, list(numbers.lhs_spec)),
        b.transpose(weights, list(numbers.rhs_spec)),
    )
    edges = [(r.symbols.size(low), r.symbols.size(high)) for low, high in p["padding"]]
    groups, strides, dilation = p["feature_group_count"], p["window_strides"], p["rhs_dilation"]
    total, order = (
        correlation(b, image, weights, groups, strides, dilation, edges),
        list(numbers.out_spec),
    )
    return b.transpose(total, [order.index(i) for i in range(len(order))])


@primitive("reduce_window_sum", "reduce_window_max", "reduce_window_min")
def _reduce_window(r: Reader, e: Equation, x: Value) -> int:
    """Returns sums, largest or smallest entries of windows; padding changes none of them."""
    b, p, node = r.builder, e.params, r.node(x)
    if set(p["base_dilation"]) - {1}:
        raise TraceError("windows of dilated inputs", code="trace.operation")
    fn, rank = e.primitive.name.removeprefix("reduce_window_"), len(b.shape(node))
    widths = [r.symbols.size(w).constant for w in p["window_dimensions"]]
    plain = (1, 1, (0, 0))
    moving = [
        k for k in range(rank) if (widths[k], p["window_strides"][k], p["padding"][k]) != plain
    ]
    kernel = [w for k in moving if (w := widths[k]) is not None]
    if len(kernel) != len(moving):
        raise TraceError("a window whose size is not a number", code="trace.operation")
    edges = [
        (r.symbols.size(low), r.symbols.size(high))
        for low, high in (p["padding"][k] for k in moving)
    ]
    strides, dilation = (
        [int(p[name][k]) for k in moving] for name in ("window_strides", "window_dilation")
    )
    kept, filler = [k for k in range(rank) if k not in moving], b.const(0)
    node = b.transpose(node, [*kept, *moving])
    if fn != "sum" and any(size.terms for edge in edges for size in edge):
        pads = [(s.constant, w) for edge, w in zip(edges, kernel, strict=True) for s in edge]
        if set(dilation) - {1} or any(count is None or count >= width for count, width in pads):
            raise TraceError("windows that may hold no entry", code="trace.operation")
        axes = range(len(kept), rank)
        filler = b.restore(b.reduce("min" if fn == "max" else "max", node, axes), axes)
    parts = windows(b, node, kernel, strides, dilation, edges, filler)
    if fn == "sum":
        found = b.add([b.sum(part, [rank]) for part in parts])
    else:
        found = b.reduce(fn, b.concat(parts, rank), [rank])
    return b.transpose(found, [[*kept, *moving].index(k) for k in range(rank)])


@library_function("numpy/linalg.py", "solve")
def _solve(r: Reader, e: Equation, a: Value, y: Value) -> int:
    return r.builder.matmul(r.builder.inv(r.node(a)), r.node(y))
