"""Restrictions of the inputs: what they contain, and that verdicts keep to them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof import domains


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
    assert ep.check(absolute, "x: n -> n", "S(n)", budget=2.0).fails
    assert not ep.check(absolute, "x: n -> n", "S(n)", budget=2.0, domain=domains.positive).fails


def test_a_counterexample_lies_inside() -> None:
    f = lambda x: np.log(x) - np.log(x[0])  # noqa: E731
    verdict = ep.check(f, "x: n -> n", "S(n)", domain=domains.both(domains.positive, domains.distinct))
    assert verdict.fails and verdict.counterexample is not None
    values = list(verdict.counterexample.inputs["x"])
    assert all(v > 0 for v in values) and len(set(values)) == len(values)


def test_about_floats() -> None:
    f = lambda x: absolute(x) if (x < 0).any() else x  # noqa: E731
    assert ep.check(f, "x: n -> n", "S(n)", about="floats", budget=2.0).fails
    inside = ep.check(f, "x: n -> n", "S(n)", about="floats", budget=2.0, domain=domains.positive)
    assert not inside.fails


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(ep.EqvproofError, match="does not have"):
        ep.check(absolute, "x: n -> n", "S(n)", domain=domains.of(y=domains.positive))
