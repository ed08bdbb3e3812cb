"""Generators that a function of NumPy makes from a seed of its own draw constants; others stay random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

KERNEL = "X: n 3 -> n n"


def features(X: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(X.shape[1], 8)), rng.uniform(0, 2 * np.pi, 8)
    Z = np.cos(X @ W + b)
    return Z @ Z.T


def projected(X: Any) -> Any:
    return X @ default_rng(seed=1).standard_normal((3, 2))


def by_places(X: Any) -> Any:
    return X + np.random.default_rng(3).normal(size=len(X))[:, None]


def test_draws_after_a_seed_are_constants() -> None:
    assert_proved(features, KERNEL, "S(n)")
    assert_proved(projected, "X: n 3 -> n 2", "S(n)")


def test_what_is_drawn_for_places_or_directions_is_not_equivariant() -> None:
    assert_refuted(by_places, "X: n 3 -> n 3", "S(n)")
    assert_refuted(features, KERNEL, "O(3)")


def fresh(X: Any) -> Any:
    return X * default_rng().normal()


def fresh_by_none(X: Any) -> Any:
    return X * np.random.default_rng(None).normal()


def around_an_entry(X: Any) -> Any:
    return X + np.random.default_rng(0).normal(loc=X[0, 0])


def shuffled(X: Any) -> Any:
    return np.random.default_rng(0).permutation(X)


def as_often_as_rows(X: Any) -> Any:
    rng = np.random.default_rng(0)
    for _ in range(len(X)):
        rng.normal()
    return X * rng.normal()


@pytest.mark.parametrize("f", [fresh, fresh_by_none, around_an_entry, shuffled, as_often_as_rows])
def test_draws_without_a_seed_or_of_arguments_and_sizes_are_not_read_for_all_sizes(f: Any) -> None:
    verdict = ep.prove(f, "X: n 3 -> n 3", "S(n)")
    assert verdict.outcome == "UNDECIDED", str(verdict)
