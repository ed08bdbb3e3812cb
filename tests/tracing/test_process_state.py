"""Targets that change the process they run in neither take the run down nor reach a later result."""

from __future__ import annotations

import decimal
import io
import locale
import math
import os
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TargetError
from eqvproof.support.forked_work import continue_in_copy
from eqvproof.tracing.numpy.trace import trace_all_sizes
from eqvproof.tracing.observing.executed_code import Recorder
from eqvproof.tracing.observing.purity import Guard
from eqvproof.tracing.observing.restore_process import left_as_found, one_guarded_call
from eqvproof.tracing.run import run
from tests.judged import assert_proved

VECTOR = "x: n -> n"
SIGNATURE = parse_signature(VECTOR)
OTHER_LOCALE = "C.UTF-8" if locale.setlocale(locale.LC_ALL) == "C" else "C"


def patches(x: Any) -> Any:
    setattr(np, "tanh", np.sin)  # noqa: B010
    math.sqrt = math.cos  # type: ignore[assignment]
    return np.tanh(x)


def deletes(x: Any) -> Any:
    del np.linalg.inv
    return 2 * x


def sets_states(x: Any) -> Any:
    np.seterr(all="raise")
    np.set_printoptions(precision=1)
    np.random.seed(0)
    random.seed(0)
    warnings.simplefilter("error")
    decimal.getcontext().prec = 2
    sys.setrecursionlimit(900)
    os.environ["EQVPROOF_TEST"] = "1"
    locale.setlocale(locale.LC_ALL, OTHER_LOCALE)
    sys.stdout = sys.stderr = io.StringIO()
    return x * 2


def moves_away(x: Any) -> Any:
    os.chdir("/")
    return x * 2


def exits(x: Any) -> Any:
    sys.exit(0)


def interrupts(x: Any) -> Any:
    raise GeneratorExit


def state() -> Any:
    return (
        np.tanh, math.sqrt, np.linalg.inv, np.geterr(), str(np.get_printoptions()), list(warnings.filters),
        np.random.get_state()[1].tobytes(), random.getstate(), decimal.getcontext().prec,  # type: ignore[index]
        sys.getrecursionlimit(), os.environ.get("EQVPROOF_TEST"), os.getcwd(),
        locale.setlocale(locale.LC_ALL), sys.stdout, sys.stderr,
    )  # fmt: skip


@pytest.fixture
def unchanged() -> Iterator[None]:
    before = state()
    yield
    assert state() == before


@pytest.mark.parametrize("target", [patches, deletes, sets_states, moves_away], ids=lambda f: f.__name__)
@pytest.mark.usefixtures("unchanged")
def test_what_a_target_changes_is_put_back(target: Callable[[Any], Any]) -> None:
    for about in ("reals", "floats"):
        ep.check(target, VECTOR, "S(n)", budget=1.0, about=about)
    ep.identical(target, lambda x: 2 * x, VECTOR, budget=1.0)
    ep.refute(target, VECTOR, "S(n)", budget=1.0)


@pytest.mark.usefixtures("unchanged")
def test_later_verdicts_do_not_see_it() -> None:
    """np.tanh in the evaluation of a later Program is the hyperbolic tangent."""
    ep.check(patches, VECTOR, "S(n)", budget=1.0)
    verdict = ep.check(lambda x: np.tanh(x) - np.sqrt(x * x), VECTOR, "S(n)", budget=5.0)
    assert verdict.holds and verdict.grade == "PROVED", str(verdict)


def test_a_target_that_replaces_functions_is_no_function_for_a_proof() -> None:
    verdict = ep.prove(patches, VECTOR, "S(n)")
    assert verdict.outcome == "UNDECIDED" and "numpy.tanh" in verdict.reason + str(verdict)


def test_the_evaluation_has_functions_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    program = trace_all_sizes(lambda x: np.tanh(x) / np.max(x), SIGNATURE).program
    x = np.array([0.5, 2.0])
    before = evaluate_float(program, {"x": x}, {"n": 2})
    monkeypatch.setattr(np, "tanh", np.sin)
    monkeypatch.setattr(np, "max", np.min)
    assert np.array_equal(evaluate_float(program, {"x": x}, {"n": 2}), before)


@pytest.mark.parametrize("target", [exits, interrupts], ids=lambda f: f.__name__)
def test_ending_the_program_is_an_error_of_the_target(target: Callable[[Any], Any]) -> None:
    with pytest.raises(TargetError, match=r"SystemExit|GeneratorExit"):
        run(target, SIGNATURE, {"x": np.ones(2)}, {"n": 2})
    with pytest.raises(TargetError, match=r"SystemExit|GeneratorExit"):
        ep.check(target, VECTOR, "S(n)", budget=1.0)


def test_ctrl_c_ends_the_run() -> None:
    def interrupted(x: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ep.check(interrupted, VECTOR, "S(n)")


FORKING = """
import os, sys
import eqvproof as ep

def forks(x):
    os.fork()
    return 2 * x

verdict = ep.check(forks, "x: n -> n", "S(n)", budget=2.0)
print("said", verdict.outcome)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_ends_with_the_call(tmp_path: Path) -> None:
    file = tmp_path / "forking.py"
    file.write_text(FORKING)
    root = Path(ep.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(file)], capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    assert done.stdout.count("said") == 1, done.stdout


def test_draws_differ_from_call_to_call() -> None:
    """Putting generators back after each call would make a random target look like a function."""
    verdict = ep.check(lambda x: x * np.random.rand(), VECTOR, "S(n)", budget=2.0)
    assert verdict.outcome == "UNDECIDED", str(verdict)


def test_another_thread_may_draw_meanwhile() -> None:
    """An event loop that draws now and then does not make a function a random one."""
    ended = threading.Event()

    def draw() -> None:
        while not ended.wait(1e-4):
            random.random()

    thread = threading.Thread(target=draw)
    thread.start()
    try:
        assert_proved(np.tanh, VECTOR, "S(n)")
        of_random = ep.check(lambda x: x * np.random.rand(), VECTOR, "S(n)", budget=1.0)
    finally:
        ended.set()
        thread.join()
    assert of_random.outcome == "UNDECIDED", str(of_random)


def test_another_thread_may_draw_before_a_copy_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy that goes on with the reading has no other threads, and finds what they drew before."""
    judge, ended = Guard.judge, threading.Event()

    def judge_in_a_copy(guard: Guard, recorder: Recorder, **options: bool) -> None:
        continue_in_copy()
        judge(guard, recorder, **options)

    def draw() -> None:
        while not ended.wait(1e-4):
            random.random()

    monkeypatch.setattr(Guard, "judge", judge_in_a_copy)
    thread = threading.Thread(target=draw)
    thread.start()
    try:
        assert_proved(lambda x: np.tanh(x) + np.sin(x), VECTOR, "S(n)")
    finally:
        ended.set()
        thread.join()


@pytest.mark.usefixtures("unchanged")
def test_errors_on_the_way_change_nothing() -> None:
    with pytest.raises(ValueError), left_as_found(), one_guarded_call():
        sets_states(1)
        patches(np.ones(1))
        raise ValueError
