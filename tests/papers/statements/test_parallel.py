"""A review whose statements are judged by the workers of an executor: the rows of a review without one."""

from __future__ import annotations

import random
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from eqvproof.papers.library import review, statements
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError

PAPER = """
import numpy as np
from eqvproof.papers.statements import Equivariance, Proposition

def statement(id, f, repaired=None):
    claim = Equivariance(f, "x: n -> n", under="S(n)")
    return Proposition(id=id, place="1", printed="p", claim=claim, repaired=repaired)

STATEMENTS = (
    statement("p.right", lambda x: np.tanh(x)),
    statement("p.wrong", lambda x: np.cumsum(x), statement("p.wrong.repaired", lambda x: x - x.mean())),
    statement("p.last", lambda x: x * x.sum()),
)
"""


@pytest.fixture
def paper(tmp_path: Path) -> str:
    (tmp_path / "paper.py").write_text(PAPER, encoding="utf-8")
    return str(tmp_path / "paper.py")


def rows(found) -> list:
    return [(r.id, r.outcome, r.grade, r.scope, r.reason, r.repaired_by, r.certificates) for r in found]


class Here(Executor):
    """Does the work at once; after some tasks it breaks, as a pool does whose process was killed."""

    def __init__(self, tasks: int = 1000) -> None:
        self.left = tasks

    def submit(self, f, /, *args, **kwargs):
        future: Future = Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(BrokenExecutor("a process was killed"))
        else:
            future.set_result(f(*args, **kwargs))
        return future


def test_the_rows_are_those_of_one_process(paper):
    plain = review(paper)
    assert [str(r.outcome) for r in plain] == ["HOLDS", "FAILS", "HOLDS", "HOLDS"]
    assert rows(review(paper, executor=Here())) == rows(plain)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert rows(review(paper, executor=pool)) == rows(plain)


def test_nothing_is_lost_when_workers_are_killed(paper):
    wanted = rows(review(paper))
    for tasks in range(4):
        assert rows(review(paper, executor=Here(tasks))) == wanted


def test_a_client_is_asked_for_its_executor(paper):
    asked = []
    client = type("Client", (), {"get_executor": lambda self, pure: asked.append(pure) or Here()})
    assert rows(review(paper, executor=client())) == rows(review(paper))
    assert asked == [False]  # equal tasks are done each


def test_statements_that_no_worker_can_look_up_are_refused():
    with pytest.raises(EqvproofError, match="processes of their own"):
        review(statements("my23.prop3.1")[0], executor=Here())


RESTING = PAPER.replace(
    "STATEMENTS = (",
    """
from dataclasses import dataclass
from eqvproof.papers.statements.statement import Statement

@dataclass(frozen=True)
class Follows:
    of: tuple[Statement, ...]

    def judge(self, court):
        return court.finding(self.of[0])

first = statement("p.first", lambda x: np.tanh(x))
unnamed = statement("p.unnamed", lambda x: x * x.sum())
STATEMENTS = (
    Proposition(id="p.one", place="1", printed="p", claim=Follows((unnamed,))),
    first,
    Proposition(id="p.two", place="1", printed="p", claim=Follows((first,))),
    Proposition(id="p.three", place="1", printed="p", claim=Follows((unnamed,))),""",
)


def test_what_several_statements_rest_on_is_judged_once(tmp_path, monkeypatch):
    paper = tmp_path / "resting.py"
    paper.write_text(RESTING, encoding="utf-8")
    wanted, judged, tasks = rows(review(str(paper))), [], []
    monkeypatch.setattr(Court, "judge", lambda court, claim: judged.append(claim) or claim.judge(court))

    class Told(Here):
        def submit(self, f, /, *args, **kwargs):
            tasks.append([id for id, _ in args[0][0]])
            return super().submit(f, *args, **kwargs)

    assert rows(review(str(paper), executor=Told())) == wanted
    assert tasks[:2] == [["p.one", "p.three"], ["p.first", "p.two"]]
    assert len(judged) == len({id for task in tasks for id in task}) + len(["p.unnamed"])


def test_threads_of_a_worker_that_draw_random_numbers():
    """Dask's do; a claim whose examples are traced where it is judged says the same."""
    plain, done = rows(review("lec22.conv.shift")), threading.Event()

    def draws():
        while not done.wait(1e-4):
            random.random()

    drawing = threading.Thread(target=draws)
    drawing.start()
    try:
        found = rows(review("lec22.conv.shift", executor=Here()))
    finally:
        done.set()
        drawing.join()
    assert found == plain
