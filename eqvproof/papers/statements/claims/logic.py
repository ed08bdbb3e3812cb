"""Claims composed of claims: conjunction, negation, implication, universal claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eqvproof.engines.verdict import Grade, Outcome
from eqvproof.papers.statements.finding import (
    Finding,
    join_scopes,
    join_verdicts,
    shorten,
    undecided,
    weakest_grade,
)
from eqvproof.papers.statements.judge import Claim, Court


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The conjunction of several claims.

    HOLDS when all hold, with the weakest of their grades; FAILS when one fails.

    Attributes:
        parts: the claims, by their description.
    """

    parts: Mapping[str, Claim]

    def judge(self, court: Court) -> Finding:
        """Checks every part."""
        found = {label: court.judge(claim) for label, claim in self.parts.items()}
        verdicts = join_verdicts(found.values())
        failed = {label: f for label, f in found.items() if f.fails}
        for label, f in sorted(failed.items(), key=lambda pair: not pair[1].is_firm):
            return Finding(
                Outcome.FAILS, f.grade, f.scope, shorten(f"{label}: {f.reason}"), verdicts
            )
        for label, f in found.items():
            if not f.holds:
                return undecided(f"{label}: {f.reason}", verdicts)
        grade = weakest_grade(list(found.values()))
        reason = "; ".join(f"{label}: {f.reason}" for label, f in found.items() if f.reason)
        return Finding(Outcome.HOLDS, grade, join_scopes(found), shorten(reason), verdicts)


@dataclass(frozen=True, slots=True)
class NotFor:
    """The negation of a claim, such as "is not equivariant".

    HOLDS, DECIDED, if the claim fails by exact or enclosed evidence, at the sizes of the
    counterexample. FAILS if the claim is proved or decided.

    Attributes:
        claim: the claim that is negated.
    """

    claim: Claim

    def judge(self, court: Court) -> Finding:
        """Checks the claim, and returns the opposite finding if it is certain."""
        f = court.judge(self.claim)
        if f.fails and f.is_firm:
            return Finding(Outcome.HOLDS, Grade.DECIDED, f.scope, f.reason, f.verdicts)
        if f.holds and f.is_firm:
            reason = shorten(f"the negated claim holds, {f.grade}: {f.reason}")
            return Finding(Outcome.FAILS, Grade.EXACT, f.scope, reason, f.verdicts)
        found = f"{f.outcome} {f.grade}".rstrip()
        return undecided(
            f"the negated claim is {found}, which is not certain: {f.reason}", f.verdicts
        )


@dataclass(frozen=True, slots=True)
class Implies:
    """The implication from a premise to a conclusion.

    HOLDS if both hold. FAILS if the premise is proved or decided and the conclusion certainly
    fails. Otherwise UNDECIDED; in particular if the premise fails, although the implication is then
    vacuously true.

    Attributes:
        premise: the claim that is assumed.
        conclusion: the claim that should follow.
    """

    premise: Claim
    conclusion: Claim

    def judge(self, court: Court) -> Finding:
        """Checks the premise, and then the conclusion."""
        premise = court.judge(self.premise)
        if not premise.holds:
            return undecided(
                f"the premise is {premise.outcome}: {premise.reason}", premise.verdicts
            )
        conclusion = court.judge(self.conclusion)
        verdicts = join_verdicts([premise, conclusion])
        if conclusion.holds:
            scope = join_scopes({"premise": premise, "conclusion": conclusion})
            return Finding(
                Outcome.HOLDS,
                weakest_grade([premise, conclusion]),
                scope,
                conclusion.reason,
                verdicts,
            )
        if conclusion.fails and conclusion.is_firm and premise.is_firm:
            reason = f"the premise holds ({premise.grade}, {premise.scope}), the conclusion fails: "
            reason += conclusion.reason
            return Finding(
                Outcome.FAILS, conclusion.grade, conclusion.scope, shorten(reason), verdicts
            )
        return undecided(
            f"premise {premise.outcome} {premise.grade}, conclusion {conclusion.outcome}"
            f" {conclusion.grade}: "
            f"not certain ({premise.reason} {conclusion.reason})",
            verdicts,
        )


@dataclass(frozen=True, slots=True)
class ForEvery:
    """A claim about every function of a kind, tested on given functions.

    FAILS if it certainly fails for one of them. Otherwise UNDECIDED: examples do not prove it.

    Attributes:
        cases: the claim for each given function, by the function's description.
    """

    cases: Mapping[str, Claim]

    def judge(self, court: Court) -> Finding:
        """Searches for the first case that refutes the claim."""
        found = {}
        for label, claim in self.cases.items():
            f = found[label] = court.judge(claim)
            if f.fails and f.is_firm:
                return Finding(
                    Outcome.FAILS, f.grade, f.scope, shorten(f"{label}: {f.reason}"), f.verdicts
                )
        outcomes = "; ".join(
            f"{label}: {f.outcome} {f.grade} {f.reason}".rstrip() for label, f in found.items()
        )
        return undecided(
            f"examples do not prove it, and none refutes it ({outcomes})",
            join_verdicts(found.values()),
        )
