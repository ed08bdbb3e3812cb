"""Bounds the values of nodes at all sizes, by interval arithmetic from the leaves on.

Sizes run from 1 up to a limit for each name. Intervals grow with the limits: what holds for some
limits holds for all smaller ones. No axis has more than `LARGEST` entries.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from eqvproof.claims.size import Size, smallest
from eqvproof.numbers.spans import Interval, rounded_to_whole
from eqvproof.programs.node import HasNodes, Node, Shape

T = TypeVar("T")
#: The greatest size that verdicts cover.
LARGEST = 10**9


def compute_bottom_up(
    nodes: Sequence[Node], x: int, known: dict[int, T], find: Callable[[int], T]
) -> T:
    """Computes and caches a fact about a node, those about its arguments first.

    No recursion: Programs are deeper than the stack.
    """
    pending = [] if x in known else [x]
    while pending:
        missing = [a for a in nodes[pending[-1]].args if a not in known]
        pending += missing
        if not missing:
            node = pending.pop()
            known[node] = find(node)
    return known[x]


class IntervalNode(Node):
    """A node that bounds its entries, from the intervals of its arguments."""

    __slots__ = ()

    @abstractmethod
    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        """Returns an interval that holds every defined entry, from those of the arguments."""

    @abstractmethod
    def is_whole(self, known: Intervals) -> bool:
        """Returns True only if every entry is a whole number."""


class Intervals:
    """The cached intervals of the nodes of a builder or Program.

    Args:
        b: the builder or Program.
        limits: the greatest sizes, by name; `LARGEST` if none is given.
        inputs: intervals of the entries of inputs, by name.
    """

    def __init__(
        self, b: HasNodes[IntervalNode], limits: Mapping[str, int] | None = None,
        *, inputs: Mapping[str, Interval] | None = None,
    ) -> None:  # fmt: skip
        self._b = b
        self._ranges: Mapping[int, Size] = getattr(b, "ranges", {})
        self._bounds: Mapping[int, tuple[int, int]] = getattr(b, "bounds", {})
        self._limits = limits or {}
        self._inputs = inputs or {}
        self._known: dict[int, Interval] = {}
        self._whole: dict[int, bool] = {}

    @property
    def nodes(self) -> Sequence[IntervalNode]:
        """Returns the nodes."""
        return self._b.nodes

    def shape(self, x: int) -> Shape:
        """Returns the shape of a node."""
        return self.nodes[x].shape

    def of(self, x: int) -> Interval:
        """Returns an interval that holds every defined entry of a node."""
        return compute_bottom_up(self.nodes, x, self._known, self._find_interval)

    def _find_interval(self, x: int) -> Interval:
        """Computes an interval from those of the arguments and from facts of a frontend."""
        op = self.nodes[x]
        if op.input_name is not None and op.input_name in self._inputs:
            low, high = self._inputs[op.input_name]
        else:
            low, high = op.interval([self._known[a] for a in op.args], self)
        size = self._ranges.get(x)
        if size is not None:
            low, high = max(low, 0), min(high, max(self.length(size)[1] - 1, 0))
        if x in self._bounds:
            low, high = max(low, self._bounds[x][0]), min(high, self._bounds[x][1])
        if self._is_whole(x):
            low, high = rounded_to_whole(low, up=True), rounded_to_whole(high, up=False)
        return low, high

    def size(self, size: Size) -> tuple[int, int]:
        """Returns the least and the greatest value of a polynomial in sizes, term by term."""
        low = high = 0
        for names, coefficient in size.terms:
            most = coefficient * math.prod(self._limits.get(n, LARGEST) for n in names)
            least = coefficient * math.prod(map(smallest, names))
            low, high = low + min(least, most), high + max(least, most)
        return low, high

    def length(self, size: Size) -> tuple[int, int]:
        """Returns the least and the greatest length of an axis."""
        low, high = self.size(size)
        return max(min(low, LARGEST), 0), max(min(high, LARGEST), 0)

    def is_whole(self, x: int) -> bool:
        """Returns True only if every entry is a whole number."""
        self.of(x)  # arguments first: Programs are deeper than the stack
        return self._whole[x]

    def _is_whole(self, x: int) -> bool:
        if x not in self._whole:
            given = (self._ranges, self._bounds, getattr(self._b, "integers", ()))
            self._whole[x] = self.nodes[x].is_whole(self) or any(
                x in known_by for known_by in given
            )
        return self._whole[x]

    def unit_axes(self, x: int) -> tuple[int, ...]:
        """Returns axes along which at most one entry is not 0, and that is 1."""
        if self.nodes[x].unit_axes:
            return self.nodes[x].unit_axes
        if x in getattr(self._b, "hots", {}).values():
            return (-1,)
        return ()
