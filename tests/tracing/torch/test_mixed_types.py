"""Functions that make numbers of torch's default type, and those that raise for reasons of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
if torch:
    from torch.nn import functional as F

    from eqvproof.tracing.torch.target import Torch

WEIGHTS = torch.tensor([[0.5, 0.25], [1.0, -0.5]], dtype=torch.float32)
#: Operations that refuse to mix float64 and float32, each in words of its own.
MIXED: dict[str, Callable[[Any], Any]] = {
    "matrix product": lambda X: X @ WEIGHTS,
    "batched product": lambda X: torch.bmm(X[None], WEIGHTS[None])[0],
    "linear layer": lambda X: F.linear(X, WEIGHTS),
    "parametric ReLU": lambda X: F.prelu(X, WEIGHTS[0, :1]),
    "weighted bag": lambda X: F.embedding_bag(
        torch.tensor([[0, 1]]), X, per_sample_weights=WEIGHTS[:1], mode="sum"
    ),
}
POINTS = np.array([[1.0, 2.0], [-3.0, 0.5]])


@pytest.mark.parametrize("name", MIXED)
def test_a_function_that_mixes_types_is_called_in_the_default_type(name: str) -> None:
    f = MIXED[name]
    with pytest.raises(RuntimeError):
        f(torch.tensor(POINTS))
    target = Torch(f)
    found = target.call(f, (POINTS,))
    assert np.array_equal(found, f(torch.tensor(POINTS, dtype=torch.float32)).double().numpy())
    assert target.precision(f) == "float32"


def test_gradients_and_mixed_types_at_once() -> None:
    def slope(X: torch.Tensor) -> torch.Tensor:
        points = X.clone().requires_grad_(True)
        (found,) = torch.autograd.grad((points @ WEIGHTS).pow(2).sum(), points)
        return found

    found = Torch(slope).call(slope, (POINTS,))
    with torch.enable_grad():
        right = slope(torch.tensor(POINTS, dtype=torch.float32))
    assert np.array_equal(found, right.double().numpy())


@pytest.mark.parametrize(
    "error",
    [RuntimeError("the same dtype"), RuntimeError("require grad"), torch.linalg.LinAlgError("no")],
    ids=str,
)
def test_an_error_for_another_reason_changes_nothing(error: RuntimeError) -> None:
    """Whatever it says: numbers at which the function returns are computed as before."""

    def positive(X: torch.Tensor) -> torch.Tensor:
        if (X <= 0).any():
            raise error
        return X / 3

    target = Torch(positive)
    with pytest.raises(type(error), match=str(error)):
        target.call(positive, (POINTS,))
    assert np.array_equal(target.call(positive, (abs(POINTS),)), abs(POINTS) / 3)
    assert target.precision(positive) == "float64"


def test_a_claim_about_a_function_of_mixed_types() -> None:
    verdict = ep.check(lambda X: F.prelu(X, WEIGHTS[0, :1]), "X: n d -> n d", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
