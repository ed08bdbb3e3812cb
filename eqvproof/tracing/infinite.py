"""Values with infinite entries in readers of other libraries: traced arrays over their nodes.

`eqvproof.tracing.arrays.functions.masking` defines NumPy's functions of such arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eqvproof.programs import Builder
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.masks import finite, is_high, is_masked
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.arrays.values import Array, Numbers, TracedArray, is_traced, make, node_of


def over(b: Builder) -> TraceContext:
    """Returns a trace context whose traced arrays add nodes to a reader's builder."""
    return TraceContext(ANSWERS, b)


def infinite(context: TraceContext, node: int, flags: int, *, high: bool = False) -> Array:
    """Returns an array of numbers with -inf (+inf if `high`) where the flags are 0."""
    b, made = context.builder, make(context, node, array=True)
    wide = b.broadcast_to(flags, b.shape(node))
    if b.scalar_value(wide) != 1:
        setattr(made._eqvproof, "below" if high else "alive", wide)
    return made


def constant(context: TraceContext, array: Numbers) -> Array:
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
        return infinite(context, numbers, flags, high=bool((rest > 0).any()))
    return make(context, b.select(flags, numbers, positions.undefined(b)), array=True)


def flags_of(x: TracedArray) -> int:
    """Returns the node of flags: 1 where an entry is a number, 0 where it is infinite."""
    value = x._eqvproof
    found = value.alive if value.below is None else value.below
    b = value.context.builder
    if found is None:
        return b.broadcast_to(b.const(1), value.shape)
    return found


def settled(x: object) -> object:
    """Returns the node of a traced array without infinite entries; other values as they are."""
    if is_traced(x) and not is_masked(x):
        return node_of(x)
    return x


def moved(
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
    flags = move([flags_of(x) for x in arrays])
    if flags in context.sure:
        return numbers
    return infinite(context, numbers, flags, high=highs.pop())
