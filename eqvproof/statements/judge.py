"""Where claims are judged: the limits of the work, and what has been judged already."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from eqvproof.errors import EqvproofError
from eqvproof.statements.finding import Finding, undecided

if TYPE_CHECKING:
    from eqvproof.statements.statement import Statement

DEFAULT_BUDGET = 5.0


class Claim(Protocol):
    """Something that can be judged.

    A kind of claim is any object with this method; it hands its question to the engines and never answers it.
    """

    def judge(self, court: Court) -> Finding:
        """The answer of the engines."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Court:
    """The limits within which claims are judged, and the findings so far, so that nothing is judged twice.

    Attributes:
        budget: seconds that the search may take for one claim; proofs are not cut short.
        seed: of everything random; equal seeds give equal findings.
    """

    budget: float = DEFAULT_BUDGET
    seed: int = 0
    _findings: dict[str, tuple[Finding, float]] = field(default_factory=dict, repr=False)
    _within: list[float] = field(default_factory=list, repr=False)

    def judge(self, claim: Claim) -> Finding:
        """The answer to a claim; UNDECIDED where the engines refuse it, with what they say."""
        try:
            return claim.judge(self)
        except EqvproofError as error:
            return undecided(f"the engines refuse the claim: {error.line}")

    def finding(self, statement: Statement) -> Finding:
        """The answer to a statement's claim, judged once."""
        return self._judged(statement)[0]

    def seconds(self, statement: Statement) -> float:
        """The time that judging a statement took, without that of the statements that it rests on."""
        return self._judged(statement)[1]

    def _judged(self, statement: Statement) -> tuple[Finding, float]:
        if statement.id not in self._findings:
            start = time.monotonic()
            self._within.append(0.0)
            found = self.judge(statement.claim)
            within, whole = self._within.pop(), time.monotonic() - start
            if self._within:
                self._within[-1] += whole
            self._findings[statement.id] = found, whole - within
        return self._findings[statement.id]
