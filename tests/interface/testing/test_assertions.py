"""Assertions for test suites pass, and fail, when they should."""

from __future__ import annotations

import numpy as np
import pytest

from eqvproof.claims.signature import parse_form
from eqvproof.interface.testing import assert_equivariant, assert_invariant
from eqvproof.interface.testing.assertions import fixed_output
from eqvproof.support.errors import EqvproofError, GroupError
from tests.engines.search.asking import floats_only


def test_a_claim_that_holds():
    verdict = assert_equivariant(
        lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d)", at_least="PROVED"
    )
    assert verdict.grade == "PROVED"


def test_a_claim_that_fails_shows_its_counterexample():
    with pytest.raises(AssertionError) as error:
        assert_equivariant(lambda X: np.maximum(X, 0), "X: d n -> d n", "O(d)")
    assert "FAILS, EXACT" in str(error.value)
    assert "f(g x) = " in str(error.value)
    assert "import numpy" in str(error.value)


def test_an_undecided_claim_does_not_pass():
    with pytest.raises(AssertionError):
        assert_equivariant(lambda X: X + np.random.rand(), "X: d n -> d n", "S(n)", budget=1)


def test_a_floor_on_the_grade():
    black_box = floats_only(lambda X: 2.0 * X)

    verdict = assert_equivariant(black_box, "X: d n -> d n", "S(n)", budget=20)
    assert verdict.grade == "TESTED"
    with pytest.raises(AssertionError, match="only TESTED, not PROVED"):
        assert_equivariant(black_box, "X: d n -> d n", "S(n)", budget=20, at_least="PROVED")


@pytest.mark.parametrize("grade", ["", "EXACT", "proved", "NONE", None])
def test_a_floor_that_is_none(grade):
    with pytest.raises(EqvproofError, match="grade"):
        assert_equivariant(lambda X: X, "X: d n -> d n", "O(d)", at_least=grade)


def test_invariance_fixes_the_result():
    assert_invariant(lambda X: X.T @ X, "X: d n -> n n", "O(d)", at_least="PROVED")
    assert_invariant(lambda X: X * 0, "X: d n -> d n", "O(d)", at_least="PROVED")
    with pytest.raises(AssertionError):
        assert_invariant(lambda X: X, "X: d n -> d n", "O(d)")


@pytest.mark.parametrize(
    ("signature", "under", "fixed"),
    [
        ("X: d n -> d n", "O(d)", "X: d n -> d! n"),
        ("X: d n -> d n", "O(d) x S(n)", "X: d n -> d! n!"),
        ("X: n 3 -> 3 3!", "O(3)", "X: n 3 -> 3! 3!"),
        ("X: d n, Z: d k -> d 2n+k", "S(n)", "X: d n, Z: d k -> d 2n!+k"),
        ("X: d n -> ()", "O(d)", "X: d n -> ()"),
    ],
)
def test_fixed_output(signature, under, fixed):
    assert str(fixed_output(parse_form(signature), under)) == fixed


def test_bad_input_is_an_error_and_no_failure():
    with pytest.raises(GroupError):
        assert_invariant(lambda X: X, "X: d n -> d n", "O(k)")
