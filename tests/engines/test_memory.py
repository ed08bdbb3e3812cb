"""What targets may take: time and memory of a copy that can be ended; exact numbers are counted."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search import CalledSubject, ProgramSubject
from eqvproof.engines.search import subject as subjects
from eqvproof.numbers import Inexact
from eqvproof.support import forked_work
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.engines.test_budget import in_time, needs_copies

Function = Callable[..., Any]
MEGABYTE = 2**20
WIDTH = 5e3

#: Targets that make arrays of 25 or more million numbers.
LARGE: dict[str, Function] = {
    "a sum": lambda x: x * np.ones((int(5e3),) * 2).sum() / 25e6,
    "a product of matrices": lambda x: x * np.trace(np.eye(int(3e3)) @ np.eye(int(3e3))),
    "beside an input": lambda x: x + (np.ones((int(WIDTH),) * 2) * x.sum()).mean(),
    "a function of an input": lambda x: x * np.exp(np.ones((round(5e3),) * 2) * x.sum()).sum(),
    "zeros": lambda x: x * (np.zeros((int(2e4), int(1e4))) + 1).mean(),
    "steps": lambda x: x * np.arange(3e7).mean(),
    "a norm": lambda x: x * np.linalg.norm(np.full((int("5000"),) * 2, 0.5)),
}


@needs_copies
@pytest.mark.parametrize("name", LARGE)
def test_the_budget_is_kept_and_memory_is_the_copys(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verdict = in_time(lambda budget: ep.check(LARGE[name], "x: n -> n", "S(n)", budget=budget), 1.0)
    assert not verdict.fails
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * MEGABYTE / 1024


@needs_copies
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is limited on Linux")
@pytest.mark.parametrize("make", [np.ones, np.zeros, lambda n: np.arange(float(n))])
def test_more_memory_than_a_copy_gets(make: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked_work, "MEMORY_SHARE", 0.0)
    monkeypatch.setattr(forked_work, "LEAST_MEMORY", 256 * MEGABYTE)
    here, calls = os.getpid(), []

    def target(x: Any) -> Any:
        calls.extend([0] * (os.getpid() == here))
        return x + 0 * make(int(1e8))[-1]

    with pytest.raises(ep.TargetError, match="MemoryError"):
        ep.check(target, "x: n -> n", "S(n)", budget=3)
    assert not calls  # nor is it asked here, afterwards, whether it is a function of tensors
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY  # here there is no limit


@needs_copies
def test_what_a_copy_needs_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked_work, "MEMORY_SHARE", 0.0)
    monkeypatch.setattr(forked_work, "LEAST_MEMORY", 512 * MEGABYTE)
    verdict = ep.check(lambda x: x * np.ones(int(1e6)).mean(), "x: n -> n", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


WAYS: dict[str, Function] = {
    "an outer product": lambda x: np.exp(np.ones((40, 40)) * x.sum()).sum() * x,
    "an order": lambda x: x + np.sort(np.arange(1500.0) * x.sum()).max(),
    "all pairs": lambda x: x + np.maximum(np.arange(40.0)[:, None] * x.sum(), np.arange(40.0)).sum(),
}


@pytest.mark.parametrize("how", ["program", "called"])
@pytest.mark.parametrize("name", WAYS)
def test_numbers_on_the_way_are_counted(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more of them than are worth it there is no exact value, whether they are stored or computed."""
    signature, point = parse_signature("x: n -> n"), {"x": np.array([Fraction(1), Fraction(-2)], object)}

    def value() -> Any:
        if how == "program":
            return ProgramSubject(trace_all_sizes(WAYS[name], signature).program).exact(point, {"n": 2})
        return CalledSubject(AtSizes(WAYS[name], signature)).exact(point, {"n": 2})

    assert value().shape == (2,)
    monkeypatch.setattr(subjects, "MOST_EXACT_NUMBERS", 1500)
    with pytest.raises(Inexact, match="numbers"):
        value()


def test_violations_are_found_in_floats_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "MOST_EXACT_NUMBERS", 1500)
    wrong = lambda x: x * np.array([1.0, 2.0]) + np.exp(np.ones((40, 40)) * x.sum()).mean()  # noqa: E731
    assert ep.check(wrong, "x: 2 -> 2", "S(2)").fails
