"""The nearest claim that holds, beside a claim that fails."""

import dataclasses
import json
import pickle

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups.families import FAMILIES, containing
from eqvproof.engines import nearest as nearest_claims
from eqvproof.engines.verdict import NearestVerdict
from tests.judged import assert_proved, assert_refuted


def two(x):
    return np.tanh(x), x - x.mean(0)


CASES = {
    "a cross product": (np.cross, "x: n 3, y: n 3 -> n 3", "O(3) x S(n)", "SO(3) x S(n)"),
    "a direction": (
        lambda x: x / np.linalg.norm(x, axis=1, keepdims=True),
        "x: n d -> n d", "E(d) x S(n)", "O(d) x S(n)",
    ),
    "a shift": (lambda x: x + np.roll(x, 1, 0), "x: n d -> n d", "S(n)", "C(n)"),
    "an odd function": (np.tanh, "x: n d -> n d", "O(d) x S(n)", "B(d) x S(n)"),
    "a rectifier": (lambda x: np.maximum(x, 0), "x: n d -> n d", "O(d) x S(n)", "S(d) x S(n)"),
    "a first row": (lambda x: x[0], "x: n d -> d", "O(d) x S(n)", "O(d)"),
}  # fmt: skip


@pytest.mark.parametrize(("f", "signature", "under", "nearest"), CASES.values(), ids=CASES)
def test_a_smaller_group_is_found(f, signature, under, nearest):
    verdict = assert_refuted(f, signature, under)
    assert verdict.nearest is not None and verdict.nearest.under == nearest
    assert verdict.nearest.grade == "PROVED" and ep.verify(verdict.nearest).accepted
    assert f"Under {nearest} it HOLDS, PROVED." in str(verdict)
    assert_proved(f, signature, nearest)


MARKED = {
    "a force": (
        lambda x: (x[:, None] - x[None]).sum(0).sum(0), "x: n 3 -> 3", "E(3) x S(n)", "x: n 3 -> 3^",
    ),
    "a spectrum": (
        lambda x: np.linalg.eigvalsh(x @ x.T), "x: n 3 -> n", "O(3) x S(n)", "x: n 3 -> n!",
    ),
    "three channels": (
        lambda h, x: x * np.tanh(h).sum(1, keepdims=True),
        "h: n 3, x: n 3 -> n 3", "O(3) x S(n)", "h: n 3!, x: n 3 -> n 3",
    ),
    "three channels that stay": (
        lambda h, x: np.tanh(h) * (x**2).sum(), "h: n 3, x: n 3 -> n 3", "O(3)", "h: n 3!, x: n 3 -> n 3!",
    ),
    "a length": (lambda x: (x**2).sum() * np.ones(3), "x: n 3 -> 3", "O(3) x S(n)", "x: n 3 -> 3!"),
}  # fmt: skip


@pytest.mark.parametrize(("f", "signature", "under", "nearest"), MARKED.values(), ids=MARKED)
def test_a_result_that_is_moved_less_is_marked(f, signature, under, nearest):
    verdict = assert_refuted(f, signature, under)
    assert verdict.nearest is not None
    assert (verdict.nearest.signature, verdict.nearest.under) == (nearest, under)
    assert f"As [{nearest}] under {under} it HOLDS, PROVED." in str(verdict)
    assert_proved(f, nearest, under)


def test_every_factor_lies_in_one_of_the_claim():
    found = assert_refuted(np.tanh, "x: n d -> n d", "E(d) x S(n)").nearest
    assert found is not None
    near = {part.partition("(")[0] for part in found.under.split(" x ")}
    assert all({"E", "S"} & set(containing(FAMILIES[letter])) for letter in near)


def test_what_holds_under_no_subgroup_names_none():
    assert assert_refuted(lambda x: x * np.arange(3.0), "x: 3 -> 3", "S(3)").nearest is None


@pytest.mark.parametrize("under, signature", [("O(1)", "x: n 1 -> n 1"), ("U(1)", "x[complex]: n 1 -> n 1")])
def test_a_group_of_one_element_is_not_named(under, signature):
    assert assert_refuted(lambda x: abs(x) + x, signature, under).nearest is None


def test_it_is_said_that_time_ran_out(monkeypatch):
    monkeypatch.setattr(nearest_claims, "SHARE_OF_WORK", 0.0)
    monkeypatch.setattr(nearest_claims, "LEAST_SECONDS", -1.0)
    verdict = assert_refuted(np.cross, "x: n 3, y: n 3 -> n 3", "O(3) x S(n)")
    assert verdict.nearest is None
    assert [note for note in verdict.notes if "budget=" in note] == [nearest_claims.OUT_OF_TIME]


def test_each_result_has_its_own():
    verdict = assert_refuted(two, "x: n 3 -> n 3, n 3", "E(3) x S(n)")
    assert verdict.nearest is None
    assert "result 0: under B(3) x S(n) it HOLDS, PROVED." in str(verdict)
    assert "result 1: as [x: n 3 -> n 3^] under E(3) x S(n) it HOLDS, PROVED." in str(verdict)


def test_it_is_read_back():
    verdict = assert_refuted(np.cross, "x: n 3, y: n 3 -> n 3", "O(3)")
    again = ep.Verdict.from_json(verdict.to_json())
    assert again.nearest is not None and str(again) == str(verdict)


def test_the_nearest_verdict_counts_as_true_and_others_raise():
    """It holds where there is one; a verdict as such may be UNDECIDED."""
    verdict = assert_refuted(lambda x: x[0], "x: n d -> d", "S(n) x O(d)")
    assert (verdict.nearest and verdict.nearest.under) == "O(d)"
    assert verdict.nearest is not None and ep.verify(verdict.nearest).accepted
    for copied in (
        ep.Verdict.from_json(json.loads(json.dumps(verdict.to_json()))),
        pickle.loads(pickle.dumps(verdict)),
        dataclasses.replace(verdict, seconds=0.0),
    ):
        assert (copied.nearest and str(copied.nearest)) == str(verdict.nearest)
    for undetermined in (verdict, assert_proved(lambda x: x, "x: n d -> n d", "S(n)")):
        with pytest.raises(ep.EqvproofError, match="neither true nor false"):
            bool(undetermined)
    with pytest.raises(ValueError, match="FAILS"):
        NearestVerdict.of(verdict)


def test_a_claim_without_a_nearest_one_has_none():
    verdict = assert_refuted(lambda x: x[0], "x: n -> ()", "S(n)")
    assert not verdict.nearest and verdict.nearest is None
