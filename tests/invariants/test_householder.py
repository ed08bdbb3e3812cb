"""Householder reflections: exact, float, complex; products; bad input."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp
from flint import fmpq, fmpz_mat

from eqvproof.invariants.witnesses.householder import (
    Householder,
    Reflections,
    as_floats,
    householder,
)
from eqvproof.invariants.witnesses.reflectors import BLOCK
from eqvproof.support.errors import DomainError, ShapeError


@pytest.mark.parametrize(
    "u",
    [
        [1, 2],
        [F(1, 2), F(1, 3), 0],
        [sp.Rational(1, 2), 5],
        np.array([3, -4, 12], dtype=np.int8),
        sp.Matrix([1, 2, 3]),
        fmpz_mat([[1], [2]]),
        [fmpq(1, 3), 2],
        [10**40, 1],
    ],
)
def test_exact(u):
    h = householder(u)
    q = h.matrix
    assert (q.T.dot(q) == np.eye(h.size, dtype=int)).all()
    assert (q.T == q).all()
    assert (h.apply(h.u) == -h.u).all()
    for i in range(h.size):
        for j in range(i):
            w = [0] * h.size  # orthogonal to u
            w[i], w[j] = h.u[j], -h.u[i]
            assert (h.apply(w) == np.array(w, dtype=object)).all()
    assert all(isinstance(v, F) for v in q.flat)
    a = np.arange(2 * h.size).reshape(h.size, 2)
    assert (h.apply(a) == q.dot(a)).all()


def test_square_roots_stay_exact():
    q = sp.Matrix(householder([sp.sqrt(2), 1, sp.sqrt(3)]).matrix)
    assert (q.T * q).applyfunc(sp.nsimplify).applyfunc(sp.simplify) == sp.eye(3)
    assert q[0, 0] == sp.Rational(1, 3)


@pytest.mark.parametrize("u", [[3.0, 4.0], [1e300, 1e-300, 2e299], [5e-324, 5e-324], np.float32([1, 2, 3])])
def test_float(u):
    h = householder(u)
    assert np.linalg.norm(h.matrix.T @ h.matrix - np.eye(h.size)) < 1e-14
    assert np.allclose(h.matrix @ h.u, -h.u)


def test_complex_is_unitary():
    h = householder([1 + 2j, 3 - 1j, 0.5j])
    assert np.linalg.norm(h.matrix.conj().T @ h.matrix - np.eye(3)) < 1e-14
    assert np.allclose(h.apply(h.u), -h.u)


def test_apply_mixes_exact_and_float():
    h = householder([1, 2])
    assert np.allclose(h.apply(np.array([[1.0], [2.0]])), [[-1.0], [-2.0]])
    assert h.apply(np.array([1.0, 2.0])).shape == (2,)


def test_products_apply_the_last_reflection_first():
    rng = np.random.default_rng(0)
    items = tuple(householder(rng.integers(-3, 4, 4) * 2 + 1) for _ in range(3))
    product = Reflections(items, 4)
    expected = items[0].matrix.dot(items[1].matrix).dot(items[2].matrix)
    assert (product.matrix == expected).all()
    assert (product[:2].matrix == items[0].matrix.dot(items[1].matrix)).all()
    assert len(product) == 3 and product[2] is items[2]
    floats = Reflections(tuple(map(as_floats, items)), 4)
    assert np.linalg.norm(floats.matrix - expected.astype(float)) < 1e-14
    assert (Reflections((), 2).matrix == np.eye(2, dtype=int)).all()


@pytest.mark.parametrize("count", [5, BLOCK + 7])
def test_compact_wy_blocks(count):
    rng = np.random.default_rng(1)
    items = tuple(householder(rng.standard_normal(9)) for _ in range(count))
    expected = np.eye(9)
    for item in items:
        expected = expected @ item.matrix
    assert np.linalg.norm(Reflections(items, 9).matrix - expected) < 1e-12


@pytest.mark.parametrize(
    ("u", "error", "words"),
    [
        ([0, 0], DomainError, "u = 0"),
        ([0.0, -0.0], DomainError, "u = 0"),
        ([], DomainError, "u = 0"),
        ([1.0, float("nan")], DomainError, "not finite"),
        ([1.0, float("inf")], DomainError, "not finite"),
        ("ab", DomainError, "numbers only"),
        (["1", "2"], DomainError, "numbers only"),
        (None, DomainError, "numbers only"),
        ([sp.Symbol("x"), 1], DomainError, "numbers only"),
        ([sp.oo, 1], DomainError, "numbers only"),
        ([sp.pi, 1], DomainError, "algebraic"),
        ([sp.I, 1], DomainError, "real"),
        ([[1, 2], [3, 4]], ShapeError, "not a vector"),
        ([[1, 2], [3]], ShapeError, "rectangular"),
    ],
)
def test_bad_input(u, error, words):
    with pytest.raises(error, match=words):
        householder(u)


def test_wrong_shape_of_what_is_reflected():
    with pytest.raises(ShapeError, match="wrong number of rows"):
        householder([1, 2]).apply([[1], [2], [3]])


def test_the_reflection_of_a_householder_of_floats_is_not_exact():
    with pytest.raises(DomainError):
        Householder(np.array([1.0]), 2.0).image(householder([1]).vector)
