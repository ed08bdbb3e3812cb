"""Complex arrays of NumPy: products with numbers and filters, what is conjugate, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import trace_all_sizes
from eqvproof.support.errors import TraceError

F, B = np.fft.fft, np.fft.ifft
#: Two functions that are equal.
EQUAL: dict[str, tuple[Any, Any]] = {
    "i times a transform": (lambda x: (1j * F(x)).real, lambda x: -F(x).imag),
    "a complex number": (lambda x: (F(x) * (2 + 3j)).imag, lambda x: 2 * F(x).imag + 3 * F(x).real),
    "of a conjugate": (lambda x: (np.conj(F(x)) * 1j).real, lambda x: -np.conj(F(x)).imag),
    "a number of a complex array": (lambda x: (B(F(x) * 1j) * 2).imag, lambda x: 2 * x),
    "two complex arrays": (lambda x: (B(F(x) * 1j) * B(F(x) * 1j)).real, lambda x: -x * x),
    "frequencies in the order of their values": (
        lambda x: np.abs(np.fft.fftshift(F(x))) ** 2, lambda x: np.roll(F(x).real**2 + F(x).imag**2, 2),
    ),
    "and back": (lambda x: np.fft.ifftshift(np.fft.fftshift(F(x))).imag, lambda x: F(x).imag),
    "a complex and a real array": (lambda x: (B(F(x) * 1j) + x).real, lambda x: x),
}


@pytest.mark.parametrize("name", EQUAL)
def test_arithmetic(name: str) -> None:
    verdict = ep.identical(*EQUAL[name], "x: 4 -> 4", budget=20)
    assert verdict.holds and ep.verify(verdict.certificate).accepted, verdict


REFUSED: dict[str, tuple[Any, str]] = {
    "half of the frequencies, transformed again": (lambda x: np.abs(F(np.fft.rfft(x))), "up to n/2"),
    "and back, of another length": (lambda x: B(np.fft.rfft(x)).real, "up to n/2"),
    "more axes than the transform": (lambda x: np.abs(F(x) * np.ones((2, 1))), "no transform"),
    "a sum with numbers": (lambda x: np.abs(F(x) + 1), "something else"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    function, words = REFUSED[name]
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(function, parse_signature("x: 6 -> 6"), {})


def test_a_filter_up_to_half_of_the_frequencies_along_two_axes_is_refused() -> None:
    """The numbers at -k are those at k along both axes, and not along the last one alone."""
    weights = np.arange(12.0).reshape(4, 3)

    def filtered(X: Any) -> Any:
        waves = F(np.fft.rfft(X, axis=1), axis=0) * weights
        return np.fft.irfft(B(waves, axis=0), X.shape[1], axis=1)

    with pytest.raises(TraceError, match="along several axes"):
        trace_all_sizes(filtered, parse_signature("X: 4 4 -> 4 4"), {})
