"""Elementwise functions: NumPy's universal functions as operations of a Program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.intervals import LARGEST
from eqvproof.tracing.arrays import formulas
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    Table,
    handles,
    make,
    node_of,
    optional,
    real,
)
from eqvproof.tracing.arrays.values import Array, constant_entries

UFUNCS: Table = {}

#: Universal functions that keep integers integers.
EXACT_MAPS: tuple[object, ...] = (np.absolute, np.sign, np.floor, np.ceil)


def _refuse_bool(context: TraceContext, name: str, *args: Array) -> None:
    if all(a._eqvproof.kind == "b" for a in args):
        context.refuse(f"{name} of booleans", hint="use &, |, ~ or np.where")


def exact_map(fn: str) -> Handler:
    """Returns the handler of an elementwise operation of Programs that keeps integers integers."""

    def handler(context: TraceContext, *args: Array) -> Array:
        _refuse_bool(context, fn, *args)
        return real(context, context.builder.map(fn, [node_of(a) for a in args]), *args)

    return handler


def read(formula: formulas.Formula) -> Handler:
    """Returns the handler that applies a formula."""
    return lambda context, *args: real(context, formula(context.builder, *map(node_of, args)))


#: Name -> handler, for any module that has a function of that name.
NAMED: dict[str, Handler] = {name: read(formula) for name, formula in formulas.NAMED.items()}
for _name, _handler in NAMED.items():
    _ufunc = optional(np, _name)
    if isinstance(_ufunc, np.ufunc):
        UFUNCS[_ufunc] = exact_map(formulas.MAPS[_name]) if _ufunc in EXACT_MAPS else _handler


@handles(UFUNCS, np.maximum)
def maximum(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns the larger number; `or` of booleans."""
    return _extremum(context, "maximum", "or", a, b)


@handles(UFUNCS, np.minimum)
def minimum(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns the smaller number; `and` of booleans."""
    return _extremum(context, "minimum", "and", a, b)


@handles(UFUNCS, np.fmax)
def fmax(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns the larger number, or the one that is not NaN."""
    return _of_numbers(context, maximum(context, a, b), a, b)


@handles(UFUNCS, np.fmin)
def fmin(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns the smaller number, or the one that is not NaN."""
    return _of_numbers(context, minimum(context, a, b), a, b)


def _of_numbers(context: TraceContext, both: Array, a: Array, b: Array) -> Array:
    """Returns `both`, or the other argument where one is NaN."""
    from eqvproof.tracing.arrays.functions.logic import invalid_node

    build, (first, second) = context.builder, (invalid_node(context, x) for x in (a, b))
    node = build.select(first, node_of(b), build.select(second, node_of(a), node_of(both)))
    return real(context, node, a, b, kind=both._eqvproof.kind)


def _extremum(context: TraceContext, fn: str, on_bool: str, a: Array, b: Array) -> Array:
    both = a._eqvproof.kind == b._eqvproof.kind == "b"
    node = context.builder.map(on_bool if both else fn, [node_of(a), node_of(b)])
    return real(context, node, a, b, kind="b" if both else None)


@handles(UFUNCS, np.add)
def add(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a + b; of booleans `or`."""
    if a._eqvproof.kind == b._eqvproof.kind == "b":
        return _extremum(context, "maximum", "or", a, b)
    return real(context, context.builder.add([node_of(a), node_of(b)]), a, b)


@handles(UFUNCS, np.multiply)
def multiply(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a b; of booleans `and`."""
    if a._eqvproof.kind == b._eqvproof.kind == "b":
        return _extremum(context, "minimum", "and", a, b)
    return real(context, context.builder.mul(node_of(a), node_of(b)), a, b)


@handles(UFUNCS, np.subtract)
def subtract(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a - b."""
    _refuse_bool(context, "-", a, b)
    return real(context, context.builder.sub(node_of(a), node_of(b)), a, b)


@handles(UFUNCS, np.true_divide)
def divide(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a / b."""
    return real(context, context.builder.div(node_of(a), node_of(b)), kind="f")


@handles(UFUNCS, np.floor_divide)
def floor_divide(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns floor(a / b)."""
    builder = context.builder
    quotient = builder.map("floor", [builder.div(node_of(a), node_of(b))])
    return real(context, _by_zero(builder, quotient, a, b), a, b)


def _by_zero(b: Builder, node: int, left: Array, right: Array) -> int:
    """Returns an integer quotient or remainder, which is 0 in NumPy where the divisor is 0."""
    low, high = b.intervals.of(node_of(right))
    if "f" in (left._eqvproof.kind, right._eqvproof.kind) or low > 0 or high < 0:
        return node
    most = max(map(abs, (low, high, *b.intervals.of(node_of(left)))))
    result = b.select(b.map("eq", [node_of(right), b.const(0)]), b.const(0), node)
    if most < LARGEST**2:
        b.bounds[result] = -int(most), int(most)
    return result


@handles(UFUNCS, np.remainder)
def remainder(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a - b floor(a / b)."""
    rest = context.builder.map("mod", [node_of(a), node_of(b)])
    return real(context, _by_zero(context.builder, rest, a, b), a, b)


@handles(UFUNCS, np.divmod)
def divmod_(context: TraceContext, a: Array, b: Array) -> tuple[Array, Array]:
    """Returns quotient and remainder."""
    return floor_divide(context, a, b), remainder(context, a, b)


@handles(UFUNCS, np.trunc)
def trunc(context: TraceContext, a: Array) -> Array:
    """Returns sign(a) floor(|a|)."""
    return real(context, formulas.trunc(context.builder, node_of(a)), a)


@handles(UFUNCS, np.fmod)
def fmod(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a - b trunc(a / b)."""
    builder, left, right = context.builder, node_of(a), node_of(b)
    rest = builder.sub(left, builder.mul(right, formulas.trunc(builder, builder.div(left, right))))
    return real(context, _by_zero(builder, rest, a, b), a, b)


@handles(UFUNCS, np.negative)
def negative(context: TraceContext, a: Array) -> Array:
    """Returns -a."""
    _refuse_bool(context, "-", a)
    return real(context, context.builder.neg(node_of(a)), a)


@handles(UFUNCS, np.positive, np.conjugate)
def positive(context: TraceContext, a: Array) -> Array:
    """Returns a copy."""
    return real(context, node_of(a), kind=a._eqvproof.kind)


@handles(UFUNCS, np.square)
def square(context: TraceContext, a: Array) -> Array:
    """Returns a a."""
    return multiply(context, a, a)


@handles(UFUNCS, np.reciprocal)
def reciprocal(context: TraceContext, a: Array) -> Array:
    """Returns 1 / a."""
    if a._eqvproof.kind != "f":
        context.refuse("np.reciprocal of integers rounds", hint="write 1 / x")
    return real(context, context.builder.map("recip", [node_of(a)]), kind="f")


@handles(UFUNCS, np.power, np.float_power)
def power(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns a to the power b: products for small integers, a square root for 1/2."""
    builder = context.builder
    exponent: Fraction | None = None
    entries = constant_entries(b)
    if entries is not None and entries.size and len(set(entries.ravel().tolist())) == 1:
        exponent = entries.ravel()[0]
    integers = a._eqvproof.kind != "f" and b._eqvproof.kind != "f"
    if exponent is None:
        least = builder.intervals.of(node_of(b))[0]
    else:
        least = exponent
    if integers and least < 0:
        context.refuse(
            "an integer to a negative integer power (NumPy raises)", hint="make the base a float"
        )
    if exponent is None:
        return real(context, builder.map("pow", [node_of(a), node_of(b)]), a, b)
    shape = builder.broadcast_shapes([builder.shape(node_of(a)), builder.shape(node_of(b))])
    node = builder.broadcast_to(builder.power(node_of(a), exponent), shape)
    return real(context, node, a, b)


def spread_outer(context: TraceContext, args: list[Array]) -> list[Array]:
    """Returns the arguments of ``ufunc.outer`` with axes so that they broadcast to all pairs."""
    left, right = args
    node = node_of(left)
    for _ in context.builder.shape(node_of(right)):
        node = context.builder.expand(node, len(context.builder.shape(node)))
    return [make(context, node, left._eqvproof.kind, dtype=left._eqvproof.dtype), right]
