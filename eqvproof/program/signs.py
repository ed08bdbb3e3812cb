"""Which values are nowhere 0, and which are defined everywhere, as far as a Program shows it for all inputs.

With the intervals that hold values (`intervals`), softmax, layer norm or ``x / (1 + |x|^2)`` are seen to be
defined everywhere without a number being computed. Answers err on the side of "may be 0", "may be undefined".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from eqvproof.exact.spans import Interval
from eqvproof.operations import Operation, Shape
from eqvproof.program.intervals import Intervals

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder
    from eqvproof.program.program import Program


class Signs:
    """What is known of the nodes of a builder, or of a Program, remembered.

    Args:
        b: whose nodes they are.
        inputs: name -> where the entries of an input lie.
    """

    def __init__(self, b: Builder | Program, inputs: Mapping[str, Interval] | None = None) -> None:
        self.b = b
        self.intervals = Intervals(b, inputs=inputs)
        self._nonzero: dict[int, bool] = {}
        self._total: dict[int, bool] = {}

    @property
    def nodes(self) -> Sequence[Operation]:
        """The nodes."""
        return self.b.nodes

    def shape(self, x: int) -> Shape:
        """The shape of a node."""
        return self.nodes[x].shape

    def is_total(self, x: int) -> bool:
        """Whether every entry is defined at every input; False may mean unknown."""
        return self._settled(x, self._total, self._is_total)

    def is_nonzero(self, x: int) -> bool:
        """Whether no entry is 0; False may mean unknown."""
        return self._settled(x, self._nonzero, self._is_nonzero)

    def _settled(self, x: int, known: dict[int, bool], find: Callable[[int], bool]) -> bool:
        """A fact about a node, those about its arguments first: Programs are deeper than the stack."""
        pending = [] if x in known else [x]
        while pending:
            missing = [a for a in self.b.nodes[pending[-1]].args if a not in known]
            pending += missing
            if not missing:
                node = pending.pop()
                known[node] = find(node)
        return known[x]

    def keeps(self, x: int) -> bool:
        """Whether a node is defined wherever its arguments are."""
        return self.nodes[x].keeps(self)

    def _is_total(self, x: int) -> bool:
        return all(self._total[a] for a in self.nodes[x].needed(self)) and self.keeps(x)

    def _is_nonzero(self, x: int) -> bool:
        low, high = self.intervals.of(x)
        return low > 0 or high < 0 or self.nodes[x].is_nonzero((low, high), self)
