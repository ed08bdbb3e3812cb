"""Two functions that are equal where both are defined, and an algebraic point at which one is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep

Pair = tuple[Callable[..., Any], Callable[..., Any], str]

#: The first divides by 0 where the second does not; a number at which it does.
APART: dict[str, tuple[Pair, float]] = {
    "square root of 2": ((lambda x: (x * x - 2) / (x * x - 2), lambda x: 1 + 0 * x, "x: n -> n"), 2**0.5),
    "cube root of 5": ((lambda x: x * (x**3 - 5) / (x**3 - 5), lambda x: x, "x: n -> n"), 5 ** (1 / 3)),
    "golden ratio": (
        (lambda x: (x * x - x - 1) / (x * x - x - 1), lambda x: 1 + 0 * x, "x: () -> ()"), (5**0.5 + 1) / 2,
    ),
    "one pole in two functions": (
        (lambda x: (x * x - 3) / (x * x - 3) / (x * x - 7), lambda x: 1 / (x * x - 7), "x: n -> n"), 3**0.5,
    ),
    "two inputs": (
        (lambda x, y: y * (x * x + y * y - 3) / (x * x + y * y - 3), lambda x, y: y + 0 * x,
         "x: (), y: () -> ()"), 2**0.5,
    ),
    "a norm": (
        (lambda x: ((x * x).sum() - 3) / ((x * x).sum() - 3), lambda x: 1 + 0 * x.sum(),
         "x: 2 -> ()"), 2**0.5,
    ),
}  # fmt: skip
#: Equal, and both undefined at the same points, or at none.
ALIKE: dict[str, Pair] = {
    "both": (
        lambda x: x * (x * x - 2) / (x * x - 2), lambda x: x / (1 - x * x / 2) * (1 - x * x / 2), "x: n -> n"
    ),
    "no real root": (lambda x: x * (x * x + 2) / (x * x + 2), lambda x: x, "x: n -> n"),
    "no denominator": (lambda x: (x - 1) * (x + 1), lambda x: x * x - 1, "x: n -> n"),
}  # fmt: skip


def notes_of(pair: Pair, budget: float = 20.0) -> tuple[ep.Verdict, list[str]]:
    f, g, signature = pair
    verdict = ep.identical(f, g, signature, budget=budget)
    return verdict, [note for note in verdict.notes if "divides by 0" in note]


@pytest.mark.parametrize("name", APART)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_point_is_named(name: str, is_turned: bool) -> None:
    (f, g, signature), root = APART[name]
    verdict, notes = notes_of((g, f, signature) if is_turned else (f, g, signature))
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert "wherever both are defined" in str(verdict).splitlines()[0]
    assert len(notes) == 1
    number = re.search(r"= (-?[0-9.]+), a root of", notes[0])
    assert number is not None and float(number[1]) == pytest.approx(root, abs=1e-9)
    assert f"the {'second' if is_turned else 'first'} function divides by 0" in notes[0]


@pytest.mark.parametrize("name", ALIKE)
def test_nothing_is_named_where_both_are_defined(name: str) -> None:
    verdict, notes = notes_of(ALIKE[name])
    assert verdict.holds and not notes, str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_rational_points_refute() -> None:
    verdict, notes = notes_of((lambda x: (x * x - 9) / (x * x - 9), lambda x: 1 + 0 * x, "x: n -> n"))
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT") and not notes, str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_what_is_undefined_for_another_reason_says_nothing() -> None:
    """Whether the other function is defined at the point is not known: it may take another root there."""
    verdict, notes = notes_of(
        (lambda x: np.sqrt(x) * (x * x - 2) / (x * x - 2), lambda x: np.sqrt(x), "x: n -> n")
    )
    assert not notes, str(verdict)
