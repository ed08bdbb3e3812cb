"""Functions of numbers on arrays: np.vectorize and np.piecewise with branches, statistics, fsum."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted, assert_unproved

Function = Callable[..., Any]


def huber(value: Any) -> Any:
    if value > 1:
        return 2 * value - 1
    if value < -1:
        return -2 * value - 1
    return value * value


@np.vectorize
def half_below(value: Any) -> Any:
    return -value if value < 0 else value / 2


RIGHT: dict[str, Function] = {
    "a branch": lambda x: np.vectorize(lambda v: v if v > 0 else 0.1 * v)(x),
    "three ways": lambda x: np.vectorize(huber)(x),
    "a decorator": lambda x: half_below(x),
    "the decorated function": half_below,
    "types of results": lambda x: np.vectorize(lambda v: v if v > 0 else 0, otypes=[float])(x),
    "beside a mean": lambda x: np.vectorize(lambda v: v if v > x.mean() else 0.0)(x),
    "two arrays": lambda x: np.vectorize(lambda a, b: a - b if a > b else a + b)(x, x**2),
    "pieces": lambda x: np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v**2]),
    "a piece for the rest": lambda x: np.piecewise(x, [x < 0], [0, lambda v: v**2]),
    "pieces about their means": lambda x: np.piecewise(
        x, [x < 0, x > 1], [lambda v: v - v.mean(), lambda v: v.sum(), 1.0]
    ),
    "pieces that overlap": lambda x: np.piecewise(x, [x > -1, x > 1], [lambda v: v, lambda v: 1 / v]),
    "fsum": lambda x: x / (1 + math.fsum(x**2)),
    "statistics": lambda x: (x - statistics.fmean(x)) / (1 + statistics.pvariance(x)),
    "a median": lambda x: x - statistics.median(x) + statistics.stdev(x),
}


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.sampled(2)
def test_every_entry_goes_its_own_way(name: str) -> None:
    assert_proved(RIGHT[name], "x: n -> n", "S(n)")


SEEN: list[int] = []


@np.vectorize
def counting(value: Any) -> Any:
    SEEN.append(1)
    return value * len(SEEN)


def test_a_decorated_function_that_keeps_state_is_no_function() -> None:
    verdict = ep.check(lambda x: counting(x), "x: n -> n", "S(n)")
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


WRONG: dict[str, Function] = {
    "beside a mean of some": lambda x: np.vectorize(lambda v, mean: v if v > mean else 0.0)(x, x[:1].mean()),
    "beside the places": lambda x: np.vectorize(huber)(x + np.arange(len(x))),
    "two arrays in other orders": lambda x: np.vectorize(lambda a, b: a if a > b else b)(x, x[::-1]),
    "pieces by place": lambda x: np.piecewise(x, [x < x[0]], [lambda v: v**2, 0.5]),
    "fsum of the first": lambda x: x / (1 + math.fsum(x[:1] ** 2)),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.sampled(2)
def test_near_misses(name: str) -> None:
    assert_refuted(WRONG[name], "x: n -> n", "S(n)")


def test_the_type_of_the_first_result_is_not_passed_over() -> None:
    """np.vectorize makes integers of all results if the first one is an integer."""
    verdict = ep.check(lambda x: np.vectorize(lambda v: v if v > 0 else 0)(x), "x: n -> n", "S(n)")
    assert verdict.fails


def of_axes(value: Any) -> Any:
    if np.ndim(value) == 0 and value > 1e9:
        return value - 1
    return value


def of_length(value: Any) -> Any:
    try:
        return value * len(value)
    except TypeError:
        return value


def test_entries_are_numbers_in_the_trace() -> None:
    verdict = assert_proved(lambda x: np.vectorize(of_axes)(x), "x: n -> n", "S(n)")
    assert "- 1" in verdict.explain() or "-1" in verdict.explain()
    assert_unproved(lambda x: np.vectorize(of_length)(x), "x: n -> n", "S(n)")
