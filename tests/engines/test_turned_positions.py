"""Positions shifted round a cycle are positions: proved under C(n), refuted under S(n)."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep


def next_one(x: Any, e: Any) -> Any:
    return x[(e + 1) % x.shape[0]]


def slope(x: Any, e: Any) -> Any:
    n = len(x)
    return x[(e + 2) % n] - x[(e - 1) % n]


def clipped(x: Any, e: Any) -> Any:
    return x[(e + 1).clip(0, len(x) - 1)]


def one_more(x: Any, e: Any) -> Any:
    return x[(e + 1) % (len(x) + 1) - 1]


@pytest.mark.parametrize("function", [next_one, slope])
def test_proved_under_shifts(function: Any) -> None:
    verdict = ep.check(function, "x: n, e[n]: m -> m", "C(n) x S(m)")
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("function", "under"), [(next_one, "S(n)"), (clipped, "C(n)")])
def test_refuted(function: Any, under: str) -> None:
    verdict = ep.check(function, "x: n, e[n]: m -> m", under)
    assert verdict.fails and ep.verify(verdict.certificate).accepted


def test_round_another_cycle_is_not_proved() -> None:
    """(e + 1) mod (n + 1) - 1 is e again below n - 1; no rule says so."""
    assert ep.prove(one_more, "x: n, e[n]: m -> m", "C(n)").grade != "PROVED"
