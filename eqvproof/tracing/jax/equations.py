"""Types of the equations of a jaxpr, of their handlers, and of the reader that calls these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.jax.values import Value

#: A jaxpr, open or closed, one of its variables, or its atoms: JAX's classes, without static types.
Jaxpr: TypeAlias = Any
Variable: TypeAlias = Any


class Equation(Protocol):
    """An equation of a jaxpr: a primitive with its parameters, arguments and results."""

    primitive: Any
    params: dict[str, Any]
    invars: list[Variable]
    outvars: list[Variable]
    source_info: Any


class NodeSource(Protocol):
    """A reader of jaxprs, as handlers of special values need it; see `Reader`.

    Attributes:
        context: makes traced arrays over the nodes of the Program under construction.
    """

    context: TraceContext

    def node(self, value: Value) -> int:
        """Returns a value as a node."""
        ...


#: A function that translates one equation: it takes a reader, the equation and the arguments, and
#: returns a value, one for each result, or the number of a node.
Handler = Callable[..., Value | Sequence[Value] | int]
