"""A limit that has passed is not lost in code that swallows TimeIsUp, or raises something else instead."""

from __future__ import annotations

import ctypes
import sys
import time
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import prove_claim
from eqvproof.engines.targets import trace_all_sizes, trace_at
from eqvproof.support import deadline
from eqvproof.support.deadline import (
    TimeIsUp,
    interrupted,
    overtime,
    require_time,
    reraise_time_is_up,
    timed_call,
    until,
)
from eqvproof.support.errors import TraceError
from eqvproof.tracing.run import run

VECTOR = parse_signature("x: n -> n")


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def swallows(x: Any) -> Any:
    with suppress(BaseException):
        busy(0.9)
    return 2 * x


def swallows_in_a_finally(x: Any) -> Any:
    for _ in range(1):
        try:
            busy(0.9)
        finally:
            return 2 * x  # noqa: B012


def raises_another(x: Any) -> Any:
    try:
        busy(0.9)
    except BaseException as error:
        raise ValueError("no luck") from error
    return 2 * x


def raises_one_that_hides_it(x: Any) -> Any:
    failed = False
    try:
        busy(0.9)
    except BaseException:
        failed = True
    return [2 * x][int(failed)]


def exits(x: Any) -> Any:
    try:
        busy(0.9)
    except BaseException:
        sys.exit(3)
    return 2 * x


def called_from_c(x: Any) -> Any:
    """By a callback of ctypes, which prints what arises in it and goes on."""
    ctypes.CFUNCTYPE(None)(lambda: busy(0.9))()
    return 2 * x


TARGETS = [swallows, swallows_in_a_finally, raises_another, raises_one_that_hides_it, exits, called_from_c]
each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda f: f.__name__)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: None)


@each_target
def test_of_a_call(target: Callable[[Any], Any]) -> None:
    with until(time.monotonic() + 0.1), interrupted(), pytest.raises(TimeIsUp):
        run(target, VECTOR, {"x": np.ones(2)})


@each_target
@pytest.mark.parametrize("how", ["all sizes", "at sizes"])
def test_of_a_trace(target: Callable[[Any], Any], how: str) -> None:
    """Where the time is up, no trace says otherwise: neither that there is one, nor that there is none."""
    with until(time.monotonic() + 0.1), interrupted(), pytest.raises(TimeIsUp):
        if how == "all sizes":
            trace_all_sizes(target, VECTOR, {})
        else:
            trace_at(target, VECTOR, {"n": 2})


@each_target
def test_with_time_to_spare_nothing_changes(target: Callable[[Any], Any]) -> None:
    with until(time.monotonic() + 100), interrupted():
        assert list(run(target, VECTOR, {"x": np.ones(2)})) == [2, 2]


def test_what_looks_at_the_clock_itself() -> None:
    """Operations on traced arrays do: what arises in one of these may be swallowed as well."""

    def careless(x: Any) -> Any:
        for _ in range(50):
            with suppress(BaseException):
                busy(0.01)
                x = x + 1
        return x

    with until(time.monotonic() + 0.1), pytest.raises(TimeIsUp):
        trace_all_sizes(careless, VECTOR, {})


def test_one_of_an_inner_limit_is_meant_for_it() -> None:
    """Who sets a limit may handle its end; the outer one has not passed."""
    with until(time.monotonic() + 100), reraise_time_is_up(), suppress(TimeIsUp), until(time.monotonic() - 1):
        require_time()
    with until(time.monotonic() + 100), timed_call(), suppress(TimeIsUp), until(time.monotonic() - 1):
        require_time()


def test_what_passes() -> None:
    with until(time.monotonic() - 1):
        with reraise_time_is_up():
            pass  # late, but it was not told so
        with pytest.raises(KeyError), reraise_time_is_up():
            raise KeyError("k")
        with pytest.raises(KeyboardInterrupt), reraise_time_is_up():
            with suppress(TimeIsUp):
                require_time()
            raise KeyboardInterrupt
        with pytest.raises(TimeIsUp), reraise_time_is_up(), suppress(TimeIsUp):
            require_time()
        with overtime(100), reraise_time_is_up(), suppress(TimeIsUp):
            raise TimeIsUp
    with reraise_time_is_up(), suppress(TimeIsUp):  # there is no limit
        raise TimeIsUp


def test_nothing_of_one_limit_is_left_for_the_next() -> None:
    with suppress(TimeIsUp), until(time.monotonic() - 1):
        require_time()
    with until(time.monotonic() - 1), reraise_time_is_up():
        pass


def test_errors_without_the_limit_stay_errors() -> None:
    def fails(x: Any) -> Any:
        raise ValueError("no luck")

    with until(time.monotonic() + 100), pytest.raises(TraceError, match="no luck"):
        trace_all_sizes(fails, VECTOR, {})
    with until(time.monotonic() + 100), pytest.raises(ep.TargetError, match="no luck"):
        run(fails, VECTOR, {"x": np.ones(2)})


@pytest.mark.parametrize("target", [swallows, raises_another, called_from_c], ids=lambda f: f.__name__)
def test_verdicts_say_so(target: Callable[[Any], Any]) -> None:
    """A claim whose target is given no time is undecided, and no error of the target."""
    verdict = ep.check(target, "x: n -> n", "S(n)", budget=0.2)
    assert verdict.outcome == "UNDECIDED", str(verdict)
    assert "no luck" not in verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize("how", ["looks at the clock", "is interrupted"])
def test_a_proof_that_takes_too_long(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves time for the search: a wrong claim fails, a right one is no less than tested."""

    def endless(*given: Any) -> str:
        while True:
            busy(0.01)
            if how == "looks at the clock":
                require_time()

    monkeypatch.setattr(prove_claim, "first_proof", endless)
    wrong = ep.check(lambda x: x * np.array([1.0, 2.0]), "x: 2 -> 2", "S(2)", budget=3)
    assert (wrong.outcome, wrong.grade) == ("FAILS", "EXACT"), str(wrong)
    assert ep.verify(wrong.certificate).accepted
    right = ep.check(lambda x: np.exp(x), "x: 2 -> 2", "S(2)", budget=3)
    assert right.holds and right.grade != "PROVED", str(right)
    assert ep.prove(lambda x: np.exp(x), "x: 2 -> 2", "S(2)", budget=0.5).outcome == "UNDECIDED"


def test_callbacks_of_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an installed module with types of callbacks nothing is interrupted that would not be heard."""
    library = types.ModuleType("library")
    library.__dict__["busy"] = busy
    library.__dict__["CALLBACK"] = ctypes.CFUNCTYPE(None)
    exec(compile("def back():\n    busy(0.6)\n", "library.py", "exec"), library.__dict__)
    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    monkeypatch.setattr(deadline, "_is_installed", lambda file: file == "library.py")
    with pytest.raises(TimeIsUp), until(time.monotonic() + 0.1), interrupted():
        library.CALLBACK(library.back)()
        busy(5)
    assert not lost
