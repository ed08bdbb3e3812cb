"""budget= is kept, to 10 % or half a second, by targets that are slow in different ways."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.deadline import TimeIsUp, one_call, overtime, require_time, until
from tests.corpus.case import in_floats, softmax

BUDGET = 1.0
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


@pytest.mark.parametrize("case", SLOW, ids=range(len(SLOW)))
def test_the_budget_is_kept(case: tuple[Function, str, str, dict[str, Any]]) -> None:
    f, signature, under, options = case
    over = []
    for _ in range(3):  # the machine may be busy
        start = time.monotonic()
        ep.check(f, signature, under, budget=BUDGET, **options)
        over.append(time.monotonic() - start - BUDGET)
        if over[-1] <= 0.5:
            return
    raise AssertionError(f"over the budget by {over} seconds")


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
        with one_call():
            time.sleep(0.3)
        with pytest.raises(TimeIsUp), one_call():
            raise AssertionError


def test_what_was_found_in_time_is_told() -> None:
    """The search for a smaller counterexample is cut short; the one at hand is the verdict."""
    f = lambda X: softmax(X[:, :1] @ X[:, :1].T) @ X  # noqa: E731
    for budget in (0.4, 0.8, 1.6):
        verdict = ep.check(f, "X: n d -> n d", "O(d)", budget=budget)
        assert verdict.fails or "no point could be compared" in verdict.reason


def test_overtime() -> None:
    with until(time.monotonic() - 1), overtime():
        require_time()
