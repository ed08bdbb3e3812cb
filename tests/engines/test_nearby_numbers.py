"""Floats of the code read as the numbers that they round, where translations or multiples count them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.program import Builder
from eqvproof.program.nearby import nearby, with_constants

Function = Callable[..., Any]
MASSES = np.array([12.011, 1.008, 15.999])
SHARES = MASSES / 29.7
SHARES = SHARES / SHARES.sum()
STOCHASTIC = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0], [7.0, 1.0, 3.0]])
STOCHASTIC = STOCHASTIC / STOCHASTIC.sum(1, keepdims=True)

HOLD: dict[str, tuple[Function, str, str]] = {
    "two weights": (lambda x: 0.9 * x + 0.1 * x.mean(0), "x: n d -> n d", "S(n) x E(d)"),
    "the centre of mass": (lambda x: x - SHARES @ x, "x: 3 d -> 3 d!", "T(d)"),
    "masses over their sum": (
        lambda x: x - (MASSES[:, None] * x).sum(0) / MASSES.sum(), "x: 3 d -> 3 d!", "T(d)",
    ),
    "rows that sum to 1": (lambda x: STOCHASTIC @ x, "x: 3 d -> 3 d", "E(d)"),
    "grey values": (lambda x: x @ np.array([0.299, 0.587, 0.114]), "x: d 3 -> d", "T(d)"),
    "a norm of third order": (lambda x: x / (np.abs(x) ** 3).sum() ** (1 / 3), "x: n -> n!", "Scale(n)"),
    "a norm of order 1.7": (lambda x: x / (np.abs(x) ** 1.7).sum() ** (1 / 1.7), "x: n -> n!", "Scale(n)"),
}  # fmt: skip

FAIL: dict[str, tuple[Function, str, str]] = {
    "weights that do not sum to 1": (lambda x: 0.9 * x + 0.11 * x.mean(0), "x: n d -> n d", "E(d)"),
    "a weight that is off in the tenth digit": (
        lambda x: 0.9 * x + 0.1000000001 * x.mean(0), "x: n d -> n d", "E(d)",
    ),
    "columns that do not": (lambda x: STOCHASTIC.T @ x, "x: 3 d -> 3 d", "T(d)"),
    "grey values of other weights": (lambda x: x @ np.array([0.299, 0.578, 0.114]), "x: d 3 -> d", "T(d)"),
    "another exponent": (lambda x: x / (np.abs(x) ** 3).sum() ** 0.333, "x: n -> n!", "Scale(n)"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_of_the_numbers_that_are_meant(name: str) -> None:
    function, signature, under = HOLD[name]
    verdict = ep.check(function, signature, under=under)
    assert verdict.grade == "PROVED" and verdict.readings, verdict.reason
    assert "for constants read next to what is stored" in str(verdict).splitlines()[0]
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", HOLD)
def test_of_the_stored_numbers_it_is_refuted(name: str) -> None:
    function, signature, under = HOLD[name]
    verdict = ep.check(function, signature, under=under, constants="literal")
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), verdict.reason


@pytest.mark.parametrize("name", FAIL)
def test_what_does_not_hold_of_them_is_refuted(name: str) -> None:
    function, signature, under = FAIL[name]
    verdict = ep.check(function, signature, under=under)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), verdict.reason


def test_what_holds_of_the_stored_numbers_is_read_literally() -> None:
    verdict = ep.check(lambda x: x - 0.3 * (x - x.mean(0)), "x: n d -> n d", under="E(d)")
    assert verdict.grade == "PROVED" and not verdict.readings


def test_under_permutations_numbers_are_what_is_stored() -> None:
    weights = np.array([0.1 + 0.2, 0.3])
    assert ep.check(lambda x: weights @ x, "x: 2 -> ()", under="S(2)").fails


@given(st.lists(st.integers(1, 99), min_size=2, max_size=6))
def test_shares_become_shares(parts: list[int]) -> None:
    """Rounded shares of a whole are read as numbers whose sum is 1, each within roundings of its own."""
    shares = np.array(parts, dtype=float) / sum(parts)
    b = Builder()
    x = b.input("x", (len(parts),))
    program = b.program(b.sum(b.mul(x, b.const(shares)), [0]))
    for read in nearby(program):
        for k, (constant, _) in read.items():
            meant, stored = constant.constant, program.nodes[k].constant
            assert meant is not None and stored is not None and sum(meant.flat) == 1
            off = [abs(m - Fraction(s)) for m, s in zip(meant.flat, stored.flat, strict=True)]
            assert max(off) <= 4 * Fraction(1, 2**52)
        changed = with_constants(program, {k: constant for k, (constant, _) in read.items()})
        assert len(changed.nodes) == len(program.nodes)


def test_numbers_beyond_what_can_be_meant_are_left_as_they_are() -> None:
    def f(x: Any) -> Any:
        return 0.9 * x + 0.1 * x.mean(0) + 5e-324 * (x - x.mean(0))

    verdict = ep.check(f, "x: n d -> n d", under="T(d)")
    assert verdict.grade == "PROVED" and len(verdict.readings) <= 2, verdict.reason
