"""Code that asks for a least number of points: proved from there on, and refuted on either side of it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.size import Size, settled_from, spoken_from
from tests.judged import assert_proved, assert_refuted
from tests.sampling import examples


def nearest(X: Any) -> Any:
    """The mean squared distance to the three nearest other points."""
    squares = ((X[:, None] - X[None]) ** 2).sum(-1)
    return np.sort(squares, axis=1)[:, 1:4].mean(1)


def short_or_long(X: Any) -> Any:
    return X.sum(0) if len(X) < 3 else (X * X).sum(0)


#: Function, signature, group, the least n.
RIGHT = {
    "slice": (lambda X: X[:3].sum(0), "X: n d -> d", "O(d)", 3),
    "middle": (lambda X: X[1:4].mean(0), "X: n d -> d", "O(d)", 4),
    "entry": (lambda X: X[2], "X: n d -> d", "O(d)", 3),
    "entry from the end": (lambda X: X[-3], "X: n d -> d", "O(d)", 3),
    "slice from the end": (lambda X: X[-3:].sum(0), "X: n d -> d", "O(d)", 3),
    "two thresholds": (lambda X: X[:2].sum(0) + X[4], "X: n d -> d", "O(d)", 5),
    "nearest points": (nearest, "X: n d -> n", "E(d) x S(n)", 4),
    "branch": (short_or_long, "X: n d -> d", "S(n)", 3),
    "covariance": (lambda X: np.cov(X), "X: n m -> n n", "S(n) x S(m)", 2),
    "correlation": (lambda X: np.corrcoef(X), "X: n m -> n n", "S(n) x S(m)", 2),
}
#: Wrong from the least n on, wrong below it, and wrong wherever it is defined.
WRONG = {
    "above": (lambda X: X[0] if len(X) >= 5 else X.sum(0), "X: n d -> d", "S(n)"),
    "below": (lambda X: X[0] if len(X) == 2 else X.sum(0), "X: n d -> d", "S(n)"),
    "everywhere": (lambda X: np.cov(X) * X[0, 0], "X: n m -> n n", "S(n) x S(m)"),
    "first entries": (lambda X: X[:3].sum(0), "X: n d -> d", "S(n)"),
    "nearest, squared": (lambda X: nearest(X)[0] * X[0], "X: n d -> d", "O(d) x S(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved_from_there_on(name: str) -> None:
    function, signature, under, least = RIGHT[name]
    verdict = assert_proved(function, signature, under)
    assert verdict.sizes[0]["n"] == [least, None]


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    assert_refuted(*WRONG[name])


@settings(max_examples=examples(12, 6))
@given(first=st.integers(1, 6), second=st.integers(1, 6))
def test_the_greatest_threshold_counts(first: int, second: int) -> None:
    verdict = assert_proved(lambda X: X[:first].sum(0) * (X[second - 1] ** 2).sum(), "X: n d -> d", "O(d)")
    least = max(first, second)
    assert verdict.sizes[0]["n"] == ("all" if least == 1 else [least, None])


def test_in_torch_too() -> None:
    pytest.importorskip("torch")
    verdict = assert_proved(lambda X: X[:3].sum(0), "X: n d -> d", "O(d)", backend="torch")
    assert verdict.sizes[0]["n"] == [3, None]


def test_the_kernel_refuses_a_wider_scope() -> None:
    certificate = copy.deepcopy(assert_proved(lambda X: X[2], "X: n d -> d", "O(d)").certificate)
    assert certificate is not None
    for scope in ("all", [2, None], [1, None], [1, 9]):
        certificate["claim"]["scope"]["n"] = scope
        assert not ep.verify(certificate).accepted, scope


MONOMIALS: list[tuple[str, ...]] = [(), ("n",), ("m",), ("m", "n"), ("n", "n")]


@given(
    terms=st.lists(st.tuples(st.sampled_from(MONOMIALS), st.integers(-9, 9))),
    least=st.fixed_dictionaries({}, optional={"n": st.integers(1, 6), "m": st.integers(1, 6)}),
    bound=st.integers(-9, 9),
)
def test_what_is_said_of_sizes_is_true_of_those_that_are_spoken_of(
    terms: list[tuple[tuple[str, ...], int]], least: dict[str, int], bound: int
) -> None:
    size = sum((Size(((names, c),)) if c else Size(()) for names, c in terms), Size.of(0))
    with spoken_from(least):
        said = size.is_at_least(bound)
        low = settled_from(size.names, lambda: size.is_at_least(bound))
    values = {
        (n, m): size.value({"n": n, "m": m})
        for n in range(least.get("n", 1), 14)
        for m in range(least.get("m", 1), 14)
    }
    assert not said or all(v >= bound for v in values.values())
    for name, (k, end) in low.items():
        place = "nm".index(name)
        assert end is None and all(v >= bound for sizes, v in values.items() if sizes[place] >= k)
