"""Programs off ties, and without guards of counts: equal to those they were made of, where they say so."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.programs import Builder, Program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.guards import remove_guards
from eqvproof.programs.off_ties import AT_A_TIE, off_ties

Make = Callable[[Builder, int], int]


def position(b: Builder, x: int, fn: str) -> int:
    """The first position of an extreme entry along the last axis."""
    axis, shape = len(b.shape(x)) - 1, b.shape(x)
    best = b.map("eq", [x, b.expand(b.reduce(fn, x, [axis]), axis)])
    counted = b.broadcast_to(b.iota(shape[-1]), shape)
    return b.reduce("min", b.select(best, counted, b.size(shape[-1])), [axis])


def compared(b: Builder, x: int, fn: str) -> int:
    """One-hot vectors of positions, as ``p == k``, with the new axis in front."""
    place = position(b, x, fn)
    n, m = b.shape(x)[-1], b.shape(x)[0]
    wide = b.einsum([place], [[1]], [0, 1], {0: n})
    return b.map("eq", [wide, b.einsum([b.iota(n)], [[0]], [0, 1], {1: m})])


MADE: dict[str, Make] = {
    "positions": lambda b, x: position(b, x, "max"),
    "positions of the least": lambda b, x: position(b, x, "min"),
    "one-hot vectors": lambda b, x: b.onehot(position(b, x, "max"), b.shape(x)[-1]),
    "one-hot vectors, more places": lambda b, x: b.onehot(position(b, x, "max"), 7),
    "compared with all places": lambda b, x: compared(b, x, "min"),
    "both": lambda b, x: b.add([position(b, x, "max"), b.sum(b.onehot(position(b, x, "min"), 2), [1])]),
    "near place 1": lambda b, x: b.map("eq", [position(b, x, "max"), b.const(1)]),
}


@pytest.mark.parametrize("name", MADE)
def test_off_ties_programs_have_equal_values(name: str) -> None:
    b = Builder()
    program = b.program(MADE[name](b, b.input("x", ["m", "n"])))
    rewritten, ties = off_ties(program)
    assert ties and {t.name for t in ties} == {n.name for n in rewritten.opaques}
    rng = random.Random(name)
    for _ in range(20):
        m, n = rng.randint(1, 3), rng.randint(1, 4)
        rows = [[Fraction(k, 3) for k in rng.sample(range(-9, 9), n)] for _ in range(m)]
        inputs = {"x": np.array(rows, dtype=object)}
        unknown = {t.name: (lambda *_: np.array(Fraction(rng.randint(1, 9)), dtype=object)) for t in ties}
        sizes = {"m": m, "n": n}
        given = evaluate_exact(program, inputs, sizes)
        other = evaluate_exact(rewritten, inputs, sizes, opaque=unknown)
        assert np.array_equal(given, other), inputs


@pytest.mark.parametrize("ahead", ["iota", "beyond"])
def test_what_is_no_first_position_is_left_alone(ahead: str) -> None:
    b = Builder()
    x = b.input("x", ["m", "n"])
    n = b.shape(x)[-1]
    best = b.map("eq", [x, b.expand(b.reduce("max", x, [1]), 1)])
    counted = b.broadcast_to(b.iota(n), b.shape(x))
    if ahead == "iota":
        counted = b.mul(counted, b.const(2))
    beyond = b.size(n) if ahead == "iota" else b.const(0)
    program = b.program(b.reduce("min", b.select(best, counted, beyond), [1]))
    assert off_ties(program) == (program, ())
    assert not any(n.name.startswith(AT_A_TIE) for n in program.opaques)


def mean_of_group(condition: str, kept: str, least: int) -> Program:
    """``where(count > 0, sum / max(count, 1), y)`` along columns, and its like."""
    b = Builder()
    x, y = b.input("x", ["m", "n"]), b.input("y", ["n"])
    chosen = b.map("gt", [x, b.const(0)])
    count = b.einsum([chosen], [[0, 1]], [1])
    if kept == "no whole number":
        count = b.mul(count, b.const(Fraction(1, 2)))
    guard = count if kept != "another" else b.einsum([b.map("lt", [x, b.const(0)])], [[0, 1]], [1])
    divisor = b.map("maximum", [count, b.const(least)])
    mean = b.einsum([chosen, x, b.map("recip", [divisor])], [[0, 1], [0, 1], [1]], [1])
    values = (mean, y) if condition in ("gt", "ne") else (y, mean)
    return b.program(b.select(b.map(condition, [guard, b.const(0)]), *values))


@pytest.mark.parametrize("condition", ["gt", "ne", "eq", "le"])
def test_without_guards_programs_have_equal_values(condition: str) -> None:
    program = mean_of_group(condition, "", 1)
    freed = remove_guards(program)
    assert freed is not program and "maximum" not in {n.function for n in freed.nodes}
    rng = random.Random(condition)
    for _ in range(30):
        m, n = rng.randint(1, 3), rng.randint(1, 3)
        entries = [[Fraction(rng.randint(-2, 2)) for _ in range(n)] for _ in range(m)]
        inputs = {
            "x": np.array(entries, dtype=object),
            "y": np.array([Fraction(k) for k in range(n)], dtype=object),
        }
        values: list[Any] = [evaluate_exact(p, inputs, {"m": m, "n": n}) for p in (program, freed)]
        assert np.array_equal(*values), inputs


@pytest.mark.parametrize(
    ("condition", "kept", "least"),
    [("lt", "", 1), ("gt", "another", 1), ("gt", "no whole number", 1), ("gt", "", 2), ("gt", "", 0)],
)
def test_other_maxima_stay(condition: str, kept: str, least: int) -> None:
    program = mean_of_group(condition, kept, least)
    assert remove_guards(program) is program
