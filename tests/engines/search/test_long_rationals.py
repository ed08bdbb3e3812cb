"""Counterexamples whose rationals are too long for the kernel are enclosed, and the verdict says so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

import eqvproof as ep
from eqvproof.engines.conclude import TOO_LONG
from eqvproof.engines.search.compare_arrays import Relation, compare_exact
from eqvproof.numbers import Real
from eqvproof.numbers.tensor import objects

Function = Callable[..., Any]


def iterated(steps: int) -> Function:
    """Affine maps whose factors are no short fractions: 53 bits more in each step."""

    def f(x: Any) -> Any:
        for _ in range(steps):
            x = x * np.array([0.1, 0.2]) + 0.3
        return x

    return f


def newton(steps: int) -> Function:
    def f(x: Any) -> Any:
        for _ in range(steps):
            x = x - (x * x - 2) / (2 * x) * np.array([1, 0.5])
        return x

    return f


def thirds(steps: int) -> Function:
    def f(x: Any) -> Any:
        for k in range(steps):
            x = (x + np.array([1, 2])) / (2 * k + 3)
        return x

    return f


def recursive_mean(steps: int) -> Function:
    """The exponential moving average of the sum, weighted."""

    def f(x: Any) -> Any:
        m = x.sum() * 0
        for k in range(steps):
            m = 0.9 * m + 0.1 * x[k % 2]
        return m

    return f


#: A function that is no symmetric one at any number of steps, steps with short numbers, with long ones.
LONG: list[tuple[Callable[[int], Function], str, str, int, tuple[int, ...]]] = [
    (iterated, "x: 2 -> 2", "S(2)", 20, (74, 150, 300)),
    (iterated, "x: 2 -> 2", "Signs(2)", 20, (74,)),
    (newton, "x: 2 -> 2", "S(2)", 3, (12,)),
    (thirds, "x: 2 -> 2", "S(2)", 20, (900,)),
    (recursive_mean, "x: 2 -> ()", "S(2)", 20, (250, 90)),
]
CASES = [(make, sig, under, k) for make, sig, under, _, long in LONG for k in long]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_long_rationals_are_enclosed(case: int) -> None:
    make, signature, under, steps = CASES[case]
    verdict = ep.check(make(steps), signature, under, budget=15)
    assert (verdict.outcome, verdict.grade) == ("FAILS", "ENCLOSED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert TOO_LONG in verdict.notes
    assert not any("could not confirm" in note for note in verdict.notes)
    str(verdict)


@pytest.mark.parametrize("case", range(len(LONG)))
def test_short_rationals_stay_exact(case: int) -> None:
    make, signature, under, steps, _ = LONG[case]
    verdict = ep.check(make(steps), signature, under)
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert TOO_LONG not in verdict.notes


@pytest.mark.slow
def test_identities_too() -> None:
    """Programs that differ by 1e-101 of their values at 0, and elsewhere."""
    other = lambda x: iterated(100)(x) * np.array([1, 0.25])  # noqa: E731
    _enclosed(ep.identical(iterated(100), other, "x: 2 -> 2"))
    _enclosed(ep.identical(iterated(100), iterated(101), "x: 2 -> 2"))


def _enclosed(verdict: ep.Verdict) -> None:
    assert (verdict.outcome, verdict.grade) == ("FAILS", "ENCLOSED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted and TOO_LONG in verdict.notes


LONGER = Fraction(10**3000 + 1, 3**6000)


@pytest.mark.parametrize("gap", [1, Fraction(1, 10**9), Fraction(1, 10**400)])
def test_long_numbers_that_differ(gap: Fraction) -> None:
    sides = [objects([Real(1), Real(v)], (2,)) for v in (LONGER, LONGER + gap)]
    found = compare_exact(sides[0], sides[1], sides[0])
    assert found.differs and (found.arithmetic, found.entry, found.is_long) == ("ball", (1,), True)
    assert found.left is not None and found.right is not None
    (a, b), (c, d) = found.left[1].bounds(), found.right[1].bounds()
    assert a <= LONGER <= b < c <= LONGER + gap <= d
    assert isinstance(found.left[0].scalar, fmpq)


def test_long_numbers_that_are_equal() -> None:
    side = objects([Real(LONGER)], (1,))
    assert compare_exact(side, side.copy(), side).relation is Relation.EQUAL


def test_short_numbers_are_compared_as_they_are() -> None:
    left, right = (objects([Real(Fraction(v, 3))], (1,)) for v in (1, 2))
    found = compare_exact(left, right, left)
    assert found.differs and (found.arithmetic, found.is_long) == ("rational", False)
