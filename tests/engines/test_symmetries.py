"""All symmetries of a function, and claims about floats."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep


def found(f: Any, signature: str) -> dict[str, str]:
    return {v.under: str(v.grade) for v in ep.symmetries(f, signature, budget=40) if v.holds}


def test_symmetries_of_a_gram_map() -> None:
    """X X^T X has O on both axes; it is of degree 3, so no multiples, and no translations."""
    holds = found(lambda x: x @ x.T @ x, "X: d n -> d n")
    assert {"O(d)", "O(n)", "S(d)", "S(n)", "Signs(d)"} <= set(holds)
    assert not {"T(d)", "E(d)", "Scale(d)"} & set(holds)
    assert set(holds.values()) == {"PROVED"}


def test_symmetries_of_distances_come_largest_first() -> None:
    verdicts = ep.symmetries(lambda x: ((x[:, None] - x[None]) ** 2).sum(-1), "X: n d -> n n", budget=240)
    holds = [v.under for v in verdicts if v.holds]
    assert holds[0] == "E(d)" and {"S(n)", "T(d)", "O(d)"} <= set(holds)
    assert [v.holds for v in verdicts] == sorted([v.holds for v in verdicts], reverse=True)


def traced_calls(f: Any, work: Callable[[], object]) -> int:
    """How often f is called with an argument that is no array of numbers, that is, traced."""
    calls = multiprocessing.Value("i")  # some calls are made in a process of their own

    def count(frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and frame.f_code is f.__code__:
            calls.value += type(frame.f_locals["x"]) is not np.ndarray

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls.value


def test_all_groups_share_the_traces_of_a_function() -> None:
    f = lambda x: np.tanh(x @ x.T) @ x  # noqa: E731
    verdicts: list[ep.Verdict] = []
    claim = "X: n d -> n d"
    for_all = traced_calls(f, lambda: verdicts.extend(ep.symmetries(f, claim, budget=90)))
    for_one = traced_calls(f, lambda: ep.prove(f, claim, under="S(n) x O(d)", budget=90))
    proofs = sum(v.grade == "PROVED" for v in verdicts)
    assert 0 < for_one <= for_all <= 3 * for_one < proofs * for_one / 3
    assert all(ep.verify(v.certificate).accepted for v in verdicts if v.holds)


def test_a_sum_is_symmetric_over_the_reals_and_not_in_floats() -> None:
    """(0.1 + 0.2) + 0.3 and (0.3 + 0.2) + 0.1 differ in their last bit."""
    f = lambda x: x.sum(axis=1)  # noqa: E731
    assert ep.check(f, "X: d n -> d", under="S(n)").grade == "PROVED"
    verdict = ep.check(f, "X: d n -> d", under="S(n)", about="floats")
    assert verdict.fails and verdict.counterexample is not None
    assert dict(verdict.counterexample.sizes) == {"d": 1, "n": 3}
    left, right = (
        np.asarray(x, dtype=float) for x in (verdict.counterexample.left, verdict.counterexample.right)
    )
    assert (left != right).any() and np.allclose(left, right)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda x: np.sort(x, axis=1), "X: d n -> d n!", "S(n)"),
        (lambda x: x.max(axis=1), "X: d n -> d", "S(n)"),
        (lambda x: np.tanh(x), "X: d n -> d n", "Signs(d)"),
        (lambda x: np.roll(x, 1, axis=1), "X: d n -> d n", "C(n)"),
    ],
)
def test_what_is_exact_in_floats_is_tested_so(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under, about="floats")
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED"), str(verdict)


def test_rotations_round_and_are_refused() -> None:
    with pytest.raises(ep.GroupError, match="without rounding"):
        ep.check(lambda x: x, "X: d n -> d n", under="O(d)", about="floats")
    with pytest.raises(ep.EqvproofError, match="about="):
        ep.check(lambda x: x, "X: d n -> d n", under="S(n)", about="integers")


def egnn(x: Any, h: Any) -> Any:
    """Points moved along their differences."""
    difference = x[:, None] - x[None]
    weight = np.exp(-(difference**2).sum(-1)) + h @ h.T
    return x + (weight[:, :, None] * difference).sum(1) / x.shape[0]


RIGID = [
    (egnn, "X: n d, H: n k -> n d", "E(d) x S(n)", "PROVED"),
    (lambda x: x - x.mean(axis=0), "X: n d -> n d^", "SE(d) x S(n)", "PROVED"),
    (lambda x: x.mean(axis=0), "X: n d -> d", "E(d) x S(n)", "PROVED"),
    (lambda x: np.linalg.norm(x[:, None] - x[None], axis=-1), "X: n d -> n n", "E(d) x S(n)", "PROVED"),
    (lambda x: x @ x.T / (x * x).sum(), "X: n d -> n n", "Scale(d)", "PROVED"),
    (lambda x: x + np.roll(x, 1) + np.roll(x, -1), "x: m -> m", "C(m)", "PROVED"),
    (lambda x: x + np.roll(x, 1) + np.roll(x, -1), "x: m -> m", "D(m)", "DECIDED"),
]  # fmt: skip


@pytest.mark.parametrize(("f", "signature", "under", "grade"), RIGID)
def test_motions_multiples_and_cycles(f: Any, signature: str, under: str, grade: str) -> None:
    verdict = ep.check(f, signature, under=under)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", grade), str(verdict)
    if grade == "PROVED":
        assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("f", "signature", "under", "axis", "size"),
    [
        (lambda x: x - x.mean(axis=0), "X: n d -> n d", "E(d)", "d", 1),
        (lambda x: x / np.linalg.norm(x, axis=1, keepdims=True), "X: n d -> n d", "T(d)", "d", 1),
        (lambda x: np.linalg.norm(x[:, None] - x[None], axis=-1), "X: n d -> n n", "Scale(d)", "d", 1),
        (lambda x: np.roll(x, 1), "x: m -> m", "D(m)", "m", 3),
        (lambda x: x + 1, "X: n d -> n d", "Scale(d)", "d", 1),
    ],
)
def test_motions_refuted_at_the_least_size(f: Any, signature: str, under: str, axis: str, size: int) -> None:
    """d = 1: one point shows it. A shift commutes with D(1) and D(2), which are made of shifts."""
    verdict = ep.check(f, signature, under=under)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verdict.counterexample is not None and verdict.counterexample.sizes[axis] == size
    assert verdict.certificate is not None and ep.verify(verdict.certificate).accepted
