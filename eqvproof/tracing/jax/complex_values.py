"""Complex arrays in a jaxpr: pairs of traced arrays, with NumPy's functions as primitives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.pairs import Pair, expanded
from eqvproof.tracing.arrays.values import Array, node_of
from eqvproof.tracing.framework_arrays import Node, as_value, as_values
from eqvproof.tracing.jax.equations import Equation, Handler, NodeSource
from eqvproof.tracing.jax.infinite_values import array_of
from eqvproof.tracing.jax.values import Known, Value

#: Primitives that act on real and imaginary parts alike; primitives in neither table refuse complex
#: arrays.
LINEAR = frozenset(
    "transpose reshape broadcast_in_dim squeeze expand_dims reduce_sum slice dynamic_slice gather "
    "concatenate rev cumsum copy stop_gradient split".split()
)


def _as_pair(x: Pair | Array) -> Pair:
    """Returns a real array as a pair with the imaginary part 0."""
    if isinstance(x, Pair):
        return x
    return Pair(x, x * 0)


#: Primitive -> function of complex arrays.
FUNCTIONS: dict[str, Callable[..., object]] = {
    "complex": Pair,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "conj": np.conjugate,
    "abs": np.absolute,
    "add": np.add,
    "add_any": np.add,
    "sub": np.subtract,
    "neg": np.negative,
    "mul": np.multiply,
    "div": np.divide,
    "exp": np.exp,
    "square": np.square,
    "integer_pow": np.power,
    "convert_element_type": _as_pair,
}


def _is_complex(value: Value) -> bool:
    return isinstance(value, Pair) or (isinstance(value, Known) and value.array.dtype.kind == "c")


def _as_pair_or_array(reader: NodeSource, value: Value) -> Pair | Array:
    """Returns a value as a traced array, or as a pair of traced arrays."""
    if isinstance(value, Known) and value.array.dtype.kind == "c":
        return Pair(
            *(array_of(reader, Known(part)) for part in (value.array.real, value.array.imag))
        )
    if isinstance(value, Pair):
        return value
    return array_of(reader, value)


def _real_or_imaginary(reader: NodeSource, value: Value, k: int) -> Value:
    """Returns the real (0) or imaginary (1) part of a complex value; other values as they are."""
    if not _is_complex(value):
        return value
    pair = _as_pair_or_array(reader, value)
    return Node(node_of((pair.real, pair.imag)[k]))


def evaluate_complex(
    handler: Handler | None, reader: NodeSource, equation: Equation, *args: Value
) -> Sequence[Value]:
    """Evaluates an equation with complex arguments or results.

    `handler` is the one for real values.
    """
    name = equation.primitive.name
    if name in LINEAR and handler is not None:
        re, im = (
            as_values(handler(reader, equation, *(_real_or_imaginary(reader, a, k) for a in args)))
            for k in (0, 1)
        )
        return [Pair(array_of(reader, x), array_of(reader, y)) for x, y in zip(re, im, strict=True)]
    given = [_as_pair_or_array(reader, a) for a in args]
    if name == "dot_general" and handler is not None:
        product = partial(handler, reader, equation)
        return [
            expanded(
                given, lambda u, v: array_of(reader, as_value(product(as_value(u), as_value(v))))
            )
        ]
    if name in FUNCTIONS:
        if name == "integer_pow":
            return as_values(FUNCTIONS[name](*given, equation.params["y"]))
        return as_values(FUNCTIONS[name](*given))
    raise TraceError(
        f"the JAX primitive {name} on complex arrays is not read", given=name,
        hint="take jnp.abs, .real or .imag first", code="trace.operation",
    )  # fmt: skip
