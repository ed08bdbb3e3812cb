"""Where the values of nodes are defined, as far as taking code apart by components has to know.

Of each node: whether it is defined everywhere, along which axes it may be defined here and undefined there,
and along which its entries may differ at all. Answers err on the side of "may".
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqvproof.program import ops
from eqvproof.program.signs import Signs
from eqvproof.program.terms import Leave, Term

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder
    from eqvproof.program.program import Program


class Domains:
    """What is known of the nodes of a builder, or of a program, remembered."""

    def __init__(self, b: Builder | Program) -> None:
        self.b = b
        self.vary: dict[int, frozenset[int]] = {}  # node -> axes along which it may be undefined in part
        self.differ: dict[int, frozenset[int]] = {}  # node -> axes along which entries may differ
        self.signs = Signs(b)

    def of_term(self, t: Term) -> frozenset[Any]:
        """Which factors may be undefined, and along which axes of the result.

        Raises:
            Leave: along an axis that the array picks from, or that is summed and may be empty.
        """
        found = set()
        for x, row in t.factors:
            if self.signs.is_total(x):
                continue
            places: list[Any] = []
            for axis, k in enumerate(row):
                if axis not in self.varying(x):
                    continue
                if k in t.labels or (k not in t.output and not t.sizes[k].is_at_least(1)):
                    raise Leave
                places.append(t.output.index(k) if k in t.output else "all")
            found.add((x, tuple(places)))
        summed = [s for k, s in t.sizes.items() if k not in t.output]
        if found and not all(s.is_at_least(1) for s in summed):
            raise Leave
        return frozenset(found)

    def under_root(self, x: int) -> Fraction | None:
        """The q >= 0 of which a scalar is the square root, where it is a number that is written out."""
        op = self.b.nodes[x]
        if not isinstance(op, ops.Map) or op.fn != "sqrt" or op.shape:
            return None
        inner = self.b.nodes[op.args[0]]
        return inner.values[0] if isinstance(inner, ops.Const) and inner.values[0] >= 0 else None

    def varying(self, x: int) -> frozenset[int]:
        """The axes along which a value may be defined here and undefined there."""
        if x not in self.vary:
            op = self.b.nodes[x]
            everywhere = frozenset(range(len(op.shape)))
            if self.signs.is_total(x):
                everywhere = frozenset()
            elif isinstance(op, ops.Einsum):
                labels = {
                    k for a, row in zip(op.args, op.inputs, strict=True)
                    for i, k in enumerate(row) if i in self.varying(a)
                }  # fmt: skip
                everywhere = frozenset(i for i, k in enumerate(op.output) if k in labels)
            elif isinstance(op, ops.Add):
                everywhere = frozenset().union(*(self.varying(a) for a in op.args))
            elif isinstance(op, ops.Map):
                everywhere = self._uneven(x)
            elif isinstance(op, ops.Matrix) and op.fn == "inv":
                everywhere = self.varying(op.args[0]) - {len(op.shape) - 1, len(op.shape) - 2} | {
                    i for i in range(len(op.shape) - 2)
                }
            self.vary[x] = everywhere
        return self.vary[x]

    def _uneven(self, x: int) -> frozenset[int]:
        """The axes along which the entries of a value may differ, or be defined here and undefined there."""
        if x not in self.differ:
            op = self.b.nodes[x]
            found = frozenset(range(len(op.shape)))
            if isinstance(op, (ops.Map, ops.Add)):
                found = frozenset().union(*(self._uneven(a) for a in op.args))
            elif isinstance(op, ops.Einsum):
                rows = zip(op.args, op.inputs, strict=True)
                labels = {k for a, row in rows for i, k in enumerate(row) if i in self._uneven(a)}
                found = frozenset(i for i, k in enumerate(op.output) if k in labels)
            self.differ[x] = found
        return self.differ[x]
