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
    """A definition of a property of functions: it is well typed, has an example and excludes one.

    HOLDS with the weaker grade of the typing and the example, if the excluded function fails by
    exact or enclosed evidence. FAILS if the typing fails. If the example lacks the property, or the
    excluded function may have it, the definition is UNDECIDED: other functions may do.

    Attributes:
        means: returns the claim that a function has the property.
        satisfied_by: the example, which has the property.
        violated_by: the function that the definition excludes.
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
            return undecided(f"the example does not have the property: {example.reason}", verdicts)
        if not (other.fails and other.is_firm):
            grade = f"{other.outcome} {other.grade}".rstrip()
            return undecided(f"the excluded function is {grade}", verdicts)
        weak = max((typed, example), key=lambda f: HOLDS_GRADES.index(f.grade))
        lacks = f"another lacks it ({other.grade}, {other.scope})"
        reason = f"one function has the property ({example.grade}), {lacks}"
        return Finding(Outcome.HOLDS, weak.grade, weak.scope, shorten(reason), verdicts)
