"""Infinite and complex entries in a jaxpr: traced and complex arrays over its nodes.

A primitive acts on them as the NumPy function that is named here. Primitives without an entry here
refuse such arrays, and NumPy functions refuse entries that they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.pairs import Pair, expanded
from eqvproof.tracing.arrays.values import Array, ComplexArray, is_complex, is_traced, make, xp
from eqvproof.tracing.framework_arrays import (
    COMPARISONS,
    ELEMENTWISE,
    Node,
    as_array,
    as_complex,
    as_value,
    as_values,
    constant_array,
    rearrange,
)
from eqvproof.tracing.jax.equations import Equation, Handler, NodeSource
from eqvproof.tracing.jax.values import Known, Value

#: Primitives that handle an infinite constant without a traced array.
ASKED = COMPARISONS.keys() | {"max", "min"}
#: Primitive -> function of arrays some of which are infinite or complex.
FUNCTIONS: dict[str, Callable[..., object]] = {
    **ELEMENTWISE,
    "add_any": xp.add,
    "complex": Pair,
    "conj": xp.conjugate,
    "imag": lambda x: x.imag,
    "is_finite": xp.isfinite,
    "max": xp.maximum,
    "min": xp.minimum,
    "real": lambda x: x.real,
    "square": xp.square,
}


def _running_sum(x: Array, axis: int, *, reverse: bool) -> Array:
    if reverse:
        return xp.flip(xp.cumsum(xp.flip(x, axis), axis), axis)
    return xp.cumsum(x, axis)


#: Primitive -> function of one such array and of the parameters of the equation.
WITH_PARAMETERS: dict[str, Callable[..., object]] = {
    "cumsum": _running_sum,
    "integer_pow": lambda x, y: xp.power(x, y),
    "reduce_max": lambda x, axes, **_: xp.max(x, axis=tuple(axes)),
    "reduce_min": lambda x, axes, **_: xp.min(x, axis=tuple(axes)),
    "reduce_sum": lambda x, axes, **_: xp.sum(x, axis=tuple(axes)),
}
#: Primitives that rearrange the entries of their first argument, or of all arguments.
JOINED = frozenset(("concatenate", "stack"))
MOVED = JOINED | frozenset(
    "transpose reshape broadcast_in_dim squeeze expand_dims rev slice dynamic_slice gather split"
    " copy stop_gradient".split()
)


def is_infinite(value: Value) -> bool:
    """Checks whether infinite entries occur in a value."""
    if isinstance(value, Known):
        return value.array.dtype.kind == "f" and bool(np.isinf(value.array).any())
    return is_traced(value)


def has_infinite_arguments(name: str, args: Sequence[Value]) -> bool:
    """Checks whether a primitive has infinite arguments that these tables handle."""
    if name in ASKED:
        return any(map(is_traced, args))
    known = name in FUNCTIONS or name in WITH_PARAMETERS or name in MOVED
    return known and any(map(is_infinite, args))


def array_of(reader: NodeSource, value: Value) -> Array:
    """Returns a value as a traced array."""
    if is_traced(value):
        return value
    if isinstance(value, Known) and is_infinite(value):
        return constant_array(reader.context, value.array.astype(np.float64))
    return as_array(reader.context, Node(reader.node(value)))


def _as_special(reader: NodeSource, value: Value) -> Array | ComplexArray:
    """Returns a value as a traced or complex array."""
    if is_complex(value):
        return value
    if isinstance(value, Known) and value.array.dtype.kind == "c":
        parts = Known(value.array.real), Known(value.array.imag)
        return Pair(*(array_of(reader, part) for part in parts))
    return array_of(reader, value)


def evaluate_special(
    handler: Handler | None, reader: NodeSource, equation: Equation, *args: Value
) -> Sequence[Value]:
    """Evaluates an equation with infinite or complex entries.

    `handler` is the one for real numbers.
    """
    name = equation.primitive.name
    if name in MOVED and handler is not None:
        count = len(args) if name in JOINED else 1
        moving = partial(handler, reader, equation)
        arrays = [_as_special(reader, a) for a in args[:count]]
        return as_values(
            rearrange(reader.context, arrays, lambda nodes: moving(*nodes, *args[count:]))
        )
    arrays = [_as_special(reader, a) for a in args]
    if name in FUNCTIONS:
        return as_values(FUNCTIONS[name](*arrays))
    if name in WITH_PARAMETERS:
        return as_values(WITH_PARAMETERS[name](*arrays, **equation.params))
    if name == "convert_element_type":
        return as_values(as_complex(*arrays))
    if name == "dot_general" and handler is not None:
        product = partial(handler, reader, equation)

        def of_parts(x: Array, y: Array) -> Array:
            return array_of(reader, as_value(product(as_value(x), as_value(y))))

        return [expanded(arrays, of_parts)]
    raise TraceError(
        f"the JAX primitive {name} on complex arrays is not read", given=name,
        hint="take jnp.abs, .real or .imag first", code="trace.operation",
    )  # fmt: skip


def select_infinite(reader: NodeSource, which: int, x: Value, y: Value) -> Value:
    """Returns x where `which` is not 0, else y."""
    condition = make(reader.context, which, array=True)
    return as_value(xp.where(condition, array_of(reader, x), array_of(reader, y)))
