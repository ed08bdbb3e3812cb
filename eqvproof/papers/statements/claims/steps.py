"""Propositions with the steps of their printed proofs."""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.engines.verdict import Outcome
from eqvproof.papers.statements.finding import (
    Finding,
    join_scopes,
    join_verdicts,
    shorten,
    undecided,
    weakest_grade,
)
from eqvproof.papers.statements.judge import Claim, Court
from eqvproof.papers.statements.statement import Statement


@dataclass(frozen=True, slots=True)
class Steps:
    """A claim with the steps of its printed proof.

    The claim is checked by itself, and so is every step; steps may have steps of their own. How the
    claim follows from the steps is described in words, and not checked. Therefore the grade is
    never better than that of the claim checked by itself.

    If the claim certainly holds by itself, it HOLDS, whatever the steps are. If it fails by itself,
    it FAILS. Otherwise it HOLDS, with the weakest grade of the claim and the steps, if all of them
    hold. A step that fails is replaced by its repaired form, if that holds. A step that stays
    UNDECIDED, or fails without a repair, leaves the claim UNDECIDED. The reason names all steps
    that do not hold as printed.

    Attributes:
        claim: the conclusion, checked by itself.
        steps: the statements that its proof uses.
        passage: how the conclusion follows from the steps, in words.
    """

    claim: Claim
    steps: tuple[Statement, ...]
    passage: str

    def judge(self, court: Court) -> Finding:
        """Checks the claim and the steps, and whether the claim needs them."""
        own = court.judge(self.claim)
        if own.fails:
            return own
        found: dict[str, Finding] = {}
        gaps: list[str] = []
        notes: list[str] = []
        for step in self.steps:
            f, name = court.finding(step), step.id
            if f.fails and step.repaired is not None:
                repaired = court.finding(step.repaired)
                if repaired.holds:
                    notes.append(
                        f"step {step.id} FAILS as printed ({f.grade}), its repaired form is used"
                    )
                    f, name = repaired, step.repaired.id
            if not f.holds:
                gaps.append(f"step {name} {'FAILS' if f.fails else 'is UNDECIDED'}: {f.reason}")
            found[name] = f
        if own.holds and own.is_firm:
            reason = "; ".join([own.reason, *notes, *gaps]).strip("; ")
            return Finding(Outcome.HOLDS, own.grade, own.scope, shorten(reason), own.verdicts)
        if gaps:
            return undecided("; ".join([*gaps, *notes]), join_verdicts([own]))
        if not own.holds:
            return undecided(
                f"the steps hold, but the claim itself is undecided: {own.reason}",
                own.verdicts,
            )
        everything = {"by itself": own, **found}
        grades = ", ".join(f"{name} {f.grade}" for name, f in found.items())
        reason = "; ".join([f"follows from {grades} ({self.passage})", *notes, own.reason])
        weak = weakest_grade(list(everything.values()))
        if own.grade == weak:
            scope = own.scope
        else:
            scope = join_scopes(everything)
        return Finding(Outcome.HOLDS, weak, scope, shorten(reason), own.verdicts)
