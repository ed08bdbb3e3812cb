"""Rational conics and rational roots of Gram matrices."""

import random
from fractions import Fraction as F

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from eqvproof.invariants.conic import represent, solve_conic, square_root
from eqvproof.invariants.roots import float_root, form_root
from eqvproof.invariants.witnesses.rational import identity_matrix
from eqvproof.support.errors import DomainError


def test_conics_with_a_point_are_solved():
    rng = random.Random(0)
    for _ in range(200):
        a, b = (F(rng.randint(1, 10**6), rng.randint(1, 60)) for _ in range(2))
        x, y = (F(rng.randint(-40, 40), rng.randint(1, 20)) for _ in range(2))
        c = a * x * x + b * y * y
        if c:
            u, v = solve_conic(a, b, c)
            assert a * u * u + b * v * v == c


@pytest.mark.parametrize("c", [3, 6, 7, 21, F(3, 4), 11])
def test_what_is_no_sum_of_two_squares(c):
    assert solve_conic(F(1), F(1), F(c)) is None


def test_vectors_of_given_length():
    for length in range(1, 60):
        found = represent([F(1)] * 3, F(length))
        seven = length
        while seven % 4 == 0:
            seven //= 4
        assert (found is None) == (seven % 8 == 7)  # Legendre's three squares
        if found is not None:
            assert sum(v * v for v in found) == length
    assert square_root(F(4, 9)) == F(2, 3) and square_root(F(2)) is None and square_root(F(-1)) is None


@pytest.mark.parametrize(("d", "n"), [(1, 3), (2, 2), (2, 5), (3, 3), (3, 1), (4, 2), (4, 4), (5, 2)])
def test_a_rational_root_is_found_where_there_is_one(d, n):
    rng = random.Random(10 * d + n)
    for _ in range(5):
        bottom = rng.choice((1, 2, 3))
        x = fmpq_mat(d, n, [fmpq(rng.randint(-5, 5), bottom) for _ in range(d * n)])
        gram = x.transpose() * x
        root = form_root(gram, identity_matrix(d))
        assert root is not None and (root.nrows(), root.ncols()) == (d, n)
        assert root.transpose() * root == gram


def test_no_rational_root():
    seven = fmpq_mat([[7]])
    assert form_root(seven, identity_matrix(3)) is None
    assert form_root(seven, identity_matrix(4)) is not None


@pytest.mark.parametrize(
    ("gram", "d", "words"),
    [
        ([[1, 2], [2, 1]], 2, "semidefinite"),
        ([[1, 0], [0, 1]], 1, "rank"),
        ([[1, 1], [0, 1]], 2, "symmetric"),
    ],
)
def test_not_a_gram_matrix(gram, d, words):
    with pytest.raises(DomainError, match=words):
        form_root(fmpq_mat(gram), identity_matrix(d))


def test_float_roots():
    rng = np.random.default_rng(0)
    for d, n in ((3, 5), (5, 3), (2, 2)):
        x = rng.standard_normal((d, n))
        root = float_root(x.T @ x, d)
        assert root.shape == (d, n) and np.allclose(root.T @ root, x.T @ x)
    with pytest.raises(DomainError, match="semidefinite"):
        float_root(np.array([[-1.0]]), 1)
    with pytest.raises(DomainError, match="rank"):
        float_root(np.eye(3), 2)
    assert float_root(np.zeros((0, 0)), 2).shape == (2, 0)
