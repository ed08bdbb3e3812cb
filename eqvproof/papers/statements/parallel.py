"""Checking of statements by the workers of an executor, on this machine or on a cluster."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from eqvproof.engines.workers import Workers
from eqvproof.papers.statements.finding import Finding
from eqvproof.papers.statements.isolated import IsolatedJudge, Isolation, parse_finding, to_json
from eqvproof.papers.statements.judge import Court, Judge, StatedClaim
from eqvproof.papers.statements.statement import Statement
from eqvproof.papers.statements.worker import find_statement
from eqvproof.support.forked_work import Lost, run_until

#: Seconds after which a worker abandons its forked copy, and checks the statement itself.
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a check: everything that a finding depends on besides the statement."""

    budget: float
    seed: int
    isolate: Isolation | None = None

    def judge(self, files: Mapping[str, str]) -> Judge:
        """Returns the judge with these limits for the calling process."""
        if self.isolate is None:
            return Court(self.budget, self.seed)
        return IsolatedJudge(files, self.budget, self.seed, self.isolate)


class ExecutorJudge(Judge):
    """A judge that submits all statements to an executor, and reads the findings in order.

    Statements that depend on one another are submitted together, so that nothing is checked twice.
    Statements that no worker checks are checked in this process: a pool of processes that has lost
    one accepts no more work.

    Args:
        statements: the statements that will be asked for, in this order.
        files: id -> the file that holds the statement; ids of the library are absent.
        limits: the limits of each check.
        executor: of `concurrent.futures`, or a Dask client.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        files: Mapping[str, str],
        limits: Limits,
        executor: Any,
    ) -> None:
        super().__init__()
        self._statements = {s.id: s for s in statements}
        self._own = limits.judge(files)
        tasks = [
            ([(s.id, files.get(s.id)) for s in group], limits)
            for group in _group_dependent(statements)
        ]
        self._answers = Workers(executor).map(self._check_here, _check_in_worker, tasks)

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        while statement.id not in self._findings:
            for id, text, seconds in next(self._answers):
                self._findings[id] = parse_finding(text, 0), seconds
        return self._findings[statement.id]

    def _check_here(self, task: _Task) -> list[_Answer]:
        return [_answer_of(self._own, self._statements[id]) for id, _ in task[0]]


#: A task is a list of ids with their files, and the limits; an answer is an id, its finding as
#: text, and the seconds that it took.
_Task = tuple[list[tuple[str, str | None]], Limits]
_Answer = tuple[str, str, float]


def _check_in_worker(task: _Task) -> list[_Answer]:
    """Checks, in a worker, statements that depend on one another, with a common judge."""
    places, limits = task
    judge = limits.judge({id: file for id, file in places if file is not None})

    def check(id: str, file: str | None) -> _Answer:
        """Checks one statement, in a forked copy of the worker if that is possible.

        The copy runs even if threads of the worker draw random numbers: see `without_threads`.
        """
        work = functools.partial(_answer_of, judge, find_statement(id, file))
        try:
            return run_until(work, time.monotonic() + DAY)
        except Lost:
            return work()

    return [check(id, file) for id, file in places]


def _answer_of(judge: Judge, statement: Statement) -> _Answer:
    return statement.id, json.dumps(to_json(judge.finding(statement))), judge.seconds(statement)


def _group_dependent(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Groups statements that depend on one another, directly or through a common statement.

    No statement is needed by two groups.
    """
    groups: list[tuple[set[str], list[Statement]]] = []
    for statement in statements:
        ids, members, others = {statement.id, *_ids_within(statement.claim)}, [statement], []
        for group in groups:
            if group[0] & ids:
                ids, members = ids | group[0], [*group[1], *members]
            else:
                others.append(group)
        groups = [*others, (ids, members)]
    place = {s.id: k for k, s in enumerate(statements)}
    ordered = [sorted(members, key=lambda s: place[s.id]) for _, members in groups]
    return sorted(ordered, key=lambda members: place[members[0].id])


def _ids_within(part: Any) -> Iterator[str]:
    """Yields the ids of all statements inside a claim, to any depth."""
    if isinstance(part, Statement):
        yield part.id
    if isinstance(part, Mapping | list | tuple):
        for item in part.values() if isinstance(part, Mapping) else part:
            yield from _ids_within(item)
    elif is_dataclass(part) and not isinstance(part, type):
        for entry in fields(part):
            yield from _ids_within(getattr(part, entry.name))
