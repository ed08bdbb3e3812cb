"""The whole pipeline: what is proved, refuted, decided, tested, and what is none of these."""

from __future__ import annotations

import copy
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

import eqvproof as ep
from eqvproof.engines.verdict import Verdict
from eqvproof.kernel import report
from tests.kernel.corpus import reseal


def sm(a: Any, axis: int = 0) -> Any:
    """A softmax as people write it."""
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def confirm(verdict: Verdict) -> None:
    """Every certificate of a verdict is accepted by the kernel."""
    if verdict.grade in ("PROVED", "EXACT", "ENCLOSED"):
        assert verdict.certificate is not None
        found = ep.verify(verdict.certificate)
        assert found.accepted, found.reason


PROVED = [
    (lambda x: x @ sm(x.T @ x), "X: d n -> d n", "O(d) x S(n)"),
    (lambda x: x @ sm(x.T @ x, axis=1), "X: d n -> d n", "O(d) x S(n)"),
    (lambda x: x @ softmax(x.T @ x, axis=0), "X: d n -> d n", "O(d) x S(n)"),
    (lambda x: 1e6 * x * np.linalg.norm(x), "x: d -> d", "O(d)"),
    (lambda x: x - x.mean(axis=1, keepdims=True), "X: d n -> d n", "O(d) x S(n)"),
    (lambda x: np.tanh(x).sum(axis=0), "X: n c -> c", "S(n)"),
    (lambda x: x**3 - np.sin(x), "x: d -> d", "Signs(d)"),
    (
        lambda x, z: x @ np.exp(z.T @ x).T @ (z.T @ x) / np.sqrt(x.shape[0]),
        "X: d n, Z: d k -> d n",
        "O(d) x S(k)",
    ),
    (lambda x: np.concatenate([x, x @ (x.T @ x)], axis=1), "X: d n -> d 2n", "O(d) x S(n)"),
    (lambda x, z: np.concatenate([x, z], axis=1), "X: d n, Z: d k -> d n+k", "O(d) x S(n)"),
    (lambda x: np.sort(x, axis=0), "X: n c -> n! c", "S(n) x S(c)"),
    (lambda x: np.eye(x.shape[0]) @ x + np.ones(x.shape), "X: d n -> d n", "S(d) x A(n)"),
]


def masked_attention(x: Any, m: Any) -> Any:
    """Scores outside the mask are very low."""
    return sm(np.where(m, x @ x.T, -1e9), axis=1) @ x


PROVED += [
    (masked_attention, "X: n d, M[bool]: n n -> n d", "O(d) x S(n)"),
    (lambda x, m: np.where(m, x, 0).sum(), "x: n, M[bool]: n -> ()", "S(n)"),
]
FAILS = [
    (lambda x, m: np.where(m, x, 0).cumsum(), "x: n, M[bool]: n -> n", "S(n)"),
    (lambda x: x @ sm(x.T @ sm(x)), "X: d n -> d n", "O(d) x S(n)"),
    (lambda x: abs(x) * 1e-9, "X: d n -> d n", "O(d)"),
    (lambda x: np.cumsum(x, axis=1), "X: d n -> d n", "S(n)"),
    (lambda x: np.maximum(x, 0), "X: d n -> d n", "O(d)"),
    (lambda x: x - x.mean(), "X: d n -> d n", "O(d)"),
    (lambda x: x + 1, "x: d -> d", "Signs(d)"),
    (lambda x: np.sort(x, axis=0), "X: n c -> n c", "S(n)"),
    (lambda x: x if np.linalg.norm(x) < 1000 else np.cumsum(x, 1), "X: d n -> d n", "S(n)"),
    (lambda x: x if x.shape[1] < 7 else np.cumsum(x, 1), "X: d n -> d n", "S(n)"),
    (lambda x: np.cross(x[:, 0], x[:, 1]), "X: 3 2 -> 3", "O(3)"),
]
DECIDED = [
    (lambda x: sum(x[:, i] for i in range(x.shape[1])), "X: d n -> d", "S(n)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    assert "for all" in verdict.scope and verdict.derivation[-1].endswith("QED")
    confirm(verdict)


@pytest.mark.parametrize(("f", "signature", "under"), FAILS)
def test_fails(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under)
    assert verdict.outcome == "FAILS" and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verdict.counterexample is not None
    confirm(verdict)


@pytest.mark.parametrize(("f", "signature", "under"), DECIDED)
def test_decided(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under, budget=20)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "DECIDED"), str(verdict)


calls = [0]


def above_seven(x: Any) -> Any:
    return x if x.shape[1] > 7 else x * 2


def by_length(x: Any) -> Any:
    return x if len(x) > 7 else x * 2


def by_class(x: Any) -> Any:
    return x if isinstance(x.sum(), np.floating) else x * 2


def swallows(x: Any) -> Any:
    try:
        return x @ x.T @ x
    except Exception:
        return x


def random_offset(x: Any) -> Any:
    return x + np.random.rand()


def counts(x: Any) -> Any:
    calls[0] += 1
    return x * 2


def writes(x: Any) -> Any:
    x *= 2
    return x


@pytest.mark.parametrize(("f", "name"), [(above_seven, "n"), (by_length, "d")])
def test_a_proof_on_one_side_of_a_branch_on_sizes_speaks_of_that_side(f: Any, name: str) -> None:
    verdict = ep.check(f, "X: d n -> d n", under="S(n)")
    assert (verdict.grade, verdict.sizes[0][name]) == ("PROVED", [8, None]), str(verdict)


@pytest.mark.parametrize("f", [by_class, swallows, random_offset, counts, writes])
def test_what_a_trace_may_never_miss_is_never_proved(f: Any) -> None:
    verdict = ep.check(f, "X: d n -> d n", under="S(n)", budget=20)
    assert verdict.grade != "PROVED", str(verdict)
    if f in (random_offset, counts):
        assert verdict.outcome == "UNDECIDED", str(verdict)


@pytest.mark.parametrize(
    "f", [lambda x: x * np.nan, lambda x: x / 0, lambda x: 0 * x + np.inf, lambda x: 0 / (x - x)]
)
def test_undefined_functions_never_hold(f: Any) -> None:
    verdict = ep.check(f, "X: d n -> d n", under="S(n)", budget=20)
    assert not verdict.holds and verdict.outcome == "UNDECIDED", str(verdict)


def test_the_smallest_counterexample_of_a_vector_relu() -> None:
    """At d = n = 1 the reflection of 1: relu(-1) = 0, -relu(1) = -1; entries 0 satisfy the claim."""
    verdict = ep.check(lambda x: np.maximum(x, 0), "X: d n -> d n", under="O(d)")
    found = verdict.counterexample
    assert found is not None
    assert dict(found.sizes) == {"d": 1, "n": 1} and found.inputs["X"].tolist() == [[Fraction(1)]]
    assert (found.left.tolist(), found.right.tolist()) == ([[0]], [[-1]])
    assert found.residual.tolist() == [[1]]


def test_code_of_a_counterexample_runs_with_numpy_alone() -> None:
    verdict = ep.check(lambda x: np.cumsum(x, axis=1), "X: d n -> d n", under="S(n)")
    assert verdict.counterexample is not None
    code = verdict.counterexample.code()
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip()
    assert "eqvproof" not in code.replace("# ", "")


def test_exact_arithmetic_rests_on_a_program() -> None:
    """What asks for the class of a number becomes none, at no size; what asks for a length, at each."""

    def by_class(x: Any) -> Any:
        return x if isinstance(x.sum(), np.floating) and x[0, 0] > 0 else -x

    verdict = ep.check(by_class, "X: d n -> d n", under="S(n)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "OBSERVED"), str(verdict)
    assert verdict.certificate is None

    def by_length(x: Any) -> Any:
        return x if len(x.T) < 3 or x[0, 0] > 0 else -x

    verdict = ep.check(by_length, "X: d n -> d n", under="S(n)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert verdict.certificate is not None and verdict.certificate["kind"] == "counterexample"
    assert verdict.certificate["forms"] is not None
    confirm(verdict)


def test_equal_seeds_equal_verdicts() -> None:
    first, second = (
        ep.check(lambda x: x @ sm(x), "X: n n -> n n", under="O(n)", seed=5).to_json() for _ in range(2)
    )
    first.pop("seconds"), second.pop("seconds")
    assert first == second


def test_identical_functions() -> None:
    one = ep.identical(
        lambda w, v, x: (w @ x).T @ (v @ x),
        lambda w, v, x: x.T @ w.T @ v @ x,
        "W: e d, V: e d, X: d n -> n n",
    )
    assert (one.outcome, one.grade) == ("HOLDS", "PROVED"), str(one)
    confirm(one)
    two = ep.identical(lambda x: sm(x, 0), lambda x: sm(x, 1), "X: d n -> d n")
    assert two.outcome == "FAILS"
    confirm(two)
    three = ep.identical(lambda x: x / x, lambda x: np.ones(x.shape), "x: n -> n")
    assert three.outcome == "FAILS" and three.counterexample is not None
    assert three.counterexample.left[three.counterexample.entry] is None


def test_pinned_sizes_and_ranges() -> None:
    verdict = ep.check(lambda x: x * 2, "X: d n -> d n", under="O(3) x S(n)", sizes={"n": (1, 4)})
    assert verdict.sizes == ({"d": 3, "n": "all"},)


@pytest.mark.parametrize(
    ("f", "signature", "under", "options", "word"),
    [
        (lambda x: x, "X: d n -> d m m", "O(d)", {}, "shape"),
        (lambda x: x, "X: d n, Y: d -> d n", "O(d)", {}, "argument"),
        (lambda x: None, "X: d n -> d n", "O(d)", {}, "None"),
        (lambda x: (x, x), "X: d n -> d n", "O(d)", {}, "tuple"),
        (lambda x: int("one"), "X: d n -> d n", "O(d)", {}, "ValueError"),
        (lambda x: x, "X: d n -> d n", "O(e)", {}, "e"),
        (lambda x: x, "X: d n => d n", "O(d)", {}, "->"),
        (lambda x: x, "X: d n -> d n", "O(d)", {"sizes": {"k": 3}}, "k"),
        (lambda x: x, "X: d n -> d n", "O(d)", {"sizes": {"n": 0}}, "n"),
        (lambda x: x, "X: d n -> d n", "O(d)", {"budget": -1}, "budget"),
        (3, "X: d n -> d n", "O(d)", {}, "function"),
    ],
)
def test_bad_input_is_an_error_in_one_paragraph(
    f: Any, signature: str, under: str, options: Any, word: str
) -> None:
    with pytest.raises(ep.EqvproofError) as caught:
        ep.check(f, signature, under=under, **options)
    assert word in str(caught.value)


def test_a_verdict_is_no_truth_value() -> None:
    verdict = ep.check(lambda x: x, "x: d -> d", under="O(d)")
    with pytest.raises(ep.EqvproofError):
        bool(verdict)


def test_identical_does_not_pass_a_target_that_keeps_state() -> None:
    calls: list[int] = []

    def counting(x: Any) -> Any:
        calls.append(1)
        return x * (len(calls) > 10**6)

    verdict = ep.identical(counting, lambda x: 0 * x, "x: n -> n", budget=20)
    assert verdict.outcome == "UNDECIDED", str(verdict)


@pytest.mark.parametrize("under", ["O(d)", "SO(d)", "Signs(d)"])
def test_what_the_group_does_not_move_may_be_sorted(under: str) -> None:
    verdict = ep.prove(lambda X: np.sort((X * X).sum(axis=0)), "X: d n -> n", under)
    assert verdict.grade == "PROVED", str(verdict)
    confirm(verdict)


def test_a_counterexample_of_a_small_network_is_enclosed() -> None:
    """Its certificate holds the least precision that tells the sides apart, the quickest to check."""
    rng = np.random.default_rng(0)
    first, second = (rng.standard_normal(shape).astype(np.float32) for shape in ((16, 4), (4, 16)))

    def mixer(x: Any) -> Any:
        for _ in range(2):
            z = x - x.mean(-1, keepdims=True)
            z = z / np.sqrt((z * z).mean(-1, keepdims=True) + 1e-6)
            x = x + second @ np.tanh(first @ z + 1.0)
        return x

    verdict = ep.check(mixer, "x: 4 8 -> 4 8", under="S(4)")
    assert verdict.grade == "ENCLOSED"
    confirm(verdict)


def test_an_entry_is_enclosed_where_whole_sides_are_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rational counterexample that the kernel may not recompute whole is shown in one entry."""
    exact = ep.check(lambda x: np.maximum(x, 0), "x: 3! d -> 3! d", "O(d)")
    assert exact.grade == "EXACT"
    monkeypatch.setattr(report, "WORK_PER_BYTE", 0)
    monkeypatch.setattr(report, "BASE_WORK", 200)
    verdict = ep.check(lambda x: np.maximum(x, 0), "x: 3! d -> 3! d", "O(d)")
    assert verdict.fails and verdict.grade == "ENCLOSED", str(verdict)
    found = ep.verify(verdict.certificate)
    assert found.accepted and found.grade == "ENCLOSED"
    monkeypatch.undo()
    assert ep.verify(verdict.certificate).accepted and verdict.certificate is not None
    wrong = copy.deepcopy(verdict.certificate)
    wrong["evidence"]["left"] = wrong["evidence"]["right"]
    assert not ep.verify(reseal(wrong)).accepted
