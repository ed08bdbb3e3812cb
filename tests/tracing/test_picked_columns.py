"""Rows that a mask picks, transposed: scatter matrices, covariances, regressions of a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted

Function = Callable[..., Any]


def scatter(X: Any, b: Any) -> Any:
    total = np.zeros((X.shape[1], X.shape[1]))
    for mask in (b, ~b):
        part = X[mask] - X[mask].mean(axis=0)
        total = total + part.T @ part
    return total


def centred_columns(X: Any, b: Any) -> Any:
    columns = X[b].T
    columns = columns - columns.mean(axis=1, keepdims=True)
    return columns @ columns.T


RIGHT: dict[str, Function] = {
    "a Gram matrix": lambda X, b: X[b].T @ X[b] / b.sum(),
    "by np.dot": lambda X, b: np.dot(X[b].T, X[b]),
    "scatter of classes": scatter,
    "columns": centred_columns,
    "covariance of rows": lambda X, b: np.cov(X[b], rowvar=False, bias=True) + np.eye(X.shape[1]),
    "covariance of columns": lambda X, b: np.cov(X[b].T) + np.eye(X.shape[1]),
    "logarithms": lambda X, b: (np.abs(X[X[:, 0] > 0]).T + 1) @ X[X[:, 0] > 0],
}
UNDER_ALL = ("a Gram matrix", "scatter of classes", "columns")


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.sampled(2)
def test_sums_over_picked_rows(name: str) -> None:
    under = "S(n) x O(d)" if name in UNDER_ALL else "S(n)"
    assert_proved(RIGHT[name], "X: n d, b[bool]: n -> d d", under)


def test_reductions_of_columns() -> None:
    assert_proved(lambda X, b: X[b].T.mean(axis=1) + X[b].T.std(1), "X: n d, b[bool]: n -> d", "S(n)")
    assert_proved(
        lambda X, y, b: np.linalg.solve(X[b].T @ X[b] + np.eye(X.shape[1]), X[b].T @ y[b]),
        "X: n d, y: n, b[bool]: n -> d", "S(n) x O(d)",
    )  # fmt: skip


WRONG: dict[str, Function] = {
    "rows of two masks": lambda X, b: X[b].T @ X[~b][: b.sum()] if b.sum() * 2 == b.size else X.T @ X,
    "a first row": lambda X, b: X[b].T @ X[b] + X[0, 0],
    "weights by place": lambda X, b: X[b].T @ (X * np.arange(len(X))[:, None])[b],
}


@pytest.mark.parametrize("name", WRONG)
def test_near_misses_are_refuted(name: str) -> None:
    grades = ("EXACT", "ENCLOSED", "OBSERVED")
    if name == "rows of two masks":
        assert_refuted(WRONG[name], "X: n d, b[bool]: n -> d d", "S(n)", grades=grades, sizes={"n": 4})
    else:
        assert_refuted(WRONG[name], "X: n d, b[bool]: n -> d d", "S(n)")
