"""Functions that do not show what they take, and of which NumPy and JAX make different things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.detect_backend import ASSUMED

jax = pytest.importorskip("jax", reason="JAX is not installed")

#: Beyond an axis of three entries, where JAX takes the nearest.
BEYOND: dict[str, tuple[Callable[[Any], Any], str]] = {
    "entry": (lambda x: x[5], "x: {n} -> ()"),
    "from the end": (lambda x: x[-7], "x: {n} -> ()"),
    "sum of two": (lambda x: x[0] + x[4], "x: {n} -> ()"),
    "row": (lambda x: x[3].sum(), "x: {n} 2 -> ()"),
}


@pytest.mark.parametrize("name", BEYOND)
def test_at_one_size_the_backend_is_asked_for(name: str) -> None:
    function, signature = BEYOND[name]
    text = signature.format(n=3)
    with pytest.raises(ep.BackendError, match="backend='jax'"):
        ep.check(function, text, "S(3)")
    with pytest.raises(ep.TargetError, match="out of bounds"):
        ep.check(function, text, "S(3)", backend="numpy")
    assert ep.check(function, text, "S(3)", backend="jax").fails


@pytest.mark.parametrize("name", BEYOND)
def test_at_all_sizes_the_verdict_says_what_was_assumed(name: str) -> None:
    function, signature = BEYOND[name]
    text = signature.format(n="n")
    verdict = ep.check(function, text, "S(n)")
    assert verdict.fails and ASSUMED in verdict.notes, str(verdict)
    assert ASSUMED not in ep.check(function, text, "S(n)", backend="numpy").notes


#: What shows what it takes, or answers alike.
ALIKE: dict[str, Callable[[Any], Any]] = {
    "within": lambda x: x[0] * x[0],
    "slice": lambda x: x[:5].sum(),
    "NumPy": lambda x: np.abs(x[5]),
    "jax.numpy": lambda x: jax.numpy.abs(x[5]),
    "at": lambda x: x.at[0].set(0.0)[5],
}


@pytest.mark.parametrize("name", ALIKE)
def test_nothing_is_said_where_nothing_is_assumed(name: str) -> None:
    verdict = ep.check(ALIKE[name], "x: n -> ()", "S(n)", budget=10)
    assert ASSUMED not in verdict.notes, str(verdict)


def test_an_error_of_numpy_stays_one() -> None:
    """A near miss: the function shows NumPy, or raises in JAX, too."""
    with pytest.raises(ep.TargetError):
        ep.check(lambda x: np.abs(x)[5], "x: 3 -> ()", "S(3)")
    with pytest.raises(ep.TargetError):
        ep.check(lambda x: [1, 2][5] * x[0], "x: 3 -> ()", "S(3)")
