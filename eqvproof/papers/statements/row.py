"""Rows of a review: the finding about one statement, and its JSON data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.verdict import graded
from eqvproof.papers.statements.statement import Statement


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The finding about one statement.

    Attributes:
        statement: the statement.
        outcome: HOLDS, FAILS or UNDECIDED.
        grade: how strong the evidence is.
        scope: for which sizes, in a sentence.
        seconds: the time it took.
        reason: the evidence in words, or the obstacle.
        verdicts: the verdicts that support the row.
        repaired_by: the id of the repaired form, if the statement FAILS and that form HOLDS.
    """

    statement: Statement = field(repr=False)
    outcome: Outcome
    grade: Grade
    scope: str
    seconds: float
    reason: str = ""
    verdicts: tuple[Verdict, ...] = field(default=(), repr=False)
    repaired_by: str | None = None

    @property
    def id(self) -> str:
        """The id of the statement."""
        return self.statement.id

    @property
    def holds(self) -> bool:
        """True if the outcome is HOLDS, with any grade."""
        return self.outcome is Outcome.HOLDS

    @property
    def kind(self) -> str:
        """The kind of the statement: "definition", "proposition", "proof step", ..."""
        return self.statement.kind

    @property
    def certificates(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The certificates of the verdicts, each with a name that is unique in its source."""
        found = [v.certificate for v in self.verdicts if v.certificate is not None]
        distinct = list({c["digest"]: c for c in found}.values())
        if len(distinct) == 1:
            return ((self.id, distinct[0]),)
        return tuple((f"{self.id}-{i}", c) for i, c in enumerate(distinct, start=1))

    def to_json(self) -> dict[str, Any]:
        """Converts the row to JSON data."""
        return {
            "id": self.id,
            "kind": self.kind,
            "place": self.statement.place,
            "printed": self.statement.printed,
            "reading": list(self.statement.reading),
            "assumptions": list(self.statement.assumptions),
            "formal": list(self.statement.formal),
            "outcome": str(self.outcome),
            "grade": str(self.grade),
            "scope": self.scope,
            "seconds": self.seconds,
            "reason": self.reason,
            "repaired_by": self.repaired_by,
        }

    def __str__(self) -> str:
        text = ", ".join(filter(None, (graded(self.outcome, self.grade), self.scope)))
        if self.repaired_by:
            text += f" (repaired: {self.repaired_by})"
        return f"{self.id}: {text}"
