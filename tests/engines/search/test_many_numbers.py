"""Functions that hold millions of numbers are compared on floats: one exact value takes the whole budget."""

from __future__ import annotations

from typing import Any

import numpy as np

import eqvproof as ep

WEIGHTS = np.random.default_rng(0).normal(size=(2, 1300, 1300))


def mixed(x: Any) -> Any:
    y = np.concatenate([x, np.zeros(1297)])
    return (WEIGHTS[1] @ np.maximum(WEIGHTS[0] @ y, 0))[:3] * x


def test_a_violation_is_found() -> None:
    verdict = ep.check(mixed, "x: 3 -> 3", "C(3)", budget=20)
    assert verdict.fails, str(verdict)
    assert len(verdict.counterexample.snippet) < 10_000
