"""Functions with a fixed tolerance: refuted where they depend on the scale, or the place, of their inputs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.thresholds import begins_at_number
from tests.engines.search.asking import ask, floats_only

Function = Callable[..., Any]
SEEDS = range(10)


def templates(x: Any, m: int) -> Any:
    return np.array([x[i : i + m] for i in range(len(x) - m + 1)])


def sample_entropy(r: float) -> Function:
    def entropy(x: Any, m: int = 2) -> Any:
        def matches(m: int) -> Any:
            t = templates(x, m)
            return (np.abs(t[:, None] - t[None]).max(2) <= r).sum() - len(t)

        return -np.log(matches(m + 1) / matches(m))

    return entropy


def sample_entropy_of_lists(r: float) -> Function:
    def entropy(x: Any) -> float:
        values = [float(v) for v in x]

        def matches(m: int) -> int:
            t = [values[i : i + m] for i in range(len(values) - m + 1)]
            return sum(
                max(abs(a - b) for a, b in zip(s, u, strict=True)) <= r for s in t for u in t if s is not u
            )

        a, b = matches(3), matches(2)
        return -math.log(a / b) if a and b else 0.0

    return entropy


def approximate_entropy(r: float) -> Function:
    def entropy(x: Any) -> Any:
        def phi(m: int) -> Any:
            t = templates(x, m)
            return np.log((np.abs(t[:, None] - t[None]).max(2) <= r).mean(0)).mean()

        return phi(2) - phi(3)

    return entropy


def recurrence_rate(r: float) -> Function:
    return lambda x: (np.abs(x[:, None] - x[None]) < r).mean()


def correlation_sum(r: float) -> Function:
    return lambda X: (np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1)) < r).sum()


def far_points(r: float) -> Function:
    """How many points of one set have none of the other near them."""
    return lambda X, Y: (((X[:, None] - Y[None]) ** 2).sum(-1).min(1) > r * r).sum()


def step(r: float) -> Function:
    return lambda x: (x > r) * 1.0


def step_of_lists(r: float) -> Function:
    return lambda x: np.array([1.0 if float(v) > r else 0.0 for v in x])


def far_in_lists(r: float) -> Function:
    return lambda x: float(sum(abs(float(a) - float(b)) > r for a in x for b in x))


#: From a tolerance to a function; a claim about it that fails at every tolerance.
WRONG: list[tuple[Callable[[float], Function], str, str, dict[str, int]]] = [
    (sample_entropy, "x: n -> ()", "Scale(n)", {"n": 8}),
    (sample_entropy_of_lists, "x: n -> ()", "Scale(n)", {"n": 8}),
    (approximate_entropy, "x: n -> ()", "Scale(n)", {"n": 6}),
    (recurrence_rate, "x: n -> ()", "Scale(n)", {"n": 5}),
    (correlation_sum, "X: n d -> ()", "Scale(d)", {"n": 3, "d": 2}),
    (correlation_sum, "X: n d -> ()", "Scale(d)", {"n": 2, "d": 3}),
    (far_points, "X: n d, Y: m d -> ()", "Scale(d)", {"n": 2, "m": 2, "d": 1}),
    (step, "x: n -> n!", "Scale(n)", {"n": 3}),
    (step, "x: n -> n", "T(n)", {"n": 3}),
    (step, "x: n -> n", "O(n)", {"n": 2}),
    (step_of_lists, "x: n -> n!", "Scale(n)", {"n": 3}),
    (step_of_lists, "x: n -> n", "T(n)", {"n": 2}),
    (far_in_lists, "x: n -> ()", "Scale(n)", {"n": 3}),
]
TOLERANCES = (1e-3, 0.2, 0.3, 0.75, 1.5, 5.0, 12.0, 100.0)


@pytest.mark.parametrize("r", TOLERANCES)
@pytest.mark.parametrize("case", range(len(WRONG)))
def test_a_fixed_tolerance_is_seen(case: int, r: float) -> None:
    make, signature, under, sizes = WRONG[case]
    verdict = ep.check(make(r), signature, under, sizes=sizes, seed=case)
    assert verdict.fails, str(verdict)
    if verdict.grade in ("EXACT", "ENCLOSED"):
        assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [sample_entropy_of_lists, far_in_lists], ids=lambda f: f.__name__)
@pytest.mark.parametrize("r", [0.2, 12.0])
def test_whatever_the_seed(make: Callable[[float], Function], r: float, seed: int) -> None:
    """Points that suit the tolerance are tried at every seed."""
    found = ask(floats_only(make(r)), "x: n -> ()", "Scale(n)", sizes={"n": 6}, seed=seed, max_points=2000)
    assert found.found is not None


#: Right claims about functions with a tolerance.
RIGHT: list[tuple[Function, str, str, dict[str, int]]] = [
    (lambda x: sample_entropy(0.2)(x / np.abs(x).max()), "x: n -> ()", "Scale(n)", {"n": 6}),
    (lambda x: far_in_lists(0.5)(np.asarray(x) / float(np.abs(x).max())), "x: n -> ()", "Scale(n)", {"n": 4}),
    (recurrence_rate(0.2), "x: n -> ()", "S(n)", {"n": 4}),
    (correlation_sum(0.2), "X: n d -> ()", "O(d)", {"n": 3, "d": 2}),
    (correlation_sum(5.0), "X: n d -> ()", "T(d)", {"n": 3, "d": 2}),
    (step(0.3), "x: n -> n", "S(n)", {"n": 3}),
    (far_in_lists(12.0), "x: n -> ()", "S(n)", {"n": 3}),
]


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_claims_about_tolerances_do_not_fail(case: int) -> None:
    function, signature, under, sizes = RIGHT[case]
    assert not ep.check(function, signature, under, sizes=sizes, budget=2).fails


def _saturated(v: float) -> float:
    """``tanh``, by operations that no array makes."""
    return float(1 - 2 / (math.e ** (2 * v) + 1))


@pytest.mark.parametrize("c", [0.5, 3.0, 12.0])
def test_saturation_is_no_threshold(c: float) -> None:
    """The order of saturated values, in Python's floats: constant there, strictly increasing for reals."""

    def order(x: Any) -> Any:
        values = [float(v) for v in x]
        return np.array([values[i] for i in sorted(range(len(x)), key=lambda i: _saturated(c * values[i]))])

    found = ask(floats_only(order), "x: n -> n!", "S(n)", sizes={"n": 2}, max_points=400)
    assert found.found is None, found.found and found.found.inputs


# ------------------------------------------------------------------------------------- the parts of it


@pytest.mark.parametrize(
    ("quantity", "c"),
    [
        (lambda x: x.max(), 12.0),
        (lambda x: (x[0] - x[1]) ** 2, 7.0),
        (lambda x: np.sqrt((x * x).sum()), 18.0),
        (lambda x: abs(x.sum()), 15.0),
        (lambda x: x.mean(), 5.0),
        (lambda x: x.std(), 2.5),
    ],
)
def test_a_jump_is_found_at_its_number(quantity: Any, c: float) -> None:
    x = np.array([17.0, 9.0, -3.0])
    points_at = lambda t: [{"x": t * x}]  # noqa: E731
    is_there = lambda t: bool(quantity(t * x) > c)  # noqa: E731
    assert is_there(1.0) and not is_there(0.05)
    assert begins_at_number(is_there, points_at, 0.05, [3, Fraction(c)])
    assert not begins_at_number(is_there, points_at, 0.05, [3, Fraction(c) * Fraction(1001, 1000)])
    assert not begins_at_number(is_there, points_at, 0.05, [])


@pytest.mark.parametrize("c", TOLERANCES)
def test_points_have_differences_on_both_sides_of_a_tolerance(c: float) -> None:
    points = Points(parse_signature("x: n -> n"), {"n": 6}, [Fraction(c)])
    gaps = [
        abs(a - b) for p in points.seeded(random.Random(0)) for a in p["x"] for b in p["x"] if a != b
    ]  # fmt: skip
    assert any(gap <= c < 2 * gap for gap in gaps) and any(c < gap <= 2 * c for gap in gaps)
