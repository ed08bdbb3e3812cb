"""Writes into spectra: filters that set frequencies to 0 or multiply them by numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted, assert_unproved

Function = Callable[..., Any]


def low_pass(x: Any) -> Any:
    spectrum = np.fft.rfft(x)
    spectrum[2:] = 0
    return np.fft.irfft(spectrum, n=len(x))


def damped(x: Any) -> Any:
    spectrum = np.fft.rfft(x)
    spectrum[1:] *= 0.5
    return np.fft.irfft(spectrum, n=len(x))


def cut(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    spectrum[np.abs(np.fft.fftfreq(len(x))) > 0.3] = 0
    return np.fft.ifft(spectrum).real


def analytic(x: Any) -> Any:
    spectrum, n = np.fft.fft(x), len(x)
    spectrum[n // 2 + 1 :] = 0
    spectrum[1 : (n + 1) // 2] *= 2
    return np.abs(np.fft.ifft(spectrum))


def twice(x: Any) -> Any:
    spectrum = np.fft.rfft(x)
    spectrum[0] *= 3
    spectrum[1:] *= 2
    return np.fft.irfft(spectrum, n=len(x))


@pytest.mark.parametrize("function", [low_pass, damped, cut, analytic, twice])
def test_filters_commute_with_shifts(function: Function) -> None:
    verdict = ep.check(function, "x: n -> n", "C(n)", sizes={"n": (1, 4)}, budget=120)
    assert verdict.holds and verdict.grade in ("PROVED", "DECIDED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert_refuted(lambda x: function(x) + np.arange(len(x)), "x: n -> n", "C(n)")


def without_mean(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    spectrum[0] = 0
    return np.fft.ifft(spectrum).real


def rows(X: Any) -> Any:
    spectrum = np.fft.fft(X, axis=1)
    spectrum[:, 0] = 0
    return np.fft.ifft(spectrum, axis=1).real


def test_proofs_for_all_sizes() -> None:
    assert_proved(without_mean, "x: n -> n", "C(n)")
    assert_proved(rows, "X: b n -> b n", "S(b) x C(n)")


def first_alone(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    spectrum[1:] = 0
    return np.abs(np.fft.ifft(spectrum)) + x[0]


def test_writes_that_shifts_notice() -> None:
    assert_refuted(first_alone, "x: n -> n", "C(n)")


def seen_before(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    part = spectrum[1:]
    part *= 0  # into the spectrum, as NumPy has it
    return np.abs(np.fft.ifft(spectrum)) * np.arange(len(x))


def other_name(z: Any) -> Any:
    changed = z * 2
    view = changed[:1]
    view += 1j
    return np.abs(changed)


@pytest.mark.parametrize(
    ("function", "signature"), [(seen_before, "x: n -> n"), (other_name, "z[complex]: n -> n")]
)
def test_memory_that_two_names_share_is_no_proof(function: Function, signature: str) -> None:
    assert_unproved(function, signature, "C(n)")
