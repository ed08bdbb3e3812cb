"""Exact arrays: construction, absent entries, infinities, sorting of balls, signals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.numbers import (
    UNDECIDED_ENTRY,
    UNDEFINED,
    ExactArray,
    Inexact,
    Real,
    Undecided,
    Undefined,
    enclosure,
    exact_array,
    is_rational,
    precision,
    recording,
    result_array,
    to_floats,
    to_fractions,
)  # fmt: skip
from eqvproof.numbers.arithmetic import sorted_scalars
from eqvproof.numbers.scalar import rational_bounds
from eqvproof.numbers.tensor import (
    constant_array,
    determinants,
    fold,
    inverse_matrices,
    matrix_products,
    objects,
)


def test_construction() -> None:
    array = exact_array([[1, 0.5], [Fraction(1, 3), Real(2)]])
    assert isinstance(array, ExactArray) and array.shape == (2, 2)
    assert to_fractions(array).tolist() == [[1, Fraction(1, 2)], [Fraction(1, 3), 2]]
    assert exact_array(np.arange(3, dtype=np.int8)).shape == (3,)
    assert exact_array(5).shape == () and exact_array(5)[()] == 5
    assert exact_array(np.zeros((0, 3))).shape == (0, 3)
    assert is_rational(array)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), np.nan, -np.inf])
def test_what_is_not_finite(bad: float) -> None:
    with pytest.raises(Undefined):
        exact_array([1, bad])
    result = result_array(np.array([1, bad], dtype=object))
    assert result[0] == 1 and result[1] is UNDEFINED
    assert math.isnan(to_floats(result)[1])


@pytest.mark.parametrize("bad", ["abc", None, 1j, [1, [2]], object()])
def test_what_is_no_number(bad: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        exact_array([1, bad])


def test_what_leaves_out_nan_is_not_asked_of_undefined_entries() -> None:
    """In floats fmax(NaN, 0) is 0; over the reals there is no answer."""
    roots = np.sqrt(exact_array([-1, 4]))
    assert np.fmax(roots[1:], 3).tolist() == [3]
    for ask in (lambda: np.fmax(roots, 0), lambda: np.fmin.reduce(roots), lambda: np.fmax.accumulate(roots)):
        with pytest.raises(Undefined):
            ask()


def test_undefined_entries_stay_apart() -> None:
    result = np.log(exact_array([1, 0, -1])) + 1
    assert result[0] == 1 and result[1] is UNDEFINED and result[2] is UNDEFINED
    assert (1 / exact_array([0, 2]))[1] == Fraction(1, 2)
    assert (exact_array([4, -4]) ** 0.5)[0] == 2
    assert np.isfinite(result).tolist() == [True, False, False]
    assert np.where([True, False, False], result, 0).tolist() == [1, 0, 0]
    for question in (
        lambda: result > 0,
        lambda: np.isnan(result),
        lambda: bool(result[1]),
        lambda: result[1] == 0,
    ):
        with pytest.raises(Undefined):
            question()
    with pytest.raises(Undefined):
        to_fractions(result)


def test_undecided_entries() -> None:
    ball = exact_array([enclosure(-1, 1), Real(2)])
    floor = np.floor(ball)
    assert floor[0] is UNDECIDED_ENTRY and floor[1] == 2
    with pytest.raises(Undecided):
        bool(ball[0] > 0)
    with pytest.raises(Undecided):
        np.greater(ball, 0)
    assert (UNDEFINED + UNDECIDED_ENTRY) is UNDEFINED and (UNDECIDED_ENTRY * UNDEFINED) is UNDEFINED
    assert (Real(1) + UNDECIDED_ENTRY) is UNDECIDED_ENTRY and (2**UNDEFINED) is UNDEFINED
    assert np.maximum(ball, 0)[0].bounds()[0] >= Fraction(-1, 10)


def test_signals_that_became_entries_are_not_recorded() -> None:
    with recording() as signals:
        np.log(exact_array([0, 1]))
        try:
            float(Real(1))
        except TypeError:
            pass
    assert [type(s) for s in signals] == [Inexact]


def test_recordings_nest() -> None:
    with recording() as outer:
        with recording() as inner, pytest.raises(Inexact):
            float(Real(1))
        assert len(inner) == 1 and outer == []


def test_ints_and_floats_put_into_an_array_become_exact() -> None:
    array = exact_array([1, 2, 3])
    array[0] = 0.5
    array[1] = 7
    assert np.exp(np.maximum(array, 0) * 0).tolist() == [1, 1, 1]
    assert type((array + 0)[0]) is Real


def test_in_place_into_floats_is_refused() -> None:
    floats = np.ones(2)
    for statement in (
        lambda: floats.__iadd__(exact_array([1, 2])),
        lambda: floats.__setitem__(0, Real(1)),
        lambda: floats.__setitem__(slice(None), exact_array([1, 2])),
        lambda: np.multiply(2, exact_array([1, 2]), out=floats),
    ):
        with pytest.raises(Inexact):
            statement()
    assert floats.tolist() == [1, 1]


def test_astype() -> None:
    array = exact_array([1.5, -2])
    assert array.astype(float)[0] == Fraction(3, 2)
    assert array.astype(int).tolist() == [1, -2]
    assert array.astype(bool).tolist() == [True, True]
    with pytest.raises(Inexact):
        array.astype(complex)


def test_reductions_over_nothing() -> None:
    empty = exact_array(np.zeros((0, 2)))
    assert empty.sum(0).tolist() == [0, 0] and empty.prod(0).tolist() == [1, 1]
    assert type(empty.sum()) is Real
    with pytest.raises(ValueError, match="no identity"):
        empty.max(0)
    assert (empty.T @ empty).tolist() == [[0, 0], [0, 0]]


@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 2)), min_size=1, max_size=8))
def test_sorting_balls(pairs: list[tuple[int, int]]) -> None:
    """Each place encloses the value that stands there, for any choice of numbers in the balls."""
    values = [fmpq(m) if r == 0 else arb(m, r) for m, r in pairs]
    ordered = sorted_scalars(values)
    for pick in (-1, 0, 1):
        actual = sorted(Fraction(m) + pick * r * (-1) ** i for i, (m, r) in enumerate(pairs))
        for got, expected in zip(ordered, actual, strict=True):
            low, high = rational_bounds(got)
            assert low <= expected <= high
    if len({m for m, _ in pairs}) == len(pairs) and all(r == 0 for _, r in pairs):
        assert all(isinstance(v, fmpq) for v in ordered)


def test_sorting_keeps_what_stands_apart() -> None:
    e, pi = (objects([fmpq(1)], [1])[0] * arb(1).exp()), arb.pi()
    assert sorted_scalars([pi, e, fmpq(0)]) == [0, e, pi] or sorted_scalars([pi, e, fmpq(0)])[1] is e


RATIONALS = st.fractions(min_value=-5, max_value=5, max_denominator=4)


@given(st.lists(RATIONALS, min_size=12, max_size=12), st.sets(st.integers(0, 11), max_size=4), st.booleans())
def test_matmul_encloses_the_product(values: list[Fraction], balls: set[int], absent: bool) -> None:
    numbers = [fmpq(v.numerator, v.denominator) for v in values]
    raw = [arb(q, arb((1, -40))) if i in balls else q for i, q in enumerate(numbers)]
    a, b = objects(raw[:6], (2, 3)), objects(raw[6:], (3, 2))
    if absent:
        a[0, 0] = UNDEFINED
    product = matrix_products(a, b)
    for i, j in np.ndindex(2, 2):
        if absent and i == 0:
            assert product[i, j] is UNDEFINED
            continue
        expected = sum((values[3 * i + k] * values[6 + 2 * k + j] for k in range(3)), Fraction(0))
        low, high = rational_bounds(product[i, j])
        assert low <= expected <= high
        involved = {3 * i + k for k in range(3)} | {6 + 2 * k + j for k in range(3)}
        if not involved & balls:
            assert low == high


def test_singular_matrices() -> None:
    singular = objects([fmpq(1)] * 4, (2, 2))
    assert all(x is UNDEFINED for x in inverse_matrices(singular).flat)
    unclear = objects([arb(1, 0.001), fmpq(1), fmpq(1), fmpq(1)], (2, 2))
    assert all(x is UNDECIDED_ENTRY for x in inverse_matrices(unclear).flat)
    stack = np.stack([singular, objects([fmpq(2), fmpq(0), fmpq(0), fmpq(1)], (2, 2))])
    both = inverse_matrices(stack)
    assert both[0, 0, 0] is UNDEFINED and both[1, 0, 0] == fmpq(1, 2)
    assert determinants(stack).tolist() == [0, 2]
    assert determinants(constant_array((0, 0), fmpq(0)))[()] == 1
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(exact_array([[1, 2]]))


def test_fold_takes_everything_once() -> None:
    for n in range(1, 12):
        assert fold(np.add, objects([fmpq(2**k) for k in range(n)], (n,)), 0, None)[()] == 2**n - 1


def test_precision_of_results() -> None:
    with precision(256):
        low, high = np.exp(exact_array([1]))[0].bounds()
    assert high - low < Fraction(1, 2**250)
