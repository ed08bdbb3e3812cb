"""Permutation witnesses: exact, within a tolerance, multiplicities, hash collisions, bad input."""

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

from eqvproof.invariants.witnesses import columns
from eqvproof.invariants.witnesses.permutation import permutation_witness
from eqvproof.support.errors import DomainError, MultisetMismatch, ShapeError

DTYPES = [np.float64, np.float32, np.int64, np.int8, np.uint16, object]


@pytest.fixture(params=[2**64, 5], ids=["hash", "collisions"])
def hashes(request, monkeypatch):
    """With all hashes, and with hashes that collide nearly always."""
    whole = columns._hashes
    if request.param != 2**64:
        monkeypatch.setattr(columns, "_hashes", lambda v: whole(v) % np.uint64(request.param))


@pytest.mark.usefixtures("hashes")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("d", "n"), [(1, 1), (2, 30), (3, 200), (0, 4), (4, 0)])
def test_found_and_exact(d, n, dtype):
    rng = np.random.default_rng(n)
    x = rng.integers(0, 4, (d, n)).astype(dtype)
    y = x[:, rng.permutation(n)]
    w = permutation_witness(x, y)
    assert w.is_exact and sorted(w.permutation) == list(range(n))
    assert (x[:, w.permutation] == y).all() and (w.apply(x) == y).all()
    if n < 50:
        assert (x.astype(float) @ w.P == y.astype(float)).all()


@pytest.mark.usefixtures("hashes")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("dtype", [np.float64, np.int64, object])
def test_a_changed_entry_is_named_with_its_multiplicities(seed, dtype):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    x = rng.integers(0, 3, (2, n)).astype(dtype)
    y = x[:, rng.permutation(n)]
    y[rng.integers(2), rng.integers(n)] += 1
    with pytest.raises(MultisetMismatch) as caught:
        permutation_witness(x, y)
    counts = [Counter(tuple(map(float, c)) for c in m.T.tolist()) for m in (x, y)]
    key = tuple(map(float, caught.value.column))
    assert caught.value.multiplicities == (counts[0][key], counts[1][key])
    assert counts[0][key] != counts[1][key]
    often = {1: "once", 2: "twice"}.get(counts[0][key], f"{counts[0][key]} times")
    assert f"occurs {often} in X" in str(caught.value)


def test_the_identity_for_equal_matrices():
    x = np.array([[1, 1, 2], [0, 0, 0]])
    assert permutation_witness(x, x.copy()).permutation.tolist() == [0, 1, 2]
    assert permutation_witness(x.tolist(), x.tolist()).permutation.tolist() == [0, 1, 2]


def test_exact_number_types():
    assert permutation_witness([[1, F(1, 2)]], [[sp.Rational(1, 2), 1]]).permutation.tolist() == [1, 0]
    assert permutation_witness([[sp.sqrt(2), 1]], [[1, sp.sqrt(2)]]).permutation.tolist() == [1, 0]
    assert permutation_witness([[sp.sqrt(2) * sp.sqrt(3)]], [[sp.sqrt(6)]]).permutation.tolist() == [0]


def test_negative_zero_is_zero():
    assert permutation_witness(np.array([[0.0, 1.0]]), np.array([[1.0, -0.0]])).permutation.tolist() == [1, 0]


def test_integers_and_floats_are_compared_as_numbers():
    assert permutation_witness(np.array([[2, 1]]), np.array([[1.0, 2.0]])).permutation.tolist() == [1, 0]
    with pytest.raises(MultisetMismatch):
        permutation_witness(np.array([[2**53 + 1]]), np.array([[2.0**53]]))
    with pytest.raises(MultisetMismatch):
        permutation_witness([[0.1]], [[F(1, 10)]])


def test_complex_columns():
    x = np.array([[1 + 2j, 3.0], [0, 1j]])
    assert permutation_witness(x, x[:, ::-1]).permutation.tolist() == [1, 0]
    with pytest.raises(MultisetMismatch):
        permutation_witness(x, x.conj())


@pytest.mark.parametrize("n", [0, 1, 7, 150])
@pytest.mark.parametrize("tol", [0.02, 0.4, 10.0])
def test_within_a_tolerance(n, tol):
    rng = np.random.default_rng(n)
    x = rng.standard_normal((2, n))
    y = x[:, rng.permutation(n)] + rng.uniform(-0.01, 0.01, (2, n))
    w = permutation_witness(x, y, tol=tol)
    assert not w.is_exact and sorted(w.permutation) == list(range(n))
    assert (np.linalg.norm(x[:, w.permutation] - y, axis=0) <= tol).all()


def test_overlapping_neighbourhoods_need_a_matching():
    """Nearest neighbours do not work here: 0.9 is nearest to 1, which 1.4 needs."""
    w = permutation_witness([[0.0, 1.0]], [[0.9, 1.4]], tol=1.0)
    assert w.permutation.tolist() == [0, 1]


def test_distances_at_the_tolerance_are_compared_exactly():
    assert permutation_witness([[0.0, 1.0, 2.0]], [[0.5, 1.5, 2.5]], tol=0.5).permutation.tolist() == [
        0,
        1,
        2,
    ]
    with pytest.raises(MultisetMismatch):
        permutation_witness([[0.0]], [[0.5]], tol=np.nextafter(0.5, 0))


def test_hall_violators_are_named():
    with pytest.raises(MultisetMismatch) as caught:
        permutation_witness([[0.0, 1.0, 5.0]], [[0.0, 0.1, 5.0]], tol=0.5)
    assert caught.value.multiplicities == (1, 2)
    assert "2 columns of Y" in str(caught.value)


@pytest.mark.parametrize(
    ("x", "y", "options", "error"),
    [
        ([[1, 2]], [[1]], {}, ShapeError),
        ([1], [1], {}, ShapeError),
        (np.array([[np.nan]]), np.array([[1.0]]), {}, DomainError),
        (np.array([[np.inf]]), np.array([[np.inf]]), {}, DomainError),
        ([["a"]], [["a"]], {}, DomainError),
        ([[1.0]], [[1.0]], {"tol": -1}, DomainError),
        ([[1.0]], [[1.0]], {"tol": float("nan")}, DomainError),
        ([[1.0]], [[1.0]], {"tol": "0"}, DomainError),
    ],
)
def test_bad_input(x, y, options, error):
    with pytest.raises(error):
        permutation_witness(x, y, **options)
