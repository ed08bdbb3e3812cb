"""log gamma and digamma have poles at 0, -1, -2, ...: no term with them may be left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs.operations import functions
from tests.judged import assert_proved, assert_refuted

special = pytest.importorskip("scipy.special", reason="SciPy is not installed")


@pytest.mark.parametrize("function", [special.gammaln, special.digamma])
def test_terms_that_cancel_leave_their_poles(function: Any) -> None:
    for f, g in (
        (lambda x: function(x) - function(x), lambda x: 0 * x),
        (lambda x: 0 * function(x) + x, lambda x: x),
    ):
        verdict = ep.identical(f, g, "x: n -> n")
        assert verdict.fails and ep.verify(verdict.certificate).accepted
    assert_refuted(lambda x: 0 * function(x) + 1, "x: n -> n!", "Signs(n)")
    assert not ep.decide(lambda x: 0 * function(x) + 1, "x: n -> n!", "Signs(n)").holds
    assert_refuted(lambda x: 0 * function(np.tanh(x)) + 1, "x: n -> n!", "T(n)")


def test_where_they_are_defined() -> None:
    inside = lambda x: 1 + x * x  # noqa: E731
    assert_proved(lambda x: special.gammaln(inside(x)), "x: n -> n!", "Signs(n)")
    same = ep.identical(
        lambda x: special.digamma(inside(x)), lambda x: special.digamma(x * x + 1), "x: n -> n"
    )
    assert same.grade == "PROVED" and ep.verify(same.certificate).accepted


def test_the_complex_logarithm_is_another_function() -> None:
    """SciPy's loggamma of a negative number is none, where log |gamma| is one."""
    v = ep.check(lambda x: special.loggamma(x), "x: n -> n", "S(n)", budget=10)
    assert "loggamma" in " ".join(ep.verify(v.certificate).rests_on)


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_without_scipy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([[0.5, 3.25, -1.5, 170.0], [0.0, -2.0, np.nan, 1e-3]])
    with_scipy = functions.FUNCTIONS[name].floats(np, x)
    monkeypatch.setattr(functions, "installed", lambda module: None)
    np.testing.assert_allclose(functions.FUNCTIONS[name].floats(np, x), with_scipy, rtol=1e-13)
    assert np.isnan(with_scipy).tolist() == [[False] * 4, [True, True, True, False]]
