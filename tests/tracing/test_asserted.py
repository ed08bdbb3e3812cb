"""Assertions in targets that stand in test files, as pytest rewrites them there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.tracing.observing.reachable_objects import Reach
from tests.judged import assert_proved, assert_refuted

MESSAGE, LOWEST = "too small", -1.0
SIGNATURE = "X: d n -> d n"
Target = Callable[[Any], Any]


def all_equal(X: Any) -> Any:
    assert np.all(X == X)
    return X


def compared(X: Any) -> Any:
    assert np.sum(X) > LOWEST
    return X


def with_a_message(X: Any) -> Any:
    assert X.sum() < 9, MESSAGE
    return 2 * X


def with_numbers_in_the_message(X: Any) -> Any:
    s = X.sum()
    assert s < 9, f"{s} of {X}"
    return X * s


def both(X: Any) -> Any:
    assert X.sum() < 9 and X.max() < 5
    return X


def either(X: Any) -> Any:
    assert X.sum() < 9 or not X.max() < 5
    return X


def chained(X: Any) -> Any:
    assert LOWEST < np.abs(X).max() < 100
    return X


def called(X: Any) -> Any:
    assert bool(np.any(X <= X.max()))
    return X


def of_a_part(X: Any) -> Any:
    assert np.array([X.sum(), 1.0]).max() >= 1
    return X


def several(X: Any) -> Any:
    assert X.ndim == 2
    assert X.min() > -9
    assert X.max() < 9
    return X - X.mean(axis=1, keepdims=True)


def helper(X: Any) -> Any:
    assert X.max() < 9, "called"
    return X.sum(axis=1, keepdims=True)


def in_a_helper(X: Any) -> Any:
    return X + helper(X)


def never(X: Any) -> Any:
    assert X.sum() != X.sum() or X.max() >= X.max()
    return X


KEPT = (
    all_equal, compared, with_a_message, with_numbers_in_the_message, both, either, chained, called,
    of_a_part, several, in_a_helper, never,
)  # fmt: skip


def first(X: Any) -> Any:
    assert X[0, 0] < 9
    return X


def first_with_numbers(X: Any) -> Any:
    assert X[0, 0] < 9, f"{X[0, 0]}"
    return X


def ordered(X: Any) -> Any:
    assert X[0, 0] <= X[0, -1]
    return X


def rows(X: Any) -> Any:
    s = X.sum(axis=0)
    assert s[0] < 2 or s[-1] > 1, MESSAGE
    return X


BROKEN = (first, first_with_numbers, ordered, rows)


@pytest.mark.parametrize("f", KEPT, ids=lambda f: f.__name__)
def test_where_an_assertion_fails_there_is_no_value(f: Target) -> None:
    assert_proved(f, SIGNATURE, "S(n)")


def test_the_verdict_names_the_assertion() -> None:
    notes = ep.check(compared, SIGNATURE, "S(n)").notes
    assert any("AssertionError" in n and "assert np.sum(X) > LOWEST" in n for n in notes)


@pytest.mark.parametrize("f", BROKEN, ids=lambda f: f.__name__)
def test_an_assertion_that_tells_positions_apart_breaks_the_symmetry(f: Target) -> None:
    assert_refuted(f, SIGNATURE, "S(n)")


@pytest.mark.parametrize("f", [*KEPT, *BROKEN], ids=lambda f: f.__name__)
def test_no_walk_enters_the_test_runner(f: Target) -> None:
    assert "@pytest_ar" in f.__globals__, "not rewritten: nothing is tested"
    found = Reach(f)
    assert len(found.tokens) < 200
    assert not any("_pytest" in str(g.__module__) for g in found.functions)


def test_a_module_of_that_name_of_somebody_else_is_walked() -> None:
    scope: dict[str, Any] = dict(vars(sys.modules[__name__]))
    own = type(sys)("own")
    own._saferepr = helper  # type: ignore[attr-defined]
    scope["@pytest_ar"] = own
    found = Reach(FunctionType(compared.__code__, scope))
    assert helper in found.functions
