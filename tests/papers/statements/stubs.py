"""Claims with answers that are known, to try the logic of claims that are made of claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from eqvproof.engines.verdict import Grade, Outcome
from eqvproof.papers.statements import Court, Finding, ProofStep

_NUMBER = count()


@dataclass(frozen=True, slots=True)
class Known:
    """A claim with a known answer that counts how often it is asked."""

    finding: Finding
    asked: list[None] = field(default_factory=list)

    def judge(self, court: Court) -> Finding:
        self.asked.append(None)
        return self.finding


def known(grade: str, scope: str = "for all n", reason: str = "") -> Known:
    """A claim that is found to be of a grade ("" for UNDECIDED)."""
    found = Grade(grade)
    outcome = Outcome.UNDECIDED
    if found in (Grade.PROVED, Grade.DECIDED, Grade.BOUNDED, Grade.TESTED):
        outcome = Outcome.HOLDS
    elif found:
        outcome = Outcome.FAILS
    return Known(Finding(outcome, found, scope if found else "", reason))


def step(grade: str, repaired: str | None = None, name: str = "") -> ProofStep:
    """A proof step that is found to be of a grade."""
    id = name or f"step.{next(_NUMBER)}"
    repair = None if repaired is None else _step(f"{id}.repaired", repaired, None)
    return _step(id, grade, repair)


def _step(id: str, grade: str, repaired: ProofStep | None) -> ProofStep:
    return ProofStep(
        id=id, place="§1", printed="a step", claim=known(grade, reason=f"[{id}]"), repaired=repaired
    )
