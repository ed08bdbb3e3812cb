"""What a tensor is while it is read: a node, a traced array of infinite or complex entries, or picked ones.

Only the first is an integer. Whatever takes another for a node, to look up its shape or to make another node
of it, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from eqvproof.arrays.complex_arrays import is_waves
from eqvproof.arrays.values import is_traced
from eqvproof.errors import TraceError


class Node(int):
    """The index of a builder node, told apart from the integers that are arguments."""


class Unread(TraceError):
    """A value where an operation cannot read it; which operation, the reader adds."""


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """Entries that a mask picks.

    Attributes:
        node: all entries.
        mask: the node that is 1 along the first axes for those that are picked.
        copies: how often each stands there, at places of the mask that cannot be told apart.
    """

    node: int
    mask: int
    copies: int

    def __index__(self) -> NoReturn:
        raise Unread(
            "entries chosen by a mask, so that their number depends on the inputs",
            hint="give the others the weight 0", code="trace.index",
        )  # fmt: skip


def is_tensor(x: object) -> bool:
    """Whether it stands for a tensor."""
    return isinstance(x, Node | Picked) or is_traced(x) or is_waves(x)
