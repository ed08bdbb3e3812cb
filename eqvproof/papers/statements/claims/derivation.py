"""Claims that a conclusion follows from other statements, by `Equational` steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eqvproof.engines.verdict import Outcome
from eqvproof.papers.statements.claims.equational import Equational
from eqvproof.papers.statements.finding import (
    Finding,
    join_scopes,
    join_verdicts,
    shorten,
    undecided,
    weakest_grade,
)
from eqvproof.papers.statements.judge import Court
from eqvproof.papers.statements.statement import Statement


@dataclass(frozen=True, slots=True)
class Derivation:
    """An equation of terms that follows from statements, each written as an equation.

    The inference is that of `Equational`. HOLDS, with the weakest grade of the inference and the
    statements, if all of them hold. A statement that fails as printed is replaced by its repaired
    form, if that holds; the reason names it. Otherwise UNDECIDED: the conclusion may hold for other
    reasons.

    Attributes:
        conclusion: an equation of terms.
        statements: the statements that are used, by the equation that expresses each.
        definitions: further equations, by their description: definitions and simple facts about
            the terms.
        variables: the names for which any term may be substituted.
    """

    conclusion: str
    statements: Mapping[str, Statement]
    definitions: Mapping[str, str]
    variables: str

    def judge(self, court: Court) -> Finding:
        """Checks the statements, then the inference from them to the conclusion."""
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
                    f"it depends on {name}, which is {f.outcome}: {f.reason}", f.verdicts
                )
            found[name] = f
            hypotheses[f"{name}: {equation}"] = equation
        inference = court.judge(Equational(self.conclusion, hypotheses, self.variables))
        if not inference.holds:
            return undecided(inference.reason)
        grades = ", ".join(f"{name} {f.grade}" for name, f in found.items())
        reason = shorten("; ".join([*notes, f"derived from {grades}"]))
        grade = weakest_grade([inference, *found.values()])
        scope = join_scopes(found or {"": inference})
        verdicts = (*inference.verdicts, *join_verdicts(found.values()))
        return Finding(Outcome.HOLDS, grade, scope, reason, verdicts)
