"""Elements of classical groups that carry X to Y, what rules them out, and the certificates of both."""

from __future__ import annotations

import random
from fractions import Fraction as F

import numpy as np
import pytest
import sympy

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError, GroupError, OrbitMismatch, ShapeError
from tests.invariants.orbits import FAMILIES, altered, draw, is_true, judged

NULL, ZERO = [[1], [1], [0], [0]], [[0], [0], [0], [0]]


@pytest.mark.parametrize("name", FAMILIES)
def test_random_pairs(name: str) -> None:
    """Every answer is true and has a certificate that the kernel accepts; it rejects false ones."""
    rng = random.Random(name)
    seen = set()
    for _ in range(40):
        why, certificate = judged(*draw(name, rng))
        report = check_certificate(certificate)
        assert report.accepted and report.grade == "EXACT", (certificate, report.reason)
        seen.add(why)
        assert is_true(certificate)
        for _ in range(4):
            wrong = altered(certificate, rng)
            assert wrong is None or not check_certificate(wrong).accepted, wrong
    assert "element" in seen and len(seen) > 1


@pytest.mark.parametrize(
    ("X", "Y", "under", "why", "part"),
    [
        ([[1, 0], [0, 1]], [[1, 0], [0, 2]], "Lorentz(d)", "pair", "columns 1 and 1"),
        (NULL, ZERO, "Lorentz(d)", "relation", "equal inner products imply them for definite forms only"),
        (NULL, ZERO, "Sp(d)", "relation", "linear relation"),
        ([[1], [1]], [[1], [-1]], "SO(1,1; d)", "matrix", "another determinant"),
        ([[1, 0], [0, 1]], [[0, 1], [1, 0]], "SO(d)", "matrix", "changes the determinant"),
        ([[1, 0], [0, 1]], [[0, 1], [1, 0]], "SL(d)", "matrix", "another determinant"),
        ([[1]], [[1j]], "SU(d)", "matrix", "another determinant"),
        ([[1, 1], [0, 1]], [[1, 1j], [0, 1]], "U(d)", "pair", "columns 0 and 1 have different inner"),
        ([[1, 1j], [0, 1]], [[1, -1j], [0, 1]], "U(d)", "pair", "imaginary parts"),
        ([[1, 2]], [[1, 3]], "GL(d)", "relation", "linear relation"),
    ],
)
def test_what_rules_it_out(X: object, Y: object, under: str, why: str, part: str) -> None:
    with pytest.raises(OrbitMismatch) as caught:
        ep.orbit_witness(X, Y, under)
    error = caught.value
    assert error.why == why and part in str(error)
    assert check_certificate(error.certificate or {}).accepted


def test_near_misses_have_a_witness() -> None:
    """The same pairs in the larger group, or with a vector less."""
    for X, Y, under in (
        ([[1], [1]], [[1], [-1]], "O(1,1; d)"),
        ([[1, 0], [0, 1]], [[0, 1], [1, 0]], "O(d)"),
        ([[1], [0]], [[0], [1]], "SO(d)"),
        ([[1], [1], [0]], [[1], [-1], [0]], "SO(1,2; d)"),
        ([[1], [0]], [[1j], [0]], "SU(d)"),
        ([[1]], [[1j]], "U(1)"),
        (NULL, [[2], [2], [0], [0]], "Lorentz(d)"),
    ):
        witness = ep.orbit_witness(X, Y, under)
        assert check_certificate(witness.certificate).accepted
        assert witness.family == under.replace("; d)", ")").replace("(d)", "").replace("(1)", "")


def test_a_step_over_a_null_difference() -> None:
    """f + e' goes to f, and e, e' stay: not by reflections that fix e and e'."""
    x = [[1, 0, 1], [0, 1, 0], [1, 0, -1], [0, 1, 0]]
    y = np.array(x, dtype=object)
    y[:, 2] = y[:, 2] + y[:, 1]
    with pytest.raises(OrbitMismatch):
        ep.orbit_witness(x, y + 1, "O(2,2; d)")
    witness = ep.orbit_witness(x, y, "O(2,2; d)")
    assert (witness.apply(np.array(x, dtype=object)) == y).all() and len(witness.moves) > 1


def test_kinds_of_numbers() -> None:
    half = F(1, 2)
    for X, Y in (
        ([[half], [0]], [[0], [half]]),
        (sympy.Matrix([[half], [0]]), [[0], [half]]),
    ):
        assert ep.orbit_witness(X, Y, "SO(2)").matrix.tolist() == [[0, -1], [1, 0]]
    turned = ep.orbit_witness([[3], [4]], [[sympy.I * 5], [0]], "U(d)")
    assert turned.matrix.shape == (4, 4) and "unitary" not in str(turned.element.data)
    assert ep.orbit_witness(
        np.zeros((2, 0), dtype=int), np.zeros((2, 0), dtype=int), "SL(d)"
    ).element.is_identity


@pytest.mark.parametrize(
    ("X", "Y", "under", "error"),
    [
        ([[1]], [[1]], "S(n)", GroupError),
        ([[1]], [[1]], "Sp(d)", GroupError),
        ([[1]], [[1]], "O(1,3; d)", ShapeError),
        ([[1]], [[1]], "O(3)", ShapeError),
        ([[1]], [[1]], "O(d) x GL(n)", GroupError),
        ([[1]], [[1, 2]], "O(d)", ShapeError),
        ([["a"]], [[1]], "U(d)", DomainError),
        ([[sympy.sqrt(2)]], [[1]], "O(d)", DomainError),
        ([[1j]], [[1]], "O(d)", DomainError),
        ([[float("nan")]], [[1]], "O(d)", DomainError),
    ],
)
def test_bad_input(X: object, Y: object, under: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        ep.orbit_witness(X, Y, under)


@pytest.mark.parametrize(
    ("kind", "family", "parts", "reason"),
    [
        ("orbit-witness", "S", {"matrix": [["1"]]}, "classical"),
        ("orbit-witness", "GL", {"matrix": [["0"]]}, "singular"),
        ("orbit-witness", "Sp", {"matrix": [["1"]]}, "no form"),
        ("orbit-witness", "O", {"matrix": [["-1"]]}, "does not carry"),
        ("orbit-mismatch", "GL", {"pair": [0, 0]}, "equal"),
        ("orbit-mismatch", "O", {"pair": [0]}, "two numbers of columns"),
        ("orbit-mismatch", "O", {"relation": ["1"]}, "neither"),
        ("orbit-mismatch", "O", {"matrix": [["1"]]}, "determinant 1"),
        ("orbit-mismatch", "SO", {"matrix": [["1"]]}, "determinant is 1"),
    ],
)
def test_false_claims_about_equal_vectors(
    kind: str, family: str, parts: dict[str, object], reason: str
) -> None:
    one = {"shape": [1, 1], "values": ["1"]}
    report = check_certificate(seal(kind, family=family, X=one, Y=one, **parts))
    assert not report.accepted and reason in report.reason


def test_room_for_another_determinant() -> None:
    """A reflection that carries e to itself rules nothing out: the identity does so too."""
    one = {"shape": [2, 1], "values": ["1", "0"]}
    report = check_certificate(
        seal("orbit-mismatch", family="SO", X=one, Y=one, matrix=[["1", "0"], ["0", "-1"]])
    )
    assert not report.accepted and "leave room" in report.reason
