"""SL(d): what GL(d) allows, and volumes; what is right is proved, near misses fail at determinant 1."""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict.certificate import seal
from tests.engines.test_gl import PROVED as UNDER_GL

PROVED: list[tuple[Any, str, str]] = [
    (lambda x: np.linalg.det(x), "X: d d! -> ()", "SL(d)"),
    (lambda x: abs(np.linalg.det(x)), "X: d d! -> ()", "SL(d)"),
    (lambda x: np.exp(np.linalg.det(x)), "X: d d! -> ()", "SL(d)"),
    (lambda x: np.linalg.det(x) > 0, "X: d d! -> ()", "SL(d)"),
    (lambda x, y: np.linalg.det(x) + np.linalg.det(y), "X: d d!, Y: d* d! -> ()", "SL(d)"),
    (lambda x, y: np.linalg.det(x) * np.linalg.det(y), "X: d d!, Y: d d! -> ()", "SL(d)"),
    (lambda x: np.linalg.det(x) * np.linalg.inv(x), "X: d d! -> d! d*", "SL(d)"),
    (lambda x: x / (1 + np.linalg.det(x) ** 2), "X: d d! -> d d!", "SL(d)"),
    (lambda a: np.linalg.det(a), "A: d d -> ()", "SL(d)"),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: 2 n, Y: 2 n -> n", "SL(2)"),
    (lambda x, y: np.stack([-y[1], y[0]]) * x.sum(), "X: n, Y: 2 -> 2*", "SL(2)"),
    (lambda x, y: np.cross(x, y, axis=0), "X: 3 n, Y: 3 n -> 3* n", "SL(3)"),
    (lambda x, y, z: (np.cross(x, y, axis=0) * z).sum(0), "X: 3 n, Y: 3 n, Z: 3 n -> n", "SL(3)"),
    *((f, signature, under.replace("GL", "SL")) for f, signature, under in UNDER_GL),
]
FAILS: list[tuple[Any, str, str]] = [
    (lambda x, y: (x * y).sum(0), "X: d n, Y: d n -> n", "SL(d)"),
    (lambda x: x.T @ x, "X: d n -> n n", "SL(d)"),
    (lambda x, y: x + y, "X: d n, Y: d* n -> d n", "SL(d)"),
    (lambda a: np.linalg.inv(a), "A: d d -> d d", "SL(d)"),
    (lambda x: np.trace(x), "X: d d -> ()", "SL(d)"),
    (lambda x: np.linalg.det(x + 1), "X: d d! -> ()", "SL(d)"),
    (lambda x: np.linalg.det(x[:2, :2]), "X: d d! -> ()", "SL(d)"),
    (lambda x, y: np.cross(x, y, axis=0), "X: 3 n, Y: 3 n -> 3 n", "SL(3)"),
    (lambda x, y: x[0] * y[1] + x[1] * y[0], "X: 2, Y: 2 -> ()", "SL(2)"),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: 2, Y: 2* -> ()", "SL(2)"),
    (lambda x: x[0] ** 2 + x[1] ** 2, "x: 2 -> ()", "SL(2)"),
    (lambda x: np.abs(x), "X: d n -> d n", "SL(d)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.prove(f, signature, under)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("f", "signature", "under"), FAILS)
def test_near_misses_fail_at_determinant_one(f: Any, signature: str, under: str) -> None:
    sizes = {"d": (2, 4)} if "[:2" not in signature and "d" in signature else None
    verdict = ep.check(f, signature, under, sizes=sizes)
    assert verdict.fails and verdict.grade == "EXACT"
    assert ep.verify(verdict.certificate).accepted
    (found,) = (e for e in verdict.certificate["evidence"]["element"] if e["family"] == "SL")
    rows = [[Fraction(v) for v in row] for row in found["matrix"]]
    assert round(float(np.linalg.det(np.array(rows, dtype=float))), 6) == 1


@pytest.mark.parametrize("matrix", ["20 01", "01 10", "-10 01", "20 02", "11 11", "00 00", "30 02"])
def test_the_kernel_takes_determinant_one_only(matrix: str) -> None:
    """The claim fails at most of these under GL(2)."""
    verdict = ep.check(lambda x: x[0] + x[1], "x: 2 -> ()", "SL(2)")
    body = copy.deepcopy({k: verdict.certificate[k] for k in ("claim", "forms", "evidence")})
    rows = [re.findall(r"-?\d", row) for row in matrix.split()]
    body["evidence"]["element"][0]["matrix"] = rows
    reason = ep.verify(seal("counterexample", **body)).reason
    assert "determinant" in reason or reason.endswith(": a singular matrix")


def test_a_proof_under_sl_is_none_under_gl() -> None:
    verdict = ep.prove(lambda x: np.linalg.det(x), "X: d d! -> ()", "SL(d)")
    body = copy.deepcopy({k: verdict.certificate[k] for k in ("claim", "forms", "evidence")})
    assert ep.verify(seal("proof", **body)).accepted
    body["claim"]["group"][0]["family"] = body["evidence"]["factors"][0]["family"] = "GL"
    assert not ep.verify(seal("proof", **body)).accepted


def test_decided_by_the_lie_algebra() -> None:
    """A bracket to the power 2, as a rational function that no rule types."""
    f = lambda x, y: 1 / (x[0] * y[1] - x[1] * y[0]) + (x[0] * y[1] - x[1] * y[0]) ** 2  # noqa: E731
    verdict = ep.decide(f, "X: 2, Y: 2 -> ()", "SL(2)", sizes={})
    assert verdict.holds
    wrong = lambda x, y: 1 / (x[0] * y[1] + x[1] * y[0])  # noqa: E731
    assert not ep.decide(wrong, "X: 2, Y: 2 -> ()", "SL(2)", sizes={}).holds


def test_an_assumed_symmetry_under_gl_is_one_under_sl() -> None:
    f = ep.opaque("F", "X: d n -> d n", under="GL(d)")
    verdict = ep.prove(lambda x: f(x) + x, "X: d n -> d n", "SL(d)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    g = ep.opaque("G", "X: d n -> d n", under="SL(d)")
    assert ep.prove(lambda x: g(x), "X: d n -> d n", "SL(d)").grade == "PROVED"
    assert ep.prove(lambda x: g(x), "X: d n -> d n", "GL(d)").grade != "PROVED"
