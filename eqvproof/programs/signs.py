"""Finds values that are nowhere 0, and values that are defined everywhere, for all inputs.

With the intervals that hold values (`intervals`), softmax, layer norm or ``x / (1 + |x|^2)`` are
seen to be defined everywhere without a number being computed. Answers err on the side of "may be
0", "may be undefined".
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from eqvproof.numbers.spans import Interval, Number
from eqvproof.programs.intervals import IntervalNode, Intervals, compute_bottom_up
from eqvproof.programs.node import Args, HasNodes, Shape

#: Relation -> its negation, and the same relation with the sides exchanged.
NEGATED = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}
EXCHANGED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
#: Relation of x to a number from low to high -> whether it implies that x is not 0.
EXCLUDES_ZERO: Mapping[str, Callable[[Number, Number], bool]] = {
    "lt": lambda low, high: high <= 0, "le": lambda low, high: high < 0,
    "gt": lambda low, high: low >= 0, "ge": lambda low, high: low > 0,
    "eq": lambda low, high: low > 0 or high < 0, "ne": lambda low, high: low == high == 0,
}  # fmt: skip


class SignNode(IntervalNode):
    """A node that knows where its entries are nonzero, and where they are defined."""

    __slots__ = ()

    @abstractmethod
    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        """Returns True only if no entry is 0, for reasons other than its interval `span`."""

    @abstractmethod
    def stays_defined(self, known: Signs) -> bool:
        """Returns True only if it is defined wherever its arguments are."""

    @abstractmethod
    def deciding_args(self, known: Signs) -> Args:
        """Returns the arguments that decide whether it is defined."""


class Signs:
    """Cached facts about the nodes of a builder or Program: where they are nonzero, or defined.

    Args:
        b: the builder or Program.
        inputs: name -> an interval that holds the entries of an input.
    """

    def __init__(self, b: HasNodes[SignNode], inputs: Mapping[str, Interval] | None = None) -> None:
        self.b = b
        self.intervals = Intervals(b, inputs=inputs)
        self._nonzero: dict[int, bool] = {}
        self._total: dict[int, bool] = {}

    @property
    def nodes(self) -> Sequence[SignNode]:
        """Returns the nodes."""
        return self.b.nodes

    def shape(self, x: int) -> Shape:
        """Returns the shape of a node."""
        return self.nodes[x].shape

    def is_total(self, x: int) -> bool:
        """Returns True only if every entry is defined at every input."""
        return compute_bottom_up(self.nodes, x, self._total, self._is_total)

    def is_nonzero(self, x: int) -> bool:
        """Returns True only if no entry is 0."""
        return compute_bottom_up(self.nodes, x, self._nonzero, self._is_nonzero)

    def stays_defined(self, x: int) -> bool:
        """Returns True only if a node is defined wherever its arguments are."""
        return self.nodes[x].stays_defined(self)

    def nonzero_in_branch(self, op: SignNode, branch: int) -> Iterator[int]:
        """Yields values that are not 0 wherever a choice takes an entry of `branch`."""
        condition, first, second = op.choice
        test = self.nodes[condition]
        if first == second or test.function not in NEGATED:
            return
        if branch == first:
            relation = test.function
        else:
            relation = NEGATED[test.function]
        x, y = test.args
        for value, other, holds in ((x, y, relation), (y, x, EXCHANGED[relation])):
            if EXCLUDES_ZERO[holds](*self.intervals.of(other)):
                yield value

    def _is_total(self, x: int) -> bool:
        op = self.nodes[x]
        total = (
            self._total[a]
            or (
                a in op.choice[1:]
                and any(self._is_defined_off_zeros(a, z) for z in self.nonzero_in_branch(op, a))
            )
            for a in op.deciding_args(self)
        )
        return self.stays_defined(x) and all(total)

    def _is_defined_off_zeros(self, x: int, z: int) -> bool:
        """Checks whether x is defined wherever z, of the same shape, is not 0.

        Proof. Those of 1 / z are. An elementwise function that is defined at all its arguments, a
        sum or a product that takes entries from the same place is, where its arguments are. QED
        """
        op = self.nodes[x]
        if self._total[x]:
            return True
        if op.function == "recip" and op.args == (z,):
            return self._total[z]
        product = op.as_product
        if op.function or op.terms:
            rows = [(a, True) for a in op.args]
        else:
            rows = []
        if product is not None:
            rows = [(a, row == product.output) for a, row in product.factors]
        is_entrywise = bool(rows) and self.stays_defined(x) and op.shape == self.shape(z)
        return is_entrywise and all(
            self._total[a] or (same and self._is_defined_off_zeros(a, z)) for a, same in rows
        )

    def _is_nonzero(self, x: int) -> bool:
        low, high = self.intervals.of(x)
        return low > 0 or high < 0 or self.nodes[x].is_nonzero((low, high), self)
