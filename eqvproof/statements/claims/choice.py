"""For every point of a finite family, one of finitely many candidates fulfils some equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.scope import tried_text
from eqvproof.statements.claims.construction import Case, Condition, equal_exactly
from eqvproof.statements.finding import Finding, of_verdict, undecided
from eqvproof.statements.judge import Court
from eqvproof.verdict import Grade, Outcome, Verdict
from eqvproof.verdict.numbers import array_text


@dataclass(frozen=True, slots=True)
class Choice:
    """At every point of a finite family there is one among finitely many candidates with some properties.

    HOLDS, DECIDED, at the sizes that were gone through. FAILS, EXACT, at the first point where none of
    all candidates has the properties: the smallest where the family is in increasing order.

    Attributes:
        cases: all points of the family, size after size; exact numbers.
        candidates: from the inputs of a point to all candidates.
        conditions: from a candidate and the inputs of the point to the equations.
        what: the candidates in words, such as "permutation".
    """

    cases: Callable[[], Iterable[Case]]
    candidates: Callable[..., Iterable[Any]]
    conditions: Callable[..., Iterable[Condition]]
    what: str

    def judge(self, court: Court) -> Finding:
        """Every candidate at every point, until one does."""
        del court
        sizes: dict[tuple[tuple[str, int], ...], dict[str, int]] = {}
        points = 0
        for case in self.cases():
            tried = 0
            for candidate in self.candidates(**case.inputs):
                tried += 1
                conditions = list(self.conditions(candidate, **case.inputs))
                if not conditions:
                    return undecided("nothing was checked of a candidate")
                if all(equal_exactly(c.left, c.right) for c in conditions):
                    break
            else:
                return self._none(case, tried)
            points += 1
            sizes[tuple(case.sizes.items())] = dict(case.sizes)
        if not points:
            return undecided("the family has no points")
        scope = tried_text(tuple(sizes.values()))
        reason = f"found, and checked exactly, at each of {points} points: a {self.what}"
        return of_verdict(
            Verdict(Outcome.HOLDS, Grade.DECIDED, scope, reason=reason, sizes=tuple(sizes.values()))
        )

    def _none(self, case: Case, tried: int) -> Finding:
        point = ", ".join(f"{name} = {array_text(value)}" for name, value in case.inputs.items())
        place = tried_text([case.sizes])
        reason = f"{place}, {point}: none of all {tried} candidates ({self.what}) does"
        return of_verdict(
            Verdict(Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(dict(case.sizes),))
        )
