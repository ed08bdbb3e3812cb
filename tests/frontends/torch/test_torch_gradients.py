"""Targets that ask torch for gradients, as users call them: no `enable_grad` around."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import eqvproof as ep


def forces(energy: Any) -> Any:
    def target(X: torch.Tensor) -> torch.Tensor:
        points = X.detach().requires_grad_(True)
        (found,) = torch.autograd.grad(energy(points), points)
        return -found

    return target


class Turned(torch.autograd.Function):
    """The identity, with a derivative that is another one."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        return g * torch.arange(1.0, 4.0, dtype=g.dtype)


def gaussian(X: torch.Tensor) -> torch.Tensor:
    return torch.exp(-(X[:, None] - X[None]).pow(2).sum(-1)).sum()


def hooked(X: torch.Tensor) -> torch.Tensor:
    Y = X * 1
    Y.register_hook(lambda g: g.flip(1))
    return gaussian(Y)


def test_forces_hold() -> None:
    verdict = ep.check(forces(gaussian), "X: n 3 -> n 3", "O(3)", backend="torch", budget=5)
    assert verdict.holds, str(verdict)


@pytest.mark.parametrize(
    "energy", [lambda X: gaussian(X) + X[:, 0].sum(), lambda X: gaussian(Turned.apply(X)), hooked]
)
def test_wrong_forces_fail(energy: Any) -> None:
    verdict = ep.check(forces(energy), "X: n 3 -> n 3", "O(3)", backend="torch", budget=30)
    assert verdict.fails, str(verdict)


def test_without_a_gradient_the_error_is_that_of_torch() -> None:
    with pytest.raises(ep.TargetError, match="does not require grad"):
        ep.check(lambda x: torch.autograd.grad(x.sum(), x)[0], "x: n -> n", "S(n)", backend="torch")
