"""Conditions on numbers that the inputs decide: how many entries a mask picks, an entry in Python's hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eqvproof.errors import TraceError
from eqvproof.frontends.torch.aten import TABLE, lift
from eqvproof.frontends.torch.sizes import read_number
from eqvproof.frontends.torch.values import Node
from eqvproof.program import Builder, Size

#: How SymPy calls comparisons, and what is known of the two sides.
RELATIONS = {
    "Equality": "eq", "Unequality": "ne", "StrictGreaterThan": "gt", "GreaterThan": "ge",
    "StrictLessThan": "lt", "LessThan": "le",
}  # fmt: skip


def read_condition(b: Builder, condition: Any, symbols: dict[str, Size | Node]) -> int:
    """The truth value of a condition.

    Raises:
        TraceError: it is no comparison, or one of what is not read.
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


def implied(question: Any, known: Sequence[tuple[Any, bool]]) -> bool | None:
    """What the answers to other questions say; None: nothing.

    Of one natural number u, compared with integers up to c, answers are the same for all u above c: so it is
    enough to look at the numbers up to c + 1.
    """
    if not _compares_a_count(question):
        return None
    alike = [(q, a) for q, a in known if q.free_symbols == question.free_symbols and _compares_a_count(q)]
    (u,) = question.free_symbols
    top = max(int(side) for q in (question, *(q for q, _ in alike)) for side in q.args if side.is_Integer)
    left = [k for k in range(max(top, 0) + 2) if all(bool(q.subs(u, k)) is a for q, a in alike)]
    answers = {bool(question.subs(u, k)) for k in left}
    return answers.pop() if len(answers) == 1 else None


def _compares_a_count(question: Any) -> bool:
    """Whether a condition compares a natural number, and nothing else, with an integer."""
    kinds = sorted((side.is_Symbol, side.is_Integer) for side in question.args)
    if type(question).__name__ not in RELATIONS or kinds != [(False, True), (True, False)]:
        return False
    (u,) = question.free_symbols
    return bool(u.is_nonnegative)
