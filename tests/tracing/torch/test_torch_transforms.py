"""Fourier transforms of torch: modulus, convolutions and correlations are proved, complex results refused."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{name}Warning") for name in ("Deprecation", "Future", "User")
]


def convolved(x: Any, w: Any) -> Any:
    return torch.fft.ifft(torch.fft.fft(x) * torch.fft.fft(w)).real


def correlated(x: Any, y: Any) -> Any:
    return torch.fft.ifft(torch.fft.fft(x).conj() * torch.fft.fft(y) / 2 - torch.fft.fft(y)).real


RIGHT = {
    "modulus": (lambda x: torch.fft.fft(x).abs(), "x: n c -> n c!", "C(c)"),
    "power": (lambda x: torch.fft.rfft(x).abs() ** 2, "x: 8 -> 5", "C(8)"),
    "convolution": (convolved, "x: n, w: n! -> n", "C(n)"),
    "filter": (lambda x, h: torch.fft.ifft(torch.fft.fft(x) * h).real, "x: n, h: n! -> n", "C(n)"),
    "back": (lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2, n=6), "x: 6 -> 6", "C(6)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_transforms_are_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, budget=120)
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("function", "signature"),
    [(lambda x: torch.fft.fft(x).real, "x: n -> n!"), (correlated, "x: n, y: n -> n")],
    ids=["real part", "difference"],
)
def test_parts_that_shifts_turn_fail(function: Any, signature: str) -> None:
    verdict = ep.check(function, signature, "C(n)", budget=120)
    assert verdict.fails and ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: torch.fft.fft(x), "complex numbers"),
        (lambda x: torch.fft.fft(x)[0].abs() + x, "complex tensors"),
        (lambda x: (torch.fft.fft(x) + x).abs(), "something else"),
    ],
    ids=["alone", "one frequency", "sum"],
)
def test_what_is_refused(function: Any, words: str) -> None:
    signature = parse_signature("x: n -> n!")
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(adapt(function, "torch", signature), signature, {})
