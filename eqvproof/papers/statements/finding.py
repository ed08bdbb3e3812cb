"""Findings about claims: an outcome, its grade, and the verdicts on which it rests."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.verdict import Grade, Outcome, Verdict, recheck, seal
from eqvproof.engines.verdict.text import brief, one_line
from eqvproof.support.writing import visible

#: Grades of certain findings: within their scope they are not merely likely.
FIRM = frozenset({Grade.PROVED, Grade.DECIDED, Grade.EXACT, Grade.ENCLOSED})
LONGEST_REASON = 600


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """The result of checking a claim of any kind.

    Attributes:
        outcome: HOLDS, FAILS or UNDECIDED.
        grade: how strong the evidence is; empty for UNDECIDED.
        scope: for which sizes, in a sentence.
        reason: the evidence in words, or the obstacle.
        verdicts: the verdicts that support the finding.
    """

    outcome: Outcome
    grade: Grade = Grade.NONE
    scope: str = ""
    reason: str = ""
    verdicts: tuple[Verdict, ...] = ()

    def __post_init__(self) -> None:
        for name in ("scope", "reason"):
            object.__setattr__(self, name, visible(getattr(self, name)))

    @property
    def holds(self) -> bool:
        """True if the outcome is HOLDS, with any grade."""
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        """True if the outcome is FAILS, with any grade."""
        return self.outcome is Outcome.FAILS

    @property
    def is_firm(self) -> bool:
        """True if the finding is certain within its scope."""
        return self.grade in FIRM

    @property
    def certificates(self) -> tuple[dict[str, Any], ...]:
        """The certificates of the verdicts."""
        return tuple(v.certificate for v in self.verdicts if v.certificate is not None)


def from_verdict(verdict: Verdict) -> Finding:
    """Converts a single verdict to a finding."""
    parts = [verdict.reason, *verdict.notes]
    if verdict.counterexample is not None:
        parts.insert(0, one_line(str(verdict.counterexample)))
    reason = "; ".join(part for part in parts if part)
    return Finding(verdict.outcome, verdict.grade, verdict.scope, shorten(reason), (verdict,))


def certify_verdict(verdict: Verdict, kind: str, **parts: Any) -> Finding:
    """Seals a certificate for a verdict; returns the finding, UNDECIDED if the kernel rejects it."""
    certificate = seal(kind, **parts)
    objection = recheck(certificate)
    if objection:
        return undecided(
            f"{verdict.reason}; but the kernel rejects the certificate: {objection}", [verdict]
        )
    return from_verdict(dataclasses.replace(verdict, certificate=certificate))


def restrict_scope(finding: Finding, where: str) -> Finding:
    """Adds a condition on the inputs to the scope of a finding that holds."""
    if not where or not finding.holds:
        return finding
    return dataclasses.replace(finding, scope=f"{finding.scope}, where {where}")


def undecided(reason: str, verdicts: Iterable[Verdict] = ()) -> Finding:
    """Builds an UNDECIDED finding with its reason."""
    return Finding(Outcome.UNDECIDED, reason=shorten(reason), verdicts=tuple(verdicts))


def weakest_grade(findings: Sequence[Finding]) -> Grade:
    """Returns the weakest grade of findings that all hold."""
    return min(f.grade for f in findings)


def join_scopes(findings: Mapping[str, Finding]) -> str:
    """Joins the scopes of findings that all hold, that of the weakest first.

    Equal scopes are written once.
    """
    grade = weakest_grade(list(findings.values()))
    weak = {label: f for label, f in findings.items() if f.grade == grade}
    rest = dict.fromkeys(f.scope for label, f in findings.items() if label not in weak and f.scope)
    scopes: dict[str, list[str]] = {}
    for label, f in weak.items():
        scopes.setdefault(f.scope, []).append(label)
    if not rest:
        return "; ".join(
            dict.fromkeys(part for scope in scopes for part in scope.split("; ") if part)
        )
    parts = [f"{scope} ({', '.join(labels)})" for scope, labels in scopes.items()]
    return "; ".join([*parts, "the rest " + "; ".join(rest)])


def join_verdicts(findings: Iterable[Finding]) -> tuple[Verdict, ...]:
    """Returns the verdicts of several findings, in order."""
    return tuple(v for f in findings for v in f.verdicts)


def shorten(text: str) -> str:
    """Shortens a text to the length of a row of a table."""
    return brief(text, LONGEST_REASON)
