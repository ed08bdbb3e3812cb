"""Conversion of numbers, sizes, arrays and nested lists to traced arrays.

NumPy asks an index of a plain array for numbers, and the index cannot intercept that
(``table[z]``). Where this ends a trace, the trace is repeated with arrays that the user's code
refers to by name in the class `Table`: a view of the same memory, which differs in its index alone.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.object_state import Untold
from eqvproof.tracing.arrays.poles import not_a_number
from eqvproof.tracing.arrays.sizes import SymbolicSize, plain
from eqvproof.tracing.arrays.values import (
    DTYPES,
    Array,
    Infinities,
    Kind,
    Numbers,
    TracedArray,
    is_complex,
    is_listed,
    is_traced,
    joint_dtype,
    joint_kind,
    make,
    settle,
)


class Table(Numbers):
    """A plain array that accepts traced arrays as indices."""

    def __getitem__(self, key: Any) -> Any:
        context = current_context()
        if context is not None and context.active and mentions_trace(key):
            return lift(context, np.asarray(self))[key]
        return super().__getitem__(key)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Returns the class of the array that it is a view of."""
        return np.ndarray


def is_table(value: object) -> bool:
    """Checks whether a value is a plain array of numbers with an axis to index."""
    return type(value) is np.ndarray and value.dtype.kind in "biuf" and value.ndim > 0


def as_table(value: Numbers) -> object:
    """Returns the same memory as a `Table`."""
    return value.view(Table)


def mentions_trace(value: object, depth: int = 4) -> bool:
    """Checks whether a value contains traced values or symbolic sizes, also in lists and dicts."""
    if type(value) is SymbolicSize or is_traced(value):
        return True
    if depth and is_listed(value):
        return any(mentions_trace(v, depth - 1) for v in value)
    if type(value) is np.ndarray and value.dtype == object:
        return any(is_traced(v) for v in value.flat)
    if depth and type(value) is dict:
        return any(mentions_trace(v, depth - 1) for v in value.values())
    return False


def lift(context: TraceContext, value: Any) -> Array:
    """Returns a number, size, array, nested list or traced array as a traced array."""
    kind = type(value)
    if is_complex(value):
        context.refuse(
            "a complex array is used as a real one", hint="take np.abs, .real or .imag first"
        )
    if issubclass(kind, Untold):
        Untold.refuse(value)
    if issubclass(kind, TracedArray):
        if value._eqvproof.context is not context:
            context.refuse(
                "a traced value of an earlier call: the function keeps state between calls"
            )
        settle(value)
        return value  # type: ignore[no-any-return]
    if kind is SymbolicSize:
        return make(context, context.size(value._eqvproof[1]), "i", dtype=int)
    if kind is bool or issubclass(kind, np.bool_):
        return make(context, context.number(int(value)), "b")
    if kind is int or issubclass(kind, np.integer):
        return make(
            context, context.number(int(value)), "i", dtype=int if kind is int else value.dtype
        )
    if kind is Fraction:
        return make(context, context.number(value), "f")
    if (kind is float or issubclass(kind, np.floating)) and value in (-np.inf, np.inf):
        return _infinite(context, np.asarray(float(value)))
    if kind is float or issubclass(kind, np.floating):
        if value != value:
            return make(context, not_a_number(context.builder), "f")
        named = named_constant(context, value)
        if named is None:
            return make(context, context.number(_exact_float(value)), "f")
        return named
    if kind is np.ndarray and mentions_trace(value):
        if not value.ndim:
            return lift(context, value.item())
        return stacked(context, value.tolist())
    if kind in (np.ndarray, Table):
        return _constant(context, np.asarray(value))
    if kind in (list, tuple):
        if not mentions_trace(value):
            return _constant(context, np.array(value))
        found = stacked(context, value)
        if found._eqvproof.dtype is not int:
            return found
        return make(context, found._eqvproof.node, "i", array=True, dtype=DTYPES["i"], wraps=False)
    context.refuse(
        f"a {kind.__module__}.{kind.__qualname__} cannot enter an array of real numbers"
        if kind.__module__ != "builtins"
        else f"a {kind.__qualname__} cannot enter an array of real numbers",
        hint="use NumPy arrays and numbers",
    )


#: The float objects that denote named constants, wherever the user's code keeps them.
NAMED: tuple[float, ...] = (math.pi, np.pi, cmath.pi, math.e, np.e, cmath.e, math.tau, cmath.tau)


def named_constant(context: TraceContext, value: object) -> Array | None:
    """Returns the exact real that a named constant denotes, or None."""
    if not any(value is c for c in NAMED):
        return None
    b = context.builder
    if value == math.e:
        return make(context, b.map("exp", [b.const(1)]))
    return make(context, b.pi() if value == math.pi else b.mul(b.const(2), b.pi()))


def _exact_float(value: Any) -> float | Fraction:
    if type(value) is float or issubclass(type(value), np.float64):
        return float(value)
    numerator, denominator = value.as_integer_ratio() if np.isfinite(value) else (float(value), 1)
    if np.isfinite(value):
        return Fraction(int(numerator), int(denominator))
    return numerator


def _constant(context: TraceContext, array: Numbers) -> Array:
    kind: Kind
    if array.dtype == object and all(type(v) in (int, float, Fraction) for v in array.ravel()):
        kind = "f"
    elif array.dtype.kind in "iu":
        kind = "i"
    elif array.dtype.kind == "b":
        kind = "b"
        array = array.astype(np.int64)
    elif array.dtype.kind == "f":
        kind = "f"
    else:
        context.refuse(f"an array of dtype {array.dtype} is no array of real numbers")
    if array.dtype == np.float64 and not np.isfinite(array).all():
        if (array < np.inf).all() or (array > -np.inf).all():
            return _infinite(context, array)
        if not np.isinf(array).any():
            return _with_nan(context, array)
    if kind == "f" and array.dtype != object and not np.isfinite(array).all():
        context.refuse(
            "a constant array that holds nan or inf",
            hint="use finite numbers",
            code="trace.nonfinite",
        )
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        context.bits = min(context.bits, 8 * array.dtype.itemsize)
    if array.dtype.kind == "f" and array.dtype != np.float64:
        array = np.array([_exact_float(v) for v in array.ravel()], dtype=object).reshape(
            array.shape
        )
    return make(context, context.builder.const(array), kind, array=True, dtype=array.dtype)


def _with_nan(context: TraceContext, array: Numbers) -> Array:
    """Returns a constant some of whose entries are NaN."""
    b, lacks = context.builder, np.isnan(array)
    numbers = b.const(np.where(lacks, 0.0, array))
    node = b.select(b.const(lacks.astype(np.int64)), not_a_number(b), numbers)
    return make(context, node, array=bool(array.ndim))


def _infinite(context: TraceContext, array: Numbers) -> Array:
    """Returns a constant with infinite entries of one sign."""
    b, real = context.builder, np.isfinite(array)
    tracer = make(context, b.const(np.where(real, array, 0.0)), array=bool(array.ndim))
    flags = b.const(real.astype(np.int64))
    tracer._eqvproof.infinite = Infinities(flags, high=bool((array == np.inf).any()))
    return tracer


def stacked(context: TraceContext, values: Sequence[object]) -> Array:
    """Returns the array that np.array makes of a nested list.

    Of Python integers alone it has no fixed type yet.
    """
    b = context.builder
    parts = [stacked(context, v) if is_listed(v) else lift(context, v) for v in values]
    if len({p._eqvproof.shape for p in parts}) != 1:
        context.refuse("a list of arrays of different shapes")
    nodes = [b.expand(p._eqvproof.node, 0) for p in parts]
    types = [p._eqvproof.dtype for p in parts if p._eqvproof.kind == "i"]
    plain = bool(types) and all(t is int for t in types)
    if plain:
        dtype = int
    else:
        dtype = joint_dtype(DTYPES["i"] if t is int else t for t in types)[0]
    return make(context, b.concat(nodes, 0), joint_kind(parts), array=True, dtype=dtype)


def shape_of(tracer: TracedArray) -> tuple[int | SymbolicSize, ...]:
    """Returns the shape as users see it: ints where sizes are fixed, symbols elsewhere."""
    value = tracer._eqvproof
    return tuple(plain(value.context, s) for s in value.shape)
