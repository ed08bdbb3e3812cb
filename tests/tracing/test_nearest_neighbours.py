"""Trees of SciPy: distances to nearest neighbours, and neighbours where no distances tie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.spatial
from scipy.spatial import KDTree, cKDTree

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted, assert_unproved

Function = Callable[..., Any]
LANDMARKS = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])


def chamfer(X: Any, Y: Any) -> Any:
    return KDTree(X).query(Y)[0].mean() + KDTree(Y).query(X)[0].mean()


def mean_of_three(X: Any) -> Any:
    tree = scipy.spatial.KDTree(X)
    distances, _ = tree.query(X, k=3)
    return distances[:, 1:].mean(axis=1)


def nearest(X: Any, Y: Any) -> Any:
    return Y[cKDTree(Y).query(X)[1]]


def test_distances_are_proved() -> None:
    assert_proved(lambda X: cKDTree(X).query(X, k=2)[0][:, 1], "X: n d -> n", "S(n) x E(d)")
    assert_proved(chamfer, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)")
    verdict = assert_proved(mean_of_three, "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, None)})
    assert "3" in str(verdict.scope)
    assert_proved(lambda X: KDTree(LANDMARKS).query(X)[0], "X: n 2 -> n", "S(n)")


def test_neighbours_are_told_apart_where_distances_differ() -> None:
    verdict = ep.check(nearest, "X: n d, Y: m d -> n d", "S(n) x S(m) x E(d)")
    assert "PROVED" in str(verdict) and "tie" in str(verdict)  # nowhere is more said
    assert_unproved(lambda X, Y: nearest(X, Y) + X[:1], "X: n d, Y: m d -> n d", "S(n)")


WRONG: dict[str, tuple[Function, str, str]] = {
    "to the first point": (lambda X: KDTree(X[:1]).query(X)[0], "X: n d -> n", "S(n)"),
    "to landmarks": (lambda X: KDTree(LANDMARKS).query(X)[0], "X: n 2 -> n", "O(2)"),
    "of other points": (lambda X: KDTree(X + 1).query(X)[0].sum(), "X: n d -> ()", "O(d)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_near_misses_are_refuted(name: str) -> None:
    assert_refuted(*WRONG[name])
