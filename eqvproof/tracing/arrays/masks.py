"""Minus infinity in scores: a node of numbers, and a node that is 0 where the entry is -inf."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqvproof.programs import Builder
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.values import (
    Array,
    Infinities,
    Kind,
    TracedArray,
    is_listed,
    is_traced,
    make,
    node_of,
    xp,
)


def top(b: Builder, node: int, alive: int | None, axes: Sequence[int]) -> int:
    """Returns the largest real entry along axes, which are dropped; undefined where there is none.

    An entry -inf is replaced by the smallest of the real entries of its line and 0, which is never
    above a real entry, and does not depend on numbers that stand where entries are -inf.
    """
    if alive is None:
        return b.reduce("max", node, axes)
    least = b.restore(b.reduce("min", b.select(alive, node, b.const(0)), axes), axes)
    largest = b.reduce("max", b.select(alive, node, least), axes)
    return b.select(b.reduce("max", alive, axes), largest, undefined(b))


def powers(b: Builder, node: int, alive: int | None, axes: Sequence[int]) -> tuple[int, int]:
    """Returns the largest real entry along axes, which are dropped, and exp(x - largest).

    The exponential is 0 at -inf.
    """
    largest = top(b, node, alive, axes)
    found = b.map("exp", [b.sub(node, b.restore(largest, axes))])
    return largest, found if alive is None else b.select(alive, found, b.const(0))


def softmax(b: Builder, node: int, alive: int | None, axes: Sequence[int]) -> int:
    """Returns exp(x) / sum exp(x) along axes: 0 at -inf, NaN where all entries are."""
    _, found = powers(b, node, alive, axes)
    shares = b.div(found, b.restore(b.sum(found, axes), axes))
    if alive is not None and b.is_total(node):
        b.lost[shares] = b.map("not", [b.restore(b.reduce("max", alive, axes), axes)])
    return shares


def logsumexp(
    b: Builder, node: int, alive: int | None, axes: Sequence[int], weights: int | None = None
) -> int:
    """Returns log sum exp(x), or log sum w exp(x), along axes, which are dropped; -inf adds 0."""
    largest, found = powers(b, node, alive, axes)
    total = b.sum(found if weights is None else b.mul(found, weights), axes)
    return b.add([largest, b.map("log", [total])])


def is_always_positive(b: Builder, node: int) -> bool:
    """Checks whether a value is positive at every entry for all inputs (False may mean unknown)."""
    op = b.nodes[node]
    if op.constant is not None:
        return bool(np.all(op.constant > 0))
    if op.as_size is not None:
        return op.as_size.is_at_least(1)
    if op.function in ("exp", "pi"):
        return True
    roots = op.as_product is not None or op.function in ("sqrt", "recip")
    return roots and all(is_always_positive(b, a) for a in op.args)


def is_masked(value: object, depth: int = 2) -> bool:
    """Checks whether a value is, or contains, a traced array with infinite entries."""
    if is_traced(value):
        return value._eqvproof.infinite is not None
    return bool(depth) and is_listed(value) and any(is_masked(v, depth - 1) for v in value)


def is_high(value: object) -> bool:
    """Checks whether a value is, or contains, a traced array with entries +inf."""
    if is_listed(value):
        return any(map(is_high, value))
    if not is_traced(value):
        return False
    infinite = value._eqvproof.infinite
    return infinite is not None and infinite.high


def mirror(x: Array) -> Array:
    """Returns -x, where -inf becomes +inf and the other way round."""
    infinite = x._eqvproof.infinite
    if infinite is None:
        return xp.negative(x)
    result = xp.negative(finite(x))
    result._eqvproof.infinite = Infinities(infinite.numbers, high=not infinite.high)
    return result


def finite(x: Array) -> Array:
    """Returns the array with numbers in place of infinite entries."""
    value = x._eqvproof
    return make(value.context, value.node, value.kind, view_of=x, array=not value.scalar)


def parts(x: Array) -> tuple[int, int | None]:
    """Returns the node of the numbers, and the node that is 0 where entries are -inf."""
    if is_masked(x):
        return (x._eqvproof.node, alive_node(x))
    return (node_of(x), None)


def beyond(x: Array, axes: Sequence[int]) -> Array:
    """Replaces infinite entries by numbers beyond all others along these axes."""
    if is_high(x):
        return mirror(beyond(mirror(x), axes))
    context, node = x._eqvproof.context, x._eqvproof.node
    b = context.builder
    least = b.restore(b.reduce("min", node, axes), axes)
    lower = b.broadcast_to(b.sub(least, b.const(1)), b.shape(node))
    return make(context, b.select(alive_node(x), node, lower), x._eqvproof.kind, array=True)


def alive_node(x: Array) -> int:
    """Returns 1 where an entry is real, 0 where it is -inf; refuses an array with entries +inf."""
    if is_high(x):
        node_of(x)
    return number_flags(x)


def number_flags(x: TracedArray) -> int:
    """Returns 1 where an entry is a number, 0 where it is infinite."""
    value = x._eqvproof
    if value.infinite is not None:
        return value.infinite.numbers
    b = value.context.builder
    return int(b.broadcast_to(b.const(1), value.shape))


def with_infinities(x: Array, numbers: int, *, high: bool = False) -> Array:
    """Gives an array entries -inf, or +inf if `high`, where the flags `numbers` are 0."""
    value = x._eqvproof
    b = value.context.builder
    wide = b.broadcast_to(numbers, value.shape)
    value.infinite = None
    if numbers not in value.context.sure and b.scalar_value(wide) != 1:
        value.infinite = Infinities(wide, high)
    return x


def choose(context: TraceContext, condition: int, a: Array, b: Array, kind: Kind) -> Array:
    """Returns np.where of arrays that may have infinite entries of one sign."""
    if is_high([a, b]):
        if any(x._eqvproof.low_flags is not None for x in (a, b)):
            context.refuse("entries -inf and +inf in one operation")
        return mirror(choose(context, condition, mirror(a), mirror(b), kind))
    build = context.builder
    parts = [finite(x) if is_masked(x) else x for x in (a, b)]
    result = make(context, build.select(condition, *(node_of(p) for p in parts)), kind, array=True)
    if not (is_masked(a) or is_masked(b)) or _chooses_numbers(context, condition, a, b):
        return result
    return with_infinities(result, build.select(condition, alive_node(a), alive_node(b)))


def _chooses_numbers(context: TraceContext, condition: int, a: Array, b: Array) -> bool:
    """Checks whether the condition chooses only numbers from the one array with infinite entries.

    That is, it holds where an entry of a is a number, or where an entry of b is -inf.
    """
    build = context.builder
    if is_masked(a) == is_masked(b):
        return False
    told = alive_node(a) if is_masked(a) else absent(context, b)
    shape = build.broadcast_shapes([build.shape(told), build.shape(condition)])
    return build.broadcast_to(told, shape) == build.broadcast_to(condition, shape)


def absent(context: TraceContext, x: Array) -> int:
    """Returns 1 where an entry is -inf, 0 where it is real."""
    return context.builder.map("not", [alive_node(x)])
