"""A sum over no terms is 0, whatever its terms would be: at n = 1 over n - 1 terms that divide by n - 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep


def spread(x: Any, count: Any) -> Any:
    return np.broadcast_to(x[0] / count, (x.shape[0] - 1, x.shape[1]))


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda x: np.sum(spread(x, x.shape[0] - 1), axis=0),
    lambda x: (np.ones((x.shape[0] - 1, 1)) * (x[0] / (x.shape[0] - 1))).sum(axis=0),
    lambda x: np.ones(x.shape[0] - 1) @ spread(x, x.shape[0] - 1),
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", WRONG)
@pytest.mark.parametrize("seed", range(3))
def test_a_mean_of_no_points_is_no_point(function: Any, seed: int) -> None:
    verdict = ep.check(function, "x: n d -> d", "T(d)", seed=seed)
    assert verdict.outcome == "FAILS" and verdict.counterexample is not None, str(verdict)
    assert verdict.certificate is None or ep.verify(verdict.certificate).accepted


@pytest.mark.sampled(1)
@pytest.mark.parametrize("function", WRONG)
def test_a_mean_of_some_points_is_one(function: Any) -> None:
    from_two = ep.check(function, "x: n d -> d", "T(d)", sizes={"n": (2, None)})
    assert from_two.grade == "PROVED" and ep.verify(from_two.certificate).accepted, str(from_two)


def test_a_mean_of_all_points_is_one() -> None:
    def mean(x: Any) -> Any:
        return np.sum(np.broadcast_to(x[0] / x.shape[0], x.shape), axis=0)

    verdict = ep.check(mean, "x: n d -> d", "T(d)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
