"""Primitives that rearrange, repeat, join and cut: shapes, concatenation, slices."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.programs import Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.node_functions import padded
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax.equations import Equation
from eqvproof.tracing.jax.reader import Reader, primitive
from eqvproof.tracing.jax.sizes import remainder_operands
from eqvproof.tracing.jax.values import Affine, Columns, Part, Value, as_affine


@primitive("broadcast_in_dim")
def _broadcast(r: Reader, e: Equation, x: Value, *_: Value) -> Value | int:
    shape = r.sizes(e.outvars[0].aval.shape)
    places = list(e.params["broadcast_dimensions"])
    found = as_affine(x)
    if found is not None:
        steps = [0] * len(shape)
        for axis, place in enumerate(places):
            steps[place] = found.steps[axis]
        return Affine(tuple(shape), found.low, tuple(steps))
    return _broadcast_axes(r, r.node(x), places, shape)


def _broadcast_axes(r: Reader, node: int, places: Sequence[int], shape: Sequence[Size]) -> int:
    b = r.builder
    for position in range(len(shape)):
        if position not in places:
            node = b.expand(node, position)
    return b.broadcast_to(node, shape)


@primitive("reshape")
def _reshape(r: Reader, e: Equation, x: Value, *_: Value) -> Value | int:
    if e.params.get("dimensions") is not None:
        raise TraceError("a reshape in another order than by rows")
    shape = r.sizes(e.outvars[0].aval.shape)
    found = as_affine(x)
    if found is not None and not any(found.steps):
        return Affine(tuple(shape), found.low, (0,) * len(shape))
    if found is not None and _sizes_above_one(found.shape) == _sizes_above_one(shape):
        return _reshape_affine(found, shape)
    return r.builder.reshape(r.node(x), shape)


def _sizes_above_one(shape: Sequence[Size]) -> list[Size]:
    """Lists the sizes other than 1."""
    return [s for s in shape if s != Size.of(1)]


def _reshape_affine(x: Affine, shape: Sequence[Size]) -> Affine:
    one = Size.of(1)
    old = iter([s for s, size in zip(x.steps, x.shape, strict=True) if size != one])
    steps = [0] * len(shape)
    for axis, size in enumerate(shape):
        if size != one:
            steps[axis] = next(old)
    return Affine(tuple(shape), x.low, tuple(steps))


@primitive("squeeze")
def _squeeze(r: Reader, e: Equation, x: Value) -> Value | int:
    if r.shape(x):
        dimensions = {d % len(r.shape(x)) for d in e.params["dimensions"]}
    else:
        dimensions = set()
    found = as_affine(x)
    if found is not None:
        kept = [i for i in range(len(found.shape)) if i not in dimensions]
        return Affine(
            tuple(found.shape[i] for i in kept), found.low, tuple(found.steps[i] for i in kept)
        )
    node = r.node(x)
    for axis in sorted(dimensions, reverse=True):
        node = r.builder.squeeze(node, axis)
    return node


@primitive("expand_dims")
def _expand(r: Reader, e: Equation, x: Value) -> Value | int:
    shape = r.sizes(e.outvars[0].aval.shape)
    return r.builder.reshape(r.node(x), shape)


@primitive("transpose")
def _transpose(r: Reader, e: Equation, x: Value) -> Value | int:
    order = list(e.params["permutation"])
    if isinstance(x, Affine):
        return Affine(tuple(x.shape[i] for i in order), x.low, tuple(x.steps[i] for i in order))
    return r.builder.transpose(r.node(x), order)


@primitive("rev")
def _rev(r: Reader, e: Equation, x: Value) -> Value | int:
    if isinstance(x, Affine):
        low, steps = x.low, list(x.steps)
        for axis in e.params["dimensions"]:
            low = low + (x.shape[axis] - 1) * steps[axis]
            steps[axis] = -steps[axis]
        return Affine(x.shape, low, tuple(steps))
    node = r.node(x)
    for axis in e.params["dimensions"]:
        node = r.builder.flip(node, axis)
    return node


@primitive("iota")
def _iota(r: Reader, e: Equation, *_: Value) -> Value | int:
    shape = tuple(r.sizes(e.outvars[0].aval.shape))
    steps = tuple(int(i == e.params["dimension"]) for i in range(len(shape)))
    return Affine(shape, Size.of(0), steps)


@primitive("dim_as_value")
def _dim(r: Reader, e: Equation) -> Value:
    return Affine((), r.symbols.size(e.params["dim"]), ())


@primitive("stack")
def _stack(r: Reader, e: Equation, *args: Value) -> int:
    b, axis = r.builder, int(e.params.get("axis", e.params.get("dimension", 0)))
    return b.concat([b.expand(n, axis) for n in r.nodes(args)], axis)


@primitive("concatenate")
def _concatenate(r: Reader, e: Equation, *args: Value) -> Value | int:
    axis = int(e.params["dimension"])
    rolled = _roll(r, axis, args)
    if rolled is not None:
        return rolled
    parts = [as_affine(a) for a in args]
    of_indices = axis == len(r.shape(args[0])) - 1 and any(isinstance(a, Affine) for a in args)
    if of_indices and all(p is not None and p.shape[-1] == Size.of(1) for p in parts):
        return Columns(
            tuple(Affine(p.shape[:-1], p.low, p.steps[:-1]) for p in parts if p is not None)
        )
    kept = [n for n in r.nodes(args) if r.builder.shape(n)[axis].constant != 0]
    return r.builder.concat(kept, axis)


def _roll(r: Reader, axis: int, args: Sequence[Value]) -> int | None:
    """Recognises x[s:] joined with x[:s] as a roll of x, for s = -shift mod n; else None."""
    if len(args) != 2 or not all(isinstance(a, Part) for a in args):
        return None
    first, second = args
    if not isinstance(first, Part) or not isinstance(second, Part):
        return None
    split = remainder_operands(first.start)
    same = first.node == second.node and first.axis == second.axis == axis
    if split is None or not same or second.start != 0 or not _same_text(first.start, second.limit):
        return None
    size = r.builder.shape(first.node)[axis]
    if r.symbols.size(split[1]) != size or r.symbols.size(first.limit) != size:
        return None
    return r.builder.roll(first.node, axis, -split[0])


def _same_text(x: object, y: object) -> bool:
    return str(x) == str(y)


@primitive("slice")
def _slice(r: Reader, e: Equation, x: Value) -> Value | int:
    node = r.node(x)
    starts, limits = e.params["start_indices"], e.params["limit_indices"]
    strides = e.params["strides"] or (1,) * len(starts)
    for axis, (start, limit, stride) in enumerate(zip(starts, limits, strides, strict=True)):
        size = r.builder.shape(node)[axis]
        try:
            first, last = r.symbols.size(start), r.symbols.size(limit)
            count = r.symbols.size(e.outvars[0].aval.shape[axis])
        except TraceError:
            if stride != 1:
                raise
            return Part(node, axis, start, limit)
        if first.terms or last != size or stride != 1:
            node = r.builder.slice(node, axis, first, count, int(stride))
    return node


@primitive("pad")
def _pad(r: Reader, e: Equation, x: Value, filling: Value) -> Value | int:
    node, value = r.node(x), r.node(filling)
    for axis, (low, high, inner) in enumerate(e.params["padding_config"]):
        if inner:
            node = _pad_between(r, node, axis, value, int(inner))
        node = padded(r.builder, node, axis, r.symbols.size(low), r.symbols.size(high), value)
    return node


def _pad_between(r: Reader, x: int, axis: int, value: int, between: int) -> int:
    """Inserts `between` copies of a value between any two entries along an axis."""
    b, shape = r.builder, list(r.builder.shape(x))
    filler = b.broadcast_to(value, [*shape[: axis + 1], between, *shape[axis + 1 :]])
    joined = b.concat([b.expand(x, axis + 1), filler], axis + 1)
    spread = b.reshape(joined, [*shape[:axis], shape[axis] * (between + 1), *shape[axis + 1 :]])
    return b.slice(spread, axis, 0, shape[axis] * (between + 1) - between)


@primitive("split")
def _split_axis(r: Reader, e: Equation, x: Value) -> list[Value]:
    node, start = r.node(x), Size.of(0)
    found: list[Value] = []
    for size in e.params["sizes"]:
        count = r.symbols.size(size)
        found.append(Node(r.builder.slice(node, int(e.params["axis"]), start, count)))
        start = start + count
    return found
