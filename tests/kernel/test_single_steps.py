"""Single functions of the kernel, each against its definition."""

from __future__ import annotations

import copy
from fractions import Fraction
from math import isqrt, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.kernel import check_certificate, report
from eqvproof.kernel.equations import _square_part
from eqvproof.kernel.exceptional import read_points
from eqvproof.kernel.form_values import cut_places
from eqvproof.kernel.forms import lines_follow
from eqvproof.kernel.functions import ODD
from eqvproof.kernel.read_places import _remainder
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import Size
from eqvproof.kernel.symbolic import Numbers
from tests.kernel.corpus import reseal

numbers = st.lists(st.fractions(-4, 4, max_denominator=3), min_size=1, max_size=5)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 12))
def test_square_parts_of_rationals(top: int, bottom: int, times: int) -> None:
    value = Fraction(top * times * times, bottom)
    base, rest = _square_part(value)
    assert base > 0 and base * base * rest == value and rest.denominator == 1
    assert all(rest % (k * k) for k in range(2, isqrt(int(rest)) + 1))


@given(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([1, 2, 3]))
def test_remainders_differ_by_multiples(count: int, more: int, whole: int) -> None:
    """Of start = count n + more, by a multiple of whole n, at every n."""
    report.allow(10**6)
    n = Size.of("n")
    found = _remainder(n * Size.of(count) + Size.of(more), n * Size.of(whole))
    assert found is None if count % whole else found == more


@given(numbers)
def test_rational_numbers_are_ordered_as_they_are(values: list[Fraction]) -> None:
    report.allow(10**6)
    field = Numbers("", exact=True)
    assert field.ascending([*values]) == sorted(values)
    folds = {"max": max(values), "min": min(values), "prod": prod(values)}
    assert {fn: field.fold(fn, values) for fn in folds} == folds
    assert [field.is_none(x) for x in values] == [x == 0 for x in values]


@pytest.mark.parametrize("fn", ["arctan", "tanh"])
def test_odd_functions_are_0_at_0_alone(fn: str) -> None:
    report.allow(10**6)
    field = Numbers("", exact=True)
    assert fn in ODD and field.apply(fn, [Fraction(0)]) == 0 != field.apply(fn, [Fraction(1)])


@pytest.mark.parametrize(("given_", "shape"), [((3,), (3, 2)), ((3, 2), (3,))])
def test_parts_of_axes_that_are_not_there(given_: tuple[int, ...], shape: tuple[int, ...]) -> None:
    report.allow(10**6)
    with pytest.raises(Rejected, match="not there"):
        cut_places(given_, 1, (0, 1), shape)
    assert cut_places((3, 2), 1, (1, 1), (3, 1)) == [1, 3, 5]


def test_nothing_follows_from_nothing() -> None:
    report.allow(10**6)
    assert not lines_follow([], [], lambda *_: True)
    with pytest.raises(Rejected, match="left out"):
        read_points([], "$.claim.points")


def mean(x: Any, keep: Any) -> Any:
    return (x * keep[:, None]).sum(0) / keep.sum()


@pytest.mark.parametrize(("key", "value"), [("family", "E"), ("axis", "n")])
def test_the_factor_of_a_result_that_does_not_depend_is_named(key: str, value: str) -> None:
    verdict = ep.independent(mean, "x: n d, keep[bool]: n -> d", of="x[~keep]")
    assert verdict.grade == "PROVED" and check_certificate(verdict.certificate).accepted
    certificate: Any = copy.deepcopy(verdict.certificate)
    (factor,) = certificate["evidence"]["factors"]
    assert factor[key] != value
    factor[key] = value
    assert "expected the proof for" in check_certificate(reseal(certificate)).reason


def test_a_size_that_the_result_alone_has_is_the_one_in_scope() -> None:
    verdict = ep.decide(lambda x: x * x, "x: n -> m", "Signs(n)", sizes={"n": 2})
    assert verdict.grade == "DECIDED"
    for size in (2, 5):
        certificate: Any = copy.deepcopy(verdict.certificate)
        certificate["claim"]["scope"][0]["m"] = size
        assert check_certificate(reseal(certificate)).accepted == (size == 2)
