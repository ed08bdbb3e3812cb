"""Statements judged by the workers of an executor: processes of this machine, or of a cluster."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.workers import Workers
from eqvproof.statements.checkpoint import Judge
from eqvproof.statements.finding import Finding
from eqvproof.statements.isolated import Apart, Isolation, read, to_json
from eqvproof.statements.judge import Court
from eqvproof.statements.statement import Statement
from eqvproof.statements.worker import named


@dataclass(frozen=True, slots=True)
class Limits:
    """All that an answer depends on besides the statement."""

    budget: float
    seed: int
    isolate: Isolation | None = None

    def judge(self, files: Mapping[str, str]) -> Judge:
        """Who judges within these limits, in the process that asks."""
        if self.isolate is None:
            return Court(self.budget, self.seed)
        return Apart(files, self.budget, self.seed, self.isolate)


class Spread:
    """Takes the place of a court: statements are handed out ahead, and their answers taken in order.

    What no worker judges (a pool of processes that has lost one takes no more work) is judged in this one.

    Args:
        statements: what will be asked for, in this order.
        files: id -> the file that holds the statement; ids of the library are absent.
        limits: of each judgement.
        executor: of `concurrent.futures`, or a Dask client.
    """

    def __init__(
        self, statements: Sequence[Statement], files: Mapping[str, str], limits: Limits, executor: Any
    ) -> None:
        self._known = {s.id: s for s in statements}
        self._own = limits.judge(files)
        self._findings: dict[str, tuple[Finding, float]] = {}
        review = uuid.uuid4().hex
        tasks = [(s.id, files.get(s.id), limits, review) for s in statements]
        self._answers = zip(tasks, Workers(executor).map(self._here, _apart, tasks), strict=True)

    def finding(self, statement: Statement) -> Finding:
        """The answer to a statement's claim, judged once."""
        return self._judged(statement)[0]

    def seconds(self, statement: Statement) -> float:
        """The time that judging it took, where it was judged."""
        return self._judged(statement)[1]

    def _judged(self, statement: Statement) -> tuple[Finding, float]:
        while statement.id not in self._findings:
            (id, *_), (text, seconds) = next(self._answers)
            self._findings[id] = read(text, 0), seconds
        return self._findings[statement.id]

    def _here(self, task: _Task) -> tuple[str, float]:
        return _answer(self._own, self._known[task[0]])


#: An id, its file, the limits, a name of the review: what a file held for an earlier one says nothing now.
_Task = tuple[str, str | None, Limits, str]
#: Of each thread of a worker: the review that it last worked for, and its court.
_kept = threading.local()


def _apart(task: _Task) -> tuple[str, float]:
    """In a worker: the answer as text; what several statements of a review rest on is judged once."""
    id, file, limits, review = task
    if limits.isolate is not None:
        return _answer(limits.judge({} if file is None else {id: file}), named(id, file))
    if getattr(_kept, "review", None) != review:
        _kept.review, _kept.court = review, limits.judge({})
    return _answer(_kept.court, named(id, file))


def _answer(judge: Judge, statement: Statement) -> tuple[str, float]:
    return json.dumps(to_json(judge.finding(statement))), judge.seconds(statement)
