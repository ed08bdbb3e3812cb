"""The values of a trace, including products that were folded into the sums that use them.

``w = Z * p`` and, lines later, ``w @ a`` are one einsum in the Program. Where a proof stops at such
an einsum the line to name may be the earlier one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eqvproof.claims.signature import Argument, Signature
from eqvproof.programs import Builder, Program, Size
from eqvproof.support.code_line import CodeLine
from eqvproof.support.errors import TraceError
from eqvproof.tracing.observing.frames import line_at


def input_node(b: Builder, argument: Argument, pins: Mapping[str, int]) -> int:
    """Returns the node of an argument, with the facts that its kind gives of its entries."""
    node = b.input(argument.name, [axis.size.substitute(dict(pins)) for axis in argument.axes])
    if argument.kind == "bool":
        b.bounds[node] = 0, 1
    if argument.indexes is not None:
        b.ranges[node] = Size.of(argument.indexes).substitute(dict(pins))
    return node


def require_shape(
    shape: Sequence[Size], signature: Signature, pins: Mapping[str, int], what: str
) -> None:
    """Checks that a result has the declared shape.

    Names that occur in the output alone take the sizes of the result.

    Raises:
        TraceError: it has another shape.
    """
    wanted = [axis.size.substitute(dict(pins)) for axis in signature.output]
    unknown, bound = set(signature.output_only), dict[str, Size]()
    clash = len(shape) != len(wanted)
    for axis, have, want in zip(signature.output, shape, wanted, strict=False):
        if axis.single is not None and axis.single in unknown:
            clash = clash or bound.setdefault(axis.single, have) != have
        elif not unknown & set(axis.names):
            clash = clash or have != want
    if clash:
        raise TraceError(
            f"{what} the shape ({', '.join(map(str, shape))}), the signature says"
            f" ({', '.join(map(str, wanted))})",
            hint="change the signature, or what is returned", code="trace.shape",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drafts:
    """All values of a trace, including those that the Program does not need.

    Attributes:
        builder: the nodes, those that the Program does not need too.
        places: node -> (file, line) of the user's code that made it, and of its callers.
        output: the node of the result.
        limits: the greatest sizes for which the values are those of the target, by name.
        wraps: whether integers of a machine may be too large at some sizes, and are taken modulo
            2^bits.
    """

    builder: Builder
    places: Mapping[int, tuple[tuple[str, int], ...]]
    output: int
    limits: Mapping[str, int] = field(default_factory=dict)
    wraps: bool = False

    def lines(self, output: int) -> dict[int, CodeLine]:
        """Maps the nodes of the Program that ends in a node of the builder to the user's lines."""
        return {
            i: line_at(self.places[node])
            for i, node in enumerate(sorted(self.builder.behind(output)))
            if node in self.places
        }

    def before(self, number: int) -> Iterator[tuple[Program, dict[int, CodeLine]]]:
        """Yields Programs, with lines, of the values folded into a node, first made first.

        Of sums those are meant whose terms are all left in the node; others may have cancelled.
        """
        node = sorted(self.builder.behind(self.output))[number]
        terms = Counter(self.builder.nodes[node].args)
        found: set[int] = set()
        stack = list(self.builder.origins.get(node, ()))
        while stack:
            draft = stack.pop()
            if draft not in found:
                found.add(draft)
                stack.extend(self.builder.origins.get(draft, ()))
        for draft in sorted(found):
            one = self.builder.nodes[draft]
            if one.terms and Counter(one.args) - terms:
                continue
            yield self.builder.program(draft), self.lines(draft)
