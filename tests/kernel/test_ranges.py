"""Intervals of functions that increase, around a least value, and of angles: where the values are."""

from __future__ import annotations

import itertools
from fractions import Fraction

import flint
import pytest

from eqvproof.kernel.interval import Arithmetic, Ball, hi, lo
from tests.kernel.test_interval import ball, between

F = Fraction


#: Functions that increase, and where they are looked at.
INCREASING = {
    "exp": "-3 -1/3 1 5", "log": "1/9 2/3 1 3", "sqrt": "0 1/3 2 7", "cbrt": "-5 -1 0 1/2 6",
    "digamma": "1/4 1 3 9",
    "sinh": "-4 -1/2 0 1 3", "tanh": "-100000 -80 -2 0 1/3 3 80 100000", "arcsin": "-1 -1/2 0 1/3 1",
    "arctan": "-5 -1/3 0 1/4 9", "arcsinh": "-5 -1/3 0 1/4 9", "erf": "-12 -1 0 1/2 2 12",
    "lgamma": "1462/1000 2 5/2 3 40",
}  # fmt: skip


@pytest.mark.parametrize("fn", INCREASING)
def test_intervals_of_increasing_functions_end_at_the_values_at_their_ends(fn: str) -> None:
    a = Arithmetic(64)
    for low, high in itertools.combinations(map(F, INCREASING[fn].split()), 2):
        found, ends = a.apply(fn, [Ball(low, high)]), [a.apply(fn, [x]) for x in (low, high)]
        assert found is not None and ends[0] is not None and ends[1] is not None
        slack = F(1, 2**50) * max(1, abs(hi(found)), abs(lo(found)))
        assert abs(lo(found) - lo(ends[0])) < slack and abs(hi(found) - hi(ends[1])) < slack


def test_log_gamma_around_its_least_value() -> None:
    """-0.121486290535849608..., at 1.46163214496836234..."""
    a, least = Arithmetic(64), F("-0.1214862905358496081")
    ends = map(F, ("1/2", "1.461", "1.46163")), map(F, ("1.46164", "1.462", "3"))
    for low, high in itertools.product(*ends):
        found = a.apply("lgamma", [Ball(low, high)])
        assert found is not None and least - F(1, 10**4) < lo(found) < least
        assert hi(found) >= max(lo(a.apply("lgamma", [x]) or F(9)) for x in (low, high))
    for x in map(F, ("1.461", "1.4615", "1.46163214496836234", "1.462")):
        found = a.apply("lgamma", [x])
        assert found is not None and hi(found) - lo(found) < F(1, 2**50) and hi(found) >= least
    found = a.apply("lgamma", [Ball(F(1, 2), F(5, 4))])
    least_there, most = a.apply("lgamma", [F(5, 4)]), a.apply("lgamma", [F(1, 2)])
    assert found is not None and least_there is not None and most is not None
    assert abs(lo(found) - lo(least_there)) < F(1, 2**50) and abs(hi(found) - hi(most)) < F(1, 2**50)


def test_angles_of_points() -> None:
    for y, x in itertools.product(map(F, (-2, -1, 0, 1, 3)), repeat=2):
        if x or y:
            found = Arithmetic(64).apply("arctan2", [y, x])
            assert between(flint.arb.atan2(ball(y), ball(x)), found)
            assert found is not None and hi(found) - lo(found) < F(1, 2**55)
