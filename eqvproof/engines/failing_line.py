"""The user's line at which a proof stops: that of the first ill-typed value with typed arguments.

A Program holds products folded into the sums that use them, since ``(X * X).sum(0)`` is invariant
under rotations although ``X * X`` has no type. Where a proof stops at such a sum, the cause may be
the product, which can be many lines earlier. It is the cause if no sum could have repaired it:

* permutations, sign changes: always, since an index on which two different actions meet stays one;
* rotations: unless two vectors are multiplied entry by entry, which a sum over the entries repairs;
  if no sum does, the line of that product is named in addition to that of the sum;
* translations: if two values that are translated are multiplied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from eqvproof.claims.groups.written import is_of_flips
from eqvproof.claims.signature import Signature
from eqvproof.engines.affine_types import Otherwise, infer_moves
from eqvproof.engines.linear_types import Gap, context_of, move_rules, type_table
from eqvproof.programs import Program
from eqvproof.programs.operations import Einsum
from eqvproof.programs.rules.translations import Multiplied
from eqvproof.support.code_line import NO_LINE
from eqvproof.tracing.trace import Trace

#: Largest number of folded values that are inspected.
MOST_DRAFTS = 40


def find_failing_value(
    trace: Trace, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> tuple[Program, Gap, str]:
    """Finds the place that best explains why a proof stops: a Program, the gap in it, its line.

    Args:
        trace: of the function.
        gap: where the proof on its Program stops.
        signature: the claimed typing.
        pins: axis names that are numbers in the Program.
    """
    place, begun = trace.lines.get(gap.node, NO_LINE), NO_LINE
    whole = trace.program, gap, str(place)
    stuck = trace.program.nodes[gap.node]
    is_named = is_of_flips(gap.factor.axis)  # a draft has no types by normal forms
    if trace.drafts is None or is_named or not (stuck.as_product or stuck.terms):
        return whole
    for program, lines in islice(trace.drafts.before(gap.node), MOST_DRAFTS):
        at, is_mended = _stuck(program, gap, signature, pins) or (None, True)
        if at is not None and not is_mended:
            return program, at, str(lines.get(at.node, NO_LINE))
        if at is not None:
            begun = begun or lines.get(at.node, NO_LINE)
    if begun and begun != place:
        return trace.program, gap, f"{place}, with the product of {begun}"
    return whole


def _stuck(
    program: Program, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> tuple[Gap, bool] | None:
    """Returns the gap of a draft that is not well typed, and whether a sum would repair it.

    The sum is over indices that occur twice. Returns None if the draft is well typed.
    """
    factor = gap.factor
    if rules := move_rules(factor):
        found = infer_moves(program, signature, factor, pins, rules)
        if not isinstance(found, tuple):
            return None
        node, stuck = found
        is_mended = program.nodes[node].as_product is not None and not isinstance(stuck, Multiplied)
        if is_mended or isinstance(stuck, Otherwise):
            return None  # a draft is claimed to be nothing
        return Gap(factor, node, str(stuck)), False
    if not factor.kind.acts_by_matrices:
        return None
    context = context_of(program, signature, factor, pins)
    table = type_table(program, signature, context, factor, pins)
    if not isinstance(table, Gap):
        return None
    return table, context.kind.rotates and _may_be_mended(program, table, signature, pins)


def _may_be_mended(
    program: Program, gap: Gap, signature: Signature, pins: Mapping[str, int]
) -> bool:
    """Checks whether the einsum is well typed once the indices that occur twice are summed."""
    op = program.nodes[gap.node]
    if not isinstance(op, Einsum):
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
