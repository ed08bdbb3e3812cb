"""Which values are nowhere 0, and which are defined everywhere, as far as a Program shows it for all inputs.

With the intervals that hold values (`intervals`), softmax, layer norm or ``x / (1 + |x|^2)`` are seen to be
defined everywhere without a number being computed. Answers err on the side of "may be 0", "may be undefined".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from eqvproof.program import ops
from eqvproof.program.intervals import MOVES, Interval, Intervals
from eqvproof.program.size import Size

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder
    from eqvproof.program.program import Program

#: Operations that are defined wherever their arguments are.
STRICT = (
    *MOVES, ops.Input, ops.Const, ops.SizeOf, ops.Iota, ops.Indicator, ops.Einsum, ops.Add, ops.Select,
    ops.Concat,
)  # fmt: skip
#: Elementwise functions that are 0 at 0 alone, if at all.
ODD_AT_ZERO = frozenset("sqrt cbrt abs sign sinh tanh arcsin arctan arcsinh erf pow".split())


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
        op = self.b.nodes[x]
        if isinstance(op, ops.Reduce):
            shape = self.b.nodes[op.args[0]].shape
            return op.fn == "prod" or all(shape[a].is_at_least(1) for a in op.axes)
        if isinstance(op, ops.Matrix):
            return op.fn != "inv"
        return isinstance(op, STRICT) or (isinstance(op, ops.Map) and self._is_inside(op))

    def _is_total(self, x: int) -> bool:
        op = self.b.nodes[x]
        args = self._chosen(op) if isinstance(op, ops.Select) else op.args
        return all(self._total[a] for a in args) and self.keeps(x)

    def _chosen(self, op: ops.Select) -> tuple[int, ...]:
        """The condition, and the branches that it may choose."""
        if self.is_nonzero(op.args[0]):
            return op.args[:2]
        return op.args[::2] if self.intervals.of(op.args[0]) == (0, 0) else op.args

    def _is_inside(self, op: ops.Map) -> bool:
        """Whether the arguments of an elementwise function lie where it is defined."""
        if op.fn in ("recip", "mod"):
            return self.is_nonzero(op.args[-1])
        if op.fn not in ("log", "sqrt", "arcsin", "arccos", "pow", "tan"):
            return True
        low, high = self.intervals.of(op.args[0])
        if op.fn in ("log", "sqrt"):
            return low >= 0 and (op.fn == "sqrt" or self.is_nonzero(op.args[0]))
        if op.fn == "pow":
            least, most = self.intervals.of(op.args[1])
            if least == most and self.intervals.is_whole(op.args[1]):
                return least >= 0 or self.is_nonzero(op.args[0])
            return low >= 0 and (least >= 0 or self.is_nonzero(op.args[0]))
        return op.fn != "tan" and low >= -1 and high <= 1

    def _is_nonzero(self, x: int) -> bool:
        op, known = self.b.nodes[x], self._nonzero
        low, high = self.intervals.of(x)
        if low > 0 or high < 0:
            return True
        match op:
            case ops.Const():
                return bool(np.all(op.array()))
            case ops.Map(fn="exp" | "recip"):
                return True
            case ops.Map(fn="maximum" | "minimum"):
                sign = 1 if op.fn == "maximum" else -1
                far = (known[a] and min(sign * end for end in self.intervals.of(a)) >= 0 for a in op.args)
                return any(far) or all(known[a] for a in op.args)
            case ops.Map():
                return op.fn in ODD_AT_ZERO and known[op.args[0]]
            case ops.Add():
                spans = [self.intervals.of(a) for a in op.args]
                one_sided = all(s[0] >= 0 for s in spans) or all(s[1] <= 0 for s in spans)
                return one_sided and any(known[a] for a in op.args)
            case ops.Einsum():
                summed = self._summed(op)
                alike = not summed or low >= 0 or high <= 0
                return alike and all(s.is_at_least(1) for s in summed) and all(known[a] for a in op.args)
            case ops.Select():
                return all(known[a] for a in self._chosen(op)[1:])
        return isinstance(op, (*MOVES, ops.Concat, ops.Reduce)) and all(known[a] for a in op.args)

    def _summed(self, op: ops.Einsum) -> list[Size]:
        rows = zip(op.args, op.inputs, strict=True)
        pairs = ((k, s) for a, row in rows for k, s in zip(row, self.b.nodes[a].shape, strict=True))
        return [size for label, size in dict(pairs).items() if label not in op.output]
