"""Kinds of arrays among the values of handlers of torch and JAX: real, infinite, and complex.

    Node              an array of real numbers: a node of the Program
    TracedArray       an array with infinite entries: a node, and flags that say where it is infinite
    Pair              a complex array: its real and its imaginary part
    FourierTransform  a complex array: the array that is transformed, and along which axes

An entry that floats compute as NaN is an undefined entry of a node. Handlers of real numbers take
and return nodes. An operation on infinite or complex entries is a NumPy function of traced arrays:
`as_array` passes nodes to it, and `as_value` returns what it makes as nodes again, where its
entries are real numbers. Only a `Node` is an integer, so that code that takes another value for a
node fails instead of leaving out its flags or its imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast, overload

import numpy as np

from eqvproof.programs import Builder
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.masks import (
    finite,
    is_high,
    is_masked,
    number_flags,
    with_infinities,
)
from eqvproof.tracing.arrays.pairs import Pair, is_pair, is_transform
from eqvproof.tracing.arrays.poles import not_a_number, undefined
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.arrays.values import (
    Array,
    ComplexArray,
    Numbers,
    TracedArray,
    is_complex,
    is_listed,
    is_traced,
    make,
    node_of,
    xp,
)

#: Comparisons by the names that torch and JAX have for them.
COMPARISONS = {
    "eq": xp.equal, "ne": xp.not_equal, "lt": xp.less, "le": xp.less_equal, "gt": xp.greater,
    "ge": xp.greater_equal,
}  # fmt: skip
#: Elementwise operations by the names that torch and JAX have for them, as they act on infinite
#: and complex entries: NumPy functions of traced and complex arrays.
ELEMENTWISE = {
    **COMPARISONS,
    "add": xp.add,
    "sub": xp.subtract,
    "mul": xp.multiply,
    "div": xp.true_divide,
    "neg": xp.negative,
    "abs": xp.absolute,
    "exp": xp.exp,
    "exp2": xp.exp2,
    "sqrt": xp.sqrt,
}


class Node(int):
    """The index of a builder node, as a type distinct from integer arguments."""


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


def as_complex(x: object) -> ComplexArray:
    """Returns a traced array as a complex one, whose imaginary part is 0."""
    if is_complex(x):
        return x
    return Pair(x, cast(Array, x) * 0)


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


def constant_array(context: TraceContext, array: Numbers) -> Array:
    """Returns a traced array for constants, some of them infinite.

    The entries that are no numbers are undefined if one is NaN, or if both infinities occur.
    """
    b, given, real = context.builder, array.astype(np.float64), np.isfinite(array)
    if (given[~real] == given[~real][:1]).all():
        return lift(context, given)
    lost = not_a_number(b)
    if np.isinf(given).any():
        lost = undefined(b)
    node = b.select(b.const(real.astype(np.int64)), b.const(np.where(real, given, 0.0)), lost)
    return make(context, node, array=True)


def rearrange(
    context: TraceContext, arrays: Sequence[object], move: Callable[[list[Node]], object]
) -> object:
    """Applies a function that rearranges entries to each real array that other arrays consist of.

    These are the real and imaginary parts of complex arrays, and the numbers and flags of arrays
    with infinite entries. The function returns a node or several.

    Raises:
        TraceError: Fourier transforms, or arrays with -inf and with +inf.
    """
    if any(map(is_transform, arrays)):
        raise TraceError("entries of complex tensors that are transforms are picked or mixed")
    if any(map(is_pair, arrays)):
        pairs = [as_complex(x) for x in arrays]
        real = rearrange(context, [x.real for x in pairs], move)
        return _each(Pair, real, rearrange(context, [x.imag for x in pairs], move))
    given = cast(Sequence[Array], arrays)
    highs = {is_high(x) for x in given if is_masked(x)}
    if len(highs) > 1:
        raise TraceError("entries -inf and +inf in one operation")
    numbers = move([Node(finite(x)._eqvproof.node) for x in given])
    if not highs:
        return _each(lambda node: make(context, int(node), array=True), numbers)
    flags, high = move([Node(number_flags(x)) for x in given]), highs.pop()

    def with_flags(node: int, at: int) -> Array:
        return with_infinities(make(context, int(node), array=True), int(at), high=high)

    return _each(with_flags, numbers, flags)


def _each(function: Callable[..., object], *results: object) -> object:
    """Applies a function to a result, or to each of several results, of a handler."""
    if is_listed(results[0]):
        return [
            function(*parts) for parts in zip(*cast(tuple[list[object], ...], results), strict=True)
        ]
    return function(*results)
