"""Claims that a conclusion follows from other statements, by `Equational` steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eqvproof.engines.verdict import Outcome
from eqvproof.papers.statements.claims.equational import Equational
from eqvproof.papers.statements.finding import (
    Finding,
    join_verdicts,
    joint_scope,
    shorten,
    undecided,
    weakest,
)
from eqvproof.papers.statements.judge import Court
from eqvproof.papers.statements.statement import Statement


@dataclass(frozen=True, slots=True)
class Derivation:
    """An equation of terms that follows from statements, each put as an equation.

    The passage is that of `Equational`. HOLDS, with the weakest grade of the passage and of the
    statements, when all of them hold; a statement that fails as printed is replaced by its repaired
    form, where that holds, and named. Otherwise UNDECIDED: the conclusion may hold for other
    reasons.

    Attributes:
        conclusion: an equation of terms.
        statements: by the equation that stands for it, the statement that is used.
        definitions: further equations, by what they say: definitions and plain facts about the
            terms.
        variables: the names for which anything may be put.
    """

    conclusion: str
    statements: Mapping[str, Statement]
    definitions: Mapping[str, str]
    variables: str

    def judge(self, court: Court) -> Finding:
        """Checks the statements, then the passage from them to the conclusion."""
        found: dict[str, Finding] = {}
        notes: list[str] = []
        hypotheses = dict(self.definitions)
        for equation, statement in self.statements.items():
            f, name = court.finding(statement), statement.id
            if f.fails and statement.repaired is not None:
                notes.append(
                    f"{statement.id} FAILS as printed ({f.grade}), its repaired form is used"
                )
                f, name = court.finding(statement.repaired), statement.repaired.id
            if not f.holds:
                return undecided(
                    f"it rests on {name}, which is {f.outcome}: {f.reason}", f.verdicts
                )
            found[name] = f
            hypotheses[f"{name}: {equation}"] = equation
        passage = court.judge(Equational(self.conclusion, hypotheses, self.variables))
        if not passage.holds:
            return undecided(passage.reason)
        grades = ", ".join(f"{name} {f.grade}" for name, f in found.items())
        reason = shorten("; ".join([*notes, f"derived from {grades}"]))
        return Finding(
            Outcome.HOLDS, weakest([passage, *found.values()]), joint_scope(found or {"": passage}),
            reason, (*passage.verdicts, *join_verdicts(found.values())),
        )  # fmt: skip
