"""Statements judged each in a process of its own, with limits of time and memory.

A claim runs whatever its statement holds: a function that hangs, forks, takes all memory or ends its process
costs that statement its answer, and no other one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eqvproof.apart import end
from eqvproof.statements.finding import Finding, undecided
from eqvproof.statements.statement import Statement
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict

#: What a verdict is sent back as, beside its counterexample.
FIELDS = ("scope", "reason", "signature", "under", "certificate", "seconds")


@dataclass(frozen=True, slots=True)
class Isolation:
    """The limits of a process that judges one statement.

    Attributes:
        seconds: after which it is ended.
        megabytes: of memory that it may take, where the system keeps such limits.
    """

    seconds: float = 300.0
    megabytes: int = 4096


class Apart:
    """Judges statements in processes of their own; takes the place of a court.

    Args:
        files: id -> the file that holds the statement; ids of the library are absent.
        budget: seconds that a search may take for one claim.
        seed: of everything random.
        limits: of each process.
    """

    def __init__(self, files: Mapping[str, str], budget: float, seed: int, limits: Isolation) -> None:
        self._files = dict(files)
        self._budget = budget
        self._seed = seed
        self._limits = limits
        self._findings: dict[str, tuple[Finding, float]] = {}

    def finding(self, statement: Statement) -> Finding:
        """The answer to a statement's claim, judged once."""
        return self._judged(statement)[0]

    def seconds(self, statement: Statement) -> float:
        """The time that it took, that of starting the process included."""
        return self._judged(statement)[1]

    def _judged(self, statement: Statement) -> tuple[Finding, float]:
        if statement.id not in self._findings:
            start = time.monotonic()
            found = self._ask(statement.id)
            self._findings[statement.id] = found, time.monotonic() - start
        return self._findings[statement.id]

    def _ask(self, id: str) -> Finding:
        request = {
            "id": id, "file": self._files.get(id), "budget": self._budget, "seed": self._seed,
            "megabytes": self._limits.megabytes,
        }  # fmt: skip
        root = str(Path(__file__).resolve().parents[2])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        process = subprocess.Popen(
            [sys.executable, "-m", "eqvproof.statements.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )  # fmt: skip
        try:
            answer, _ = process.communicate(json.dumps(request), timeout=self._limits.seconds)
        except subprocess.TimeoutExpired:
            return undecided(f"its process was ended after {self._limits.seconds:g} seconds")
        finally:
            end(process)
        return read(answer, process.returncode)


def read(answer: str, status: int) -> Finding:
    """The finding that a process has written, or why there is none."""
    try:
        data = json.loads(answer)
        verdicts = tuple(_verdict(v) for v in data["verdicts"])
        return Finding(
            Outcome(data["outcome"]), Grade(data["grade"]), data["scope"], data["reason"], verdicts
        )
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return undecided(f"its process ended {how} before it had an answer")


def to_json(found: Finding) -> dict[str, Any]:
    """A finding as JSON data."""
    return {
        "outcome": str(found.outcome),
        "grade": str(found.grade),
        "scope": found.scope,
        "reason": found.reason,
        "verdicts": [
            {
                "outcome": str(v.outcome),
                "grade": str(v.grade),
                "sizes": [dict(s) for s in v.sizes],
                "derivation": list(v.derivation),
                "notes": list(v.notes),
                "counterexample": None if v.counterexample is None else v.counterexample.to_json(),
                **{name: getattr(v, name) for name in FIELDS},
            }
            for v in found.verdicts
        ],
    }


def _verdict(data: Mapping[str, Any]) -> Verdict:
    found = data["counterexample"]
    return Verdict(
        counterexample=None if found is None else Counterexample.from_json(found),
        outcome=Outcome(data["outcome"]), grade=Grade(data["grade"]), sizes=tuple(data["sizes"]),
        derivation=tuple(data["derivation"]), notes=tuple(data["notes"]),
        **{name: data[name] for name in FIELDS},
    )  # fmt: skip
