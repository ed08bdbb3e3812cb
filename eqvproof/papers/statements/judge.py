"""Judges: they check the claims of statements within limits, and cache the findings."""

from __future__ import annotations

import time
from typing import Protocol

from eqvproof.engines.options import DEFAULTS
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.support.errors import EqvproofError

DEFAULT_BUDGET: float = DEFAULTS["budget"]


class Claim(Protocol):
    """A claim that can be checked.

    A kind of claim is any object with this method, which passes the question to the engines and
    never decides it by itself.
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
    """An interface that returns the finding about each statement, asking for it at most once.

    It is implemented by checking in this process (`Court`), in processes of their own, by an
    executor, or by reading stored findings.
    """

    def __init__(self) -> None:
        self._findings: dict[str, tuple[Finding, float]] = {}

    def finding(self, statement: StatedClaim) -> Finding:
        """Returns the finding about a statement's claim."""
        return self._cached(statement)[0]

    def seconds(self, statement: StatedClaim) -> float:
        """Returns the seconds that the finding took."""
        return self._cached(statement)[1]

    def _cached(self, statement: StatedClaim) -> tuple[Finding, float]:
        if statement.id not in self._findings:
            self._findings[statement.id] = self._ask(statement)
        return self._findings[statement.id]

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Checks the claim; returns the finding, and the seconds that it took."""
        raise NotImplementedError


class Court(Judge):
    """A judge that checks claims in this process, within limits.

    Args:
        budget: seconds that the search may take for one claim; proofs are not cut short.
        seed: the seed of all random choices; equal seeds give equal findings.
    """

    def __init__(self, budget: float = DEFAULT_BUDGET, seed: int = 0) -> None:
        super().__init__()
        self.budget, self.seed = budget, seed
        self._nested_seconds: list[float] = []

    def judge(self, claim: Claim) -> Finding:
        """Checks a claim; if the engines refuse it, returns UNDECIDED with their message."""
        try:
            return claim.judge(self)
        except EqvproofError as error:
            return undecided(f"the engines refuse the claim: {error.line}")

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Checks a statement; the time excludes that of the statements it depends on."""
        start = time.monotonic()
        self._nested_seconds.append(0.0)
        found = self.judge(statement.claim)
        nested, total = self._nested_seconds.pop(), time.monotonic() - start
        if self._nested_seconds:
            self._nested_seconds[-1] += total
        return found, total - nested
