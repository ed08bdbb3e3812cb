"""Propositions with their printed proofs, as trees of steps."""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.engines.verdict import Outcome
from eqvproof.papers.statements.finding import (
    Finding,
    join_verdicts,
    joint_scope,
    shorten,
    undecided,
    weakest,
)
from eqvproof.papers.statements.judge import Claim, Court
from eqvproof.papers.statements.statement import Statement


@dataclass(frozen=True, slots=True)
class Steps:
    """A claim with the steps of its printed proof.

    The claim is checked by itself, and so is every step; steps may have steps of their own. The
    passage from the steps to the claim is not checked: it is put into words only. Therefore the
    grade is never better than that of the claim checked by itself.

    HOLDS, with the weakest grade of the claim and the steps, when all of them hold. A step that
    fails where its repaired form holds is replaced by that, and named. Where the claim holds for
    certain by itself, it HOLDS, whatever becomes of the steps; those that fail are named. Where it
    fails by itself it FAILS. A step that stays UNDECIDED, or fails without a repair, leaves the
    claim UNDECIDED, and is named.

    Attributes:
        claim: the conclusion, checked by itself.
        steps: the statements that its proof rests on.
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
                f"the steps hold, but the claim itself could not be judged: {own.reason}",
                own.verdicts,
            )
        everything = {"by itself": own, **found}
        grades = ", ".join(f"{name} {f.grade}" for name, f in found.items())
        reason = "; ".join([f"follows from {grades} ({self.passage})", *notes, own.reason])
        weak = weakest(list(everything.values()))
        if own.grade == weak:
            scope = own.scope
        else:
            scope = joint_scope(everything)
        return Finding(Outcome.HOLDS, weak, scope, shorten(reason), own.verdicts)
