"""Gram matrices and their comparison: exact, to rounding, by projection; on every kind of array."""

import random
import sys
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

from eqvproof.invariants import projection
from eqvproof.invariants.gram import gram, gram_equal, gram_match
from eqvproof.invariants.pairs import gram_pairs
from eqvproof.invariants.witnesses.input_matrices import read_matrices
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import DomainError, ShapeError


def test_gram():
    assert gram([[1, 2], [3, 4]]).tolist() == [[10, 14], [14, 20]]
    assert gram(np.array([[1, 2], [3, 4]])).dtype == np.int64
    assert gram(np.array([[2**40, 1]])).tolist() == [[2**80, 2**40], [2**40, 1]]
    assert gram(np.array([[-128, 127]], dtype=np.int8)).tolist() == [[2**14, -16256], [-16256, 16129]]
    assert gram([[F(1, 2)]])[0, 0] == F(1, 4)
    assert gram([[sp.sqrt(2)]])[0, 0] == 2
    assert gram(np.array([[1j, 2.0]])).tolist() == [[1, -2j], [2j, 4]]
    assert gram(np.zeros((3, 0))).shape == (0, 0)
    with pytest.raises(DomainError):
        gram([[np.nan]])


@pytest.mark.parametrize("seed", range(10))
def test_exact_comparison_agrees_with_multiplying_out(seed):
    rng = random.Random(seed)
    d, n = rng.randint(1, 5), rng.randint(1, 7)
    for pair in gram_pairs(d, n, count=3, seed=seed):
        assert gram_match(*pair) and gram_match(*pair).method == "exact"
        assert gram_match(*pair).error_probability == 0
    for pair in gram_pairs(d, n, count=3, seed=seed, near=True):
        found = gram_match(*pair)
        assert not found and found.pair == pair.entry
        report = check_certificate(found.certificate)
        assert report.accepted, report.reason


def test_every_small_matrix():
    """The O(n d r) criterion against the definition, over all small integer matrices, deficient ones too."""
    rng = random.Random(0)
    matrices = [[[rng.randint(-1, 1) for _ in range(3)] for _ in range(2)] for _ in range(60)]
    grams = [gram(m).tolist() for m in matrices]
    for i, a in enumerate(matrices):
        for j, b in enumerate(matrices):
            x, y = read_matrices(X=a, Y=b)
            assert gram_equal(x, y) == (grams[i] == grams[j])


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint16, np.int64, np.uint64])
@pytest.mark.parametrize("bits", [6, 20, 30, 60])
def test_projection_of_integers(dtype, bits):
    rng = np.random.default_rng(bits)
    top = min(2**bits, np.iinfo(dtype).max)
    x = rng.integers(0, top, (5, 90), dtype=dtype, endpoint=True)
    y = x[rng.permutation(5)]
    found = gram_match(x, y, method="projection", error=2.0**-80)
    assert found and 0 < found.error_probability <= 2.0**-80 and found.method == "projection"
    y = y.copy()
    y[2, 70] ^= dtype(1)
    found = gram_match(x, y, method="projection")
    assert not found and found.error_probability == 0
    i, j = found.pair
    exact = [[int(a) * int(b) for a, b in zip(m[:, i], m[:, j], strict=True)] for m in (x, y)]
    assert found.inner_products == tuple(map(sum, exact)) and sum(exact[0]) != sum(exact[1])
    report = check_certificate(found.certificate)
    assert report.accepted, report.reason


def test_projection_works_by_chunks(monkeypatch):
    monkeypatch.setattr(projection, "CHUNK", 7)
    rng = np.random.default_rng(1)
    x = rng.integers(-50, 50, (11, 40))
    assert gram_match(x, x[::-1], method="projection")
    y = x[::-1].copy()
    y[0, 39] += 1
    assert gram_match(x, y, method="projection").pair == gram_match(x, y, method="exact").pair


def test_large_integers_without_a_gram_matrix():
    rng = np.random.default_rng(2)
    x = rng.integers(-100, 100, (11, 200_000))
    y = x[rng.permutation(11)]
    found = gram_match(x, y)
    assert found and found.method == "projection" and found.error_probability < 2.0**-60
    y[3, 150_000] += 1
    assert gram_match(x, y).pair[1] == 150_000


def test_floats():
    rng = np.random.default_rng(3)
    q = np.linalg.qr(rng.standard_normal((6, 6)))[0]
    for n, method in ((50, "rounding"), (5000, "projection")):
        x = rng.standard_normal((6, n)) * np.exp(rng.uniform(-3, 3, n))
        found = gram_match(x, q @ x)
        assert found and found.method == method
        y = q @ x
        y[:, n // 2] *= 1 + 1e-6
        found = gram_match(x, y)
        assert not found
        left, right = found.inner_products
        assert abs(left - right) > 0
        assert check_certificate(found.certificate).accepted
    assert gram_match(x[:, :9], q @ x[:, :9], method="exact").equal is False  # as rationals they do differ
    assert gram_match(x, q @ x + 1e-3, tol=1.0)


def test_the_bound_on_the_difference_holds():
    rng = np.random.default_rng(4)
    misses = 0
    for seed in range(50):
        x = rng.standard_normal((4, 60))
        y = x + 1e-9 * rng.standard_normal((4, 60))
        found = gram_match(x, y, method="projection", tol=1e-3, seed=seed)
        misses += np.linalg.norm(x.T @ x - y.T @ y) > found.difference_bound
    assert misses == 0


def test_complex_floats():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((3, 5)) + 1j * rng.standard_normal((3, 5))
    assert gram_match(x, 1j * x)
    assert not gram_match(x, x.conj())
    wide = np.tile(x, 500)
    assert gram_match(wide, 1j * wide).method == "projection"
    assert not gram_match(wide, wide.conj())


def test_equal_seeds_equal_answers():
    x = np.random.default_rng(6).standard_normal((4, 3000))
    assert gram_match(x, -x, seed=5).difference_bound == gram_match(x, -x, seed=5).difference_bound


def test_dask():
    dask_array = pytest.importorskip("dask.array")
    rng = np.random.default_rng(7)
    for x in (rng.integers(-9, 9, (4, 3000)), rng.standard_normal((4, 3000))):
        lazy = dask_array.from_array(x, chunks=(4, 500))
        assert gram_match(lazy, lazy[::-1]).method == "projection"
        assert not gram_match(lazy, lazy * 2)
        assert np.allclose(gram(lazy[:, :5]).compute(), x[:, :5].T @ x[:, :5])


@pytest.mark.gpu
def test_cupy():
    import cupy

    rng = np.random.default_rng(8)
    for x in (rng.integers(-9, 9, (4, 3000)), rng.standard_normal((4, 3000))):
        device = cupy.asarray(x)
        assert gram_match(device, device[::-1]).method == "projection"
        assert not gram_match(device, device * 2)
        assert np.allclose(gram(device[:, :5]).get(), x[:, :5].T @ x[:, :5])


def test_no_array_library_is_imported_for_numpy():
    gram_match(np.eye(2), np.eye(2))
    assert "cupy" not in sys.modules


@pytest.mark.parametrize(
    ("x", "y", "options", "error"),
    [
        (np.eye(2), np.eye(3), {}, ShapeError),
        ([[1]], [[1, 2]], {}, ShapeError),
        (np.zeros(3), np.zeros(3), {}, ShapeError),
        ([[np.nan]], [[1.0]], {}, DomainError),
        (np.full((2, 3000), np.nan), np.zeros((2, 3000)), {}, DomainError),
        (np.full((2, 3000), np.inf), np.full((2, 3000), np.inf), {}, DomainError),
        ([["a"]], [["a"]], {}, DomainError),
        ([[1]], [[1]], {"method": "fast"}, DomainError),
        ([[1]], [[1]], {"error": 0}, DomainError),
    ],
)
def test_bad_input(x, y, options, error):
    with pytest.raises(error):
        gram_match(x, y, **options)
