"""Writes into spectra and other complex arrays: filters that set frequencies to 0 or scale them."""

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


def phases(z: Any) -> Any:
    turned = z / np.abs(z).max()
    turned *= 2
    turned -= turned.mean()
    return np.abs(turned)


def test_proofs_for_all_sizes() -> None:
    assert_proved(without_mean, "x: n -> n", "C(n)")
    assert_proved(rows, "X: b n -> b n", "S(b) x C(n)")
    assert_proved(phases, "z[complex]: n -> n", "S(n)")


def first_modulus(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    spectrum[1:] = np.abs(spectrum[1:])
    return np.fft.ifft(spectrum).real


def moved_frequencies(x: Any) -> Any:
    spectrum = np.fft.fft(x)
    spectrum[0] = spectrum[1]
    return np.abs(np.fft.ifft(spectrum))


def first_entry(z: Any) -> Any:
    changed = z.copy()
    changed[0] *= 2
    return np.abs(changed)


@pytest.mark.parametrize("function", [first_modulus, moved_frequencies])
def test_writes_that_shifts_notice(function: Function) -> None:
    assert_refuted(function, "x: n -> n", "C(n)", grades=("EXACT", "ENCLOSED"), sizes={"n": 4})


def test_a_first_entry_is_not_like_the_others() -> None:
    assert_refuted(first_entry, "z[complex]: n -> n", "C(n)")


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
