"""Sums that do not depend on the order of their terms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.deepsets.pooling.segments import rounded_segment_sums
from eqvproof.deepsets.sums import ExactSum, round_units
from eqvproof.deepsets.sums.rounding import round_between, sums_of_units, units

floats = st.floats(allow_nan=False, allow_infinity=False)


def total(values) -> ExactSum:
    s = ExactSum()
    s.add(np.array(values, dtype=float))
    return s


def nearest(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


@given(st.lists(floats, max_size=40))
def test_the_sum_is_exact_and_rounded_once(values):
    exact = sum(map(Fraction, values), Fraction())
    assert total(values).result() == nearest(exact)


@given(st.lists(st.floats(), max_size=30), st.integers(0, 2**30))
def test_no_order_and_no_cut_changes_a_bit(values, seed):
    rng = np.random.default_rng(seed)
    moved = rng.permutation(np.array(values, dtype=float))
    cut = int(rng.integers(0, len(values) + 1))
    merged = total(moved[cut:])
    merged += total(moved[:cut])
    assert merged.result().tobytes() == total(values).result().tobytes()


@given(st.integers(-(2**2200), 2**2200))
def test_rounding_to_float64_is_pythons(value):
    assert round_units(value) == nearest(Fraction(value) / 2**1074)


@given(st.integers(-(2**1300), 2**1300), st.integers(0, 1250))
def test_rounding_to_float32_is_to_the_nearest(value, drop):
    value >>= drop
    exact, found = Fraction(value) / 2**1074, round_units(value, "float32")
    assert found.dtype == np.float32
    with np.errstate(over="ignore"):
        beside = [np.nextafter(found, np.float32(s * np.inf)) for s in (-1, 1)]
    if np.isfinite(found):
        distance = abs(Fraction(float(found)) - exact)
        for other in beside:
            if np.isfinite(other):
                assert distance <= abs(Fraction(float(other)) - exact)
    else:
        assert abs(exact) >= Fraction(2) ** 128 - Fraction(2) ** 103


near_ties = st.builds(
    lambda m, s, away: (m << s) + away, st.integers(-(2**54), 2**54), st.integers(0, 2100), st.integers(-9, 9)
)


numbers = near_ties | st.integers(-(2**1300), 2**1300)


@given(numbers, st.integers(0, 2**60), st.sampled_from(["float32", "float64"]))
def test_a_range_is_rounded_where_its_ends_agree(low, width, dtype):
    ends = {round_units(v, dtype) for v in (low, low + width)}
    found = round_between(low, low + width, dtype)
    if found is None:
        assert len(ends) == 2 or ends <= {0.0, math.inf, -math.inf}
    else:
        assert ends == {found} and found.dtype == dtype


@given(floats)
def test_units_are_exact(x):
    assert Fraction(units(x)) == Fraction(x) * 2**1074


@given(st.lists(st.lists(floats, min_size=3, max_size=3), min_size=1, max_size=5))
def test_sums_of_rows_are_exact(rows):
    exact = [sum(map(Fraction, row)) * 2**1074 for row in rows]
    assert [Fraction(s) for s in sums_of_units(np.array(rows))] == exact


def test_special_values():
    inf = math.inf
    assert math.isnan(total([inf, -inf]).result())
    assert math.isnan(total([math.nan, inf]).result())
    assert total([inf, 1e308, 1e308]).result() == inf
    assert total([1e308, 1e308, -1e308]).result() == 1e308
    assert math.copysign(1, total([-0.0, -0.0]).result()) == -1
    assert math.copysign(1, total([-0.0, 0.0]).result()) == 1
    assert math.copysign(1, total([]).result()) == 1
    assert total([5e-324] * 3).result() == 1.5e-323


@given(st.lists(st.lists(st.floats(), min_size=1, max_size=6), min_size=1, max_size=12), st.booleans())
def test_segments_sum_as_if_alone(sets, single):
    dtype = "float32" if single else "float64"
    found = rounded_segment_sums(np.concatenate(sets), np.array([len(s) for s in sets]), dtype)
    with np.errstate(over="ignore"):
        alone = np.array([total(s).result(dtype) for s in sets])
    assert found.tobytes() == alone.tobytes() or all(
        (np.isnan(a) and np.isnan(b)) or a.tobytes() == b.tobytes() for a, b in zip(found, alone, strict=True)
    )


@pytest.mark.parametrize("size", [1, 2**14, 2**20])
def test_many_equal_terms(size):
    assert total(np.full(size, 0.1)).result() == nearest(size * Fraction(0.1))
