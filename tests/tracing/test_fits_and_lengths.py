"""Polynomial fits, transforms of other lengths, and returned infinities: as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fftpack
from scipy import fft

from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

rng = np.random.default_rng(0)


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_fit_has_the_coefficients_of_numpy(degree: int, weighted: bool) -> None:
    def fit(x: Any, y: Any, w: Any) -> Any:
        if weighted:
            return np.polyfit(x, y, degree, w=w)
        return np.polyfit(x, y, degree)

    program = trace_all_sizes(fit, parse_signature(f"x: n, y: n, w: n -> {degree + 1}"), spans={"n": (4, 9)})
    for n in (4, 7):
        x, y, w = rng.normal(size=(3, n))
        found = evaluate_float(program.program, {"x": x, "y": y, "w": w}, {"n": n})
        np.testing.assert_allclose(found, np.polyfit(x, y, degree, w=w if weighted else None), rtol=1e-6)


@pytest.mark.parametrize("transform", [np.fft.fft, np.fft.ifft, fft.fft, scipy.fftpack.fft])
@pytest.mark.parametrize("length", [2, 4, 5, 9])
def test_a_transform_of_another_length_adds_zeros_or_cuts(transform: Any, length: int) -> None:
    signature = parse_signature(f"x: 5 -> {length}")
    program = trace_all_sizes(lambda x: transform(x, length).real, signature).program
    x = rng.normal(size=5)
    np.testing.assert_allclose(evaluate_float(program, {"x": x}), transform(x, length).real, atol=1e-12)


def test_a_transform_twice_as_long_is_traced_for_all_sizes() -> None:
    signature = parse_signature("x: n -> 2n")
    program = trace_all_sizes(lambda x: np.fft.fft(x, 2 * x.shape[0]).imag, signature).program
    x = rng.normal(size=3)
    np.testing.assert_allclose(evaluate_float(program, {"x": x}, {"n": 3}), np.fft.fft(x, 6).imag, atol=1e-12)


def _or_infinity(x: Any) -> Any:
    spread = x.var()
    if spread == 0:
        return np.inf
    return x.mean() ** 2 / spread


def _infinite_at_the_first(x: Any) -> Any:
    if x[0] == 0:
        return np.inf
    return x.sum()


def test_an_infinity_that_is_returned_is_no_value() -> None:
    assert_proved(_or_infinity, "x: n -> ()", "S(n)")
    assert_refuted(_infinite_at_the_first, "x: n -> ()", "S(n)")
    program = trace_all_sizes(_or_infinity, parse_signature("x: n -> ()")).program
    assert np.isnan(evaluate_float(program, {"x": np.ones(3)}, {"n": 3}))


def test_true_claims_are_proved() -> None:
    assert_proved(lambda Y: np.polyfit(np.arange(5.0), Y.T, 1)[0], "Y: m 5 -> m", "S(m)")
    assert_proved(lambda X, y: X @ np.linalg.lstsq(X, y, rcond=-1)[0], "X: n d, y: n -> n", "S(n) x O(d)")
    assert_proved(lambda X: np.abs(np.fft.fft(X, 4, axis=1)), "X: m 6 -> m 4", "S(m)")


def test_near_misses_are_refuted() -> None:
    assert_refuted(lambda x: np.polyfit(np.arange(len(x)), x, 1)[0], "x: n -> ()", "S(n)")
    assert_refuted(lambda x: np.abs(np.fft.fft(x, 2 * len(x)))[1], "x: n -> ()", "C(n)")


def test_tolerances_above_rounding_are_refused() -> None:
    signature = parse_signature("X: n d, y: n -> d")
    for tolerance in (1e-3, 1e-9):
        with pytest.raises(TraceError):
            trace_all_sizes(lambda X, y, r=tolerance: np.linalg.lstsq(X, y, rcond=r)[0], signature)


def test_single_frequencies_are_read() -> None:
    """The first is the sum; others turn as the ring is shifted."""
    assert_proved(lambda X: np.abs(np.fft.rfft(X, axis=1)[:, 0]), "X: m 6 -> m", "S(m)")
    assert_refuted(lambda x: np.fft.fft(x)[1].real, "x: n -> ()", "C(n)")
    assert_refuted(lambda x: np.abs(np.fft.fft(x)[1]), "x: 6 -> ()", "S(6)")
    signature = parse_signature("x: 6 -> 3")
    program = trace_all_sizes(lambda x: np.fft.fft(x)[1:4].imag, signature).program
    x = rng.normal(size=6)
    np.testing.assert_allclose(evaluate_float(program, {"x": x}), np.fft.fft(x)[1:4].imag, atol=1e-12)
