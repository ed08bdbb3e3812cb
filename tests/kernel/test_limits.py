"""Limits of what the kernel looks at: a certificate within one is accepted, with one less it is refused."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from tests.kernel import corpus, test_finite, test_near_identities, test_rewriting
from tests.kernel.encoding import encoded


def proved(target: Callable[..., Any], signature: str, under: str) -> Any:
    found = ep.check(target, signature, under)
    assert found.grade == "PROVED", str(found)
    return found.certificate


def same(left: Callable[..., Any], right: Callable[..., Any], signature: str) -> Any:
    found = ep.identical(left, right, signature)
    assert found.grade == "PROVED", str(found)
    return found.certificate


def decided(target: Callable[..., Any], signature: str, under: str, sizes: dict[str, int]) -> Any:
    found = ep.decide(target, signature, under, sizes=sizes)
    assert found.grade == "DECIDED", str(found)
    return found.certificate


WEIGHTS = np.array([0.25, 0.5, 0.25])
FIRST, SECOND = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[1.0, 2], [3, 4], [5, 6]])


def over_three_axes(order: tuple[int, int, int]) -> Callable[[Any], Any]:
    """A sum over three axes that look alike, none of which can be summed by itself."""
    return lambda x: np.tanh(np.tanh(np.einsum("i,j,k->ijk", x, x, x).transpose(order)).sum((0, 1, 2)))


def circulant(x: Any) -> Any:
    """Its determinant is 3 a b c - a^3 - b^3 - c^3."""
    return np.linalg.det(np.stack([x, np.roll(x, -1), np.roll(x, -2)]))


#: A module, a limit in it, a certificate, and the least limit within which that is: counted by hand.
LEAST: list[tuple[str, str, Callable[[], Any], int]] = [
    ("match", "MOST_TRIES", test_near_identities.TRUE["weights of rows"], 2),  # one look, and one left
    ("totals", "MOST_TERMS", corpus.differences, 1),  # the number 0 or 1
    ("totals", "MOST_ENTRIES", lambda: proved(lambda x: WEIGHTS @ x, "x: 3 d -> d", "T(d)"), 3),
    ("normal_forms", "MOST_FACTORS", test_near_identities.TRUE["an inverse of a product"], 3),  # inv, A, B
    ("constant_atoms", "MOST_ENTRIES",
     lambda: same(lambda x: FIRST @ (SECOND @ x), lambda x: (FIRST @ SECOND) @ x, "x: 2 -> 2"), 2 * 3 * 2),
    ("sizes", "MOST_TERMS", corpus.weighted_points, 2),  # n + k
    ("claims", "MOST_TERMS", corpus.knowledge, 2),  # n + k
    ("rewriting", "MOST_STEPS", test_rewriting.composed, 2),
    ("rewriting", "MOST_SIZE", test_rewriting.composed, 5),  # A, B, act, g, x
    ("indices", "MOST_TERMS", test_near_identities.TRUE["weights of rows"], 1),
    ("indices", "MOST_BITS", test_near_identities.TRUE["weights of rows"], 2),  # 1/1
    ("evaluate", "MOST_CELLS", corpus.doubled, 6),
    ("atoms", "MOST_ORDERS",
     lambda: same(over_three_axes((0, 1, 2)), over_three_axes((1, 2, 0)), "x: n -> ()"), 3 * 2),
    ("equations", "MOST_SQUARE",
     lambda: same(lambda x: np.sqrt(12 * x), lambda x: 2 * np.sqrt(3 * x), "x: n -> n"), 12),
    ("symbolic", "MOST_ROWS", lambda: decided(circulant, "x: n -> ()", "S(n)", {"n": 3}), 3),
    ("decisions", "MOST_SIZES", corpus.decided, 2),
    ("decisions", "MOST_ENTRIES", corpus.decided, 4),
    ("finite", "MOST_SIZES", test_finite.square_or_cube, 2),
    ("finite", "MOST_POINTS", test_finite.square_or_cube, 2),
    ("points", "MOST_PRECISION", corpus.enclosed, 16),
    ("text", "MOST_DEGREE", corpus.reshaped, 1),
]  # fmt: skip


def accepted(certificate: Any) -> bool:
    return check_certificate(encoded(certificate)).accepted


@pytest.mark.parametrize("case", range(len(LEAST)), ids=[f"{module}.{name}" for module, name, *_ in LEAST])
def test_with_one_less_it_is_refused(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, build, least = LEAST[case]
    certificate = build()
    monkeypatch.setattr(importlib.import_module(f"eqvproof.kernel.{module}"), name, least)
    assert accepted(certificate)
    monkeypatch.setattr(importlib.import_module(f"eqvproof.kernel.{module}"), name, least - 1)
    assert not accepted(certificate)


#: Certificates of which the work is not in proportion to their length, by the module that allows more.
LARGE = {"finite": test_finite.square_or_cube, "decisions": corpus.decided}


@pytest.mark.parametrize("module", LARGE)
def test_the_work_that_is_allowed_beyond_the_length(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = LARGE[module]()
    monkeypatch.setattr("eqvproof.kernel.report.WORK_PER_BYTE", 0)
    monkeypatch.setattr("eqvproof.kernel.report.BASE_WORK", 200)
    assert accepted(certificate)
    monkeypatch.setattr(importlib.import_module(f"eqvproof.kernel.{module}"), "LARGE_WORK", 200)
    report = check_certificate(encoded(certificate))
    assert not report.accepted and report.limited


def test_terms_of_a_series(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.linalg

    found = ep.check(lambda A: scipy.linalg.expm(A + A.T)[0, 0], "A: d d -> ()", "O(d)", sizes={"d": 2})
    assert found.grade in ("EXACT", "ENCLOSED"), str(found)
    assert accepted(found.certificate)
    monkeypatch.setattr("eqvproof.kernel.matrix_values.MOST_TERMS", 2)
    assert check_certificate(found.certificate).limited
