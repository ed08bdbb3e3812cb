"""Infinite entries in masks: scores that are -inf where they do not count, distances +inf.

Infinity is no real number, and a Program has none. A traced array may carry, beside its node, a
second node that is 1 where entries are real and 0 where they are -inf, or where they are +inf.
Operations on such arrays are traced on the pair: selection, sums, moves of entries, comparison,
sorting, maxima, and exp, which maps -inf to 0, or minima. An operation on entries +inf is the one
on -x with entries -inf. All other operations are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import poles
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions import repeating, shaping
from eqvproof.tracing.arrays.functions.joining import concatenate, stack
from eqvproof.tracing.arrays.functions.reductions import keep
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    Table,
    as_axes,
    as_axis,
    handles,
    lift,
    make,
    node_of,
    real,
)
from eqvproof.tracing.arrays.masks import (
    absent,
    alive_node,
    beyond,
    choose,
    finite,
    is_always_positive,
    is_high,
    is_masked,
    mirror,
    top,
    with_infinities,
)
from eqvproof.tracing.arrays.pole_masks import negated
from eqvproof.tracing.arrays.poles import UNKNOWN, UNKNOWN_HINT
from eqvproof.tracing.arrays.values import Array, is_traced, xp

#: Handlers of calls in which some argument has entries -inf.
FUNCTIONS: Table = {}
UFUNCS: Table = {}


def _special(
    ask: Callable[[Builder, int], int | None], answer: Callable[[Builder, int, int], int]
) -> Handler:
    """Returns the handler of a question for where entries are infinite or NaN.

    `answer` gets the flags of entries that are not -inf, and the answer among the numbers.
    """

    def handler(context: TraceContext, a: Array) -> Array:
        known = ask(context.builder, finite(a)._eqvproof.node)
        if known is None:
            context.refuse(UNKNOWN, hint=UNKNOWN_HINT, code="trace.value")
        return real(context, answer(context.builder, alive_node(a), known), kind="b")

    return handler


UFUNCS |= {
    np.isinf: _special(poles.infinite, lambda b, alive, told: _told(b, alive, told, b.const(1))),
    np.isnan: _special(poles.invalid, lambda b, alive, told: _told(b, alive, told, b.const(0))),
    np.isfinite: _special(
        poles.finite, lambda b, alive, told: _told(b, negated(b, told), b.const(0), alive)
    ),
}


@handles(FUNCTIONS, np.isneginf)
def isneginf(context: TraceContext, a: Array) -> Array:
    """Returns 1 where an entry is -inf."""
    if not context.builder.is_total(finite(a)._eqvproof.node):
        context.refuse(UNKNOWN, hint=UNKNOWN_HINT, code="trace.value")
    return real(context, absent(context, a), kind="b")


@handles(FUNCTIONS, np.nan_to_num)
def nan_to_num(
    context: TraceContext,
    x: Array,
    copy: bool = True,
    nan: object = 0.0,
    posinf: object = None,
    neginf: object = None,
) -> Array:
    """Replaces -inf by a number."""
    if neginf is None:
        context.refuse("np.nan_to_num of -inf makes the least float of it", hint="give neginf=")
    return choose(context, alive_node(x), x, lift(context, neginf), "f")


# -- elementwise
# ---------------------------------------------------------------------------------------------


@handles(UFUNCS, np.add)
def add(context: TraceContext, a: Array, b: Array) -> Array:
    """Adds arrays: -inf + x = -inf."""
    result = xp.add(*(finite(x) if is_masked(x) else x for x in (a, b)))
    return _infinite(result, context.builder.mul(alive_node(a), alive_node(b)))


def _infinite(result: Array, alive: int) -> Array:
    """Returns -inf where `alive` is 0; undefined numbers stay undefined."""
    return with_infinities(
        result, result._eqvproof.context.builder.defined_where(node_of(result), alive)
    )


@handles(UFUNCS, np.subtract)
def subtract(context: TraceContext, a: Array, b: Array) -> Array:
    """Subtracts arrays: -inf - x = -inf, and x - -inf = +inf."""
    if is_masked(b):
        return xp.add(a, mirror(b))
    return _infinite(xp.subtract(finite(a), b), alive_node(a))


@handles(UFUNCS, np.multiply)
def multiply(context: TraceContext, a: Array, b: Array) -> Array:
    """Multiplies arrays: -inf times a positive number is -inf."""
    low, factor = (a, b) if is_masked(a) else (b, a)
    _require_positive(context, factor)
    return _infinite(xp.multiply(finite(low), factor), alive_node(low))


@handles(UFUNCS, np.true_divide)
def divide(context: TraceContext, a: Array, b: Array) -> Array:
    """Divides arrays: -inf over a positive number is -inf, and a number over -inf is 0."""
    if is_masked(b) and not is_masked(a):
        build, over = context.builder, xp.true_divide(a, finite(b))
        nothing = build.defined_where(node_of(a), build.const(0))
        return real(context, build.select(alive_node(b), node_of(over), nothing))
    _require_positive(context, b)
    return _infinite(xp.true_divide(finite(a), b), alive_node(a))


def _require_positive(context: TraceContext, factor: Array) -> None:
    if not is_always_positive(context.builder, node_of(factor)):
        context.refuse(
            "infinity times, over or to a number that is not positive for all inputs",
            hint="scale before masking",
        )


def _power(ufunc: Handler) -> Handler:
    """Returns the handler of an exponential, which is 0 at -inf."""

    def handler(context: TraceContext, a: Array) -> Array:
        b = context.builder
        return real(context, b.select(alive_node(a), node_of(ufunc(finite(a))), b.const(0)))

    return handler


UFUNCS.update({ufunc: _power(ufunc) for ufunc in (np.exp, np.exp2)})


def _of_the_others(ufunc: Handler) -> Handler:
    """Returns the handler of a function of two numbers that maps -inf and x to x."""

    def handler(context: TraceContext, a: Array, b: Array) -> Array:
        build, (x, y), (p, q) = context.builder, map(finite, (a, b)), map(alive_node, (a, b))
        least = build.select(p, node_of(ufunc(x, y)), node_of(y))
        result = real(context, build.select(q, least, node_of(x)))
        both = is_masked(a) and is_masked(b)
        if both:
            return with_infinities(result, build.select(q, build.const(1), p))
        return result

    return handler


maximum = _of_the_others(xp.maximum)
UFUNCS |= {np.maximum: maximum, np.logaddexp: _of_the_others(xp.logaddexp)}
UFUNCS[np.logaddexp2] = _of_the_others(xp.logaddexp2)


def _compared(ufunc: Handler) -> Handler:
    """Returns the handler of a comparison: -inf, numbers and +inf compare like -1, 0 and 1.

    A comparison with an undefined entry is that with NaN.
    """

    def handler(context: TraceContext, a: Array, b: Array) -> Array:
        build, (x, y) = context.builder, map(finite, (a, b))
        first, second = (1 if is_high(v) else -1 for v in (a, b))
        p, q = (alive_node(mirror(v) if is_high(v) else v) for v in (a, b))
        pairs = (0, second), (first, 0), (first, second)
        above, below, both = (build.const(int(ufunc(*pair))) for pair in pairs)
        beside_number = _told(build, q, node_of(ufunc(x, y)), above)
        told = _told(build, p, beside_number, _told(build, q, below, both))
        for v in (x, y):
            wide = build.broadcast_to(v._eqvproof.node, build.shape(told))
            told = build.valid_if_finite(wide, build.defined_where(wide, told))
        return real(context, told, kind="b")

    return handler


def _told(b: Builder, flags: int, x: int, y: int) -> int:
    """Returns the truth value x where the flags are 1, else y.

    If both are constants, the result is the flags or their negation.
    """
    told = b.scalar_value(x), b.scalar_value(y)
    if None in told or told[0] == told[1] or b.scalar_value(flags) is not None:
        return b.select(flags, x, y)
    shape = b.broadcast_shapes([b.shape(v) for v in (flags, x, y)])
    return b.broadcast_to(flags if told[0] else b.map("not", [flags]), shape)


_COMPARED = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
UFUNCS |= {f: _compared(f) for f in _COMPARED}
UFUNCS[np.negative] = lambda context, a: mirror(a)
UFUNCS[np.absolute] = lambda context, a: mirror(
    with_infinities(-xp.absolute(finite(a)), alive_node(a))
)


# -- reductions and order
# ------------------------------------------------------------------------------------


@handles(FUNCTIONS, np.max, np.amax)
def max_(context: TraceContext, a: Array, axis: object = None, keepdims: object = False) -> Array:
    """Returns the largest entry."""
    axes = as_axes(context, axis, a.ndim)
    node = top(context.builder, a._eqvproof.node, alive_node(a), axes)
    return real(context, context.builder.restore(node, axes) if keep(keepdims) else node)


@handles(FUNCTIONS, np.sum)
def sum_(context: TraceContext, a: Array, axis: object = None, keepdims: object = False) -> Array:
    """Returns the sum, which is -inf where an entry is, and undefined where one is."""
    alive = real(context, alive_node(a), kind="b")
    numbers = xp.sum(xp.where(alive, finite(a), 0.0), axis=axis, keepdims=keepdims)
    return _infinite(numbers, node_of(xp.all(alive, axis=axis, keepdims=keepdims)))


def _axis_of(context: TraceContext, a: Array, axis: object) -> Array:
    return beyond(a, as_axes(context, axis, a.ndim))


@handles(FUNCTIONS, np.argmax)
def argmax(context: TraceContext, a: Array, axis: object = None, **kwargs: object) -> Array:
    """Returns the position of the first largest entry."""
    return xp.argmax(_axis_of(context, a, axis), axis, **kwargs)


@handles(FUNCTIONS, np.argsort)
def argsort(context: TraceContext, a: Array, axis: object = -1, **kwargs: object) -> Array:
    """Returns the positions in ascending order, -inf first; equal entries as in a stable sort."""
    if kwargs.get("kind") != "stable" and not kwargs.get("stable"):
        context.refuse("the order of equal infinite entries is not told", hint='give kind="stable"')
    return xp.argsort(_axis_of(context, a, axis), axis, **kwargs)


@handles(FUNCTIONS, np.sort)
def sort(context: TraceContext, a: Array, axis: object = -1, **kwargs: object) -> Array:
    """Sorts in ascending order, -inf first."""
    alive = context.builder.sort(alive_node(a), as_axis(context, axis, a.ndim))
    return with_infinities(xp.sort(_axis_of(context, a, axis), axis, **kwargs), alive)


# -- shapes and choices
# --------------------------------------------------------------------------------------


def moved(handler: Handler) -> Handler:
    """Returns a handler that rearranges both the numbers and the places of -inf."""

    def both(context: TraceContext, *args: object, **kwargs: object) -> Array:
        def numbers(value: Any) -> Any:
            if type(value) in (list, tuple):
                return type(value)(numbers(v) for v in value)
            if is_masked(value):
                return finite(value)
            return value

        def places(value: Any) -> Any:
            if type(value) in (list, tuple):
                return type(value)(places(v) for v in value)
            if is_traced(value):
                return make(context, alive_node(value), array=True)
            if type(value) is np.ndarray:
                return np.ones(value.shape)
            return value

        result = handler(context, *map(numbers, args), **kwargs)
        return with_infinities(result, node_of(handler(context, *map(places, args), **kwargs)))

    return both


_function: object
for _function in (
    np.transpose,
    np.swapaxes,
    np.moveaxis,
    np.reshape,
    np.ravel,
    np.expand_dims,
    np.squeeze,
    np.broadcast_to,
    np.copy,
    np.matrix_transpose,
    np.astype,
    np.permute_dims,
):
    FUNCTIONS[_function] = moved(shaping.FUNCTIONS[_function])
for _function in (np.flip, np.roll, np.repeat, np.tile):
    FUNCTIONS[_function] = moved(repeating.FUNCTIONS[_function])
FUNCTIONS.update({np.concatenate: moved(concatenate), np.stack: moved(stack)})
_MOVED = {f for f, handler in FUNCTIONS.items() if handler.__name__ == "both"}


# -- plus infinity
# -------------------------------------------------------------------------------------------


def turned(handler: Handler) -> Handler:
    """Returns the handler for entries +inf: ``-f(-x)``; the other factor of a product stays."""

    def high(context: TraceContext, *args: object, **kwargs: object) -> Array:
        def negated(value: Any) -> Any:
            if type(value) in (list, tuple):
                return type(value)(map(negated, value))
            stays = not is_traced(value) or (handler in (multiply, divide) and not is_high(value))
            if stays:
                return value
            return mirror(value)

        return mirror(handler(context, *map(negated, args), **kwargs))

    return high


def _roots(ufunc: Handler) -> Handler:
    """Returns the handler for entries +inf of a function that grows without bound.

    The other entries must not be negative. A negative exponent gives `a^-p = 1 / a^p`.
    """

    def high(context: TraceContext, a: Array, *exponent: Array) -> Array:
        for number in exponent:
            if is_always_positive(context.builder, node_of(xp.negative(number))):
                return xp.true_divide(1.0, ufunc(a, xp.negative(number)))
            _require_positive(context, number)
        b, flags = context.builder, alive_node(mirror(a))
        inside = make(context, b.select(flags, finite(a)._eqvproof.node, b.const(0)), array=True)
        return mirror(with_infinities(-ufunc(inside, *exponent), flags))

    return high


def _sort_high(context: TraceContext, a: Array, axis: object = -1, **kwargs: object) -> Array:
    return mirror(xp.flip(xp.sort(mirror(a), axis, **kwargs), axis))


#: Handlers of calls in which some argument has entries +inf.
HIGH_FUNCTIONS: Table = {f: turned(handler) for f, handler in FUNCTIONS.items() if f in _MOVED}
HIGH_FUNCTIONS |= {
    np.min: turned(max_),
    np.amin: turned(max_),
    np.sum: turned(sum_),
    np.argsort: argsort,
    np.sort: _sort_high,
}
HIGH_FUNCTIONS[np.argmin] = lambda context, a, *args, **kwargs: xp.argmax(
    mirror(a), *args, **kwargs
)
HIGH_UFUNCS: Table = {
    f: turned(UFUNCS[f]) for f in (np.add, np.subtract, np.multiply, np.true_divide)
}
HIGH_UFUNCS |= {np.minimum: turned(maximum), np.negative: UFUNCS[np.negative]}
HIGH_UFUNCS |= {f: _roots(f) for f in (np.sqrt, np.square, np.power)}
HIGH_UFUNCS |= {f: UFUNCS[f] for f in _COMPARED}
HIGH_UFUNCS[np.absolute] = lambda context, a: xp.absolute(mirror(a))
for _asked in (np.isfinite, np.isinf, np.isnan):
    HIGH_UFUNCS[_asked] = lambda context, a, ufunc=_asked: ufunc(mirror(a))
UFUNCS[np.reciprocal] = HIGH_UFUNCS[np.reciprocal] = lambda context, a: np.true_divide(1.0, a)
