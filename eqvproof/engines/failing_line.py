"""The line to name where a proof stops: the first value whose arguments are well typed and which is not.

A Program holds products folded into the sums that use them, since ``(X * X).sum(0)`` is invariant
under rotations although ``X * X`` is nothing. Where a proof stops at such a sum, the product may be
to blame, which can be many lines earlier. It is when no sum could have mended it:

* permutations, sign changes: always, since an index on which two different actions meet stays one;
* rotations: unless two vectors are multiplied entry by entry, which a sum over the entries mends;
  where none
  does, the line of that product is named beside the sum;
* translations: when two values that move are multiplied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from eqvproof.claims.signature import Signature
from eqvproof.engines.affine_types import Otherwise, infer_moves
from eqvproof.engines.linear_types import Gap, context_of, type_table
from eqvproof.programs import Program
from eqvproof.programs.rules import Kind
from eqvproof.programs.rules.translations import Multiplied
from eqvproof.tracing.trace import Trace

#: At most so many values that were folded away are looked at.
MOST_DRAFTS = 40


def find_culprit(
    trace: Trace, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> tuple[Program, Gap, Mapping[int, str]]:
    """The Program, the place in it and the user's lines that tell best why a proof stops.

    Args:
        trace: of the target.
        gap: where the proof on its Program stops.
        signature: the claimed typing.
        pins: axis names that are numbers in the Program.
    """
    whole = trace.program, gap, trace.lines
    stuck = trace.program.nodes[gap.node]
    if trace.drafts is None or not (stuck.as_product or stuck.terms):
        return whole
    place, begun = trace.lines.get(gap.node, ""), ""
    for program, lines in islice(trace.drafts.before(gap.node), MOST_DRAFTS):
        at, is_mended = _stuck(program, gap, signature, pins) or (None, True)
        if at is not None and not is_mended:
            return program, at, lines
        begun = begun or (lines.get(at.node, "") if at else "")
    if begun and begun != place:
        return (
            trace.program,
            gap,
            {**trace.lines, gap.node: f"{place}, with the product of {begun}"},
        )
    return whole


def _stuck(
    program: Program, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> tuple[Gap, bool] | None:
    """Where the values before a draft, or the draft, are not well typed.

    And whether a sum over indices that stand twice would mend it.
    """
    factor = gap.factor
    if factor.kind in ("shift", "scale"):
        found = infer_moves(program, signature, factor, pins)
        if not isinstance(found, tuple):
            return None
        node, stuck = found
        is_mended = program.nodes[node].as_product is not None and not isinstance(stuck, Multiplied)
        if is_mended or isinstance(stuck, Otherwise):
            return None  # a draft is claimed to be nothing
        return Gap(factor, node, str(stuck)), False
    if factor.kind not in [kind.value for kind in Kind]:
        return None
    context = context_of(program, signature, factor, pins)
    table = type_table(program, signature, context, factor, pins)
    if not isinstance(table, Gap):
        return None
    return table, context.kind is Kind.ORTH and _may_be_mended(program, table, signature, pins)


def _may_be_mended(
    program: Program, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> bool:
    """Whether the einsum is well typed once the indices that stand twice are summed."""
    op = program.nodes[gap.node].as_product
    if op is None:
        return False
    twice = {k for k in op.output if sum(row.count(k) for row in op.inputs) >= 2}
    kept = tuple(k for k in op.output if k not in twice)
    if len(kept) == len(op.output):
        return False
    shape = tuple(s for k, s in zip(op.output, op.shape, strict=True) if k in kept)
    nodes = (*program.nodes[: gap.node], replace(op, output=kept, shape=shape))
    summed = Program(program.inputs, nodes, gap.node)
    context = context_of(summed, signature, gap.factor, pins)
    return not isinstance(type_table(summed, signature, context, gap.factor, pins), Gap)
