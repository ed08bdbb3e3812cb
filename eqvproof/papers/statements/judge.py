"""Judges of statements: limits within which claims are checked, and findings already made."""

from __future__ import annotations

import time
from typing import Protocol

from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.support.errors import EqvproofError

DEFAULT_BUDGET = 5.0


class Claim(Protocol):
    """A claim that can be checked.

    A kind of claim is any object with this method; it hands its question to the engines and never
    answers it.
    """

    def judge(self, court: Court) -> Finding:
        """Returns the finding of the engines."""
        ...


class StatedClaim(Protocol):
    """A claim with an id, as a `Statement` is."""

    @property
    def id(self) -> str:
        """The id, unique in its source."""
        ...

    @property
    def claim(self) -> Claim:
        """The claim that the engines check."""
        ...


class Judge:
    """A source of findings, one for each statement: a court, processes, an executor, a folder."""

    def __init__(self) -> None:
        self._findings: dict[str, tuple[Finding, float]] = {}

    def finding(self, statement: StatedClaim) -> Finding:
        """Returns the finding about a statement's claim."""
        return self._known(statement)[0]

    def seconds(self, statement: StatedClaim) -> float:
        """Returns the time that the finding took."""
        return self._known(statement)[1]

    def _known(self, statement: StatedClaim) -> tuple[Finding, float]:
        if statement.id not in self._findings:
            self._findings[statement.id] = self._ask(statement)
        return self._findings[statement.id]

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Makes the finding; returns it with the time that it took."""
        raise NotImplementedError


class Court(Judge):
    """A judge that checks claims in this process, within limits.

    Args:
        budget: seconds that the search may take for one claim; proofs are not cut short.
        seed: of everything random; equal seeds give equal findings.
    """

    def __init__(self, budget: float = DEFAULT_BUDGET, seed: int = 0) -> None:
        super().__init__()
        self.budget, self.seed = budget, seed
        self._within: list[float] = []

    def judge(self, claim: Claim) -> Finding:
        """Checks a claim; UNDECIDED where the engines refuse it, with their message."""
        try:
            return claim.judge(self)
        except EqvproofError as error:
            return undecided(f"the engines refuse the claim: {error.line}")

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Checks a statement; returns the time without that of statements on which it rests."""
        start = time.monotonic()
        self._within.append(0.0)
        found = self.judge(statement.claim)
        within, whole = self._within.pop(), time.monotonic() - start
        if self._within:
            self._within[-1] += whole
        return found, whole - within
