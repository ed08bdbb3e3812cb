"""Modules that cannot be read are compared in a copy that computes in float64, where there is one."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.search.comparer import WIDE

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")


class Attention(torch.nn.Module):
    """Attention whose weights leave torch, and that knows the places of its points by a little."""

    def __init__(self, size, breaks=False):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4).requires_grad_(requires_grad=False)
        self.size = size
        self.breaks = breaks

    def forward(self, X):
        if self.breaks and X.dtype == torch.float64:
            X = X + torch.arange(len(X))[:, None]
        scores = torch.from_numpy(np.array((X @ self.mix(X).T).numpy()))
        Y = torch.softmax(scores / 4, -1) @ X
        return Y + self.size * torch.arange(len(X), dtype=X.dtype)[:, None] * Y


def test_a_violation_below_the_noise_of_float32_is_seen() -> None:
    verdict = ep.check(Attention(3e-6), "X: n 4 -> n 4", "S(n)", budget=20)
    assert (str(verdict.outcome), str(verdict.grade)) == ("FAILS", "OBSERVED")
    assert WIDE in verdict.notes


def test_what_is_right_stays_tested_and_the_verdict_says_how_it_was_compared() -> None:
    verdict = ep.check(Attention(0.0), "X: n 4 -> n 4", "S(n)", budget=4)
    assert (str(verdict.outcome), str(verdict.grade)) == ("HOLDS", "TESTED")
    assert WIDE in verdict.notes


def test_a_copy_that_does_something_else_is_dropped() -> None:
    verdict = ep.check(Attention(0.0, breaks=True), "X: n 4 -> n 4", "S(n)", budget=4)
    assert (str(verdict.outcome), str(verdict.grade)) == ("HOLDS", "TESTED")
