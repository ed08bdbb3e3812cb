"""An axis repeated as often as a size says."""

from __future__ import annotations

import pytest

from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
F = torch.nn.functional

WEIGHT = torch.tensor([1.0, 2.0, 3.0])


def normed(x):
    return F.instance_norm(x, weight=WEIGHT, bias=torch.ones(3))


def weighted(x):
    return x.flatten() * WEIGHT.repeat(x.shape[0])


def test_weights_are_repeated_for_each_of_a_batch():
    assert_proved(normed, "x: b 3 h w -> b 3 h w", "S(b) x S(h) x S(w)", sizes={"h": (2, 4)}, backend="torch")
    assert_refuted(normed, "x: b 3 h w -> b 3 h w", "S(3)", sizes={"h": (2, 4)}, backend="torch")
    assert_proved(lambda x: weighted(x).reshape(x.shape), "x: b 3 -> b 3", "S(b)", backend="torch")
    assert_refuted(lambda x: weighted(x.T).reshape(x.T.shape).T, "x: 3 b -> 3 b", "S(3)", backend="torch")
