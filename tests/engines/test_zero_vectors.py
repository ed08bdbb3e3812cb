"""Vectors that begin as zeros, as in networks of vectors: 0 times what is not defined everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved

Start = Callable[..., Any]


def layer(start: Start, x: Any, *, width: int = 2) -> Any:
    """The first layer of a network of vectors: those of before times a radial function, and directions."""
    v = start((x.shape[0], x.shape[1], width))
    r = x[None] - x[:, None]
    d = np.sqrt((r * r).sum(-1)) + np.eye(x.shape[0])
    radial = np.sin(d[..., None] * np.arange(1, width + 1)) / d[..., None]
    return (v[None] * radial[:, :, None] + radial[:, :, None] * r[..., None]).sum(1)


@pytest.mark.parametrize("under", ["O(3) x S(n)", "SO(3)", "E(3) x S(n)"])
def test_vectors_of_zeros(under: str) -> None:
    assert_proved(lambda x: layer(np.zeros, x), "x: n 3 -> n 3^ 2", under)


def test_the_plane() -> None:
    assert_proved(lambda x: layer(np.zeros, x, width=4), "x: n 2 -> n 2^ 4", "E(2)")


@pytest.mark.parametrize("start", [np.ones, lambda shape: 1e-9 * np.ones(shape)])
def test_other_vectors_are_none(start: Start) -> None:
    verdict = ep.check(lambda x: layer(start, x), "x: n 3 -> n 3^ 2", "O(3)", budget=4)
    assert verdict.outcome == "FAILS", str(verdict)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: 0 * np.log(x) + x,  # not defined where the rotated x is
        lambda x: 0 / x[:, :1] * np.ones(3) + x,
        lambda x: 0 * np.sqrt(x[:, :1]) + np.zeros(3) + x,
    ],
)
def test_zeros_of_what_is_turned_are_none(f: Callable[..., Any]) -> None:
    assert ep.check(f, "x: n 3 -> n 3", "O(3)", budget=4).outcome != "HOLDS"
