"""np.broadcast and np.broadcast_shapes of traced arrays: their shapes are facts of the shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted


def filled(x: Any, y: Any) -> Any:
    b = np.broadcast(x, y, 2.0)
    out = np.empty(b.shape)
    out[:] = x * y / b.size + b.ndim + b.nd + b.numiter
    return out


def widened(x: Any, y: Any) -> Any:
    shape = np.broadcast(x[:, None], y).shape
    return np.broadcast_to(x[:, None], shape) * np.broadcast_to(y, shape)


def of_shapes(x: Any, y: Any) -> Any:
    return np.zeros(np.broadcast_shapes(x[:, None].shape, y.shape, (1, 1), 1)) + np.outer(x, y)


TRUE: dict[str, tuple[Callable[..., Any], str]] = {
    "filled": (filled, "x: n, y: n -> n"),
    "widened": (widened, "x: n, y: n -> n n"),
    "of shapes": (of_shapes, "x: n, y: n -> n n"),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name: str) -> None:
    f, signature = TRUE[name]
    assert_proved(f, signature, "S(n)")


FALSE: dict[str, Callable[..., Any]] = {
    "positions": lambda x, y: x * np.arange(np.broadcast(x, y).size),
    "positions of shapes": lambda x, y: x * np.arange(np.broadcast_shapes(x.shape, y.shape)[0]),
}


@pytest.mark.parametrize("name", FALSE)
def test_near_misses(name: str) -> None:
    assert_refuted(FALSE[name], "x: n, y: n -> n", "S(n)")


UNREAD: dict[str, tuple[Callable[..., Any], str]] = {
    "a loop": (lambda x, y: np.array([a * b for a, b in np.broadcast(x, y)]), "x: n, y: n -> n"),
    "its position": (lambda x, y: x + np.broadcast(x, y).index, "x: n, y: n -> n"),
    "sizes that fit only where equal": (lambda x, y: np.zeros(np.broadcast(x, y).shape), "x: n, y: m -> n"),
    "shapes that fit only where equal": (
        lambda x, y: np.zeros(np.broadcast_shapes(x.shape, y.shape)), "x: n, y: m -> n",
    ),
    "complex": (lambda x, y: x + np.zeros(np.broadcast(np.fft.fft(x), y).shape), "x: n, y: n -> n"),
    "picked entries": (lambda x, y: x * np.broadcast(x[x > 0], 1.0).size, "x: n, y: n -> n"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_not_proved(name: str) -> None:
    f, signature = UNREAD[name]
    assert ep.prove(f, signature, "S(n)").outcome != "PROVED"
