"""Circles: Fourier transforms, circular convolutions and windows, proved under shifts; slips that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted
from tests.sampling import examples

FFT = np.fft
KERNEL = "x: n, w: n! -> n"


def circulant_matrix(x: Any, w: Any) -> Any:
    i = np.arange(x.shape[0])
    return w[(i[:, None] - i[None, :]) % x.shape[0]] @ x


def windows(x: Any, w: Any) -> Any:
    return x[(np.arange(x.shape[0])[:, None] + np.arange(w.shape[0])) % x.shape[0]] @ w


def laplacian(x: Any, width: int = 2, mode: Any = "wrap") -> Any:
    p = np.pad(x, width, mode=mode)
    n = x.shape[0]
    return p[:n] - 2 * p[width : width + n] + p[2 * width :]


def sliding(x: Any, w: Any) -> Any:
    return np.lib.stride_tricks.sliding_window_view(np.pad(x, 1, mode="wrap"), 3) @ w


def autocorrelation(x: Any) -> Any:
    f = FFT.rfft(x - x.mean(axis=0), axis=0)
    return FFT.irfft(np.abs(f) ** 2, n=x.shape[0], axis=0) / x.shape[0]


RIGHT = {
    "modulus": (lambda x: np.abs(FFT.fft(x, axis=0)), "x: n c -> n! c", "C(n) x S(c)"),
    "power": (lambda x: (FFT.fft(x) * np.conj(FFT.fft(x))).real, "x: n -> n!", "C(n)"),
    "modulus in two directions": (lambda x: np.abs(FFT.fft2(x)), "x: n m -> n! m!", "C(n) x C(m)"),
    "product": (lambda x, w: FFT.ifft(FFT.fft(x) * FFT.fft(w)).real, KERNEL, "C(n)"),
    "product of halves": (
        lambda x, w: FFT.irfft(FFT.rfft(x) * FFT.rfft(w), n=x.shape[0]), KERNEL, "C(n)",
    ),
    "correlation": (lambda x, y: FFT.ifft(FFT.fft(x) * FFT.fft(y).conj()).real, "x: n, y: n -> n!", "C(n)"),
    "filter": (lambda x, g: FFT.ifft(FFT.fft(x) * g).real, KERNEL, "C(n)"),
    "there and back": (lambda x: FFT.ifft(FFT.fft(np.tanh(x))).real, "x: n -> n", "S(n)"),
    "autocorrelation": (autocorrelation, "x: n c -> n! c", "C(n)"),
    "modulus of a half as a filter": (
        lambda x: FFT.irfft(FFT.rfft(x) * np.abs(FFT.rfft(x)), n=x.shape[0]), "x: n -> n", "C(n)",
    ),
    "circulant matrix": (circulant_matrix, KERNEL, "C(n)"),
    "windows": (windows, "x: n, w: k -> n", "C(n)"),
    "laplacian": (laplacian, "x: n -> n", "C(n)"),
    "sliding windows": (sliding, "x: n, w: 3 -> n", "C(n)"),
    "convolve": (lambda x, w: np.convolve(np.pad(x, 1, mode="wrap"), w, "valid"), "x: n, w: 3 -> n", "C(n)"),
    "turned by hand": (lambda x: np.concatenate([x[-1:], x[:-1]]) * x, "x: n -> n", "C(n)"),
}  # fmt: skip
WRONG = {
    "autocorrelation that moves along": (autocorrelation, "x: n c -> n c", "C(n)"),
    "autocorrelation under permutations": (autocorrelation, "x: n c -> n! c", "S(n)"),
    "modulus of a half as a filter, kept": (
        lambda x: FFT.irfft(FFT.rfft(x) * np.abs(FFT.rfft(x)), n=x.shape[0]), "x: n -> n!", "C(n)",
    ),
    "real part": (lambda x: FFT.fft(x).real, "x: n -> n!", "C(n)"),
    "real part of a square": (lambda x: (FFT.fft(x) ** 2).real, "x: n -> n!", "C(n)"),
    "modulus under permutations": (lambda x: np.abs(FFT.fft(x)), "x: n -> n!", "S(n)"),
    "product of two that move": (
        lambda x, y: FFT.ifft(FFT.fft(x) * FFT.fft(y)).real, "x: n, y: n -> n", "C(n)",
    ),
    "zeros around": (lambda x: laplacian(x, 1, "constant"), "x: n -> n", "C(n)"),
    "edges repeated": (lambda x: laplacian(x, 1, "edge"), "x: n -> n", "C(n)"),
    "sum of indices": (lambda x, w: windows(w, x), KERNEL, "C(n)"),
    "index that does not go round": (
        lambda x: x[np.minimum(np.arange(x.shape[0]) + 1, x.shape[0] - 1)], "x: n -> n", "C(n)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    assert_proved(function, signature, under)


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    assert_refuted(function, signature, under)


STEPS = (
    lambda z, w, x: z * w,
    lambda z, w, x: z**2,
    lambda z, w, x: z * np.conj(w),
    lambda z, w, x: np.conj(z) * w,
    lambda z, w, x: np.conj(z) * np.conj(w),
    lambda z, w, x: z + w,
    lambda z, w, x: np.conj(z) - w,
    lambda z, w, x: 2.0 * z - w / 3.0,
    lambda z, w, x: z * (1 + 2j),
    lambda z, w, x: FFT.fft(FFT.ifft(z) * 2.0),
    lambda z, w, x: z * np.abs(x),
    lambda z, w, x: -z * z,
)
ENDS = (np.real, np.imag, np.abs, lambda z: FFT.ifft(z).real, lambda z: FFT.ifft(np.conj(z)).imag)


HALVES = (
    lambda z, w: z * np.abs(w),
    lambda z, w: np.abs(z) ** 2,
    lambda z, w: np.abs(z) * np.abs(w) - w,
    lambda z, w: np.conj(np.abs(z) * w),
    lambda z, w: np.abs(np.abs(z) - np.abs(w)) / 2.0,
)


@given(steps=st.lists(st.sampled_from(HALVES), min_size=1, max_size=2))
@settings(max_examples=examples(20, few=10), deadline=None)
def test_the_algebra_of_halves(steps: list[Any]) -> None:
    """The modulus of frequencies up to n/2 goes back to real arrays as that of all of them does."""

    def f(x: Any, y: Any, fft: Any = FFT.rfft, back: Any = FFT.irfft) -> Any:
        z, w = fft(x), fft(y)
        for step in steps:
            z = step(z, w)
        return back(z, x.shape[0])

    trace = trace_all_sizes(f, parse_signature("x: n, y: n -> n"))
    for n in (1, 2, 5, 6):
        x, y = np.random.default_rng(n).normal(size=(2, n))
        found = evaluate_float(trace.program, {"x": x, "y": y})
        np.testing.assert_allclose(found, f(x, y, FFT.fft, FFT.ifft).real, rtol=1e-9, atol=1e-9)


@given(steps=st.lists(st.sampled_from(STEPS), max_size=2), end=st.sampled_from(ENDS))
@settings(max_examples=examples(40, few=10), deadline=None)
def test_the_algebra_of_transforms(steps: list[Any], end: Any) -> None:
    """Random formulas of transforms: a trace is compared with NumPy at many points before it is accepted."""

    def f(x: Any, y: Any) -> Any:
        z, w = FFT.fft(x), FFT.fft(y)
        for step in steps:
            z = step(z, w, x)
        return end(z) + 10.0 * (np.abs(z.real) + np.abs(z.imag)) + 1.0  # rounded zeros do not count

    trace = trace_all_sizes(f, parse_signature("x: n, y: n -> n"))
    assert trace.program.nodes
