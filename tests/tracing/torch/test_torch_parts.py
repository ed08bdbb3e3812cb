"""Parts of an axis whose ends lie beside it, or are in the other order, as Python's slices allow."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

PARTS = [
    slice(12, 15), slice(7, 3), slice(7, 3, 2), slice(-15, 3), slice(-3, -15), slice(0, 15, 2),
    slice(4, 15, 3), slice(10, None), slice(None, -10), slice(None, -12), slice(-12, None, 4),
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_of_an_axis_of_ten(part: slice) -> None:
    def weighed(x):
        return x[:, part].sum(1) + 2 * x.sum(1)

    def as_numpy(x):
        return x @ (2.0 + np.isin(np.arange(10), np.arange(10)[part]))

    assert_proved(weighed, "x: n 10 -> n", "S(n)", backend="torch", budget=10)
    x = np.random.default_rng(0).standard_normal((3, 10))
    assert np.allclose(weighed(torch.tensor(x)), as_numpy(x))
    sizes = {"d": 10, "n": (1, 3)}
    verdict = ep.check(weighed, "x: n d -> n", "S(d)", backend="torch", sizes=sizes, budget=10)
    kept = np.arange(10)[part]
    assert verdict.holds if len(kept) in (0, 10) else verdict.fails, str(verdict)


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_writes(part: slice) -> None:
    def doubled(x):
        y = x.clone()
        y[:, part] *= 2
        return y.sum(1)

    assert_proved(doubled, "x: n 10 -> n", "S(n)", backend="torch", budget=10)


@pytest.mark.parametrize("part", [slice(5, 2), slice(5, 2, 2), slice(-2, -5)], ids=str)
def test_nothing_of_an_axis_of_any_size(part: slice) -> None:
    def rest(x):
        return x[part].sum() + x.sum()

    assert_proved(rest, "x: n -> ()", "S(n)", backend="torch", budget=10)


def test_nothing_from_some_size_on() -> None:
    """A near miss: at n = 3 it is the entry in the middle."""

    def middle(x):
        return x[-2:2].sum() + x.sum()

    verdict = assert_refuted(middle, "x: n -> ()", "S(n)", backend="torch", budget=10)
    assert verdict.counterexample.sizes == {"n": 3}


def test_windows_of_numpy_are_judged_from_their_length_on() -> None:
    def largest(x):
        return np.lib.stride_tricks.sliding_window_view(np.sort(x), 4).max(1).sum()

    def first(x):
        return np.lib.stride_tricks.sliding_window_view(x, 4).sum()

    verdict = assert_proved(largest, "x: n -> ()", "S(n)")
    assert "n >= 4" in verdict.scope
    verdict = ep.check(first, "x: n -> ()", "S(n)", budget=10)
    assert verdict.fails and verdict.counterexample.sizes == {"n": 5}, str(verdict)
