"""Arrays made from shapes and numbers: zeros, ones, eye, arange, tri, asarray, ...

While a target is traced, these return traced arrays for fixed shapes too, so that the arrays can be
filled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.programs.ranges import end_of, progression
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_int,
    as_sizes,
    handles,
    lift,
    make,
    node_of,
    note_precision,
)
from eqvproof.tracing.arrays.lifting import mentions_trace, shape_of, stacked
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.masks import alive_node, is_high, is_masked, mirror, with_infinities
from eqvproof.tracing.arrays.sizes import size_of
from eqvproof.tracing.arrays.values import Array, Kind, is_listed, settle, xp

FUNCTIONS: Table = {}


def kind_of(context: TraceContext, dtype: TypeLike) -> Kind:
    """Returns the kind of numbers of a dtype."""
    note_precision(context, dtype)
    letter = np.dtype(dtype).kind
    if letter in "fb":
        return "f" if letter == "f" else "b"
    if letter in "iu":
        return "i"
    context.refuse(f"dtype={np.dtype(dtype)} is no dtype of real numbers")


def filled(context: TraceContext, shape: object, value: Any, dtype: TypeLike) -> Array:
    """Returns an array filled with one number, as its type stores it (None: float64)."""
    dtype = np.dtype(dtype)
    kind = kind_of(context, dtype)
    plain = type(value) in (bool, int, float) or issubclass(type(value), np.generic)
    finite = plain and np.isfinite(value)
    number = lift(context, np.full((), value, dtype)[()] if finite else value)
    if is_high(number):
        return mirror(filled(context, shape, -np.inf, dtype))
    if kind != "f" and (number._eqvproof.dtype is int or number._eqvproof.dtype != dtype):
        number = number.astype(dtype)
    b, sizes = context.builder, as_sizes(context, shape)
    settle(number)
    node = b.broadcast_to(number._eqvproof.node, sizes)
    made = make(context, node, kind, array=True, dtype=dtype)
    if is_masked(number):
        return with_infinities(made, alive_node(number))
    return made


def type_of(x: Array) -> TypeLike:
    """Returns the type that NumPy gives an array of such numbers."""
    return np.dtype(np.int64) if x._eqvproof.dtype is int else x._eqvproof.dtype


def _typed(context: TraceContext, node: int, dtype: TypeLike) -> Array:
    """Returns whole numbers as an array of a type (None: float64)."""
    return make(context, node, kind_of(context, dtype), dtype=np.dtype(dtype))


@handles(FUNCTIONS, np.zeros)
def zeros(context: TraceContext, shape: object, dtype: TypeLike = None) -> Array:
    """Returns an array of zeros."""
    return filled(context, shape, 0, dtype)


@handles(FUNCTIONS, np.ones)
def ones(context: TraceContext, shape: object, dtype: TypeLike = None) -> Array:
    """Returns an array of ones."""
    return filled(context, shape, 1, dtype)


@handles(FUNCTIONS, np.empty)
def empty(context: TraceContext, shape: object, dtype: TypeLike = None) -> Array:
    """Returns an array that must be filled before it is used."""
    made = filled(context, shape, 0, dtype)
    made._eqvproof.blank = True
    return made


@handles(FUNCTIONS, np.full)
def full(context: TraceContext, shape: object, fill_value: object, dtype: TypeLike = None) -> Array:
    """Returns an array filled with one number."""
    return filled(
        context, shape, fill_value, type_of(lift(context, fill_value)) if dtype is None else dtype
    )


@handles(FUNCTIONS, np.zeros_like)
def zeros_like(
    context: TraceContext, a: object, dtype: TypeLike = None, shape: object = None
) -> Array:
    """Returns an array of zeros in the shape of another array."""
    return full_like(context, a, 0, dtype, shape)


@handles(FUNCTIONS, np.ones_like)
def ones_like(
    context: TraceContext, a: object, dtype: TypeLike = None, shape: object = None
) -> Array:
    """Returns an array of ones in the shape of another array."""
    return full_like(context, a, 1, dtype, shape)


@handles(FUNCTIONS, np.full_like)
def full_like(
    context: TraceContext,
    a: object,
    fill_value: object,
    dtype: TypeLike = None,
    shape: object = None,
) -> Array:
    """Returns an array filled with one number, in the shape of another array."""
    x = lift(context, a)
    return filled(
        context,
        shape_of(x) if shape is None else shape,
        fill_value,
        type_of(x) if dtype is None else dtype,
    )


@handles(FUNCTIONS, np.empty_like)
def empty_like(
    context: TraceContext, prototype: object, dtype: TypeLike = None, shape: object = None
) -> Array:
    """Returns an array in the shape of another one, which must be filled before it is used."""
    made = zeros_like(context, prototype, dtype, shape)
    made._eqvproof.blank = True
    return made


@handles(FUNCTIONS, np.eye)
def eye(
    context: TraceContext, N: object, M: object = None, k: object = 0, dtype: TypeLike = None
) -> Array:
    """Returns a matrix with ones on a diagonal."""
    b, (rows,) = context.builder, as_sizes(context, N)
    (columns,) = (rows,) if M is None else as_sizes(context, M)
    offset = as_int(context, k, "an offset")
    if rows == columns and not offset:
        return _typed(context, b.eye(rows), dtype)
    upper, lower = b.tri(rows, columns, offset), b.tri(rows, columns, offset - 1)
    return _typed(context, b.sub(upper, lower), dtype)


@handles(FUNCTIONS, np.identity)
def identity(context: TraceContext, n: object, dtype: TypeLike = None) -> Array:
    """Returns the identity matrix."""
    return eye(context, n, dtype=dtype)


@handles(FUNCTIONS, np.tri)
def tri(
    context: TraceContext, N: object, M: object = None, k: object = 0, dtype: TypeLike = None
) -> Array:
    """Returns a matrix with ones on and below a diagonal."""
    (rows,) = as_sizes(context, N)
    (columns,) = (rows,) if M is None else as_sizes(context, M)
    return _typed(
        context, context.builder.tri(rows, columns, as_int(context, k, "an offset")), dtype
    )


@handles(FUNCTIONS, np.arange)
def arange(context: TraceContext, *bounds: object, dtype: TypeLike = None) -> Array:
    """Returns start, start + step, ... below stop."""
    if not 1 <= len(bounds) <= 3:
        context.refuse("np.arange is traced with one to three positions")
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    ends = [end_of(v if (size := size_of(v)) is None else size) for v in (start, stop, step)]
    low, high, jump = ends
    each = None if jump is None or jump[0].terms else jump[1]
    if low is None or high is None or not each:
        context.refuse("np.arange of values, or in steps that depend on the sizes")
    whole = all(end is not None and end[1].denominator == 1 for end in ends)
    kind = np.dtype(dtype if dtype is not None else int if whole else float)
    if kind.kind not in "fc" and not whole:
        context.refuse("np.arange of numbers that are no integers, rounded to integers")
    node = progression(context.builder, low, high, each)
    if node is None:
        context.refuse(
            f"np.arange from {start} to {stop} in steps of {step}: how many depends on the sizes"
        )
    return _typed(context, node, kind)


@handles(FUNCTIONS, np.linspace)
def linspace(
    context: TraceContext,
    start: object,
    stop: object,
    num: object = 50,
    endpoint: bool = True,
    retstep: bool = False,
    axis: int = 0,
) -> Array:
    """Returns numbers in equal steps from start to stop."""
    (count,) = as_sizes(context, num)
    first, last = lift(context, start), lift(context, stop)
    if first.ndim or last.ndim or retstep:
        context.refuse("np.linspace between arrays, or with retstep=, is not traced")
    b = context.builder
    steps = count - 1 if endpoint else count
    gaps = b.size(steps)
    if not steps.is_at_least(1):  # one point is the start
        gaps = b.map("maximum", [gaps, b.const(1)])
    width = b.mul(b.sub(node_of(last), node_of(first)), b.map("recip", [gaps]))
    return make(context, b.add([b.mul(b.iota(count), width), node_of(first)]), "f")


@handles(FUNCTIONS, np.array, np.asarray, np.asanyarray, np.asarray_chkfinite)
def array(context: TraceContext, a: object, dtype: TypeLike = None, *, ndmin: int = 0) -> Array:
    """Returns an array of a nested list, or the array itself."""
    x = stacked(context, a) if is_listed(a) and mentions_trace(a) else lift(context, a)
    wanted = type_of(x) if dtype is None else np.dtype(dtype)
    if x._eqvproof.dtype is int or wanted != x._eqvproof.dtype:
        x = x.astype(wanted, copy=False)
    for _ in range(ndmin - x.ndim):
        x = xp.expand_dims(x, 0)
    return x


def copied(
    context: TraceContext, a: object, dtype: TypeLike = None, *, copy: object = True, ndmin: int = 0
) -> Array:
    """Implements np.array: copies unless copy=False."""
    x = array(context, a, dtype, ndmin=ndmin)
    if copy in (True, np._CopyMode.ALWAYS) and x is a:
        return make(context, node_of(x), x._eqvproof.kind, array=True, dtype=x._eqvproof.dtype)
    return x


FUNCTIONS[np.array] = copied


@handles(FUNCTIONS, np.ascontiguousarray, np.asfortranarray, np.require)
def contiguous(
    context: TraceContext, a: object, dtype: TypeLike = None, requirements: object = None
) -> Array:
    """Returns the array itself; its layout in memory is not modelled."""
    x = array(context, a, dtype)
    return x if x.ndim else xp.expand_dims(x, 0)
