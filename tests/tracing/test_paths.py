"""Branches on values: every way through a function is traced, and none is forgotten."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

X, x, FEW = "X: d n -> d n", "x: n -> ()", "x: 3 -> 3!"
LENGTH, LARGEST = len, max


def unit_or_zero(v: Any) -> Any:
    """The direction of a vector, nothing for a vector that is too short."""
    length = np.linalg.norm(v)
    if length < 1e-8:
        return np.zeros_like(v)
    return v / length


def unit_or_ones(v: Any) -> Any:
    """A slip: ones are no vector that rotates."""
    length = np.linalg.norm(v)
    if length < 1e-8:
        return np.ones_like(v)
    return v / length


def into_the_ball(points: Any) -> Any:
    """Points pulled towards their mean where they are far from it."""
    centre = points.mean(axis=0)
    radius = np.linalg.norm(points - centre, axis=1).max()
    if radius > 1.0:
        return centre + (points - centre) / radius
    elif radius > 0.5:
        return points
    return 2 * points - centre


def root_by_newton(v: Any) -> Any:
    """At most six steps towards the square root of the squared length."""
    square = guess = (v**2).sum()
    for _ in range(6):
        error = guess * guess - square
        if abs(error) < 1e-3:
            break
        guess = 0.5 * (guess + square / guess)
    return guess


def spread(v: Any) -> Any:
    """Python's sum, max and min of a vector."""
    return sum(v) / max(1e-6, max(v) - min(v))


def ordered(v: Any) -> Any:
    """Python's sorted."""
    return np.array(sorted(v, reverse=True))


def largest_so_far(v: Any) -> Any:
    """A running maximum that starts at -inf."""
    best = -math.inf
    for entry in (v.min(), v.mean(), v.max()):
        best = max(best, entry)
    return best


def refused_at_zero(v: Any) -> Any:
    """No value where there is no direction."""
    length = np.linalg.norm(v)
    if length == 0:
        raise ValueError("a zero vector has no direction")
    return v / length


def refused_on_the_left(v: Any) -> Any:
    """No value for negative first entries."""
    if v[0] < 0:
        raise ValueError("negative")
    return (v**2).sum()


def far_away(v: Any) -> Any:
    """Symmetric except beyond a distance that no random input reaches."""
    if v.sum() > 1e9 and v[0] > 5:
        return 1.0
    return 0.0


def by_equality_of_len(v: Any) -> Any:
    """Whether len is what it was must not tell a trace from a call."""
    return [v.sum(), v[0]][all((len == LENGTH, max == LARGEST, v.sum() > 1e9))]


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (unit_or_zero, "v: d -> d", "O(d)"),
        (refused_at_zero, "v: d -> d", "O(d)"),
        (into_the_ball, "P: n d -> n d", "E(d) x S(n)"),
        (root_by_newton, "v: d -> ()", "O(d)"),
        (spread, "v: n -> ()", "S(n)"),
        (ordered, "v: n -> n!", "S(n)"),
        (largest_so_far, "v: n -> ()", "S(n)"),
        (lambda v: np.linalg.norm(v).item() * v, "v: d -> d", "O(d)"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_right_functions_with_branches_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (unit_or_ones, "v: d -> d", "O(d)"),
        (refused_on_the_left, "v: d -> ()", "O(d)"),
        (far_away, "v: n -> ()", "S(n)"),
        (by_equality_of_len, "v: n -> ()", "S(n)"),
        (lambda v: v.sum() if v[0] > 0 else v.mean(), "v: n -> ()", "S(n)"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_wrong_functions_with_branches_are_refuted(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, grades=("EXACT",))


def bubble_sort(v: Any) -> Any:
    """Three numbers in order, by exchanges."""
    a = [v[0], v[1], v[2]]
    for i in range(3):
        for j in range(2 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return np.array(a)


def test_every_way_through_an_algorithm_is_there() -> None:
    from eqvproof.programs.evaluate import evaluate_float

    program = trace_all_sizes(bubble_sort, parse_signature(FEW)).program
    rng = np.random.default_rng(5)
    for _ in range(50):
        v = rng.integers(-2, 3, size=3).astype(float)
        assert np.array_equal(evaluate_float(program, {"x": v}, {}), np.sort(v))


def test_where_it_raises_it_has_no_value_and_the_verdict_says_so() -> None:
    verdict = ep.check(refused_at_zero, "v: d -> d", under="O(d)")
    assert any("ValueError" in note and "no value" in note for note in verdict.notes)


@pytest.mark.parametrize(
    ("f", "signature", "reason"),
    [
        (lambda X: X if X > 0 else -X, X, "more than one entry"),
        (lambda x: sum(1.0 for i in range(8) if x.sum() > i * x.max()), x, "ways"),
        (lambda x: x.sum() if x.sum() > 0 else x[:1], x, "shape"),
        (lambda x: {}["missing"] if x.sum() > 0 else x.sum(), x, "KeyError"),
        (lambda x: hash(x.sum()) if x.sum() > 0 else x.sum(), x, "hash\\(\\)"),
    ],
)
def test_what_has_no_single_program_is_refused(f: Any, signature: str, reason: str) -> None:
    with pytest.raises(TraceError, match=reason):
        trace_all_sizes(f, parse_signature(signature))


def test_an_endless_loop_over_values_is_refused() -> None:
    def halve(v: Any) -> Any:
        total = (v**2).sum()
        while total > 1e-3:
            total = total / 2
        return total

    with pytest.raises(TraceError, match="truth value"):
        trace_all_sizes(halve, parse_signature(x.replace("x", "v")))


class NotPositive(Exception):
    """Raised by a function's own decision, as packages do with classes of their own."""


def root_of_sum(x: Any) -> Any:
    if x.sum() <= 0:
        raise NotPositive("no root")
    return np.sqrt(x.sum())


def root_of_sum_and_first(x: Any) -> Any:
    return root_of_sum(x) + x[0]


def test_exceptions_of_the_targets_own_are_decisions() -> None:
    assert ep.check(root_of_sum, "x: n -> ()", under="S(n)", budget=20).grade == "PROVED"
    found = ep.check(root_of_sum_and_first, "x: n -> ()", under="S(n)", budget=20)
    assert found.fails and found.grade >= "ENCLOSED"
