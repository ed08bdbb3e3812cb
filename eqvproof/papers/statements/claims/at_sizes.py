"""Claims that are checked at each of several sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Grade, Outcome
from eqvproof.papers.statements.finding import (
    Finding,
    join_verdicts,
    shorten,
    undecided,
    weakest_grade,
)
from eqvproof.papers.statements.judge import Claim, Court


@dataclass(frozen=True, slots=True)
class AtSizes:
    """A claim that is checked at each of several sizes, for claims without a form for all sizes.

    HOLDS, at these sizes, if it holds at each of them; the grade is at most DECIDED. FAILS at the
    first size at which it fails.

    Attributes:
        claim: the claim at given sizes.
        sizes: the sizes, in increasing order.
    """

    claim: Callable[[Mapping[str, int]], Claim]
    sizes: tuple[Mapping[str, int], ...]

    def judge(self, court: Court) -> Finding:
        """Checks the claim, size after size."""
        found: list[Finding] = []
        for sizes in self.sizes:
            f = court.judge(self.claim(sizes))
            place = tried_text([sizes])
            if f.fails:
                reason = shorten(f"{place}: {f.reason}")
                return Finding(f.outcome, f.grade, place, reason, f.verdicts)
            if not f.holds:
                return undecided(f"{place}: {f.reason}", f.verdicts)
            found.append(f)
        if not found:
            return undecided("no sizes are given")
        grade = weakest_grade(found)
        if grade is Grade.PROVED:
            grade = Grade.DECIDED
        reason = f"holds at each of {len(found)} sizes"
        scope = tried_text(self.sizes)
        return Finding(Outcome.HOLDS, grade, scope, reason, join_verdicts(found))
