"""Exact orthogonal witnesses: random pairs of every rank, degenerate families, near misses, determinants."""

import random
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp
from flint import fmpq_mat, fmpz_mat

from eqvproof.invariants.pairs import gram_pairs, random_orthogonal
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import to_array
from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.support.errors import DomainError, EqvproofError, GramMismatch, ShapeError


def is_identity(q):
    return (q == np.eye(q.shape[0], dtype=int)).all()


def check(x, y, **options):
    """Everything that a witness promises, multiplied out."""
    w = orthogonal_witness(x, y, **options)
    x, y = (np.array(m, dtype=object).reshape(w.x.shape) for m in (x, y))
    if x.size:
        assert (w.Q.dot(x) == y).all()
        assert (w.reflections.apply(x) == y).all()
    assert is_identity(w.Q.T.dot(w.Q))
    extra = options.get("det") is not None
    assert len(w.reflections) <= w.rank + extra
    if options.get("reflections"):
        assert (w.reflections.matrix == w.Q).all()
    assert w.determinant == options.get("det", w.determinant)
    return w


SIZES = [(d, n) for d in (1, 2, 3, 5, 8, 12) for n in (0, 1, 2, 4, 7, 12)]


@pytest.mark.parametrize(("d", "n"), SIZES)
def test_random_pairs_of_every_rank(d, n):
    for rank in {0, 1, min(d, n) // 2, max(0, min(d, n) - 1), min(d, n)} & set(range(min(d, n) + 1)):
        for pair in gram_pairs(d, n, rank=rank, count=2, seed=rank):
            w = check(*pair)
            assert w.rank == rank
            check(*pair, reflections=True)


def test_unique_at_full_rank():
    for pair in gram_pairs(4, 5, rank=4, count=5):
        assert (orthogonal_witness(*pair).Q == pair.Q).all()


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([[1, 1, 1], [2, 2, 2]], [[2, 2, 2], [1, 1, 1]]),  # repeated columns
        ([[0, 3, 0], [0, 4, 0]], [[0, 5, 0], [0, 0, 0]]),  # zero columns
        ([[1, 2, -3]], [[-1, -2, 3]]),  # d = 1
        ([[1, 2, -3]], [[1, 2, -3]]),
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]]),  # X = Y
        ([[1, 2], [3, 4]], [[-1, -2], [-3, -4]]),  # Y = -X
        (np.zeros((3, 2), dtype=int), np.zeros((3, 2), dtype=int)),
        (np.zeros((3, 0), dtype=int), np.zeros((3, 0), dtype=int)),
        (np.zeros((0, 3), dtype=int), np.zeros((0, 3), dtype=int)),
        ([[10**50, 0], [0, 1]], [[0, 1], [10**50, 0]]),
        ([[F(1, 10**30)]], [[F(-1, 10**30)]]),
    ],
)
def test_degenerate(x, y):
    check(x, y)
    check(x, y, reflections=True)


def test_no_columns_give_the_identity():
    assert is_identity(orthogonal_witness([[], []], [[], []]).Q)


@pytest.mark.parametrize("seed", range(6))
def test_near_misses_name_the_first_pair_and_both_values(seed):
    d, n = random.Random(seed).choice([(1, 1), (2, 4), (3, 3), (4, 6), (6, 3)])
    for pair in gram_pairs(d, n, near=True, count=10, seed=seed):
        with pytest.raises(GramMismatch) as caught:
            orthogonal_witness(*pair)
        i, j = caught.value.pair
        assert (i, j) == pair.entry
        values = (pair.X[:, i].dot(pair.X[:, j]), pair.Y[:, i].dot(pair.Y[:, j]))
        assert caught.value.inner_products == values and values[0] != values[1]
        assert str(values[0]) in str(caught.value) and f"columns {i} and {j}" in str(caught.value)


def test_the_first_pair_among_many_columns():
    x = np.tile(np.array([[1], [2]]), 700)
    y = x.copy()
    y[0, 650] = 3
    with pytest.raises(GramMismatch) as caught:
        orthogonal_witness(x, y)
    assert caught.value.pair == (0, 650)
    x[0, 600], y[0, 600] = 5, 5
    y[1, 650] = 1  # <(1, 2), y> = 5 as before, the length differs, and so does <(5, 2), y>
    with pytest.raises(GramMismatch) as caught:
        orthogonal_witness(x, y)
    assert caught.value.pair == (600, 650)


@pytest.mark.parametrize("det", [1, -1])
def test_determinant_on_request(det):
    for pair in gram_pairs(4, 3, count=10, seed=det):
        check(*pair, det=det)
        check(*pair, det=det, reflections=True)


def test_impossible_determinant_says_why():
    with pytest.raises(DomainError, match="spans R\\^2"):
        orthogonal_witness([[1, 0], [0, 1]], [[0, 1], [1, 0]], det=1)
    with pytest.raises(DomainError, match="neither 1 nor -1"):
        orthogonal_witness([[1]], [[1]], det=0)


@pytest.mark.parametrize("d", [8, 16, 24])
def test_short_entries_below_full_rank(d):
    """A Q that comes from a small skew matrix is found again; Wall's form is several times as long."""
    rng = random.Random(d)
    lower = fmpz_mat(d, d, [rng.randint(-3, 3) if i > j else 0 for i in range(d) for j in range(d)])
    skew = fmpq_mat(lower - lower.transpose())
    one = fmpq_mat(FieldMatrix.identity(d).top)
    hidden = (one - skew) * (one + skew).inv()
    x = fmpq_mat(d, d // 2, [rng.randint(-(2**15), 2**15) for _ in range(d * d // 2)])
    w = orthogonal_witness(x, hidden * x)
    long = orthogonal_witness(x, hidden * x, reflections=True)
    assert 4 * w.bits <= long.bits
    assert len(long.reflections) <= d // 2
    assert (w.reflections.apply(x) == w.Q.dot(to_array(w.x))).all()


def test_reflections_grow_linearly():
    rng = random.Random(5)
    q = random_orthogonal(16, rng)
    x = FieldMatrix.rational(fmpz_mat(16, 16, [rng.randint(-99, 99) for _ in range(256)]))
    w = orthogonal_witness(x.top, fmpq_mat((q @ x).top) / (q @ x).bottom)
    assert w.reflections.bits < 40 * w.bits


def test_algebraic_numbers():
    c, s = sp.sqrt(3) / 2, sp.Rational(1, 2)
    rotation = sp.Matrix([[c, -s], [s, c]])
    x = sp.Matrix([[1, sp.sqrt(2)], [0, 5]])
    w = orthogonal_witness(x, rotation * x)
    assert sp.Matrix(w.Q) == rotation
    assert w.determinant == 1
    w = orthogonal_witness([[sp.sqrt(2) + sp.sqrt(3)], [0]], [[0], [sp.sqrt(5 + 2 * sp.sqrt(6))]])
    assert (w.Q == np.array([[0, 1], [1, 0]])).all()
    c7 = sp.cos(2 * sp.pi / 7)
    assert orthogonal_witness([[c7, 1]], [[-c7, -1]]).Q[0, 0] == -1
    with pytest.raises(GramMismatch) as caught:
        orthogonal_witness([[sp.sqrt(2)]], [[sp.Rational(1414, 1000)]])
    assert caught.value.inner_products[0] == 2


@pytest.mark.parametrize("convert", [np.array, sp.Matrix, fmpz_mat, list])
def test_input_types(convert):
    w = orthogonal_witness(convert([[3, 0], [4, 1]]), convert([[4, 1], [3, 0]]))
    assert w.Q.tolist() == [[0, 1], [1, 0]] and all(isinstance(v, F) for v in w.Q.flat)


def test_apply():
    w = orthogonal_witness([[3], [4]], [[5], [0]])
    assert w.apply([3, 4]).tolist() == [5, 0]
    assert w.apply([[3, 6], [4, 8]]).tolist() == [[5, 10], [0, 0]]
    assert np.allclose(w.apply(np.array([[3.0], [4.0]])), [[5.0], [0.0]])
    assert np.allclose(
        np.array(w.apply([[sp.sqrt(2)], [0]]), dtype=float)[:, 0], [0.6 * 2**0.5, 0.8 * 2**0.5]
    )


@pytest.mark.parametrize(
    ("x", "y", "error"),
    [
        ([[1, 2]], [[1], [2]], ShapeError),
        ([1, 2], [1, 2], ShapeError),
        ([[1, 2], [3]], [[1, 2], [3]], ShapeError),
        ([["1"]], [["1"]], DomainError),
        ([[None]], [[None]], DomainError),
        ([[sp.pi]], [[sp.pi]], DomainError),
        ([[1, 1 + 0j]], [[1, "x"]], DomainError),
        ("x", "x", DomainError),
    ],
)
def test_bad_input(x, y, error):
    with pytest.raises(error) as caught:
        orthogonal_witness(x, y)
    assert isinstance(caught.value, EqvproofError) and caught.value.given
