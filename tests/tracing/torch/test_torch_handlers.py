"""Handlers that only raise are allowed in code of torch; a handler that may take such an exception is not."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved

torch = pytest.importorskip("torch")


class Activated(torch.nn.Module):
    """Looks for its activation among those that it knows."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "relu"

    def forward(self, x: Any) -> Any:
        try:
            function = {"relu": torch.relu, "tanh": torch.tanh}[self.name]
        except KeyError as error:
            raise NotImplementedError(f"no activation {self.name}") from error
        return function(x - x.mean(0))


def solved(x: Any) -> Any:
    try:
        return torch.linalg.inv(torch.outer(x, x) - torch.eye(len(x))) @ x
    except torch.linalg.LinAlgError:
        raise TypeError("singular") from None


def caught(x: Any) -> Any:
    try:
        return solved(x)
    except TypeError:
        return torch.cumsum(x, 0)


def test_proved() -> None:
    assert_proved(Activated(), "x: n d -> n d", "S(n)", backend="torch")


def test_what_may_raise_is_proved_alone() -> None:
    assert_proved(solved, "x: n -> n", "S(n)", backend="torch")


def test_near_miss() -> None:
    assert ep.prove(caught, "x: n -> n", "S(n)", backend="torch").outcome != "PROVED"
