"""Equal seeds give equal verdicts with an executor and without; what cannot be sent away is searched here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines import decide_claim
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.workers import Workers
from tests.corpus.case import in_floats

VECTOR = "x: n -> n"


def hidden(x: Any) -> Any:
    """Wrong where three entries are equal and not 0."""
    return np.where((len(x) > 3) & (x[:1] == x[1:2]) & (x[:1] * x[2:3] == 4), np.cumsum(x), x)


def late(x: Any) -> Any:
    """Wrong from 4 entries on."""
    return np.cumsum(x) if len(x) > 3 else x


def clean(x: Any) -> Any:
    """Right, and a loop over entries."""
    return np.array([float(v) ** 3 for v in x])


def partial(x: Any) -> Any:
    """Works from 3 entries on."""
    return x[2] + x.sum()


def jump(x: Any) -> Any:
    """Wrong behind a magnitude, in floats."""
    return np.array([float(v) if abs(float(v)) < 500 else float(x[0]) for v in x])


def double(x: Any) -> Any:
    """2 x."""
    return np.array([2 * float(v) for v in x])


TARGETS: list[tuple[Callable[..., Any], str, str]] = [
    (hidden, VECTOR, "S(n)"),
    (late, VECTOR, "S(n)"),
    (clean, VECTOR, "S(n)"),
    (partial, "x: n -> ()", "S(n)"),
    (jump, VECTOR, "S(n)"),
    (np.sort, VECTOR, "S(n)"),
]


@pytest.fixture(scope="module", params=["threads", "processes"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "threads":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    else:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            yield pool


def told(verdict: Verdict) -> Any:
    """What a verdict says, its time left out."""
    return {k: v for k, v in verdict.to_json().items() if k != "seconds"}


def asked(call: Callable[..., Verdict], *given: Any, **options: Any) -> Any:
    """What a call tells."""
    return told(call(*given, **options))


alone = cache(asked)


def both(executor: Executor, *given: Any, **options: Any) -> list[Any]:
    """What is told with an executor, and without, which is asked once for all executors; from one line."""
    ways: list[tuple[Any, dict[str, Any]]] = [(asked, {"executor": executor}), (alone, {})]
    return [ask(*given, **options, **more) for ask, more in ways]


@pytest.mark.parametrize("case", TARGETS, ids=lambda c: c[0].__name__)
def test_check_says_the_same(case: tuple[Callable[..., Any], str, str], executor: Executor) -> None:
    far, near = both(executor, ep.check, *case, seed=2, budget=120)
    assert far == near


def test_the_other_calls_say_the_same(executor: Executor) -> None:
    for call in (ep.refute, ep.decide):
        far, near = both(executor, call, late, VECTOR, "S(n)")
        assert far == near
    for other in (jump, double):
        far, near = both(executor, ep.identical, other, lambda_free, VECTOR)
        assert far == near


def lambda_free(x: Any) -> Any:
    """x + x."""
    return np.array([float(v) + float(v) for v in x])


def test_workers_are_used() -> None:
    names: set[str] = set()

    def named(x: Any) -> Any:
        names.add(threading.current_thread().name)
        return np.array([float(v) for v in x])

    with ThreadPoolExecutor(2, thread_name_prefix="far") as pool:
        assert ep.check(named, VECTOR, "S(n)", executor=pool).grade == "TESTED"
    assert any(name.startswith("far") for name in names)


def test_a_target_that_cannot_travel_is_searched_here() -> None:
    f = in_floats(lambda x: np.cumsum(x) if len(x) > 3 else x)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        verdict = ep.check(f, VECTOR, "S(n)", executor=pool)
    alone = ep.check(f, VECTOR, "S(n)")
    assert verdict.fails and any("the executor could not be used" in note for note in verdict.notes)
    assert verdict.counterexample is not None and alone.counterexample is not None
    assert verdict.counterexample.to_json() == alone.counterexample.to_json()


class Broken(Executor):
    """Loses every second task."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        future: Future[Any] = Future()
        if self.count % 2:
            future.set_result(function(*args, **kwargs))
        else:
            future.set_exception(RuntimeError("lost"))
        return future


def test_results_come_in_order_whatever_becomes_of_the_executor() -> None:
    workers = Workers(Broken())
    assert list(workers.map(lambda k: k * k, lambda k: k * k, range(100))) == [k * k for k in range(100)]
    assert "lost" in workers.note and not workers.is_apart


class Late(ThreadPoolExecutor):
    """Its first task waits for a while, as one does that was lost with its worker and is done again."""

    waits = 1.5

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        waits, self.waits = self.waits, 0.0
        return super().submit(lambda: (time.sleep(waits), function(*args, **kwargs))[1])


def test_a_worker_that_is_late_makes_no_decision_weaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions may take less work than workers are waited for."""
    monkeypatch.setattr(decide_claim, "DECISION_SECONDS", 1.0)
    options: Any = {"sizes": {"d": (1, 2), "n": (1, 2)}, "under": "O(d) x S(n)"}
    with Late(1) as pool:
        verdict = ep.decide(cubic, "X: d n -> d n", executor=pool, **options)
    assert verdict.grade == "DECIDED"
    assert told(verdict) == told(ep.decide(cubic, "X: d n -> d n", **options))


def cubic(X: Any) -> Any:
    """Right, of degree 3."""
    return X * (X**2).sum()


def test_what_is_no_executor_is_an_error() -> None:
    with pytest.raises(ep.EqvproofError, match="not an executor"):
        ep.check(late, VECTOR, "S(n)", executor=4)
