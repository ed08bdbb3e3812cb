"""Values of tensors in a reader: a node, or a traced array of infinite or complex entries.

Only a node is an integer. Code that takes another value for a node, to look up its shape or to make
another node of it, is refused.
"""

from __future__ import annotations

from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.complex_arrays import is_waves
from eqvproof.tracing.arrays.values import is_traced


class Node(int):
    """The index of a builder node, as a type distinct from integer arguments."""


class Unread(TraceError):
    """A value that an operation cannot read; the reader adds the operation's name."""


def is_tensor(x: object) -> bool:
    """Checks whether a value stands for a tensor."""
    return isinstance(x, Node) or is_traced(x) or is_waves(x)
