"""How often the user's function is called: as often as a proof needs, see docs/trust.md."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(x: Any) -> Any:
    return softmax(x @ x.T) @ x


def triple(x: Any, y: Any) -> Any:
    return softmax(x @ x.T) @ y


def branch(x: Any) -> Any:
    return np.where(x > 0, x, 2 * x)


def arguments(f: Callable[..., Any], work: Callable[[], ep.Verdict]) -> tuple[ep.Verdict, list[Any]]:
    """The verdict, and for each call of f the shape of x, or None for a symbolic one."""
    found: list[Any] = []

    def see(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is f.__code__:
            x = frame.f_locals["x"]
            found.append(x.shape if type(x) is np.ndarray else None)

    sys.setprofile(see)
    try:
        verdict = work()
    finally:
        sys.setprofile(None)
    return verdict, found


def test_a_proof_of_an_attention_calls_it_twelve_times() -> None:
    verdict, shapes = arguments(
        attention, lambda: ep.check(attention, "x: n d -> n d", "S(n) x O(d)", budget=120)
    )
    assert verdict.grade == "PROVED"
    assert len(shapes) <= 12
    assert shapes.count(None) == 4  # twice to the nearest, once rounding down, once up
    replayed = {shape for shape in shapes if shape is not None}
    assert (1, 1) in replayed
    assert any(n == 1 < d for n, d in replayed) and any(d == 1 < n for n, d in replayed)
    assert any(n == d > 1 for n, d in replayed)
    assert any(n > 50 for n, _ in replayed) and any(d > 50 for _, d in replayed)


@pytest.mark.parametrize(
    ("f", "signature", "most"),
    [(triple, "x: n d, y: n k -> n k", 15), (branch, "x: n -> n", 64)],
    ids=["three sizes", "a choice"],
)
def test_more_sizes_and_choices_take_more_replays(
    f: Callable[..., Any], signature: str, most: int
) -> None:
    verdict, shapes = arguments(f, lambda: ep.check(f, signature, "S(n)", budget=120))
    assert verdict.grade == "PROVED"
    assert 12 < len(shapes) <= most
