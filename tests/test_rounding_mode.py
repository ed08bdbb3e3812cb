"""The float next to a rational number, in each way of rounding."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from eqvproof.support.rounding_mode import rounding_modes, set_rounding, to_float


@given(st.fractions(max_denominator=10**9))
def test_a_rational_lies_between_the_floats_below_and_above_it(value: Fraction) -> None:
    if not rounding_modes():
        assert to_float(value) == float(value)
        return
    found = []
    for mode in rounding_modes():
        with set_rounding(mode):
            found.append(to_float(value))
    low, high, short = map(Fraction, found)
    assert low <= value <= high and abs(short) <= abs(value)
    assert Fraction(to_float(value)) in (low, high) and (low == high) == (low == value)
    assert short in (low, high)
