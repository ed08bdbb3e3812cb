"""budget= is kept, to 10 % or two seconds, by targets that are slow, or never return, in different ways."""

from __future__ import annotations

import collections
import gc
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support import forked_work
from eqvproof.support.deadline import (
    TimeIsUp,
    interrupted,
    overtime,
    require_time,
    timed_call,
    until,
)
from tests.corpus.case import in_floats, softmax

BUDGET = 0.6
VECTOR, MATRIX = "x: n -> n", "X: d n -> d n"
Function = Callable[..., Any]


def slow(seconds: float, function: Function) -> Function:
    """The function, after some time."""

    def late(*arrays: Any) -> Any:
        time.sleep(seconds)
        return function(*arrays)

    return late


class Model:
    """An object that is called."""

    def __call__(self, x: Any) -> Any:
        time.sleep(0.3)
        return 2 * x


def loop(x: Any) -> Any:
    y = x
    for i in range(3000):
        y = y + x * (i + 1)
    return y


def deep(x: Any) -> Any:
    for _ in range(400):
        x = np.tanh(x + 1) * x
    return x


def triples(x: Any) -> Any:
    n = len(x)
    return np.array([sum(np.exp(x[i] * x[j] - x[k]) for j in range(n) for k in range(n)) for i in range(n)])


def squares(x: Any) -> Any:
    for _ in range(30):
        x = x * x + 1
    return x


def counting(x: Any) -> Any:
    total = 0.0
    for v in sorted(float(v) for v in x):
        for _ in range(50000):
            total += v
    return np.full(len(x), total)


SLOW: list[tuple[Function, str, str, dict[str, Any]]] = [
    (slow(0.5, lambda x: 2 * x), VECTOR, "S(n)", {}),
    (slow(0.5, np.cumsum), VECTOR, "S(n)", {}),
    (slow(0.5, in_floats(lambda x: 2 * x)), VECTOR, "S(n)", {}),
    (slow(0.4, in_floats(np.cumsum)), VECTOR, "S(n)", {}),
    (slow(0.05, in_floats(lambda X: X @ X.T @ X)), MATRIX, "O(d) x S(n)", {}),
    (slow(0.02, in_floats(lambda X: np.maximum(X, 0))), MATRIX, "O(d)", {}),
    (slow(0.5, lambda x: 2 * x), VECTOR, "S(n)", {"about": "floats"}),
    (slow(0.01, lambda x: x / 3), VECTOR, "S(n)", {"about": "floats"}),
    (Model(), VECTOR, "S(n)", {}),
    (loop, VECTOR, "S(n)", {}),
    (deep, MATRIX, "O(d)", {}),
    (triples, VECTOR, "S(n)", {}),
    (squares, VECTOR, "O(n)", {}),
    (counting, VECTOR, "S(n)", {}),
    (lambda x: np.exp(np.sort(x)), VECTOR, "S(n)", {"sizes": {"n": 200}}),
    (lambda x: np.exp(np.cumsum(x)), VECTOR, "S(n)", {"sizes": {"n": 300}}),
    (lambda X: np.sort(X, axis=0) @ softmax(X.T @ X, axis=0), MATRIX, "O(d)", {"sizes": {"d": 32, "n": 128}}),
    (lambda X: np.linalg.det(np.exp(X)) * X, "X: d d -> d d", "O(d)", {"sizes": {"d": 6}}),
    (lambda X: np.linalg.inv(X + np.tril(X)), "X: d d -> d d", "S(d)", {"sizes": {"d": (5, 12)}}),
    (lambda X: np.sort(np.exp(X) @ X.T, axis=0)[:2], "X: d n -> k d", "O(n)", {"sizes": {"d": (3, 9)}}),
]


def in_time(ask: Callable[[float], Any], budget: float) -> Any:
    """What a question with a budget answers, in time at least once: the machine may be busy."""
    over = []
    for _ in range(3):
        start = time.monotonic()
        answer = ask(budget)
        over.append(time.monotonic() - start - budget)
        if over[-1] <= 5.0:
            return answer
    raise AssertionError(f"over the budget by {over} seconds")


@pytest.mark.parametrize("case", SLOW, ids=range(len(SLOW)))
def test_the_budget_is_kept(case: tuple[Function, str, str, dict[str, Any]]) -> None:
    f, signature, under, options = case
    in_time(lambda budget: ep.check(f, signature, under, budget=budget, **options), BUDGET)


# ------------------------------------------------------------------------------- targets that never return


def loops(X: Any) -> Any:
    while True:
        pass


def waits_for_a_value(X: Any) -> Any:
    while (X * X).sum() >= 0:
        X = X + 1
    return X


def catches_everything(X: Any) -> Any:
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def returns_all_the_same(X: Any) -> Any:
    try:
        while True:
            pass
    finally:
        return X * 0  # noqa: B012


def yields_for_ever(X: Any) -> Any:
    def zeros() -> Iterator[int]:
        while True:
            yield 0

    return X * sum(zeros())


def calls_itself(X: Any) -> Any:
    def fibonacci(k: int) -> int:
        return fibonacci(k - 1) + fibonacci(k - 2) if k > 1 else 1

    return X * fibonacci(90)


def leaves_a_context(X: Any) -> Any:
    class Sticky:
        def __enter__(self) -> None: ...

        def __exit__(self, *error: object) -> None:
            while True:
                pass

    with Sticky():
        return X


def sleeps(X: Any) -> Any:
    time.sleep(1e6)
    return X


def waits_for_an_event(X: Any) -> Any:
    threading.Event().wait()
    return X


def locks_twice(X: Any) -> Any:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return X


def joins_a_thread(X: Any) -> Any:
    thread = threading.Thread(target=loops, args=(X,), daemon=True)
    thread.start()
    thread.join()
    return X


def reads_an_empty_pipe(X: Any) -> Any:
    os.read(os.pipe()[0], 1)
    return X


def starts_a_program(X: Any) -> Any:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(1e6)"], check=True)
    return X


def waits_for_a_signal(X: Any) -> Any:
    signal.pause()
    return X


def matches_for_ever(X: Any) -> Any:
    return X * bool(re.match("(a+)+$", "a" * 60 + "b"))


def counts(X: Any) -> Any:
    return X * sum(itertools.count())


def reads_to_the_end(X: Any) -> Any:
    collections.deque(itertools.repeat(0), maxlen=0)
    return X


def asks_for_ever(X: Any) -> Any:
    return X * any(iter(int, 1))


def adds_a_range(X: Any) -> Any:
    return X * sum(range(10**18))


def adds_a_range_of_sizes(X: Any) -> Any:
    n = X.shape[1] + 9
    return X * max(range(n * n * n * n * n * n * n * n * n))


def searches_a_range(X: Any) -> Any:
    return X * (0.5 in range(3**50))


def raises_to_a_power(X: Any) -> Any:
    k = X.shape[0] + 40
    return X * len(str(7 ** (3**k)))


def decomposes(X: Any) -> Any:
    return X * np.linalg.svd(np.ones((9000, 9000)))[1][0]


def contracts(X: Any) -> Any:
    return X * np.einsum("ij,jk,kl,lm,mn->", *[np.ones((300, 300))] * 5)


def works_without_end(X: Any) -> Any:
    threading.Thread(target=loops, args=(X,), daemon=True).start()
    return X * np.linalg.det(np.ones((65, 65))) * 0


def breaks_the_pipe(X: Any) -> Any:
    os.closerange(3, 256)
    return X


def stops_itself(X: Any) -> Any:
    os.kill(os.getpid(), signal.SIGSTOP)
    return X


def calls_itself_again(X: Any) -> Any:
    try:
        return calls_itself_again(X)
    except RecursionError:
        return calls_itself_again(X)


def ignores_signals(X: Any) -> Any:
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass


def takes_the_alarm(X: Any) -> Any:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass


def hangs_where_it_is_large(X: Any) -> Any:
    return X * sum(itertools.count()) if X.shape[1] > 3 else X


def hangs_on_some_values(X: Any) -> Any:
    while X.sum() > 1000:
        pass
    return X


class Layer:
    """An object that is called, and hangs in a method."""

    def __call__(self, X: Any) -> Any:
        return self.stopped(X)

    def stopped(self, X: Any) -> Any:
        return X * len(list(itertools.cycle([1])))


HANGING: list[Function] = [
    loops, waits_for_a_value, catches_everything, returns_all_the_same, yields_for_ever, calls_itself,
    leaves_a_context, sleeps, waits_for_an_event, locks_twice, joins_a_thread, reads_an_empty_pipe,
    starts_a_program, contracts, works_without_end, breaks_the_pipe, stops_itself, calls_itself_again,
    waits_for_a_signal, matches_for_ever, counts, reads_to_the_end, asks_for_ever,
    adds_a_range, adds_a_range_of_sizes, searches_a_range, raises_to_a_power, decomposes, ignores_signals,
    takes_the_alarm, hangs_where_it_is_large, hangs_on_some_values, Layer(),
]  # fmt: skip
needs_copies = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs copies of a process")


def name_of(f: Any) -> str:
    return getattr(f, "__name__", type(f).__name__)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies are ended early, to save time."""
    monkeypatch.setattr(forked_work, "GRACE", 0.4)


@needs_copies
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("f", HANGING, ids=name_of)
def test_a_target_that_never_returns(f: Function) -> None:
    verdict = in_time(lambda budget: ep.check(f, MATRIX, "S(n)", budget=budget), 0.3)
    assert not verdict.fails and verdict.grade <= "TESTED", verdict
    assert type(np) is ModuleType and abs is not None and np.sum([1, 2]) == 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@needs_copies
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("f", [loops, sleeps, counts, catches_everything], ids=name_of)
@pytest.mark.parametrize("about", ["reals", "floats"])
def test_in_another_thread(f: Function, about: str) -> None:
    with ThreadPoolExecutor(1) as threads:
        ask = lambda budget: ep.check(f, MATRIX, "S(n)", budget=budget, about=about)  # noqa: E731
        verdict = in_time(lambda budget: threads.submit(ask, budget).result(), 0.3)
    assert not verdict.fails and verdict.grade <= "TESTED"


@needs_copies
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "ask",
    [
        lambda budget: ep.decide(counts, MATRIX, "S(n)", budget=budget),
        lambda budget: ep.refute(counts, MATRIX, "S(n)", budget=budget),
        lambda budget: ep.identical(lambda X: X, counts, MATRIX, budget=budget),
        lambda budget: ep.check(np.sort, MATRIX, "O(d)", domain=counts, budget=budget),
        lambda budget: ep.check(np.sort, MATRIX, "O(d)", domain=lambda at: loops(at), budget=budget),
        lambda budget: ep.check(lambda x: x, "x: m -> m", "O(d)", reps={"m": ("O(d)", loops)}, budget=budget),
    ],
    ids=["decide", "refute", "identical", "domain in C", "domain", "representation"],
)
def test_every_question_ends(ask: Callable[[float], Any]) -> None:
    assert in_time(ask, 0.4).grade <= "TESTED"


@needs_copies
def test_all_symmetries_end() -> None:
    verdicts = in_time(lambda budget: ep.symmetries(hangs_where_it_is_large, MATRIX, budget=budget), 1.0)
    assert {v.under for v in verdicts} >= {"O(d)", "S(n)", "E(n)"}


# --------------------------------------------------------------------------- what was found by then is told


@pytest.mark.slow
@needs_copies
@pytest.mark.parametrize("about", ["reals", "floats"])
def test_what_held_before_the_end(tmp_path: Path, about: str) -> None:
    """A target that hangs at its 100th call, in a copy of the process that must be ended."""
    calls = tmp_path / about

    def tired(X: Any) -> Any:
        with calls.open("a") as file:
            file.write(".")
        if calls.stat().st_size > 100:
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            time.sleep(1e6)
        return np.asarray(X) * 2.0

    for budget in (1.5, 6.0, 24.0, 96.0):
        calls.write_text("")
        verdict = ep.check(tired, MATRIX, "S(n)", budget=budget, about=about)
        if calls.stat().st_size > 100:
            break  # else a busy machine has not called it as often by then
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED")
    assert "did not come back" in verdict.notes[-1]


@needs_copies
def test_a_counterexample_from_a_copy() -> None:
    """All of it comes back: exact numbers, and the certificate."""
    here = ep.check(lambda X: np.cumsum(X, axis=1), MATRIX, "S(n)")
    copied = ep.check(lambda X: np.cumsum(X, axis=next(iter([1]))), MATRIX, "S(n)")
    assert copied.fails and copied.grade == here.grade == "EXACT"
    assert copied.counterexample is not None and here.counterexample is not None
    assert copied.counterexample.to_json() | {"code": ""} == here.counterexample.to_json() | {"code": ""}
    assert ep.verify(copied.certificate or {}).accepted


@needs_copies
def test_a_proof_from_a_copy() -> None:
    verdict = ep.check(lambda X: next(iter([2])) * X, MATRIX, "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate or {}).accepted


@needs_copies
def test_a_copy_in_the_middle_of_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What libraries do in a new process is no step of the target."""
    monkeypatch.setattr(forked_work, "LONG", -1.0)
    os.register_at_fork(after_in_child=lambda: sum(k for k in range(3)))
    assert ep.check(lambda X: X @ X.T @ X, MATRIX, "O(d) x S(n)").grade == "PROVED"


@needs_copies
@pytest.mark.parametrize("how", [lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL), os.abort])
def test_a_target_that_ends_its_process(how: Callable[[], Any]) -> None:
    verdict = ep.check(lambda X: how() or X, MATRIX, "S(n)", budget=20)
    assert verdict.outcome == "UNDECIDED" and "process ended" in verdict.reason


@needs_copies
def test_errors_come_back_from_a_copy() -> None:
    def raises(X: Any) -> Any:
        os.getpid()
        raise KeyError("no such luck")

    def interrupts(X: Any) -> Any:
        os.getpid()
        raise KeyboardInterrupt

    with pytest.raises(ep.TargetError, match="no such luck") as caught:
        ep.check(raises, MATRIX, "S(n)")
    assert caught.value.code == "target.raises" and caught.value.hint
    with pytest.raises(KeyboardInterrupt):
        ep.check(interrupts, MATRIX, "S(n)")


def test_what_is_not_traced_in_time_is_tested() -> None:
    verdict = ep.check(hangs_on_some_values, MATRIX, "S(n)", budget=3)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED")


def test_limits_nest() -> None:
    now = time.monotonic()
    with until(now + 100), until(now - 1):
        with pytest.raises(TimeIsUp):
            require_time()
    require_time()
    with until(now - 1), until(now + 100), pytest.raises(TimeIsUp):
        require_time()


def test_a_call_as_long_as_the_last_is_not_begun() -> None:
    with until(time.monotonic() + 0.4):
        with timed_call():
            time.sleep(0.3)
        with pytest.raises(TimeIsUp), timed_call():
            raise AssertionError


def test_what_was_found_in_time_is_told() -> None:
    """The search for a smaller counterexample is cut short; the one at hand is the verdict."""
    f = lambda X: softmax(X[:, :1] @ X[:, :1].T) @ X  # noqa: E731
    for budget in (0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6):
        verdict = ep.check(f, "X: n d -> n d", "O(d)", budget=budget)
        if verdict.fails:
            return
        assert verdict.grade <= "TESTED"
    raise AssertionError


def test_overtime() -> None:
    with until(time.monotonic() - 1), overtime():
        require_time()
    with until(time.monotonic() - 1), overtime(-1), pytest.raises(TimeIsUp):
        require_time()


# ------------------------------------------------------------------------------------------ interruptions


def interrupted_loop() -> int:
    caught = 0
    with until(time.monotonic() + 0.1), interrupted():
        try:
            loops(None)
        except TimeIsUp:
            caught += 1
    return caught


def test_a_loop_is_interrupted_in_every_thread() -> None:
    assert interrupted_loop() == 1
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(interrupted_loop).result() == 1
        assert threads.submit(lambda: sum(k for k in range(10**5))).result()  # none is still on its way


def test_a_call_that_swallows_its_interruption_counts_for_nothing() -> None:
    with until(time.monotonic() + 0.1), interrupted(), pytest.raises(TimeIsUp):
        with timed_call():
            assert returns_all_the_same(3) == 0


def test_an_alarm_of_somebody_else_rings() -> None:
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        with until(time.monotonic() + 60), interrupted():
            while not rung:  # while we have the timer
                time.sleep(0.01)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        ep.check(loops, MATRIX, "S(n)", budget=0.1)
        while len(rung) < 2:  # then, or afterwards
            time.sleep(0.01)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("unheard", ["collector", "finalizer", "weak reference"])
def test_no_interruption_is_lost_in_a_callback(unheard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What arises in one of the collector, of a weak reference, or in a finalizer, is a complaint, no end."""

    def busy(seconds: float = 0.08) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    class Last:
        def __del__(self) -> None:
            if unheard == "finalizer":
                busy()

    def called_back(reference: weakref.ref[Last], itself: object = None) -> None:
        busy()

    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    callback = lambda phase, info: busy()  # noqa: E731
    if unheard == "collector":
        gc.callbacks.append(callback)
    try:
        with pytest.raises(TimeIsUp), until(time.monotonic() + 0.1), interrupted():
            for _ in range(100):
                gc.collect(0)
                last = Last()
                _reference = weakref.ref(last, called_back) if unheard == "weak reference" else None
                del last
                busy(0.01)
    finally:
        if unheard == "collector":
            gc.callbacks.remove(callback)
    assert not lost
