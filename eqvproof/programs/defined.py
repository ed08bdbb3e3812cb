"""Where the values of nodes are defined, as far as taking code apart by components has to know.

Of each node: whether it is defined everywhere, along which axes it may be defined here and
undefined there, and along which its entries may differ at all. Answers err on the side of "may".
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqvproof.programs.signs import Signs
from eqvproof.programs.terms import Leave, Term

if TYPE_CHECKING:
    from eqvproof.programs.builder import Builder
    from eqvproof.programs.program import Program


class Domains:
    """What is known of the nodes of a builder, or of a program, remembered."""

    def __init__(self, b: Builder | Program) -> None:
        self.b = b
        self.vary: dict[
            int, frozenset[int]
        ] = {}  # node -> axes along which it may be undefined in part
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
        under = None if op.shape else op.root
        number = None if under is None else self.b.nodes[under].constant
        return None if number is None or number.item() < 0 else Fraction(number.item())

    def varying(self, x: int) -> frozenset[int]:
        """The axes along which a value may be defined here and undefined there."""
        if x not in self.vary:
            total = self.signs.is_total(x)
            self.vary[x] = frozenset() if total else self.b.nodes[x].varying(self)
        return self.vary[x]

    def differing(self, x: int) -> frozenset[int]:
        """The axes along which the entries of a value may differ, or be defined here and undefined there."""
        if x not in self.differ:
            op = self.b.nodes[x]
            self.differ[x] = op.carried(self.differing)
        return self.differ[x]
