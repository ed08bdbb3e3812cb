"""Checking of statements in a process each, with limits of time and memory.

A claim runs the user's functions. If one of them hangs, forks, exhausts the memory or ends its
process, only its own statement is left without a finding.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Judge, StatedClaim
from eqvproof.support.child_process import end_process, start_module
from eqvproof.support.forked_work import ending
from eqvproof.support.writing import seconds


@dataclass(frozen=True, slots=True)
class Isolation:
    """The limits of a process that checks one statement.

    Attributes:
        seconds: the time after which it is ended.
        megabytes: the memory that it may use, if the system supports such limits.
    """

    seconds: float = 300.0
    megabytes: int = 4096


class IsolatedJudge(Judge):
    """A judge that checks each statement in a process of its own.

    Args:
        files: id -> the file that holds the statement; ids of the library are absent.
        budget: seconds that a search may take for one claim.
        seed: the seed of all random choices.
        limits: the limits of each process.
    """

    def __init__(
        self, files: Mapping[str, str], budget: float, seed: int, limits: Isolation
    ) -> None:
        super().__init__()
        self._files, self._limits = dict(files), limits
        self._request = {"budget": budget, "seed": seed, "megabytes": limits.megabytes}

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Checks a statement; returns the finding, and the time of the process with its start."""
        request = {"id": statement.id, "file": self._files.get(statement.id), **self._request}
        start, process = time.monotonic(), start_module("eqvproof.papers.statements.worker")
        try:
            answer, _ = process.communicate(json.dumps(request), timeout=self._limits.seconds)
            found = parse_finding(answer, process.returncode)
        except subprocess.TimeoutExpired:
            found = undecided(
                f"its process was ended after {seconds(self._limits.seconds)} seconds"
            )
        finally:
            end_process(process)
        return found, time.monotonic() - start


def parse_finding(answer: str, status: int) -> Finding:
    """Parses the finding that a process has written; UNDECIDED if there is none."""
    try:
        data = json.loads(answer)
        verdicts = tuple(Verdict.from_json(v) for v in data["verdicts"])
        return Finding(
            Outcome(data["outcome"]), Grade(data["grade"]), data["scope"], data["reason"], verdicts
        )
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        return undecided(f"its process ended {ending(status)} before it returned a finding")


def to_json(found: Finding) -> dict[str, Any]:
    """Converts a finding to JSON data."""
    return {
        "outcome": str(found.outcome),
        "grade": str(found.grade),
        "scope": found.scope,
        "reason": found.reason,
        "verdicts": [{**v.to_json(), "certificate": v.certificate} for v in found.verdicts],
    }
