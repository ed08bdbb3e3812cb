"""Orders in torch: `sort` and `topk` promise none of equal entries, a stable sort does."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch")


def test_stable_or_not() -> None:
    def argsort(x: Any, *, stable: bool) -> Any:
        return torch.sort(x, stable=stable)[1] + torch.zeros(1)

    grades = {
        (one, other): ep.identical(
            lambda x, one=one: argsort(-x, stable=one), lambda x, other=other: argsort(-x, stable=other),
            "x: n -> n", backend="torch", budget=30 if one == other else 2,
        ).grade
        for one in (True, False) for other in (True, False)
    }  # fmt: skip
    assert {pair for pair, grade in grades.items() if grade == "PROVED"} == {(True, True), (False, False)}


def test_the_greatest_of_each_row() -> None:
    def f(X: Any) -> Any:
        return torch.topk(X, 2, dim=1)[1] * X[:, :2]

    assert_proved(f, "X: b n -> b 2", "S(b)", sizes={"n": 5}, backend="torch")
    assert_refuted(f, "X: b n -> b 2", "S(n)", sizes={"n": 5}, backend="torch")


def test_how_many_are_asked_may_decide_the_order_of_equal_entries() -> None:
    verdict = ep.identical(
        lambda x: torch.topk(x, 3)[1][:2] + torch.zeros(1), lambda x: torch.topk(x, 2)[1] + torch.zeros(1),
        "x: n -> 2", sizes={"n": (3, 6)}, backend="torch", budget=2,
    )  # fmt: skip
    assert verdict.grade != "PROVED"


def test_rows_by_their_norms() -> None:
    here = {"signature": "X: n d -> n d", "under": "O(d)", "backend": "torch"}
    assert_proved(lambda X: X[torch.argsort(X.norm(dim=1), descending=True)], **here)
    assert_refuted(lambda X: X[torch.argsort(X[:, 0])], **here)
