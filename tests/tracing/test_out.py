"""out= and where= of functions of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted, assert_unproved

Function = Callable[..., Any]


def into(shape: Callable[[Any], Any], call: Callable[[Any, Any], object], dtype: Any = float) -> Function:
    """What a call writes into an array of a shape that its argument has."""

    def f(X: Any) -> Any:
        out = np.zeros(shape(X), dtype=dtype)
        call(X, out)
        return out

    return f


def copied(call: Callable[[Any, Any], object]) -> Function:
    """What a call leaves in a copy of its argument."""

    def f(X: Any) -> Any:
        out = X.copy()
        call(X, out)
        return out

    return f


def pairs(X: Any) -> Any:
    return len(X), len(X)


def unit(X: Any) -> Any:
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return np.divide(X, length, out=np.zeros_like(X), where=length > 0)


def logarithms(X: Any) -> Any:
    return np.log(X, out=np.zeros_like(X), where=X > 0).sum(0)


def width(X: Any) -> Any:
    return X.shape[1]


GRAM, ROWS, ROW = "X: n d -> n n", "X: n d -> n d", "X: n d -> d"
PROVED: dict[str, tuple[Function, str, str]] = {
    "einsum": (into(pairs, lambda X, out: np.einsum("id,jd->ij", X, X, out=out)), GRAM, "S(n) x O(d)"),
    "dot": (into(pairs, lambda X, out: np.dot(X, X.T, out=out)), GRAM, "S(n) x O(d)"),
    "mean": (into(width, lambda X, out: X.mean(axis=0, out=out)), ROW, "S(n) x E(d)"),
    "reduce": (into(width, lambda X, out: np.add.reduce(X, 0, out=out)), ROW, "O(d)"),
    "integers": (into(width, lambda i, out: np.sum(i, 0, out=out), int), "i[d]: n d -> d", "S(n)"),
    "clip": (copied(lambda X, out: out.clip(-1, 1, out=out)), ROWS, "S(n) x S(d)"),
    "unit vectors": (unit, ROWS, "S(n) x O(d)"),
    "logarithms": (logarithms, ROW, "S(n) x S(d)"),
    "in place": (copied(lambda X, out: np.divide(X, X[:1], out=out, where=X[:1] != 0)), ROWS, "S(d)"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    assert_proved(*PROVED[name])


def test_what_is_left_out_keeps_what_was_there() -> None:
    def counted(x: Any) -> Any:
        return np.log(x, out=np.arange(len(x)) * 1.0, where=x > 0)

    assert_refuted(counted, "x: n -> n", "S(n)")


UNREAD: dict[str, tuple[Function, str]] = {
    "an argument": (copied(lambda X, out: np.einsum("ij,jk->ik", out, out, out=out)), "X: n n -> n n"),
    "a part of one": (copied(lambda X, out: np.dot(X, out[0], out=out[0])), "X: n n -> n n"),
    "another type": (into(lambda i: i.shape[1], lambda i, out: np.sum(i, 0, out=out)), "i[n]: n n -> n"),
    "nothing there": (lambda X: np.divide(1.0, X, where=X != 0), "X: n n -> n n"),
    "memory as it is": (lambda X: np.divide(1.0, X, out=np.empty_like(X), where=X != 0), "X: n n -> n n"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_not_proved(name: str) -> None:
    assert_unproved(*UNREAD[name], "S(n)")
