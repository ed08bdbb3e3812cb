"""Restrictions of the inputs: what they contain, and that verdicts keep to them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims import domains
from eqvproof.support.errors import EqvproofError


def exact(values: Any) -> Any:
    array = np.array(values, dtype=object)
    return np.array([Fraction(v) for v in array.flat] or [], dtype=object).reshape(array.shape)


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [
        (domains.positive, [1, 2], [1, 0]),
        (domains.nonnegative, [1, 0], [1, -1]),
        (domains.nonzero, [1, -1], [1, 0]),
        (domains.distinct, [1, 2], [1, 1]),
        (domains.one_hot, [[0, 1], [1, 0]], [[0, 1], [1, 1]]),
        (domains.full_column_rank, [[1, 2], [3, 4], [5, 6]], [[1, 2], [2, 4], [3, 6]]),
        (domains.full_row_rank, [[1, 2, 3], [3, 4, 5]], [[1, 2], [2, 4], [3, 6]]),
    ],
)
def test_members(domain: Any, inside: Any, outside: Any) -> None:
    assert domain({"x": exact(inside)})
    assert not domain({"x": exact(outside)})
    named = domains.of(x=domain)
    assert named({"x": exact(inside), "y": exact(outside)})
    assert not domains.both(named, domains.of(y=domain))({"x": exact(inside), "y": exact(outside)})


def absolute(x: Any) -> Any:
    """The identity where no entry is negative; elsewhere the first entry is added."""
    return np.where((x < 0).any(), x + x[0], x)


def test_a_violation_outside_is_none() -> None:
    assert ep.check(absolute, "x: n -> n", "S(n)", budget=20).fails
    assert not ep.check(absolute, "x: n -> n", "S(n)", budget=20, domain=domains.positive).fails


def test_a_counterexample_lies_inside() -> None:
    f = lambda x: np.log(x) - np.log(x[0])  # noqa: E731
    verdict = ep.check(f, "x: n -> n", "S(n)", domain=domains.both(domains.positive, domains.distinct))
    assert verdict.fails and verdict.counterexample is not None
    values = list(verdict.counterexample.inputs["x"])
    assert all(v > 0 for v in values) and len(set(values)) == len(values)


def test_about_floats() -> None:
    f = lambda x: absolute(x) if (x < 0).any() else x  # noqa: E731
    assert ep.check(f, "x: n -> n", "S(n)", about="floats", budget=20).fails
    inside = ep.check(f, "x: n -> n", "S(n)", about="floats", budget=20, domain=domains.positive)
    assert not inside.fails


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(ep.EqvproofError, match="does not have"):
        ep.check(absolute, "x: n -> n", "S(n)", domain=domains.of(y=domains.positive))


# ---------------------------------------------------------------------------------- points are not rejected
@pytest.mark.parametrize(
    "domain",
    [
        domains.positive, domains.nonnegative, domains.nonzero, domains.distinct, domains.one_hot,
        domains.full_column_rank, domains.full_row_rank,
    ],
    ids=str,
)  # fmt: skip
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_points_are_moved_into_the_domain(domain: domains.Domain, rows: Any) -> None:
    point = {"x": exact(rows)}
    moved = domain.moved(point)
    assert domain(moved)
    assert not domain(point) or domain is domains.one_hot or np.array_equal(moved["x"], point["x"])
    if domain(point):
        assert np.array_equal(domain.moved(point)["x"], point["x"])


def test_thin_domains_leave_points() -> None:
    """Random points are one-hot with a probability near 0 at this size."""
    f = lambda A: A[0] * A.shape[0]  # noqa: E731
    g = lambda A: A[0] * A.shape[0] + (A[0] - A[1]).sum()  # noqa: E731
    sizes = {"n": 7, "d": 5}
    verdict = ep.identical(f, g, "A: n d -> d", sizes=sizes, domain=domains.one_hot, budget=20)
    assert not verdict.fails  # rows of one 1 each: the sums are equal
    h = lambda A: A[0] * A.shape[0] + A[0, 0] * A[1, 0]  # noqa: E731
    verdict = ep.identical(f, h, "A: n d -> d", sizes=sizes, domain=domains.one_hot)
    assert verdict.fails and verdict.counterexample is not None
    assert domains.one_hot(verdict.counterexample.inputs)


# -------------------------------------------------------------------------------------- Hypothesis strategies
def test_a_strategy_of_numbers() -> None:
    """The entries; the counterexample is the smallest that Hypothesis finds."""
    verdict = ep.check(absolute, "x: n -> n", "S(n)", domain=st.integers(-5, 5))
    assert verdict.fails and verdict.counterexample is not None
    assert verdict.counterexample.sizes == {"n": 2}
    assert not ep.check(absolute, "x: n -> n", "S(n)", domain=st.integers(0, 5), budget=20).fails


def test_a_strategy_of_arrays() -> None:
    """Of the only argument, and of several; their shapes bind the sizes."""
    rows = st.integers(2, 3).flatmap(lambda n: st.lists(st.integers(-2, 2), min_size=n, max_size=n))
    verdict = ep.check(absolute, "x: n -> n", "S(n)", domain=rows.map(np.array))
    assert verdict.fails
    pairs = rows.map(lambda r: (np.array(r), np.array(r[::-1])))
    f = lambda x, y: x * (y - y[0])  # noqa: E731
    verdict = ep.check(f, "x: n, y: n -> n", "S(n)", domain=pairs)
    assert verdict.fails and verdict.counterexample is not None
    at = verdict.counterexample.inputs
    assert list(at["x"]) == list(at["y"])[::-1]
    named = pairs.map(lambda p: {"x": p[0], "y": p[1]})
    again = ep.check(f, "x: n, y: n -> n", "S(n)", domain=named)
    assert again.counterexample is not None
    assert again.counterexample.to_json() == verdict.counterexample.to_json()


def test_what_is_no_domain_is_an_error() -> None:
    with pytest.raises(ep.EqvproofError, match="neither a function"):
        ep.check(absolute, "x: n -> n", "S(n)", domain=3)
    with pytest.raises(ep.EqvproofError, match="draws no point"):
        ep.check(absolute, "x: n -> n", "S(n)", domain=st.text())
    with pytest.raises(ep.EqvproofError, match="another shape"):
        ep.check(absolute, "x: n -> n", "S(n)", domain=st.just(np.ones((2, 2))))
    with pytest.raises(ep.EqvproofError, match="no domain of a claim"):
        ep.check(absolute, "x: n -> n", "S(n)", about="floats", domain=st.integers())


def test_points_that_are_distinct_along_an_axis() -> None:
    points = np.array([[[0, 0], [0, 0], [1, 0]], [[2, 2], [2, 2], [2, 2]]], dtype=object)
    points = np.vectorize(Fraction, otypes=[object])(points)
    for axis in (0, 1, 2):
        domain = ep.domains.distinct("data.x", axis=axis)
        moved = domain.moved({"data_x": points})["data_x"]
        assert domain({"data_x": moved})
        slices = [tuple(part.flat) for part in np.moveaxis(moved, axis, 0)]
        assert len(set(slices)) == moved.shape[axis]
    assert not ep.domains.distinct("X", axis=1)({"X": points})
    assert ep.domains.distinct("X", axis=0)({"X": points})
    with pytest.raises(EqvproofError, match="does not have"):
        ep.domains.distinct("X", axis=3)({"X": points})
    with pytest.raises(EqvproofError, match="is missing"):
        ep.domains.distinct("X")


def test_a_layer_that_fails_only_where_points_coincide() -> None:
    def layer(x: Any) -> Any:
        apart = x[:, None] - x[None]
        squares = (apart * apart).sum(-1)
        same = np.where(squares == 0, 1, 0)
        return (apart / (squares + same)[:, :, None]).sum(1) + x * (same.sum(1, keepdims=True) - 1)

    sizes = {"n": (1, 2), "d": (1, 2)}
    verdict = ep.check(layer, "x: n d -> n d^", "E(d)", sizes=sizes)
    assert verdict.fails and ep.verify(verdict.certificate).accepted
    apart = ep.domains.distinct("x", axis=0)
    assert ep.check(layer, "x: n d -> n d^", "E(d)", sizes=sizes, domain=apart, budget=30).holds
