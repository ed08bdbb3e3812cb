"""Finds where the values of nodes are defined, as the rewriting of components needs it.

For each node: whether it is defined everywhere, along which axes it may be defined here and
undefined there, and along which its entries may differ at all. Answers err on the side of "may".
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction

from eqvproof.programs.node import HasNodes
from eqvproof.programs.signs import SignNode, Signs


class DomainNode(SignNode):
    """A node that knows the axes along which it may differ, or be defined in part."""

    __slots__ = ()

    @abstractmethod
    def differing_axes(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """Returns the axes along which it may differ, from those of its arguments.

        `axes` gives the axes along which an argument may differ.
        """

    @abstractmethod
    def varying_axes(self, known: Domains) -> frozenset[int]:
        """Returns the axes along which it may be defined here and undefined there."""


class Domains:
    """Cached facts about the nodes of a builder or Program: where they vary or are undefined."""

    def __init__(self, b: HasNodes[DomainNode]) -> None:
        self.b = b
        self.vary: dict[
            int, frozenset[int]
        ] = {}  # node -> axes along which it may be undefined in part
        self.differ: dict[int, frozenset[int]] = {}  # node -> axes along which entries may differ
        self.signs = Signs(b)

    def under_root(self, x: int) -> Fraction | None:
        """Returns the number q >= 0 of which a scalar is the square root, or None."""
        op = self.b.nodes[x]
        if op.shape or op.function != "sqrt":
            return None
        number = self.b.nodes[op.args[0]].constant
        if number is None or number.item() < 0:
            return None
        return Fraction(number.item())

    def varying_axes(self, x: int) -> frozenset[int]:
        """Returns the axes along which a value may be defined here and undefined there."""
        if x not in self.vary:
            self.vary[x] = frozenset()
            if not self.signs.is_total(x):
                self.vary[x] = self.b.nodes[x].varying_axes(self)
        return self.vary[x]

    def differing_axes(self, x: int) -> frozenset[int]:
        """Returns the axes along which the entries of a value may differ.

        Entries also differ if one is defined and the other is not.
        """
        if x not in self.differ:
            op = self.b.nodes[x]
            self.differ[x] = op.differing_axes(self.differing_axes)
        return self.differ[x]
