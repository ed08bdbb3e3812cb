"""The cost of a function: operations and stored numbers, as polynomials in the sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from eqvproof.claims.signature import parse_signature
from eqvproof.engines.verdict import Grade, Outcome
from eqvproof.papers.statements.claims.typing import Typing
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.programs import Program, Size

#: Operations of Programs whose cost is known: einsum, and those that need at most one operation for
#: each entry of their arguments and their result.
COUNTED = frozenset(
    "Input Const SizeOf Iota Indicator Einsum Add Map Select Reduce Concat Read Reshape".split()
)


@dataclass(frozen=True, slots=True)
class Cost:
    """The claim that f takes O(n^a) operations and stores O(n^b) numbers, other sizes fixed.

    Operations are counted on the Program of f, step by step. A sum of products takes one
    multiplication for every combination of its indices; every other step takes at most one
    operation for each entry of its arguments and its result; every result is stored. Each count is
    a polynomial in the sizes, whose degree in n is compared. It is an upper bound: this evaluation
    of the formula exists, and a cheaper one may exist.

    HOLDS, PROVED, if the degrees are at most a and b. Otherwise UNDECIDED: another evaluation may
    be cheaper. The certificate is that of f = f, in which the kernel checks the shape of every
    step.

    Attributes:
        f: the function.
        signature: its typing.
        axis: the size n.
        time: the exponent a.
        memory: the exponent b.
    """

    f: Callable[..., Any]
    signature: str
    axis: str
    time: int
    memory: int

    def judge(self, court: Court) -> Finding:
        """Counts operations and stored numbers, step by step."""
        from eqvproof.tracing.numpy.trace import trace_all_sizes

        typed = court.judge(Typing(self.f, self.signature))
        if not typed.holds:
            return typed
        program = trace_all_sizes(self.f, parse_signature(self.signature), {}).program
        other = sorted({type(node).__name__ for node in program.nodes} - COUNTED)
        if other:
            return undecided(
                f"the operations of {', '.join(other)} are not counted here", typed.verdicts
            )
        counts = {"operations": _operations(program), "stored numbers": _entries(program)}
        degrees = {name: degree(size, self.axis) for name, size in counts.items()}
        reason = "; ".join(
            f"{name}: degree {degrees[name]} in {self.axis}, {counts[name]}" for name in counts
        )
        if degrees["operations"] > self.time or degrees["stored numbers"] > self.memory:
            return undecided(f"this evaluation costs more: {reason}", typed.verdicts)
        return Finding(Outcome.HOLDS, Grade.PROVED, typed.scope, reason, typed.verdicts)


def degree(size: Size, axis: str) -> int:
    """Returns the degree of a size in one of its names."""
    return max((names.count(axis) for names, _ in size.terms), default=0)


def _entries(program: Program) -> Size:
    """Counts the entries of all results of a Program."""
    total = Size.of(0)
    for node in program.nodes:
        total = total + prod(node.shape, start=Size.of(1))
    return total


def _operations(program: Program) -> Size:
    """Counts the operations of a Program; sums of products are evaluated index by index."""
    total = Size.of(0)
    for node in program.nodes:
        if node.as_product is not None:
            sizes = node.as_product.labels(program.nodes).values()
            total = total + prod(sizes, start=Size.of(max(1, len(node.args))))
        else:
            shapes = [node.shape, *(program.nodes[a].shape for a in node.args)]
            for shape in shapes:
                total = total + prod(shape, start=Size.of(1))
    return total
