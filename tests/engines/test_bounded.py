"""Identity tests modulo primes: what they accept holds, undefined places included; the bound is 2^-100."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.bounded import bounded_equivariance, bounded_identity
from eqvproof.engines.claim import Claim
from eqvproof.engines.judge import bound_only
from eqvproof.engines.reasons import Why
from eqvproof.engines.targets import trace_at
from eqvproof.numbers import UNDEFINED
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.operations import FUNCTIONS
from tests.programs.evaluate.programs import random_inputs, random_program

Function = Callable[..., Any]


def test_partial_functions() -> None:
    partial = set("recip sqrt log arcsin arccos pow mod tan lgamma digamma".split())
    assert partial == {row.name for row in FUNCTIONS.values() if row.partial}


def holds(f: Function, signature: str, under: str, **sizes: int) -> bool:
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    program = trace_at(f, parsed, sizes).program
    everything = {**sizes, **parsed.output_sizes([s.value(sizes) for s in program.shape], sizes)}
    found = bounded_equivariance(program, parsed, group, everything)
    assert not found.holds or found.bits >= 100
    return found.holds


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


def undefined_first(n: Any) -> Any:
    c = np.exp(np.arange(n)) - 1
    return c * (1 / c)


RIGHT: list[tuple[Function, str, str, dict[str, int]]] = [
    (lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d) x S(n)", {"d": 3, "n": 4}),
    (lambda X: X / np.sqrt((X * X).sum(0)), "X: d n -> d n", "O(d) x S(n)", {"d": 3, "n": 4}),
    (lambda X, Z: Z @ softmax(Z.T @ X), "X: d n, Z: d k -> d n", "O(d) x A(k)", {"d": 3, "n": 3, "k": 5}),
    (lambda X: np.linalg.inv(X), "X: d d -> d d", "O(d)", {"d": 4}),
    (lambda X: np.linalg.det(X), "X: d d! -> ()", "SO(d)", {"d": 3}),
    (lambda X: np.linalg.det(X[:, :3]) * X, "X: d n -> d n", "SO(d)", {"d": 3, "n": 4}),
    (lambda x: np.log(x) - np.log(x), "x: n -> n", "S(n)", {"n": 4}),
    (lambda x: np.where(x > 0, np.log(x), 0), "x: n -> n", "S(n)", {"n": 4}),
    (lambda x: np.cumsum(x) + np.cumsum(x[::-1])[::-1], "x: n -> n", "S(n)", {"n": 5}),
    (lambda x: np.roll(x, 1) * x + np.roll(x, -1) * x, "x: n -> n", "C(n)", {"n": 6}),
    (lambda x: x**3 / (1 + x * x), "x: n -> n", "Signs(n) x S(n)".split(" x ")[0], {"n": 4}),
    (lambda X: X - np.tanh(X - X.mean(0)), "X: n d -> n d", "T(d)", {"n": 4, "d": 3}),
    (
        lambda X: X + (X - X.mean(0)) * np.exp(((X - X[0]) ** 2).sum()),
        "X: n d -> n d", "E(d)", {"n": 3, "d": 3},
    ),
    (lambda X: X - X.mean(0), "X: n d -> n d^", "SE(d)", {"n": 3, "d": 2}),
    (lambda X: X.T @ X, "X: n d -> d d", "Scale(d)", {"n": 3, "d": 4}),
    (lambda x, M: np.where(M, x, 0).sum() * x, "x: n, M[bool]: n -> n", "S(n)", {"n": 4}),
    (lambda x: x * ((np.arange(len(x)) + 1) * (1 / (np.arange(len(x)) + 1))), "x: n -> n", "S(n)", {"n": 3}),
]  # fmt: skip
WRONG: list[tuple[Function, str, str, dict[str, int]]] = [
    (lambda X: np.linalg.det(X), "X: d d! -> ()", "O(d)", {"d": 3}),
    (lambda X: np.linalg.det(X[:, :3]) * X, "X: d n -> d n", "O(d)", {"d": 3, "n": 4}),
    (lambda X: X / X, "X: d n -> d! n", "SO(d)", {"d": 3, "n": 2}),
    (lambda X: X / X * X, "X: d n -> d n", "O(d)", {"d": 3, "n": 2}),
    (lambda x: 0 * (1 / np.cumsum(x)), "x: n -> n", "S(n)", {"n": 4}),
    (lambda x: np.cumsum(x), "x: n -> n", "S(n)", {"n": 4}),
    (lambda x: 0 * np.where(x > 0, 1 / x[0], 0) + x, "x: n -> n", "S(n)", {"n": 3}),
    (lambda x: np.sort(x), "x: n -> n", "S(n)", {"n": 3}),
    (lambda X: np.maximum(X, 0), "X: d n -> d n", "O(d)", {"d": 2, "n": 2}),
    (lambda x: np.roll(x, 1) - np.roll(x, -1), "x: n -> n", "S(n)", {"n": 4}),
    (lambda x: x**2, "x: n -> n", "Signs(n)", {"n": 3}),
    (lambda x: (x[0] - x[1]) * (x[1] - x[2]) * (x[0] - x[2]), "x: n -> ()", "S(n)", {"n": 3}),
    (lambda x: x, "x: n -> n!", "O(n)", {"n": 1}),
    (lambda X: X - X.mean(0), "X: n d -> n d", "T(d)", {"n": 4, "d": 3}),
    (lambda X: X * 2, "X: n d -> n d", "T(d)", {"n": 4, "d": 3}),
    (lambda X: X + np.tanh(X - X.mean(0)), "X: n d -> n d", "E(d)", {"n": 3, "d": 3}),
    (lambda X: np.tanh(X), "X: n d -> n d", "Scale(d)", {"n": 3, "d": 4}),
    (lambda X: X.T @ X, "X: n d -> d d!", "Scale(d)", {"n": 3, "d": 4}),
    (lambda X: 0 * (1 / X), "X: n d -> n d^", "T(d)", {"n": 2, "d": 2}),
    (lambda x, M: np.where(M, x, 0)[::-1], "x: n, M[bool]: n -> n", "S(n)", {"n": 4}),
    (lambda x: x * undefined_first(len(x)), "x: n -> n", "S(n)", {"n": 3}),
]


@pytest.mark.parametrize("case", RIGHT, ids=range(len(RIGHT)))
def test_right(case: tuple[Function, str, str, dict[str, int]]) -> None:
    f, signature, under, sizes = case
    assert holds(f, signature, under, **sizes)


@pytest.mark.parametrize("case", WRONG, ids=range(len(WRONG)))
def test_wrong(case: tuple[Function, str, str, dict[str, int]]) -> None:
    f, signature, under, sizes = case
    assert not holds(f, signature, under, **sizes)


def same(f: Function, g: Function, signature: str, **sizes: int) -> bool:
    parsed = parse_signature(signature)
    p, q = (trace_at(x, parsed, sizes).program for x in (f, g))
    return bounded_identity(p, q, sizes).holds


def test_identities_of_two_functions() -> None:
    assert same(lambda x: (x - 1) * (x + 1), lambda x: x * x - 1, "x: n -> n", n=3)
    assert same(lambda x: np.tanh(x / 2 + x / 2), np.tanh, "x: n -> n", n=3)
    assert not same(lambda x: x / x, lambda x: 0 * x + 1, "x: n -> n", n=3)
    assert not same(lambda x: np.sqrt(x) ** 2 * 0, lambda x: 0 * x, "x: n -> n", n=3)
    branch = lambda x: np.where(x > 0, np.log(x - 5), 0)  # noqa: E731
    assert not same(lambda x: branch(x) - branch(x), lambda x: 0 * x, "x: n -> n", n=2)
    assert not same(lambda X: 0 * np.linalg.inv(X), lambda X: 0 * X, "X: d d -> d d", d=2)
    assert not same(lambda x: x**2, lambda x: x * np.abs(x), "x: n -> n", n=2)


def test_a_branch_that_is_not_chosen_may_have_a_pole_everywhere() -> None:
    """They differ wherever c is not 0: as rational functions, where(c, a, 1/e) is 1/e + (1 - e)(a - 1/e)."""

    def f(c: Any, a: Any) -> Any:
        return np.where(c, a, 1 / np.logical_not(c))

    def g(c: Any, a: Any) -> Any:
        e = np.logical_not(c)
        return a + 1 - a * e + 0 * np.where(c, 0 * a, 1 / e)

    assert not same(f, g, "c: (), a: () -> ()")
    verdict = ep.identical(f, g, "c: (), a: () -> ()")
    assert verdict.fails and ep.verify(verdict.certificate).accepted
    assert same(f, lambda c, a: np.where(c, a, 1 / np.logical_not(c)) + a - a, "c: (), a: () -> ()")
    split = lambda x: np.where(x > 0, x, 0) + np.where(x > 0, 0, x)  # noqa: E731
    assert same(split, lambda x: x, "x: n -> n", n=2)


def test_conditions_tell_where_random_programs_are_undefined() -> None:
    """f - f = 0 * f where f is a random Program; 0 * f = 0 only where f is defined everywhere."""
    partial = 0
    for seed in range(600):
        program = random_program(seed, rational=True)
        sizes = {"n": seed % 3 + 1, "d": seed % 2 + 1}
        inputs = random_inputs(seed, sizes)
        if any(v is UNDEFINED for v in evaluate_exact(program, inputs, sizes).flat):
            partial += 1
            zeroed = with_zero(program, times=True)
            assert not bounded_identity(zeroed, with_zero(program, times=False), sizes).holds
    assert partial > 5


def with_zero(program: Any, *, times: bool) -> Any:
    """0 * f, or 0 in the shape of f."""
    from eqvproof.programs import Program
    from eqvproof.programs import operations as ops

    at = len(program.nodes)
    zero = ops.Const((), (), (Fraction(0),))
    labels = tuple(range(len(program.shape)))
    args, rows = ((at, program.output), ((), labels)) if times else ((at,), ((),))
    product = ops.Einsum(args, program.shape, rows, labels)
    return Program(program.inputs, (*program.nodes, zero, product), at + 1)


def test_the_pipeline_forces_it() -> None:
    signature = parse_signature("X: d n -> d n")
    group = parse_group("O(d) x S(n)", signature)
    verdict = bound_only(
        Claim(lambda X: X @ softmax(X.T @ X), signature, group, str(group), {"d": 8, "n": 32})
    )
    assert verdict.grade == "BOUNDED"
    assert "2^-1" in verdict.reason


def test_check_and_identical_reach_it() -> None:
    f = lambda X: np.sort(X, axis=1) - np.sort(X[:, ::-1], axis=1)  # noqa: E731
    verdict = ep.check(f, "X: d n -> d n", "O(d)", sizes={"d": 3, "n": 4})
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "BOUNDED")
    sizes = {"d": 20, "n": 20}
    left, right = (lambda X: np.exp(X @ X.T) @ X, lambda X: (X.T @ np.exp(X @ X.T)).T)
    assert ep.identical(left, right, "X: d n -> d n", sizes=sizes).holds


def test_a_deadline_is_kept() -> None:
    signature = parse_signature("X: d n -> d n")
    group = parse_group("O(d)", signature)
    program = trace_at(lambda X: X @ (X.T @ X), signature, {"d": 3, "n": 4}).program
    late = bounded_equivariance(program, signature, group, {"d": 3, "n": 4}, deadline=0.0)
    assert not late.holds and late.why.kind is Why.TIME


@pytest.mark.parametrize("irreps", ["1x2e", "1x1e", "1x0o", "1x0e+1x3o"])
def test_irreps_beyond_scalars_and_vectors_are_not_covered(irreps: str) -> None:
    parsed = parse_signature(f"y: <{irreps}> -> <{irreps}>")
    group = parse_group("O(3)", parsed)
    for f in (lambda y: 2 * y, lambda y: y * y):
        found = bounded_equivariance(trace_at(f, parsed, {}).program, parsed, group, {})
        assert not found.holds and "irreps" in found.why.detail
