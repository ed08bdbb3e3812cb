"""Float witnesses: every condition number and rank; rigorous bounds; mismatches; unitary ones."""

from fractions import Fraction as F

import numpy as np
import pytest

from eqvproof.invariants.witnesses.gram_bound import procrustes_bound
from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.support.errors import DomainError, GramMismatch


def orthogonal(rng, d, complex_=False):
    a = rng.standard_normal((d, d)) + (1j * rng.standard_normal((d, d)) if complex_ else 0)
    return np.linalg.qr(a)[0]


def with_spectrum(rng, d, n, s, complex_=False):
    k = min(d, n)
    return orthogonal(rng, d, complex_)[:, :k] * s[:k] @ orthogonal(rng, n, complex_)[:k]


def check(x, y, bound=1e-14):
    w = orthogonal_witness(x, y)
    d = x.shape[0]
    size = np.linalg.norm(y)
    assert np.linalg.norm(w.Q @ x - y) <= bound * np.sqrt(d) * size
    assert np.linalg.norm(w.Q.conj().T @ w.Q - np.eye(d)) <= bound * np.sqrt(d) * np.sqrt(d)
    return w


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("condition", [1e0, 1e4, 1e8, 1e12, 1e16])
@pytest.mark.parametrize(("d", "n"), [(1, 1), (2, 5), (10, 10), (10, 3), (40, 40), (3, 60)])
def test_residual_and_orthogonality(d, n, condition, complex_):
    rng = np.random.default_rng(d + n)
    s = np.logspace(0, -np.log10(condition), max(d, n))
    x = with_spectrum(rng, d, n, s, complex_)
    w = check(x, orthogonal(rng, d, complex_) @ x)
    assert not w.is_exact
    assert len(w.reflections) <= d
    assert np.linalg.norm(w.reflections.matrix - w.Q) < 1e-13 * d
    assert abs(w.determinant - np.linalg.det(w.Q)) < 1e-12 * d


@pytest.mark.parametrize("rank", [0, 1, 4, 9])
def test_rank_deficient(rank):
    rng = np.random.default_rng(rank)
    x = rng.standard_normal((10, rank)) @ rng.standard_normal((rank, 14))
    x = np.concatenate([x, x[:, :2], np.zeros((10, 2))], axis=1)
    w = check(x, orthogonal(rng, 10) @ x)
    assert w.rank == rank


def test_short_columns_count_as_much_as_long_ones():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((5, 5)) * np.array([1e150, 1.0, 1e-10, 1e-200, 1e-300])
    q = orthogonal(rng, 5)
    w = orthogonal_witness(x, q @ x)
    residual = np.abs(w.Q @ x - q @ x).max(axis=0) / np.abs(x).max(axis=0)
    assert residual.max() < 1e-13
    y = q @ x
    y[:, 2] *= 1 + 1e-9
    with pytest.raises(GramMismatch) as caught:
        orthogonal_witness(x, y)
    assert caught.value.pair in {(2, 2), (0, 2), (1, 2)}


def test_subnormal_and_huge_columns():
    x = np.array([[5e-324, 1e308, 0.0], [1e-310, -1e308, 0.0]])
    assert orthogonal_witness(x, x[::-1]).residual <= 1e293
    for column in (0, 1):
        y = x[::-1].copy()
        y[:, column] *= 0.5 if column else 3
        with pytest.raises(GramMismatch) as caught:
            orthogonal_witness(x, y)
        assert column in caught.value.pair
    with pytest.raises(GramMismatch):
        orthogonal_witness(np.array([[5e-324]]), np.array([[1e300]]))


def exact_residual(w, x, y):
    """|Q X - Y|_F^2 and |Q^T Q - I|_F^2 of the floats, exactly."""
    q, x, y = (np.vectorize(F, otypes=[object])(m) for m in (w.Q, x, y))
    defect = q.T.dot(q) - np.eye(q.shape[0], dtype=int)
    return sum((q.dot(x) - y).ravel() ** 2), sum(defect.ravel() ** 2)


def test_bounds_are_rigorous():
    rng = np.random.default_rng(7)
    for _ in range(60):
        d, n = rng.integers(1, 7, 2)
        x = rng.standard_normal((d, n)) * np.exp(rng.uniform(-20, 20, n))
        y = orthogonal(rng, d) @ x
        w = orthogonal_witness(x, y)
        residual, defect = exact_residual(w, x, y)
        assert residual <= F(w.bound) ** 2
        assert defect <= F(w.orthogonality_bound) ** 2
        assert w.bound <= 1e-12 * d * np.linalg.norm(x)


def test_the_gram_bound_holds_for_the_best_rotation():
    rng = np.random.default_rng(8)
    for _ in range(300):
        d, n = rng.integers(1, 6, 2)
        x = rng.standard_normal((d, n))
        y = orthogonal(rng, d) @ x + 10.0 ** rng.uniform(-8, 0) * rng.standard_normal((d, n))
        u, _, v = np.linalg.svd(y @ x.T)
        assert np.linalg.norm(u @ v @ x - y) <= procrustes_bound(x, y)
    assert procrustes_bound(np.zeros((2, 2)), np.zeros((2, 2))) == 0.0
    assert procrustes_bound(np.zeros((2, 0)), np.zeros((2, 0))) == 0.0


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-10])
def test_near_misses_are_told_apart(size):
    rng = np.random.default_rng(9)
    for _ in range(30):
        d, n = rng.integers(1, 8, 2)
        x = rng.standard_normal((d, n))
        y = orthogonal(rng, d) @ x
        y[:, rng.integers(n)] *= 1 + size
        with pytest.raises(GramMismatch) as caught:
            orthogonal_witness(x, y)
        i, j = caught.value.pair
        left, right = caught.value.inner_products
        assert left == sum(F(a) * F(b) for a, b in zip(x[:, i], x[:, j], strict=True))
        assert right == sum(F(a) * F(b) for a, b in zip(y[:, i], y[:, j], strict=True))


def test_a_difference_that_no_single_inner_product_shows():
    """Gram matrices agree to 1e-18, X and Y differ by 1e-9: more than rounding explains."""
    x, y = np.array([[1.0, 1.0], [0.0, 1e-9]]), np.array([[1.0, 1.0], [0.0, 0.0]])
    with pytest.raises(GramMismatch) as caught:
        orthogonal_witness(x, y)
    assert caught.value.inner_products[0] != caught.value.inner_products[1]
    assert orthogonal_witness(x, y, tol=1e-6).residual <= 2e-9


def test_single_precision_is_judged_by_its_own_rounding():
    rng = np.random.default_rng(10)
    x = rng.standard_normal((6, 6)).astype(np.float32)
    y = (orthogonal(rng, 6) @ x).astype(np.float32)
    assert orthogonal_witness(x, y).residual < 1e-5
    with pytest.raises(GramMismatch):
        orthogonal_witness(x.astype(np.float64), y.astype(np.float64))


def test_determinant_on_request():
    rng = np.random.default_rng(11)
    x = rng.standard_normal((4, 3))
    for det in (1, -1):
        w = orthogonal_witness(x, orthogonal(rng, 4) @ x, det=det)
        assert w.determinant == det and np.isclose(np.linalg.det(w.Q), det)
    full = rng.standard_normal((3, 3))
    turned = np.diag([1.0, 1.0, -1.0]) @ full
    with pytest.raises(DomainError, match="spans the whole space"):
        orthogonal_witness(full, turned, det=1)


def test_exact_and_float_mixed():
    w = orthogonal_witness([[3], [4]], [[5.0], [0.0]])
    assert not w.is_exact and np.allclose(w.Q @ [3, 4], [5, 0])


def test_empty():
    assert (orthogonal_witness(np.zeros((3, 0)), np.zeros((3, 0))).Q == np.eye(3)).all()
    assert orthogonal_witness(np.zeros((2, 3)), np.zeros((2, 3))).bound == 0.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_not_finite(bad):
    x = np.eye(2)
    y = x.copy()
    y[0, 1] = bad
    for pair in ((x, y), (y, x)):
        with pytest.raises(DomainError, match="not finite"):
            orthogonal_witness(*pair)


def test_a_complex_mismatch():
    x = np.array([[1 + 1j, 2.0]])
    with pytest.raises(GramMismatch):
        orthogonal_witness(x, np.array([[1 + 1j, 2.0 + 1e-6]]))
