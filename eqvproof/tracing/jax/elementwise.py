"""Elementwise primitives and arithmetic of indices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.programs import Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import formulas, poles, positions
from eqvproof.tracing.arrays.machine import fits
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax import special_values
from eqvproof.tracing.jax.equations import Equation, Handler
from eqvproof.tracing.jax.reader import Reader, primitive
from eqvproof.tracing.jax.values import (
    Affine,
    Known,
    Value,
    add_affine,
    as_affine,
    compare_affine,
    scale_affine,
)

SAME = "stop_gradient copy copy_p real optimization_barrier pvary sharding_constraint"


def _elementwise(formula: formulas.Formula) -> Handler:
    return lambda r, e, *args: formula(r.builder, *r.nodes(args))


for _name, _formula in formulas.NAMED.items():
    primitive(_name)(_elementwise(_formula))


def _hyperbolic(fn: str) -> Handler:
    def handler(r: Reader, e: Equation, value: Value) -> int:
        """Computes sinh or cosh; XLA uses exp(x + log(1/2)) and exp(-x + log(1/2)).

        The arguments of these exponentials are rounded.
        """
        b, (x,) = r.builder, r.nodes([value])

        def by_exponentials() -> int:
            half = b.map("log", [b.const(Fraction(1, 2))])
            ends = [b.map("exp", [b.add([y, half])]) for y in (x, b.neg(x))]
            if fn == "cosh":
                return b.add(ends)
            return b.sub(*ends)

        return b.alternative_rounding(b.map(fn, [x]), by_exponentials)

    return handler


for _name in ("sinh", "cosh"):
    primitive(_name)(_hyperbolic(_name))


def _affine_pair(x: Value, y: Value) -> tuple[Affine, Affine] | None:
    """Returns both values as affine arrays if one of them is sizes or a range; else None."""
    first, second = as_affine(x), as_affine(y)
    if first is None or second is None or (isinstance(x, Known) and isinstance(y, Known)):
        return None
    return first, second


@primitive("add", "add_any", "sub")
def _add_or_subtract(r: Reader, e: Equation, x: Value, y: Value) -> Value | int:
    pair, less = _affine_pair(x, y), e.primitive.name == "sub"
    if pair is not None:
        return add_affine(*pair, -1 if less else 1)
    if less:
        return r.builder.sub(*r.nodes([x, y]))
    return r.builder.add(r.nodes([x, y]))


@primitive("mul")
def _mul(r: Reader, e: Equation, x: Value, y: Value) -> Value | int:
    pair = _affine_pair(x, y)
    if pair is not None:
        for factor, other in (pair, pair[::-1]):
            if not any(factor.steps) and len(factor.shape) <= len(other.shape):
                found = scale_affine(other, factor.low)
                if found is not None:
                    return found
    return r.builder.mul(*r.nodes([x, y]))


@primitive("div")
def _div(r: Reader, e: Equation, x: Value, y: Value) -> Value | int:
    if np.issubdtype(e.outvars[0].aval.dtype, np.integer):
        return _integer_quotient(r, x, y)
    return r.builder.div(*r.nodes([x, y]))


def _integer_quotient(r: Reader, x: Value, y: Value) -> Value | int:
    pair = _affine_pair(x, y)
    if pair is not None and not any(pair[0].steps) and not any(pair[1].steps):
        quotient = pair[0].low.divide(pair[1].low)
        if quotient is not None:
            return Affine(pair[0].shape, quotient, pair[0].steps)
    first, second = r.nodes([x, y])
    return _by_zero(r, second, r.builder.const(-1), truncate(r, r.builder.div(first, second)))


def _by_zero(r: Reader, divisor: int, there: int, elsewhere: int) -> int:
    """Returns an integer quotient or remainder, with XLA's value where the divisor is 0.

    XLA's quotient is then -1, and its remainder is the dividend.
    """
    b = r.builder
    low, high = b.intervals.of(divisor)
    if low > 0 or high < 0:
        return elsewhere
    return b.select(b.map("eq", [divisor, b.const(0)]), there, elsewhere)


def truncate(r: Reader, x: int) -> int:
    """Rounds towards zero."""
    b = r.builder
    return b.select(b.map("lt", [x, b.const(0)]), b.map("ceil", [x]), b.map("floor", [x]))


@primitive("rem")
def _rem(r: Reader, e: Equation, x: Value, y: Value) -> int:
    b = r.builder
    first, second = r.nodes([x, y])
    rest = b.sub(first, b.mul(second, truncate(r, b.div(first, second))))
    if np.issubdtype(e.outvars[0].aval.dtype, np.integer):
        return _by_zero(r, second, first, rest)
    return rest


@primitive("max", "min")
def _maximum_or_minimum(r: Reader, e: Equation, x: Value, y: Value) -> Value | int:
    name = e.primitive.name
    pair = _affine_pair(x, y)
    if pair is not None:
        known = compare_affine("ge" if name == "max" else "le", *pair)
        if known is not None:
            chosen, other = pair
            if not known:
                chosen, other = other, chosen
            zeros = Affine(other.shape, Size.of(0), (0,) * len(other.shape))
            return add_affine(chosen, zeros, 1)  # broadcasts to the shape of both
    for first, second in ((x, y), (y, x)):
        if isinstance(first, Known) and first.array.dtype.kind == "f":
            if name == "max":
                neutral = np.isneginf(first.array)
            else:
                neutral = np.isposinf(first.array)
            if first.array.size and neutral.all() and not isinstance(second, Known):
                return second
        if name == "min" and isinstance(first, Affine) and _is_size_beside(r, first, second):
            return positions.limited(r.builder, r.node(second), first.low + 1)
    return r.builder.map("maximum" if name == "max" else "minimum", r.nodes([x, y]))


def _is_size_beside(r: Reader, size: Affine, other: Value) -> bool:
    """Checks whether `size` is one size for all entries of the other array."""
    return (
        not any(size.steps) and isinstance(other, Node) and len(r.shape(other)) >= len(size.shape)
    )


@primitive("neg")
def _neg(r: Reader, e: Equation, x: Value) -> Value | int:
    if isinstance(x, Affine):
        negated = scale_affine(x, Size.of(-1))
        if negated is not None:
            return negated
    return r.builder.neg(r.node(x))


@primitive("square", "integer_pow")
def _integer_pow(r: Reader, e: Equation, x: Value) -> int:
    return r.builder.power(r.node(x), int(e.params.get("y", 2)))


@primitive("pow")
def _pow(r: Reader, e: Equation, x: Value, y: Value) -> int:
    b = r.builder
    if isinstance(y, Known) and y.array.ndim == 0 and np.isfinite(y.array):
        return b.power(r.node(x), Fraction(y.array.item()))
    return b.map("pow", r.nodes([x, y]))


@primitive("round")
def _round(r: Reader, e: Equation, x: Value) -> int:
    b = r.builder
    node = r.node(x)
    if int(e.params["rounding_method"]) == 1:
        return b.map("rint", [node])
    size = b.map("floor", [b.add([b.map("abs", [node]), b.const(Fraction(1, 2))])])
    return b.mul(b.map("sign", [node]), size)


@primitive("is_finite")
def _is_finite(r: Reader, e: Equation, x: Value) -> int:
    b, node = r.builder, r.node(x)
    known = poles.finite(b, node)
    if known is None:
        return b.valid_if_finite(node, b.defined_where(node, b.const(1)))
    return known


@primitive("and", "or", "not", "xor")
def _logic(r: Reader, e: Equation, *args: Value) -> int:
    if e.outvars[0].aval.dtype != np.bool_:
        bits = e.primitive.name != "not" and all(fits(r.builder, x, "bool") for x in r.nodes(args))
        if not bits:
            raise TraceError("an operation on the bits of integers", given=e.primitive.name)
    name, b = e.primitive.name, r.builder
    return b.map("ne" if name == "xor" else name, r.nodes(args))


@primitive("clamp")
def _clamp(r: Reader, e: Equation, low: Value, x: Value, high: Value) -> Value | int:
    below, above = as_affine(low), as_affine(high)
    if isinstance(x, Affine) and below is not None and above is not None:
        if compare_affine("ge", x, below) and compare_affine("le", x, above):
            return x
    b = r.builder
    raised = b.map("maximum", r.nodes([x, low]))
    if above is not None and not any(above.steps):
        return positions.limited(b, raised, above.low + 1)
    return b.map("minimum", [raised, r.node(high)])


@primitive("select_n")
def _select_n(r: Reader, e: Equation, which: Value, *cases: Value) -> Value | int:
    b = r.builder
    if (
        isinstance(which, Known)
        and which.array.size
        and len(set(which.array.reshape(-1).tolist())) == 1
    ):
        return cases[int(which.array.reshape(-1)[0])]
    if len(cases) == 2 and isinstance(which, int):
        known = b.scalar_value(int(which))
        if known is not None:
            return cases[int(known)]
    return _select_case(r, which, cases)


def _select_case(r: Reader, which: Value, cases: tuple[Value, ...]) -> Value | int:
    b = r.builder
    w = r.node(which)
    if len(cases) == 2:
        if any(map(special_values.is_infinite, cases)):
            return special_values.select_infinite(r, w, cases[1], cases[0])
        return b.select(w, r.node(cases[1]), r.node(cases[0]))
    found = r.node(cases[-1])
    for i in reversed(range(len(cases) - 1)):
        found = b.select(b.map("eq", [w, b.const(i)]), r.node(cases[i]), found)
    return found


def _pass_through(r: Reader, e: Equation, x: Value, *_: Value) -> Value:
    return x


for _name in SAME.split():
    primitive(_name)(_pass_through)


@primitive("reduce_precision")
def _reduce_precision(r: Reader, e: Equation, x: Value) -> Value:
    """Records that a number is rounded to as few digits as a 16-bit format keeps, or fewer."""
    is_known = e.params["mantissa_bits"] >= 7 and e.params["exponent_bits"] >= 5
    r.builder.bits = min(r.builder.bits, 16 if is_known else 8)
    return x


@primitive("convert_element_type")
def _convert(r: Reader, e: Equation, x: Value) -> Value | int:
    if not _is_plain(e.params["new_dtype"]):
        return x
    b, new, old = r.builder, np.dtype(e.params["new_dtype"]), np.dtype(e.invars[0].aval.dtype)
    if isinstance(x, Known) and new.kind in "iubf":
        array = x.array.astype(new)
        if new.kind == "f":
            array = array.astype(np.float64)
        return Known(array)
    if new.kind == "c":
        raise TraceError("complex numbers", given=str(new), code="trace.operation")
    if new.kind == "b" and old.kind != "b":
        return b.map("ne", [r.node(x), b.const(0)])
    if new.kind in "iu" and old.kind == "f":
        if b.intervals.is_whole(r.node(x)):
            return r.node(x)
        return truncate(r, r.node(x))
    if new.kind == "f" and isinstance(x, Affine) and any(x.steps):
        return r.node(x)
    return x


def _is_plain(dtype: Any) -> bool:
    try:
        np.dtype(dtype)
    except TypeError:
        return False
    return True
