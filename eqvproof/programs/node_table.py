"""Stores the nodes of a Program under construction, with facts about them.

Rewriting (`fold`, `pieces`, `broadcasting`, `comparisons`) asks these facts, and builds simpler
nodes by the methods that `Builder` gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.node import Labels, Weight
from eqvproof.programs.operations import Operation, Place, Shape
from eqvproof.programs.signs import Signs


class NodeTable(ABC):
    """The nodes made so far, with facts about them, and the steps that rewriting takes.

    Attributes:
        nodes: the nodes made so far.
        ranges: node -> a size s; the entries of the node are integers from 0 to s - 1.
        wraps: node -> (x, axis, before): the axis of x continued periodically, starting `before`
            entries before its first.
        hots: (node, size) -> its one-hot vectors, if they are known otherwise than by `onehot`.
        orders: node -> (x, axis, y): the positions along an axis of x that hold the entries of y,
            in order.
        rankings: node of positions -> the data from which the order of the entries of an axis is
            computed.
        singular: the eigenvectors that are singular vectors.
        bounds: node -> the least and the greatest whole number that its entries may be.
        lost: node -> the mask of its entries that are NaN in floats; the others are numbers.
        integers: nodes whose entries are whole numbers.
        intervals: intervals that hold the values of nodes at all sizes.
        modular: whether some node is a machine integer taken modulo 2^bits.
        limited: whether machine integers are recorded in `held`, and not wrapped.
        held: (node, dtype) of machine integers that may be too large for their type at some sizes.
        bits: the bits of the shortest floats that the function itself casts to.
    """

    def __init__(self, *, limited: bool = False) -> None:
        self.bounds: dict[int, tuple[int, int]] = {}
        self.lost: dict[int, int] = {}
        self.integers: set[int] = set()
        self.limited = limited
        self.modular = False
        self.bits = 64
        self.held: set[tuple[int, np.dtype[Any]]] = set()
        self.ranges: dict[int, Size] = {}
        self.hots: dict[tuple[int, Size], int] = {}
        self.singular: set[int] = set()
        self.wraps: dict[int, tuple[int, int, int]] = {}
        self.orders: dict[int, tuple[int, int, int]] = {}
        self.rankings: dict[int, Any] = {}
        self.nodes: list[Operation] = []
        self._index: dict[Operation, int] = {}
        self._inputs: list[tuple[str, Shape]] = []
        self.intervals = Intervals(self)
        self._signs = Signs(self)
        #: Folded einsum -> the requested arguments, some of which were folded into it.
        self.origins: dict[int, tuple[int, ...]] = {}
        #: Einsum -> the factors and the labels with which it was asked for; None if it was in
        #: several ways, such as sum(x / y) and sum(x) / y.
        self.asked: dict[int, tuple[list[Weight], Labels] | None] = {}

    def node(self, op: Operation) -> int:
        """Returns the index of a node, which is added if it is new."""
        found = self._index.get(op)
        if found is None:
            found = self._index[op] = len(self.nodes)
            self.nodes.append(op)
        return found

    def shape(self, x: int) -> Shape:
        """Returns the shape of a node."""
        return self.nodes[x].shape

    def is_total(self, x: int) -> bool:
        """Returns True only if every entry is defined at every input."""
        return self._signs.is_total(x)

    def is_whole(self, x: int) -> bool:
        """Returns True only if, at every input, all entries are defined or none is."""
        seen, stack = set[int](), [x]
        while stack:
            this = stack.pop()
            if this in seen or self.is_total(this):
                continue
            seen.add(this)
            op = self.nodes[this]
            if op.is_up_to_signs and len(self.shape(op.args[0])) == 2:
                continue
            is_kept = op.function and self._signs.stays_defined(this)
            if not (is_kept or op.as_product is not None or op.terms or op.as_reading is not None):
                return False
            stack.extend(op.args)
        return True

    def scalar_value(self, x: int) -> Fraction | None:
        """Returns the rational number that every entry of a node equals, or None."""
        view, a = self.nodes[x].single_factor, self.nodes[x].constant
        # the ends decide most cases
        if a is not None and a.size and a.flat[0] == a.flat[-1] and np.all(a == a.flat[0]):
            first = a.flat[0]
            if isinstance(first, np.generic):
                first = first.item()
            return Fraction(first)
        if view is not None and not view[1]:
            return self.scalar_value(view[0])
        return None

    def behind(self, output: int) -> set[int]:
        """Returns the nodes that a node depends on, itself included."""
        needed: set[int] = set()
        stack = [output]
        while stack:
            x = stack.pop()
            if x not in needed:
                needed.add(x)
                stack.extend(self.nodes[x].args)
        return needed

    # -- steps of rewriting

    @abstractmethod
    def const(self, value: Any) -> int:
        """Adds a number or an array of numbers (ints, Fractions, floats taken exactly)."""

    @abstractmethod
    def size(self, size: Size | int | str) -> int:
        """Builds the value of a size, as a scalar."""

    @abstractmethod
    def einsum(
        self,
        args: Sequence[int],
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        sizes: Mapping[int, Size] | None = None,
    ) -> int:
        """Builds the product of the arguments, summed over the labels that are not in ``output``."""

    @abstractmethod
    def add(self, args: Sequence[int]) -> int:
        """Builds the sum of values (broadcast to a common shape)."""

    @abstractmethod
    def map(self, fn: str, args: Sequence[int]) -> int:
        """Builds an elementwise function of its arguments (broadcast to a common shape)."""

    @abstractmethod
    def select(self, c: int, a: int, b: int) -> int:
        """Builds the choice of a where c is not 0, else b."""

    @abstractmethod
    def reduce(self, fn: str, x: int, axes: Sequence[int]) -> int:
        """Builds max, min or prod over axes."""

    @abstractmethod
    def slice(self, x: int, axis: int, start: Size | int, length: Size | int, step: int = 1) -> int:
        """Takes ``length`` entries of an axis from ``start`` on, every ``step``-th."""

    @abstractmethod
    def roll(self, x: int, axis: int, shift: int) -> int:
        """Shifts an axis cyclically."""

    @abstractmethod
    def concat(self, args: Sequence[int], axis: int) -> int:
        """Joins the arguments along an axis."""

    @abstractmethod
    def read(self, x: int, places: Sequence[Place], shape: Sequence[Size]) -> int:
        """Reads the entries of x at these places, which lie in its axes for all sizes."""

    @abstractmethod
    def reshape(self, x: int, shape: Sequence[Size | int | str]) -> int:
        """Reshapes a value; entries stay in row-major order."""
