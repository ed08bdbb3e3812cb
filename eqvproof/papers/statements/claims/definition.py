"""Definitions, checked by use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.verdict import HOLDS_GRADES, Outcome
from eqvproof.papers.statements.finding import Finding, join_verdicts, shorten, undecided
from eqvproof.papers.statements.judge import Claim, Court

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class DefinitionByUse:
    """A property of functions that is well typed, that some function has and another one lacks.

    HOLDS with the weaker grade of the typing and of the function that has the property; the other
    function must fail by exact or enclosed evidence. FAILS when the typing fails. A function that
    was offered in vain leaves the definition UNDECIDED: another one may do.

    Attributes:
        means: the claim that the definition makes of a function.
        satisfied_by: a function that is offered as an example.
        violated_by: a function that is offered as one that the definition excludes.
        typed: the claim that the terms of the definition have equal shapes at all sizes.
    """

    means: Callable[[Function], Claim]
    satisfied_by: Function
    violated_by: Function
    typed: Claim

    def judge(self, court: Court) -> Finding:
        """Checks the typing, the example and the counterexample."""
        typed = court.judge(self.typed)
        if not typed.holds:
            return typed
        example = court.judge(self.means(self.satisfied_by))
        other = court.judge(self.means(self.violated_by))
        verdicts = join_verdicts([typed, example, other])
        if not example.holds:
            return undecided(
                f"the function offered as an example does not do: {example.reason}", verdicts
            )
        if not (other.fails and other.is_firm):
            return undecided(
                f"the function offered as excluded is {other.outcome} {other.grade}", verdicts
            )
        weak = max((typed, example), key=lambda f: HOLDS_GRADES.index(f.grade))
        lacks = f"another lacks it ({other.grade}, {other.scope})"
        reason = f"one function has the property ({example.grade}), {lacks}"
        return Finding(Outcome.HOLDS, weak.grade, weak.scope, shorten(reason), verdicts)
