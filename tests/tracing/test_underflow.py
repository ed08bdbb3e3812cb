"""Where exponentials are 0 in floats, floats divide by 0: no difference between a target and its trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved


def transport(X: Any, Y: Any, ones: Any = np.ones, exp: Any = np.exp) -> Any:
    """The cost of an entropic transport plan, by the iterations of Sinkhorn and Knopp."""
    C = ((X[:, None] - Y[None]) ** 2).sum(-1)
    K = exp(-C / 0.05)
    u, v = ones(len(X)) / len(X), ones(len(Y)) / len(Y)
    for _ in range(5):
        u = ones(len(X)) / len(X) / (K @ v)
        v = ones(len(Y)) / len(Y) / (K.T @ u)
    return (u[:, None] * K * v[None] * C).sum()


def test_entropic_transport() -> None:
    assert_proved(transport, "X: n 3, Y: m 3 -> ()", "S(n) x S(m) x E(3)")


def test_only_the_points_of_both_move() -> None:
    verdict = ep.check(transport, "X: n 3, Y: m 3! -> ()", "O(3)", budget=10)
    assert verdict.outcome == "FAILS", str(verdict)


def test_in_single_precision() -> None:
    torch = pytest.importorskip("torch")
    weight = torch.ones(1, dtype=torch.float32)
    assert_proved(
        lambda X, Y: transport(X, Y, torch.ones, torch.exp) * weight[0],
        "X: n 3, Y: m 3 -> ()", "S(n) x S(m)", backend="torch",
    )  # fmt: skip


def test_what_is_undefined_by_itself_is_no_underflow() -> None:
    """0/0 at x = y, where no exponential is 0: the trace says so as well, and nothing is claimed of more."""
    verdict = ep.check(lambda x: np.exp(x - x.max()) * (x - x[0]) / (x - x[0]), "x: n -> n", "S(n)", budget=5)
    assert verdict.outcome != "HOLDS", str(verdict)
