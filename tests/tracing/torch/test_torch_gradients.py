"""Targets that ask torch for gradients, as users call them: no `enable_grad` around."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


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


NET = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.SiLU(), torch.nn.Linear(8, 1)).double()


def learned(X: torch.Tensor) -> torch.Tensor:
    """A network of the squared distances from the origin."""
    found: torch.Tensor = NET((X * X).sum(-1, keepdim=True)).sum()
    return found


def of_distances(X: torch.Tensor) -> torch.Tensor:
    """Attention by distances, those of points to themselves among them."""
    weights = torch.softmax(-torch.cdist(X, X), dim=-1)
    return (weights @ X).pow(2).sum()


def curvature(X: torch.Tensor) -> torch.Tensor:
    """A second derivative, by coordinates."""
    points = X.detach().requires_grad_(True)
    (first,) = torch.autograd.grad(points.pow(4).sum(), points, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), points)
    return second


@pytest.mark.parametrize(
    ("f", "under"),
    [
        (forces(gaussian), "S(n) x O(3)"), (forces(gaussian), "T(3)"), (forces(learned), "S(n) x O(3)"),
        (forces(of_distances), "S(n) x O(3)"), (curvature, "S(n)"),
    ],
    ids=["forces", "forces of moved points", "of a network", "of distances", "curvature"],
)  # fmt: skip
def test_derivatives_are_proved(f: Any, under: str) -> None:
    signature = "X: n 3 -> n 3^" if under == "T(3)" else "X: n 3 -> n 3"
    verdict = ep.check(f, signature, under, backend="torch", budget=60)
    assert verdict.grade == "PROVED", str(verdict)


@pytest.mark.parametrize(
    ("f", "under"),
    [
        (forces(lambda X: gaussian(X) + X[0, 0] ** 2), "S(n)"), (forces(learned), "T(3)"),
        (curvature, "O(3)"),
        (forces(lambda X: (gaussian(X) * X.detach().pow(3)).sum()), "O(3)"),
    ],
    ids=["one more at the first", "of moved points", "curvature", "of a part that is held"],
)  # fmt: skip
def test_wrong_derivatives_are_refuted(f: Any, under: str) -> None:
    signature = "X: n 3 -> n 3^" if under == "T(3)" else "X: n 3 -> n 3"
    verdict = ep.check(f, signature, under, backend="torch", budget=60)
    assert verdict.fails and verdict.grade >= "ENCLOSED", str(verdict)


@pytest.mark.parametrize(
    "energy", [lambda X: gaussian(X) + X[:, 0].sum(), lambda X: gaussian(Turned.apply(X)), hooked]
)
def test_wrong_forces_fail(energy: Any) -> None:
    verdict = ep.check(forces(energy), "X: n 3 -> n 3", "O(3)", backend="torch", budget=30)
    assert verdict.fails, str(verdict)


def test_without_a_gradient_the_error_is_that_of_torch() -> None:
    with pytest.raises(ep.TargetError, match="does not require grad"):
        ep.check(lambda x: torch.autograd.grad(x.sum(), x)[0], "x: n -> n", "S(n)", backend="torch")
