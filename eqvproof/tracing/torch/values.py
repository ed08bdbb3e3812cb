"""What a tensor is while it is read: a node, or a traced array of infinite or complex entries.

Only the first is an integer. Whatever takes another for a node, to look up its shape or to make
another node of it, is refused.
"""

from __future__ import annotations

from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.complex_arrays import is_waves
from eqvproof.tracing.arrays.values import is_traced


class Node(int):
    """The index of a builder node, told apart from the integers that are arguments."""


class Unread(TraceError):
    """A value where an operation cannot read it; which operation, the reader adds."""


def is_tensor(x: object) -> bool:
    """Whether it stands for a tensor."""
    return isinstance(x, Node) or is_traced(x) or is_waves(x)
