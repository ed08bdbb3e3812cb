"""Types of the equations of a jaxpr, of their handlers, and of the reader that calls these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.jax.values import Value


class Equation(Protocol):
    """An equation of a jaxpr: a primitive with its parameters, arguments and results."""

    primitive: Any
    params: dict[str, Any]
    invars: list[Any]
    outvars: list[Any]
    source_info: Any


class NodeSource(Protocol):
    """A reader of jaxprs, as handlers of special values need it; see `Reader`.

    Attributes:
        traced: makes traced arrays over the nodes of the Program under construction.
    """

    traced: TraceContext

    def node(self, value: Value) -> int:
        """Returns a value as a node."""
        ...


#: A function that translates one equation: it takes a reader, the equation and the arguments.
Handler = Callable[..., Value | Sequence[Value] | int]
