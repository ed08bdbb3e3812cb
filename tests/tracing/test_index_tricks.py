"""np.r_, np.c_, np.s_ and np.mgrid in traced functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

TRUE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "signs": (lambda X: X * np.r_[1.0, -np.ones(3)], "X: n 4 -> n 4"),
    "a range": (lambda X: X * np.r_[1:5], "X: n 4 -> n 4"),
    "columns": (lambda X: np.c_[X, X[:, 0]], "X: n 4 -> n m"),
    "vectors as columns": (lambda X: np.c_[X[:, 0], X[:, 3] ** 2], "X: n 4 -> n m"),
    "a choice of columns": (lambda X: X[:, np.r_[1:4, 0]], "X: n 4 -> n 4"),
    "an index": (lambda X: X[np.s_[:, ::-1]], "X: n 4 -> n 4"),
    "a grid": (lambda X: X * np.mgrid[0:4], "X: n 4 -> n 4"),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name: str) -> None:
    f, signature = TRUE[name]
    assert_proved(f, signature, "S(n)")


FALSE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "rows after rows": (lambda X: np.r_[X, X[:1]][1:], "X: n 4 -> n 4"),
    "a vector before": (lambda X: np.r_[0.0, X[:, 0]][:-1], "X: n 4 -> n"),
    "a column that counts": (lambda X: np.c_[X[:, 0], np.arange(len(X))], "X: n 4 -> n m"),
    "rows from behind": (lambda X: X[np.s_[::-1]][:1] + 0 * X, "X: n 4 -> n 4"),
}


@pytest.mark.parametrize("name", FALSE)
def test_near_misses(name: str) -> None:
    f, signature = FALSE[name]
    assert_refuted(f, signature, "S(n)")


UNREAD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a directive": (lambda X: np.r_["0,2", X[:, 0], X[:, 1]], "X: n 4 -> a b"),
    "three axes": (lambda X: np.c_[X[:, :, None], X[:, :, None]], "X: n 4 -> n 4 a"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_not_proved(name: str) -> None:
    f, signature = UNREAD[name]
    assert ep.prove(f, signature, "S(n)").outcome == "UNDECIDED"


def test_what_somebody_has_changed_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.c_, "axis", 0)
    assert ep.prove(lambda X: np.c_[X, X[:, 0]], "X: n 4 -> n m", "S(n)").outcome == "UNDECIDED"


def _without_diagonal(X: Any, shift: int = 0) -> Any:
    D = ((X[:, None] - X[None]) ** 2).sum(-1) + 1
    D[range(len(X)), (np.arange(len(X)) + shift) % len(X)] = 0.0
    return D.sum()


def test_a_range_to_a_size_is_an_index() -> None:
    assert_proved(_without_diagonal, "X: n d -> ()", "S(n) x E(d)")
    assert_refuted(lambda X: _without_diagonal(X, 1), "X: n d -> ()", "S(n)", sizes={"n": (4, 5)})
