"""The cheapest dtype that is enough, and the lines that cost most."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.errors import OptionError


def layer(X):
    squares = (X * X).sum(axis=-1, keepdims=True)
    lost = (X + 1000.0) - 1000.0
    return lost / (1 + squares)


def test_the_cheapest_dtype_is_found() -> None:
    found = ep.precision(layer, "X: n d -> n d", (-1, 1), sizes={"n": 2, "d": 3}, target=1e-2)
    assert found.dtype is not None
    assert found.bounds[found.dtype] <= 1e-2
    assert all(worst > 1e-2 for name, worst in found.bounds.items() if name != found.dtype)
    for X in np.random.default_rng(0).uniform(-1, 1, size=(20, 2, 3)):
        computed = layer(X.astype(np.float32)) if found.dtype != "float64" else layer(X)
        assert np.abs(computed - layer(X.astype(np.longdouble))).max() <= found.bounds[found.dtype]


def test_the_line_that_loses_the_digits_comes_first() -> None:
    found = ep.precision(layer, "X: n d -> n d", (-1, 1), sizes={"n": 2, "d": 3}, target=1e-2)
    assert "lost = (X + 1000.0) - 1000.0" in found.costs[0][0]
    costs = [cost for _, cost in found.costs]
    assert costs == sorted(costs, reverse=True)
    assert "lost =" in str(found).splitlines()[1]


def test_no_dtype_may_be_enough() -> None:
    found = ep.precision(layer, "X: n d -> n d", (-1, 1), sizes={"n": 2, "d": 3}, target=1e-30)
    assert found.dtype is None
    assert list(found.bounds)[-1] == "float64"
    assert "no dtype is enough" in str(found)


@pytest.mark.parametrize("target", [0, -1, "small", float("nan")])
def test_bad_targets(target) -> None:
    with pytest.raises(OptionError):
        ep.precision(layer, "X: n d -> n d", (-1, 1), sizes={"n": 2, "d": 3}, target=target)
