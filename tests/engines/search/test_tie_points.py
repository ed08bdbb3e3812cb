"""Ties that need several arguments to conspire are solved for, and tried first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

import eqvproof as ep
from eqvproof.claims import domains
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search.compared_values import Values, compared_values, is_certainly_zero
from eqvproof.engines.search.tie_points import _Ties, rational_roots, real_tie_points, tie_points
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.plain_comparisons import simplify_comparisons
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at
from tests.engines.search.asking import ask

Function = Callable[..., Any]


def coulomb(x: Any, z: Any, power: float = 2) -> Any:
    n = len(x)
    distances = np.abs(x[:, None] - x[None]) + np.eye(n)
    return z[:, None] * z[None] / distances * (1 - np.eye(n)) + np.diag(z**power / 2)


def by_norms(M: Any) -> Any:
    order = np.argsort(np.linalg.norm(M, axis=1), kind="stable")
    return M[order][:, order]


def sorted_coulomb(x: Any, z: Any) -> Any:
    return by_norms(coulomb(x, z))


def sorted_coulomb_of_real_power(x: Any, z: Any) -> Any:
    return by_norms(coulomb(x, z, 2.4))


def sorted_in_space(X: Any, z: Any) -> Any:
    n = len(X)
    squares = ((X[:, None] - X[None]) ** 2).sum(-1) + np.eye(n)
    return by_norms(z[:, None] * z[None] / np.sqrt(squares) * (1 - np.eye(n)) + np.diag(z * z / 2))


def descending(x: Any, z: Any) -> Any:
    M = coulomb(x, z)
    order = np.argsort(-np.sqrt((M * M).sum(1)), kind="stable")
    return M[order][:, order]


def first_of_the_strongest(X: Any, w: Any) -> Any:
    """The point with the greatest weighted distance from the others, by exp and argmax."""
    scores = np.exp(w * ((X[:, None] - X[None]) ** 2).sum((1, 2)))
    return X[np.argmax(scores)]


def in_order_of_products(x: Any, y: Any) -> Any:
    return x[np.argsort(np.tanh(x * y), kind="stable")]


def in_order_of_ratios(x: Any, y: Any) -> Any:
    return y[np.argsort(x / (1 + y * y), kind="stable")]


def by_moments(X: Any, m: Any) -> Any:
    """Masses in the order of their moments of inertia about the origin."""
    return m[np.argsort(np.cbrt(m * (X * X).sum(1)), kind="stable")]


#: Right but for ties: function, signature, sizes at which there are such ties.
CONSPIRING: list[tuple[Function, str, dict[str, int]]] = [
    (in_order_of_products, "x: n, y: n -> n!", {"n": 2}),
    (sorted_coulomb_of_real_power, "x: n, z: n -> n! n!", {"n": 4}),
    (sorted_in_space, "X: n d, z: n -> n! n!", {"n": 3, "d": 2}),
    (descending, "x: n, z: n -> n! n!", {"n": 3}),
    (first_of_the_strongest, "X: n d, w: n -> d", {"n": 3, "d": 1}),
    (sorted_coulomb, "x: n, z: n -> n! n!", {"n": 3}),
    (in_order_of_ratios, "x: n, y: n -> n!", {"n": 2}),
    (by_moments, "X: n d, m: n -> n!", {"n": 2, "d": 2}),
]
each_case = pytest.mark.parametrize("case", range(len(CONSPIRING)))


def read(case: int) -> tuple[Program, Any, dict[str, int]]:
    function, text, sizes = CONSPIRING[case]
    signature = parse_signature(text)
    return trace_all_sizes(function, signature).program, signature, sizes


@each_case
def test_the_claims_fail(case: int) -> None:
    function, signature, sizes = CONSPIRING[case]
    verdict = ep.check(function, signature, "S(n)", sizes=sizes, budget=60)
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


@each_case
@pytest.mark.parametrize("seed", range(10))
def test_whatever_the_seed(case: int, seed: int) -> None:
    function, signature, sizes = CONSPIRING[case]
    result = ask(function, signature, "S(n)", how="program", sizes=sizes, seed=seed, max_points=600)
    assert result.found is not None and result.found.grade == "EXACT"


def test_all_sizes_are_searched() -> None:
    assert ask(sorted_coulomb, "x: n, z: n -> n! n!", "S(n)", how="program").found is not None


#: True claims about orders: what ties is equal, or gives the same result.
RIGHT: list[tuple[Function, str]] = [
    (lambda x, z: np.sort(np.linalg.norm(coulomb(x, z), axis=1)), "x: n, z: n -> n!"),
    (lambda x, y: x[np.argsort(x, kind="stable")] + y.sum(), "x: n, y: n -> n!"),
    (lambda x, y: (x * y)[np.argsort(np.exp(x * y), kind="stable")], "x: n, y: n -> n!"),
    (lambda X, m: (m * (X * X).sum(1))[np.argmax(m * (X * X).sum(1))], "X: n d, m: n -> ()"),
]


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_claims_hold(case: int) -> None:
    function, signature = RIGHT[case]
    found = ask(function, signature, "S(n)", how="program", sizes={"n": (1, 3)}, max_points=600).found
    assert found is None


# ---------------------------------------------------------------------------------------------- the points


@each_case
def test_points_tie_exactly_and_tell_positions_apart(case: int) -> None:
    program, signature, sizes = read(case)
    values = Values(program, sizes)
    found = list(tie_points(program, signature, sizes, count=6))
    assert found
    for point in found:
        assert all(type(v) is Fraction for a in point.values() for v in a.flat)
        exact = values.exact(point)
        pairs = [
            (i, j)
            for t in values.targets
            for gap, (i, j) in zip(values.differences(exact, t), values.pairs(t), strict=True)
            if any(map(is_certainly_zero, np.ravel(gap)))
        ]
        assert pairs
        assert any(
            any(not np.array_equal(np.take(a, [i], 0), np.take(a, [j], 0)) for a in point.values())
            for i, j in pairs
        )


@each_case
def test_points_depend_on_the_seed_alone(case: int) -> None:
    program, signature, sizes = read(case)
    first, again, other = (list(tie_points(program, signature, sizes, s, count=4)) for s in (3, 3, 4))
    same = [all(np.array_equal(p[n], q[n]) for n in p) for p, q in zip(first, again, strict=True)]
    assert all(same)
    assert any(not np.array_equal(p[n], q[n]) for p, q in zip(first, other, strict=False) for n in p)


@pytest.mark.parametrize("case", [0, 4, 5, 6, 7])
def test_ties_are_solved_for(case: int) -> None:
    """On lines through small points, without those that are screened."""
    program, signature, sizes = read(case)
    values = Values(program, sizes)
    found = list(_Ties(program, signature, sizes, 0, None, None, None).solved())
    assert found
    for point in found:
        exact = values.exact(point)
        assert any(is_certainly_zero(g) for t in values.targets for g in values.differences(exact, t).flat)


@each_case
def test_points_stay_in_the_domain(case: int) -> None:
    program, signature, sizes = read(case)
    positive = domains.positive
    found = list(
        tie_points(program, signature, sizes, count=4, towards=positive.moved, allowed=positive)
    )  # fmt: skip
    assert all(v > 0 for p in found for a in p.values() for v in a.flat)


def test_what_compares_nothing_has_no_such_points() -> None:
    for function in (lambda x, y: x * y, lambda x, y: np.where(y > 3, x, y), lambda x, y: np.sort(x) + y):
        signature = parse_signature("x: n, y: n -> n")
        program = trace_all_sizes(function, signature).program
        assert list(tie_points(program, signature, {"n": 3})) == []


def test_programs_at_single_sizes() -> None:
    signature = parse_signature("x: n, z: n -> n! n!")
    program = trace_at(sorted_coulomb, signature, {"n": 3}).program
    assert list(tie_points(program, signature, {"n": 3}, count=3))


@pytest.mark.parametrize("case", [1, 5, 6, 7])
def test_real_ties_to_the_last_bits(case: int) -> None:
    program, signature, sizes = read(case)
    values = Values(program, sizes)
    found = list(real_tie_points(program, signature, sizes, count=3))
    assert found
    for point in found:
        floats = values.floats(point)
        gaps = np.concatenate([np.abs(values.differences(floats, t)).ravel() for t in values.targets])
        scale = max(float(np.nanmax(np.abs(floats[t.node]))) for t in values.targets)
        assert np.nanmin(gaps) <= 1e-8 * max(1.0, scale)


# -------------------------------------------------------------------------------------------- rational roots

AT = [Fraction(1, 3) + Fraction(k, 32) for k in range(16)]


@pytest.mark.parametrize(
    ("function", "roots"),
    [
        (lambda t: 2 * t * t - 5 * t + 3, {Fraction(1), Fraction(3, 2)}),
        (lambda t: (t - fmpq(7, 3)) / (t * t + 1), {Fraction(7, 3)}),
        (lambda t: 1 / t - 1 / (2 * t - 5), {Fraction(5)}),
        (lambda t: (t * t - 2) / (t + 9), set()),
        (lambda t: 1 / (t + 1), set()),
        (lambda t: t * 0 + 3, set()),
        (lambda t: t**4 / (t**3 - 100) - t, {Fraction(0)}),
    ],
)
def test_rational_roots(function: Any, roots: set[Fraction]) -> None:
    values = [fmpq(0) + function(fmpq(t.numerator, t.denominator)) for t in AT]
    assert set(rational_roots(AT, values)) == roots


def test_what_is_no_rational_function_has_no_roots() -> None:
    """Of a function with jumps at half of the arguments nothing is known."""
    values = [fmpq(t.numerator, t.denominator) - 2 for t in AT]
    assert rational_roots(AT, values) == [2]
    values = [v + (k * k * 7919 % 13) for k, v in enumerate(values)]
    assert rational_roots(AT, values) == []


# --------------------------------------------------------------------------------------- plain comparisons


def compared(function: Function, signature: str) -> tuple[Program, Program]:
    program = trace_all_sizes(function, parse_signature(signature)).program
    return program, simplify_comparisons(program)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.argsort(np.exp(x * x)),
        lambda x: np.argsort(-3 * np.sqrt(x * x + 1)),
        lambda x: np.argsort(np.tanh(2 * np.arctan(x))),
        lambda x: np.argsort(1 / (1 + x * x), kind="stable"),
        lambda x: np.argmax(np.sqrt(x * x)),
        lambda x: np.argmin(np.exp(x)),
        lambda x: np.argmax(1 / (2 + x * x)),
        lambda x: np.where(np.log(1 + x * x)[:, None] < np.log(1 + x * x), 1.0, 0.0).sum(1),
        lambda x: np.where(np.cbrt(x) >= np.cbrt(x[::-1]), x, 0.0),
        lambda x: np.argsort(np.linalg.norm(x[:, None] * np.ones(2), axis=1)) * 2.0,
    ],
)
def test_plain_comparisons_are_the_same_function(function: Function) -> None:
    before, after = compared(function, "x: n -> n" if np.ndim(function(np.ones(3))) else "x: n -> ()")
    assert before != after
    kinds = {n.function for t in compared_values(after) for n in [after.nodes[t.node]]}
    assert kinds.isdisjoint({"sqrt", "exp", "tanh", "arctan", "recip", "log", "cbrt"})
    chance = np.random.default_rng(0)
    for n in (1, 2, 5):
        x = {"x": chance.normal(size=n)}
        np.testing.assert_array_equal(evaluate_float(before, x), evaluate_float(after, x))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.argsort(x * x),
        lambda x: np.argsort(np.sqrt(x)),  # undefined where x < 0
        lambda x: np.argsort(np.log(x)),
        lambda x: np.argsort(1 / x),  # neither increasing nor decreasing
        lambda x: np.argsort(np.abs(x)),
        lambda x: np.argsort(np.sin(x)),
        lambda x: np.where(np.exp(x) < np.sqrt(x * x), 1.0, 0.0),  # different functions
        lambda x: np.where(2 * np.exp(x) < np.exp(x[::-1]), 1.0, 0.0),  # different multiples
        lambda x: np.where(np.exp(x) < 3, 1.0, 0.0),
    ],
)
def test_other_comparisons_stay(function: Function) -> None:
    before, after = compared(function, "x: n -> n")
    assert before == after
