"""Conditions on numbers that the inputs decide, such as entries or counts of entries of a mask."""

from __future__ import annotations

from collections.abc import Container, Sequence

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.torch.aten import TABLE, lift
from eqvproof.tracing.torch.sizes import Expression, read_number

#: SymPy's names of comparisons -> those of this package.
RELATIONS = {
    "Equality": "eq", "Unequality": "ne", "StrictGreaterThan": "gt", "GreaterThan": "ge",
    "StrictLessThan": "lt", "LessThan": "le",
}  # fmt: skip


def read_condition(b: Builder, condition: Expression, symbols: dict[str, Size | Node]) -> int:
    """Returns the node of a condition's truth value.

    Raises:
        TraceError: it is no comparison, or its sides cannot be read.
    """
    kind = type(condition).__name__
    if kind == "Not":
        return b.map("not", [read_condition(b, condition.args[0], symbols)])
    if kind in ("And", "Or"):
        parts = sorted(condition.args, key=str)
        found = read_condition(b, parts[0], symbols)
        for part in parts[1:]:
            found = b.map(kind.lower(), [found, read_condition(b, part, symbols)])
        return found
    if kind not in RELATIONS:
        raise TraceError("a condition that is not read", given=str(condition), code="trace.value")
    sides = [Node(lift(b, read_number(b, side, symbols))) for side in condition.args]
    return int(TABLE[RELATIONS[kind]](b, *sides))


def implied_answer(
    question: Expression, known: Sequence[tuple[Expression, bool]], counts: Container[str]
) -> bool | None:
    """Returns the answer that follows from the answers to other questions; None if none follows.

    The questions compare one integer u with integers c. Their answers are the same for all u above
    the greatest c, and for all u below the least one, so that it suffices to test the integers from
    one to the other, and one beyond. For a number of entries (`counts`) those below 0 are left out.
    """
    related = [
        (q, a)
        for q, a in known
        if _compares_an_integer(q) and q.free_symbols == question.free_symbols
    ]
    if not _compares_an_integer(question):
        return None
    (u,) = question.free_symbols
    ends = [
        int(side)
        for q in (question, *(q for q, _ in related))
        for side in q.args
        if side.is_Integer
    ]
    low, high = min(ends) - 1, max(ends) + 1
    if str(u) in counts:
        tested = range(0, max(high, 0) + 1)
    else:
        tested = range(low, high + 1)
    possible = [k for k in tested if all(bool(q.subs(u, k)) is a for q, a in related)]
    answers = {bool(question.subs(u, k)) for k in possible}
    if len(answers) == 1:
        return answers.pop()
    return None


def _compares_an_integer(question: Expression) -> bool:
    """Checks whether a condition compares one unknown integer with a known one."""
    kinds = sorted((side.is_Symbol, side.is_Integer) for side in question.args)
    if type(question).__name__ not in RELATIONS or kinds != [(False, True), (True, False)]:
        return False
    (u,) = question.free_symbols
    return bool(u.is_integer)
