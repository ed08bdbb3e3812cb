"""B(d), signed permutations: a family that is proved by its parts, permutations and signs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Element, Factor, identity_of, simple_elements
from eqvproof.engines.verdict.certificate import seal

F = Callable[..., Any]
PROVED: list[tuple[F, str]] = [
    (lambda x: np.abs(x).sum(), "x: d -> ()"),
    (lambda x: np.abs(x).max(), "x: d -> ()"),
    (lambda x: np.sort(np.abs(x)), "x: d -> d!"),
    (lambda x: (x**4).sum() / (x**2).sum() ** 2, "x: d -> ()"),
    (lambda x: x * np.abs(x).max(), "x: d -> d"),
    (lambda x: np.sign(x) * np.sqrt(np.abs(x)), "x: d -> d"),
    (lambda x: np.tanh(x) + x**3, "x: d -> d"),
    (lambda x: x / (1 + np.abs(x)), "x: d -> d"),
    (lambda X: X.T @ X, "X: n d -> d d"),
    (lambda X: np.abs(X).sum(axis=1), "X: n d -> n"),
    (lambda X, y: X @ np.tanh(y), "X: n d, y: d -> n"),
    (lambda X: np.tanh(X) @ np.tanh(X).T, "X: n d -> n n"),
]
FAILS: list[tuple[F, str]] = [
    (lambda x: x.sum(), "x: d -> ()"),
    (lambda x: np.maximum(x, 0), "x: d -> d"),
    (lambda x: np.sort(x), "x: d -> d!"),
    (lambda x: x[::-1], "x: d -> d"),
    (lambda x: x + 1, "x: d -> d"),
    (lambda x: np.cumsum(np.abs(x)), "x: d -> d!"),
    (lambda x: np.abs(x), "x: d -> d"),
    (lambda x: x * x, "x: d -> d"),
    (lambda X: X.sum(axis=1), "X: n d -> n"),
    (lambda X: np.abs(X.T @ X), "X: n d -> d d"),
    (lambda x: np.roll(x, 1), "x: d -> d"),
    (lambda x: x[0] ** 2, "x: d -> ()"),
]
MATRICES = [
    [["3/5", "-4/5"], ["4/5", "3/5"]],
    [["-3/5", "4/5"], ["4/5", "3/5"]],
    [["1", "1"], ["0", "1"]],
    [["2", "0"], ["0", "1/2"]],
    [["1", "0"], ["1", "0"]],
    [["0", "0"], ["0", "0"]],
]


@pytest.mark.parametrize(("f", "signature"), PROVED, ids=[str(k) for k in range(len(PROVED))])
def test_proved_by_permutations_and_signs(f: F, signature: str) -> None:
    verdict = ep.check(f, signature, "B(d)")
    assert verdict.grade == "PROVED", verdict.reason
    report = ep.verify(verdict.certificate)
    assert report.accepted and "B(d)" in report.statement


@pytest.mark.parametrize(("f", "signature"), FAILS, ids=[str(k) for k in range(len(FAILS))])
def test_near_misses_fail_at_a_signed_permutation(f: F, signature: str) -> None:
    verdict = ep.check(f, signature, "B(d)")
    assert verdict.fails and verdict.grade == "EXACT"
    assert ep.verify(verdict.certificate).accepted
    (found,) = verdict.certificate["evidence"]["element"]
    assert found["family"] == "B"
    for rows in (found["matrix"], [*zip(*found["matrix"], strict=True)]):
        assert all(sorted(map(abs, map(int, row))) == [0] * (len(rows) - 1) + [1] for row in rows)


def body(verdict: Any) -> dict[str, Any]:
    data = copy.deepcopy(dict(verdict.certificate))
    return {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}


@pytest.mark.parametrize("matrix", MATRICES)
def test_the_kernel_takes_matrices_of_integers_only(matrix: Any) -> None:
    """The function is refuted by rotations too, which are not in the group."""
    whole = body(ep.check(lambda x: x[::-1], "x: d -> d", "B(d)", sizes={"d": 2}))
    whole["evidence"]["element"][0]["matrix"] = matrix
    assert not ep.verify(seal("counterexample", **whole)).accepted


@pytest.mark.parametrize("kept", [0, 1])
def test_the_kernel_wants_both_parts(kept: int) -> None:
    """The sum is proved under S and the absolute value of it under Signs alone; neither under B."""
    whole = body(ep.check(lambda x: np.abs(x).sum(), "x: d -> ()", "B(d)"))
    assert ep.verify(seal("proof", **whole)).accepted
    whole["evidence"]["factors"] = [whole["evidence"]["factors"][kept]]
    assert not ep.verify(seal("proof", **whole)).accepted
    whole["evidence"]["factors"] *= 2
    assert not ep.verify(seal("proof", **whole)).accepted


@pytest.mark.parametrize("family", ["O", "SO", "S", "Signs", "E", "SE", "GL", "SL", "A", "C", "D", "T"])
def test_the_proof_is_none_for_another_group(family: str) -> None:
    """Lines for S and Signs prove nothing of another group, whatever it contains or is contained in."""
    whole = body(ep.check(lambda x: x * np.abs(x).max(), "x: d -> d", "B(d)"))
    whole["claim"]["group"][0]["family"] = family
    assert not ep.verify(seal("proof", **whole)).accepted


def test_decided_where_a_part_is() -> None:
    signature = "x: 2 -> 1"
    even = ep.decide(lambda x: np.stack([1 / (x[0] + x[1]) ** 2 + 1 / (x[0] - x[1]) ** 2]), signature, "B(2)")
    assert even.holds and even.grade == "DECIDED"
    odd = ep.check(lambda x: np.stack([1 / (x[0] + x[1]) ** 2 - 1 / (x[0] - x[1]) ** 2]), signature, "B(2)")
    assert odd.fails and ep.verify(odd.certificate).accepted


def test_an_assumed_symmetry_serves_the_whole_group_and_its_parts() -> None:
    f = ep.opaque("F", "X: n d -> n d", under="B(d)")
    for under in ("B(d)", "S(d)", "Signs(d)", "C(d)"):
        verdict = ep.prove(lambda x: f(x) + x, "X: n d -> n d", under)
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.prove(lambda x: f(x), "X: n d -> n d", "O(d)").grade != "PROVED"
    assert ep.prove(lambda x: f(x) + abs(x), "X: n d -> n d", "B(d)").grade != "PROVED"
    moved = ep.opaque("M", "X: n d -> n d", under="E(d)")
    for under in ("O(d)", "SO(d)", "S(d)", "B(d)"):
        verdict = ep.prove(lambda x: moved(x) - x, "X: n d -> n d^", under)
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def test_averages_over_the_group() -> None:
    """Of x_0^2 x_1 every term cancels; of x_0^2 the mean of squares is left."""
    zero = ep.reynolds(lambda x: x[0] ** 2 * x[1], "x: d -> ()", "B(d)")
    squares = ep.reynolds(lambda x: x[0] ** 2, "x: d -> ()", "B(d)")
    assert zero([1, 2, 4]) == 0 and squares([1, 2, 4]) == 7


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_elements_are_the_signed_permutations(size: int) -> None:
    factor = Factor("B", "d")
    listed = {identity_of(factor, size).data, *(g.data for g in simple_elements(factor, size))}
    every = set()
    for p, signs in product(permutations(range(size)), product((1, -1), repeat=size)):
        rows = [[Fraction(s if j == k else 0) for j in range(size)] for s, k in zip(signs, p, strict=True)]
        every.add(Element("B", "d", tuple(map(tuple, rows))).data)
    assert listed <= every and len(every) == 2**size * len(list(permutations(range(size))))
