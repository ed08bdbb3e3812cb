"""Claims under translations that normal forms of both sides prove, where types do not follow; near misses."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.engines.targets import trace_all_sizes
from eqvproof.kernel import check_certificate
from eqvproof.rocq import theorem
from eqvproof.support.errors import ExportError
from tests.kernel.corpus import seal

Function = Callable[..., Any]
W = np.array([[1.0, 2.0, -1.0], [0.5, -3.0, 2.0]])
POINTS = "X: n d"


def turned(x: Any, p: Any) -> Any:
    """Rotary embedding of rows of four entries at positions p."""
    angle = p * np.array([[1.0, 0.25]])
    c, s = np.cos(angle), np.sin(angle)
    return np.concatenate([x[:, :2] * c - x[:, 2:] * s, x[:, :2] * s + x[:, 2:] * c], axis=1)


def by_gram(X: Any) -> Any:
    norms = (X * X).sum(1)
    return norms[:, None] + norms[None, :] - 2 * X @ X.T


def features(X: Any) -> Any:
    return np.concatenate([np.cos(X @ W.T), np.sin(X @ W.T)], axis=1)


HOLDS: dict[str, tuple[Function, str, str]] = {
    "variance by moments": (lambda X: (X**2).mean(0) - X.mean(0) ** 2, f"{POINTS} -> d!", "T(d)"),
    "covariance by moments": (
        lambda X: X.T @ X / X.shape[0] - np.outer(X.mean(0), X.mean(0)), f"{POINTS} -> d^ d^", "E(d)"),
    "third moment": (
        lambda X: (X**3).mean(0) - 3 * X.mean(0) * (X**2).mean(0) + 2 * X.mean(0) ** 3,
        f"{POINTS} -> d!", "T(d)"),
    "kernel of Gram distances": (lambda X: np.exp(-by_gram(X) / 2), f"{POINTS} -> n n", "S(n) x E(d)"),
    "inverse distances": (lambda X: 1 / (1 + by_gram(X)), f"{POINTS} -> n n", "E(d)"),
    "moment of inertia": (
        lambda X, m: (m[:, None] * X**2).sum() - ((m[:, None] * X).sum(0) ** 2).sum() / m.sum(),
        "X: n d, m: n -> ()", "E(d)"),
    "a point that moves along": (
        lambda X: X.mean(0) * ((1 + X - X[:1]).sum() - (X - X[:1]).sum() - X.size + 1),
        "X: n 2 -> 2", "T(2)"),
    "rotary scores": (lambda q, k, p: turned(q, p) @ turned(k, p).T, "q: n 4, k: n 4, p: n 1 -> n n", "T(1)"),
    "random Fourier features": (lambda X: features(X) @ features(X).T, "X: n 3 -> n n", "S(n) x T(3)"),
    "structure factor": (lambda X: np.abs(np.exp(1j * (X @ W[0])).sum()) ** 2, "X: n 3 -> ()", "T(3)"),
    "order parameter": (
        lambda p: np.sqrt(np.cos(p).mean() ** 2 + np.sin(p).mean() ** 2), "p: n 1 -> ()", "T(1)"),
    "phases": (
        lambda p: np.sin(p) @ np.cos(p).T - np.cos(p) @ np.sin(p).T, "p: n 1 -> n n", "S(n) x T(1)"),
    "log of a sum": (lambda x: np.log(np.exp(x[:, 0]).sum()) * np.ones(1), "x: n 1 -> 1", "T(1)"),
}  # fmt: skip

NEAR_MISSES: dict[str, tuple[Function, str, str]] = {
    "second moment": (lambda X: (X**2).mean(0) - X.mean(0), f"{POINTS} -> d!", "T(d)"),
    "Gram distances, one factor": (lambda X: np.exp(-by_gram(X) + X @ X.T), f"{POINTS} -> n n", "E(d)"),
    "inertia without masses": (
        lambda X, m: (m[:, None] * X**2).sum() - ((m[:, None] * X).sum(0) ** 2).sum(),
        "X: n d, m: n -> ()", "T(d)"),
    "rotary queries alone": (lambda q, k, p: turned(q, p) @ k.T, "q: n 4, k: n 4, p: n 1 -> n n", "T(1)"),
    "rotary, turned the other way": (
        lambda q, k, p: turned(q, p) @ turned(k, -p).T, "q: n 4, k: n 4, p: n 1 -> n n", "T(1)"),
    "cosines alone": (lambda X: np.cos(X @ W.T) @ np.cos(X @ W.T).T, "X: n 3 -> n n", "T(3)"),
    "order parameter, one part": (lambda p: np.cos(p).mean() ** 2, "p: n 1 -> ()", "T(1)"),
    "log of a sum that stays": (lambda x: np.log(np.exp(x[:, 0]).sum()), "x: n 1 -> ()", "T(1)"),
    "a quotient that is 1 somewhere": (
        lambda X: X[0].sum() / X[0].sum(), "X: n d -> ()", "T(d)"),
    "a root that is a number somewhere": (lambda X: np.sqrt(X.sum()) ** 2 - X.sum(), "X: n d -> ()", "T(d)"),
}  # fmt: skip


def reported(certificate: dict[str, Any]) -> Any:
    return check_certificate(certificate)


@pytest.mark.parametrize("name", HOLDS)
def test_what_cancels_is_proved(name: str) -> None:
    f, signature, under = HOLDS[name]
    verdict = ep.check(f, signature, under=under, budget=20)
    assert verdict.holds and verdict.grade == "PROVED", verdict
    certificate = verdict.certificate
    assert certificate is not None and any("way" in p for p in certificate["evidence"]["factors"])
    report = reported(certificate)
    assert report.accepted and "normal forms" in report.rests_on
    assert "one normal form" in "\n".join(verdict.derivation)


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_what_does_not_cancel_is_refuted(name: str) -> None:
    f, signature, under = NEAR_MISSES[name]
    verdict = ep.check(f, signature, under=under, budget=20)
    assert verdict.fails, verdict


@pytest.fixture(scope="module")
def proved() -> dict[str, Any]:
    """A certificate by normal forms, without its seal."""
    certificate = ep.check(HOLDS["phases"][0], "p: n 1 -> n n", under="T(1)", budget=20).certificate
    assert certificate is not None
    return {k: certificate[k] for k in ("claim", "forms", "evidence")}


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    return seal("proof", **content)


ALTERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "without angles": lambda c: c["evidence"]["factors"][0]["way"].update(angles=False),
    "no truth value": lambda c: c["evidence"]["factors"][0]["way"].update(angles=1),
    "cells below 0": lambda c: c["evidence"]["factors"][0]["way"].update(cells=-1),
    "another field": lambda c: c["evidence"]["factors"][0]["way"].update(more=0),
    "lines beside": lambda c: c["evidence"]["factors"][0].update(lines=[], types=[]),
    "another family": lambda c: c["evidence"]["factors"][0].update(family="Scale"),
    "multiples": lambda c: (
        c["evidence"]["factors"][0].update(family="Scale"), c["claim"]["group"][0].update(family="Scale")),
    "turns": lambda c: (
        c["evidence"]["factors"][0].update(family="O"), c["claim"]["group"][0].update(family="O")),
    "a result that moves": lambda c: c["claim"]["output"].__setitem__(0, [[1, None, ""]]),
    "an element for each entry": lambda c: c["claim"]["group"][0].update(each="n"),
}  # fmt: skip


def test_the_certificate_is_accepted_as_it_is(proved: dict[str, Any]) -> None:
    assert reported(sealed(proved)).accepted


@pytest.mark.parametrize("name", ALTERED)
def test_altered_evidence_is_refused(name: str, proved: dict[str, Any]) -> None:
    content = copy.deepcopy(proved)
    ALTERED[name](content)
    report = reported(sealed(content))
    assert not report.accepted and report.reason and "internal" not in report.reason


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_the_kernel_refuses_near_misses(name: str) -> None:
    """The evidence of a right claim beside the Program of a wrong one."""
    f, signature, under = NEAR_MISSES[name]
    group = under.replace("E(", "T(")
    certificate = ep.check(f, signature, under=group, budget=20).certificate
    assert certificate is not None and certificate["kind"] == "counterexample"
    program = trace_all_sizes(f, parse_signature(signature), {}).program.to_json()
    names = {n: "all" for n in ("n", "d") if f" {n}" in signature}
    claim = {k: v for k, v in certificate["claim"].items() if k in ("kind", "inputs", "output", "group")}
    axis = claim["group"][0]["axis"]
    for angles in (False, True):
        factor = {"family": "T", "axis": axis, "way": {"cells": 0, "angles": angles}}
        _, content = elaborate({
            "kind": "proof", "claim": {**claim, "scope": names}, "program": program,
            "evidence": {"factors": [factor]},
        })  # fmt: skip
        report = reported(seal("proof", **content))
        assert not report.accepted and "normal forms" in report.reason, report


def test_tables_that_rotations_read_otherwise_are_not_mixed_with_normal_forms() -> None:
    """A table next to an invariant one is that one under O(3), and normal forms take it as it is."""
    near = np.diag([1, 1 + 2.0**-52, 1])

    def distances(X: Any) -> Any:
        norms = ((X @ near) * X).sum(1)
        return norms[:, None] + norms[None, :] - 2 * (X @ near) @ X.T

    verdict = ep.check(distances, "X: n 3 -> n n", under="E(3)", budget=10)
    assert verdict.grade == "PROVED" and verdict.readings and verdict.certificate is not None
    (reading,) = verdict.certificate["claim"]["readings"]
    assert reading["read"] == "1 3*0 1 3*0 1"  # one reading for both
    assert reading["stored"] == "1 3*0 0x1.0000000000001p+0 3*0 1"
    turns = ep.check(distances, "X: n 3 -> n n", under="O(3)", budget=10).certificate
    assert turns is not None
    content = {k: turns[k] for k in ("claim", "forms", "evidence")}
    assert reported(sealed(content)).accepted
    content = copy.deepcopy(content)
    content["claim"]["group"][0]["family"] = "E"
    assert content["claim"]["readings"][0]["read"] == "invariant"
    moves = verdict.certificate["evidence"]["factors"][0]
    assert "way" in moves
    content["evidence"]["factors"].insert(0, moves)
    report = reported(sealed(content))
    assert not report.accepted and "constants as they are" in report.reason


def test_they_are_not_printed_for_rocq(proved: dict[str, Any]) -> None:
    with pytest.raises(ExportError, match="normal forms"):
        theorem(sealed(proved))


def test_functions_of_several_entries_at_least_are_judged() -> None:
    """Floats are asked at sizes at which a Program has the entries that it reads."""
    verdict = ep.check(lambda x: np.sort(x[:, 0])[3] * x[0, 0] + 0 * x[3], "x: n d -> d!", "T(d)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    verdict = ep.check(lambda x: np.tanh(x[4] * x[0] - (x[4] - x[0]) ** 2), "x: n d -> d!", "T(d)")
    assert verdict.outcome == "FAILS" and "error in eqvproof" not in verdict.reason, str(verdict)
