"""The cheapest dtype that is enough, and the lines that cost most."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support.errors import OptionError


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


def share(X):
    total = X.sum(axis=-1, keepdims=True)
    return X / total


def inverse(X):
    size = np.sqrt((X * X).sum(axis=-1, keepdims=True))
    moved = size.T.T
    return X / moved


def logs(X):
    return np.log(X + 0.5)


@pytest.mark.parametrize(
    ("f", "reason", "place"),
    [
        (share, "the denominator may reach 0", "total = X.sum"),
        (share, "between -3 and 3", "return X / total"),
        (inverse, "the denominator may reach 0", "size = np.sqrt"),
        (logs, "the argument of log may leave its domain", "np.log(X + 0.5)"),
    ],
)
def test_where_no_bound_was_found_it_says_so_and_why(f, reason: str, place: str) -> None:
    found = ep.precision(f, "X: n d -> n d", (-1, 1), sizes={"n": 4, "d": 3})
    assert found.dtype is None
    assert not found.costs
    assert str(found).startswith("no bound was found")
    assert "e+308" not in str(found)
    assert "inf" not in str(found)
    assert any(reason in why and place in why for why in found.unbounded)


def test_a_denominator_that_stays_away_from_0_has_a_bound() -> None:
    found = ep.precision(share, "X: n d -> n d", (0.5, 1), sizes={"n": 4, "d": 3})
    assert found.dtype is not None
    assert not found.unbounded
    assert found.costs


def test_a_dtype_without_a_bound_beside_one_with_a_bound_is_named() -> None:
    found = ep.precision(
        lambda X: (X * 1e6) ** 2, "X: n d -> n d", (-1, 1), sizes={"n": 4, "d": 3}, target=1e6
    )
    assert found.dtype is not None
    assert "float16 no bound" in str(found)


def test_numbers_that_overflow_in_every_dtype_are_the_reason() -> None:
    found = ep.precision(lambda X: np.exp(X), "X: n d -> n d", (0, 1000), sizes={"n": 4, "d": 3})
    assert found.dtype is None
    assert any("may overflow" in why for why in found.unbounded)
