"""Values that a loop keeps from entry to entry: rewritten choices and extremes keep their values."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.numbers.undefined import UNDEFINED
from eqvproof.programs import Builder
from eqvproof.programs.evaluate.exact import evaluate_exact
from tests.judged import assert_refuted

Number = Fraction | None
#: A node, with the function of the entries that it should be; None where it is undefined.
Both = tuple[int, Callable[[list[Fraction]], Number]]


def drawn(b: Builder, x: int, count: int, rng: random.Random, depth: int) -> Both:
    """A random number made of entries by extremes, sums, quotients and choices by comparisons."""
    kind = rng.choice(("entry", "recip")) if not depth else rng.choice(
        ("extreme", "extreme", "choice", "choice", "running", "sum")
    )  # fmt: skip
    if kind in ("entry", "recip"):
        i = rng.randrange(count)
        entry = b.reshape(b.slice(x, 0, i, 1), [])
        if kind == "entry" or rng.random() < 0.7:
            return entry, lambda at: at[i]
        return b.div(b.const(1), entry), lambda at: 1 / at[i] if at[i] else None
    one, two = (drawn(b, x, count, rng, depth - 1) for _ in range(2))
    if kind == "extreme":
        fn, python = rng.choice((("maximum", max), ("minimum", min)))
        return b.map(fn, [one[0], two[0]]), lambda at: strict(python, one[1](at), two[1](at))
    if kind == "sum":
        return b.add([one[0], two[0]]), lambda at: strict(lambda p, q: p + q, one[1](at), two[1](at))
    fn = rng.choice(("lt", "le", "gt", "ge"))
    holds = {"lt": Fraction.__lt__, "le": Fraction.__le__, "gt": Fraction.__gt__, "ge": Fraction.__ge__}[fn]
    if kind == "running":  # as a loop keeps it: of one value and the two
        more = drawn(b, x, count, rng, depth - 1)
        first = (b.map("maximum", [more[0], one[0]]), lambda at: strict(max, more[1](at), one[1](at)))
        second = (b.map("maximum", [more[0], two[0]]), lambda at: strict(max, more[1](at), two[1](at)))
    else:
        first, second = (one, two) if rng.random() < 0.5 else (two, one)
    node = b.select(b.map(fn, [one[0], two[0]]), first[0], second[0])

    def chosen(at: list[Fraction]) -> Number:
        p, q = one[1](at), two[1](at)
        if p is None or q is None:
            return None
        return first[1](at) if holds(p, q) else second[1](at)

    return node, chosen


def strict(python: Callable[[Fraction, Fraction], Fraction], p: Number, q: Number) -> Number:
    return None if p is None or q is None else python(p, q)


@pytest.mark.parametrize("seed", range(4))
def test_rewritten_values_are_the_same(seed: int) -> None:
    rng = random.Random(f"running {seed}")
    defined = undefined = 0
    for _ in range(60):
        count = rng.randint(1, 4)
        b = Builder()
        node, expected = drawn(b, b.input("x", [count]), count, rng, rng.randint(1, 4))
        program = b.program(node)
        for _ in range(6):
            at = [Fraction(rng.randint(-2, 2)) for _ in range(count)]
            found = evaluate_exact(program, {"x": np.array(at, dtype=object)}, {}).item()
            wanted = expected(at)
            if wanted is None:
                undefined += 1
                assert found is UNDEFINED, (seed, at, found)
            else:
                defined += 1
                assert found == wanted, (seed, at, found, wanted)
    assert defined > 150 and undefined > 20


def by_call(x: Any) -> Any:
    best = -np.inf
    for value in x:
        best = max(best, value)
    return best


def by_branch(x: Any) -> Any:
    best = x[0]
    for value in x[1:]:
        if value < best:
            best = value
    return best


def of_pairs(x: Any) -> Any:
    best = np.inf
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            best = min(best, abs(x[i] - x[j]))
    return best


def count(x: Any) -> Any:
    total = 0
    for value in x:
        if value > 1:
            total += 1
    return total


def sum_of_some(x: Any) -> Any:
    total = 0.0
    for value in x:
        if value > 0:
            total += value**2
    return total


@pytest.mark.parametrize("function", [by_call, by_branch, of_pairs, count, sum_of_some])
def test_loops_do_not_depend_on_the_order(function: Any) -> None:
    verdict = ep.check(function, "x: n -> ()", "S(n)", sizes={"n": (2, 4)}, budget=120)
    assert verdict.holds and verdict.grade in ("PROVED", "DECIDED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def with_the_last(x: Any) -> Any:
    best = x[0]
    for value in x[1:]:
        if value > best - 1:
            best = value
    return best


def last_of_some(x: Any) -> Any:
    found = x[0] * 0
    for value in x:
        if value > 0:
            found = value
    return found


def places(x: Any) -> Any:
    total = 0
    for i, value in enumerate(x):
        if value > 1:
            total += i
    return total


@pytest.mark.parametrize("function", [with_the_last, last_of_some, places])
def test_near_misses_are_refuted(function: Any) -> None:
    assert_refuted(function, "x: n -> ()", "S(n)")
