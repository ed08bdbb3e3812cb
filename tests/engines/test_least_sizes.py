"""Functions that take some number of entries at least: they are judged from there on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved


def nearest(x: Any) -> Any:
    """np.partition is not traced: the target is called."""
    distances = ((x[:, None] - x[None]) ** 2).sum(-1)
    return np.sort(np.partition(distances, 10, axis=1)[:, :10], axis=1).sum(1)


def test_a_function_that_is_called() -> None:
    verdict = ep.check(nearest, "x: n 3 -> n", "S(n)", budget=5)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED"), str(verdict)
    verdict = ep.check(lambda x: nearest(x) + x[:, 0], "x: n 3 -> n", "T(3)", budget=5)
    assert verdict.outcome == "FAILS" and verdict.counterexample is not None, str(verdict)


def test_entries_by_their_numbers() -> None:
    verdict = ep.check(lambda x: np.tanh(x[6] - x[0]), "x: n d -> d", "O(d)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "ENCLOSED"), str(verdict)
    assert_proved(lambda x: np.tanh(x[6] - x[0]), "x: n d -> d", "S(d)")


def test_what_raises_everywhere_is_bad_input() -> None:
    def wrong(x: Any) -> Any:
        raise ValueError("no such thing")

    with pytest.raises(ep.TargetError, match=r"no such thing[\s\S]*shape \(3, 4\)"):
        ep.check(wrong, "x: n d -> d", "O(d)")
