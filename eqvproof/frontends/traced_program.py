"""What a target computed on the way to its Program: products that were folded into the sums that use them.

``w = Z * p`` and, lines later, ``w @ a`` are one einsum in the Program. Where a proof stops at such an einsum
the line to name may be the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from eqvproof.frontends.frames import places_text
from eqvproof.program import Builder, Program


@dataclass(frozen=True, slots=True)
class Drafts:
    """All values of a trace.

    Attributes:
        builder: the nodes, those that the Program does not need too.
        places: node -> (file, line) of the user's code that made it, and of its callers.
        output: the node of the result.
        limits: the greatest sizes for which the values are those of the target, by name.
        wraps: whether integers of a machine may be too large at some sizes, and are taken modulo 2^bits.
    """

    builder: Builder
    places: Mapping[int, tuple[tuple[str, int], ...]]
    output: int
    limits: Mapping[str, int] = field(default_factory=dict)
    wraps: bool = False

    def lines(self, output: int) -> dict[int, str]:
        """Node of the Program that ends in a node of the builder -> the user's line."""
        return {
            i: places_text(self.places[node])
            for i, node in enumerate(sorted(self.builder.behind(output)))
            if node in self.places
        }

    def before(self, number: int) -> Iterator[tuple[Program, dict[int, str]]]:
        """Programs, with lines, of the values that were folded into a node, first made first."""
        node = sorted(self.builder.behind(self.output))[number]
        found: set[int] = set()
        stack = list(self.builder.origins.get(node, ()))
        while stack:
            draft = stack.pop()
            if draft not in found:
                found.add(draft)
                stack.extend(self.builder.origins.get(draft, ()))
        for draft in sorted(found):
            yield self.builder.program(draft), self.lines(draft)
