"""Infinite entries in a jaxpr: traced arrays over its nodes, with NumPy's functions on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eqvproof.tracing.arrays.values import Array, is_traced, make, xp
from eqvproof.tracing.framework_arrays import Node, as_array, as_value, constant_array, rearrange
from eqvproof.tracing.jax.equations import Equation, Handler, NodeSource
from eqvproof.tracing.jax.values import Known, Value

#: Primitives that handle an infinite constant without a traced array.
ASKED: dict[str, Callable[..., Array]] = {
    "lt": xp.less, "le": xp.less_equal, "gt": xp.greater, "ge": xp.greater_equal, "eq": xp.equal,
    "ne": xp.not_equal, "max": xp.maximum, "min": xp.minimum,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Array]] = {
    **ASKED,
    "add": xp.add,
    "add_any": xp.add,
    "sub": xp.subtract,
    "mul": xp.multiply,
    "div": xp.true_divide,
    "neg": xp.negative,
    "exp": xp.exp,
    "exp2": xp.exp2,
    "sqrt": xp.sqrt,
    "square": xp.square,
    "is_finite": xp.isfinite,
    "abs": xp.abs,
}
REDUCED: dict[str, Callable[..., Array]] = {"reduce_max": xp.max, "reduce_min": xp.min}
JOINED = frozenset(("concatenate", "stack"))
MOVED = JOINED | frozenset(
    "transpose reshape broadcast_in_dim squeeze expand_dims rev slice dynamic_slice gather".split()
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
    return (name in FUNCTIONS or name in REDUCED or name in MOVED) and any(map(is_infinite, args))


def array_of(reader: NodeSource, value: Value) -> Array:
    """Returns a value as a traced array."""
    if is_traced(value):
        return value
    if isinstance(value, Known) and is_infinite(value):
        return constant_array(reader.context, value.array.astype(np.float64))
    return as_array(reader.context, Node(reader.node(value)))


def evaluate_infinite(
    handler: Handler, reader: NodeSource, equation: Equation, *args: Value
) -> Value:
    """Evaluates an equation with infinite entries; `handler` is the one for finite entries."""
    name = equation.primitive.name
    if name in MOVED:
        count = len(args) if name in JOINED else 1

        def move(nodes: Sequence[int]) -> int:
            return reader.node(
                as_value(handler(reader, equation, *map(Node, nodes), *args[count:]))
            )

        return as_value(
            rearrange(reader.context, [array_of(reader, a) for a in args[:count]], move)
        )
    arrays = [array_of(reader, a) for a in args]
    if name in REDUCED:
        return as_value(REDUCED[name](*arrays, axis=tuple(equation.params["axes"])))
    return as_value(FUNCTIONS[name](*arrays))


def select_infinite(reader: NodeSource, which: int, x: Value, y: Value) -> Value:
    """Returns x where `which` is not 0, else y."""
    condition = make(reader.context, which, array=True)
    return as_value(xp.where(condition, array_of(reader, x), array_of(reader, y)))
