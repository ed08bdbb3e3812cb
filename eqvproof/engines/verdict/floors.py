"""Comparison of a verdict with the least grade that a user requires, scope included."""

from __future__ import annotations

from collections.abc import Collection

from eqvproof.engines.verdict.scope import Narrowing
from eqvproof.engines.verdict.verdict import Grade

#: Hints how to accept a narrower scope.
_ACCEPT = {
    Narrowing.SIZES: "to accept these sizes write sizes=, such as sizes={'n': (4, None)} for all"
    " from 4 up",
    Narrowing.POINTS: "to ask about these points alone write generic=True",
}


def shortfall(grade: Grade, narrowed: Collection[Narrowing], scope: str, floor: Grade) -> str:
    """Returns the reason why a verdict that holds is below a required grade; "" if it is not.

    PROVED requires all that was claimed, sizes and points; DECIDED and BOUNDED all points at the
    sizes in scope; TESTED no more than tests.
    """
    if grade < floor:
        return f"the claim holds, but only {grade}, not {floor}"
    asked = {Grade.PROVED: set(Narrowing), Grade.TESTED: set[Narrowing]()}.get(
        floor, {Narrowing.POINTS}
    )
    missing = [n for n in Narrowing if n in narrowed and n in asked]
    if not missing:
        return ""
    hints = "; ".join(_ACCEPT[n] for n in missing)
    return f"the claim holds, {grade}, in a narrower scope than asked, {scope}: {hints}"
