"""Kinds of arrays among the values of handlers of torch and JAX: real, infinite, and complex.

    Node           an array of real numbers: a node of the Program
    TracedArray    an array with infinite entries: a node, and flags that say where it is infinite
    Waves, Pair    a complex array: its real and its imaginary part

An entry that floats compute as NaN is an undefined entry of a node. Handlers of real numbers take
and return nodes. An operation on infinite or complex entries is a NumPy function of traced arrays:
`as_array` passes nodes to it, and `as_value` returns what it makes as nodes again, where its
entries are real numbers. Only a `Node` is an integer, so that code that takes another value for a
node fails instead of leaving out its flags or its imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from eqvproof.programs import Builder
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.complex_arrays import is_waves
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.masks import finite, is_high, is_masked
from eqvproof.tracing.arrays.pairs import is_pair
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.arrays.values import (
    Array,
    Infinities,
    Numbers,
    TracedArray,
    is_traced,
    make,
    node_of,
)


class Node(int):
    """The index of a builder node, as a type distinct from integer arguments."""


def is_complex(value: object) -> bool:
    """Checks whether a value is a complex array."""
    return is_waves(value) or is_pair(value)


def is_array(value: object) -> bool:
    """Checks whether a value is an array of a framework."""
    return isinstance(value, Node) or is_traced(value) or is_complex(value)


@overload
def as_array(context: TraceContext, value: Node) -> Array: ...
@overload
def as_array(context: TraceContext, value: object) -> object: ...
def as_array(context: TraceContext, value: object) -> object:
    """Returns a node as a traced array; other values unchanged."""
    if isinstance(value, Node):
        return make(context, int(value), array=True)
    return value


@overload
def as_value(made: TracedArray | int) -> Node | TracedArray: ...
@overload
def as_value(made: object) -> Any: ...
def as_value(made: object) -> Any:
    """Returns the result of a NumPy function or of a handler as a framework's array.

    A traced array without infinite entries, or the index of a node, becomes a `Node`; other results
    stay as they are.
    """
    if type(made) is int:
        return Node(made)
    if is_traced(made) and not is_masked(made):
        return Node(node_of(made))
    return made


def as_values(made: object) -> list[Any]:
    """Returns the result, or each of several results, of a function as a framework's array."""
    if isinstance(made, (list, tuple)):
        return [as_value(x) for x in made]
    return [as_value(made)]


def reader_context(b: Builder) -> TraceContext:
    """Returns a trace context whose traced arrays add nodes to a reader's builder."""
    return TraceContext(ANSWERS, b)


def with_infinite_entries(
    context: TraceContext, node: int, flags: int, *, high: bool = False
) -> Array:
    """Returns an array of numbers with -inf (+inf if `high`) where the flags are 0."""
    b, made = context.builder, make(context, node, array=True)
    wide = b.broadcast_to(flags, b.shape(node))
    if b.scalar_value(wide) != 1:
        made._eqvproof.infinite = Infinities(wide, high)
    return made


def constant_array(context: TraceContext, array: Numbers) -> Array:
    """Returns a traced array for constants, some of them infinite.

    The entries that are no numbers are undefined if one is NaN, or if both infinities occur.
    """
    b, real = context.builder, np.isfinite(array)
    rest, numbers, flags = (
        array[~real],
        b.const(np.where(real, array, 0.0)),
        b.const(real.astype(np.int64)),
    )
    if (rest == rest[:1]).all():
        return with_infinite_entries(context, numbers, flags, high=bool((rest > 0).any()))
    return make(context, b.select(flags, numbers, undefined(b)), array=True)


def number_flags(x: TracedArray) -> int:
    """Returns the node of flags: 1 where an entry is a number, 0 where it is infinite."""
    value = x._eqvproof
    if value.infinite is not None:
        return value.infinite.numbers
    b = value.context.builder
    return b.broadcast_to(b.const(1), value.shape)


def rearrange(
    context: TraceContext, arrays: Sequence[Array], move: Callable[[Sequence[int]], int]
) -> Array | int:
    """Applies a function that rearranges entries to the numbers and to the infinity flags.

    Raises:
        TraceError: arrays with -inf and with +inf.
    """
    highs = {is_high(x) for x in arrays if is_masked(x)}
    if len(highs) > 1:
        raise TraceError("entries -inf and +inf in one operation")
    numbers = move([finite(x)._eqvproof.node for x in arrays])
    if not highs:
        return numbers
    flags = move([number_flags(x) for x in arrays])
    if flags in context.sure:
        return numbers
    return with_infinite_entries(context, numbers, flags, high=highs.pop())
