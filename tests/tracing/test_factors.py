"""Products of triangular factors are functions of their matrix: regressions, densities, distances."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.evaluate.library_functions import library_functions
from eqvproof.tracing.arrays.symmetric import exchanged
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

REGRESSION = "X: n d, y: n, Z: m d -> m"


def kernel(a, b):
    return np.exp(-0.5 * ((a[:, None] - b[None]) ** 2).sum(-1))


def covariance(X):
    return kernel(X, X) + 0.01 * np.eye(len(X))


def by_factor(X, y, Z):
    return kernel(Z, X) @ scipy.linalg.cho_solve(scipy.linalg.cho_factor(covariance(X)), y)


def by_lower_factor(X, y, Z):
    return kernel(Z, X) @ scipy.linalg.cho_solve(scipy.linalg.cho_factor(covariance(X), lower=True), y)


def by_triangles(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    w = scipy.linalg.solve_triangular(L, y, lower=True)
    return kernel(Z, X) @ scipy.linalg.solve_triangular(L.T, w)


def by_systems(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return kernel(Z, X) @ np.linalg.solve(L.T, np.linalg.solve(L, y))


def by_upper(X, y, Z):
    U = scipy.linalg.cholesky(covariance(X))
    return kernel(Z, X) @ np.linalg.solve(U, np.linalg.solve(U.T, y))


def variance(X, Z):
    v = scipy.linalg.solve_triangular(np.linalg.cholesky(covariance(X)), kernel(X, Z), lower=True)
    return 1 - (v**2).sum(0)


def likelihood(X, y):
    L = np.linalg.cholesky(covariance(X))
    a = scipy.linalg.cho_solve((L, True), y)
    return -0.5 * y @ a - np.log(np.diag(L)).sum() - len(y) / 2 * np.log(2 * np.pi)


def density(x, m, A):
    L = torch.linalg.cholesky(A @ A.T + torch.eye(A.shape[0]))
    z = torch.linalg.solve_triangular(L, (x - m)[:, None], upper=False)[:, 0]
    return -0.5 * (z**2).sum() - L.diagonal().log().sum()


def torch_mean(X, y, Z):
    L = torch.linalg.cholesky(torch.exp(-0.5 * torch.cdist(X, X) ** 2) + 0.01 * torch.eye(X.shape[0]))
    return torch.exp(-torch.cdist(Z, X)) @ torch.cholesky_solve(y[:, None], L)[:, 0]


@pytest.mark.parametrize(
    "function", [by_factor, by_lower_factor, by_triangles, by_systems, by_upper], ids=lambda f: f.__name__
)
def test_regressions(function):
    assert_proved(function, REGRESSION, "S(n) x E(d)")


def test_variances_likelihoods_and_densities():
    assert_proved(variance, "X: n d, Z: m d -> m", "S(n)")
    assert_proved(likelihood, "X: n d, y: n -> ()", "S(n)")
    assert_proved(density, "x: d, m: d, A: d d -> ()", "O(d)", backend="torch")
    assert_proved(torch_mean, REGRESSION, "S(n)", backend="torch")


def systems_exchanged(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return kernel(Z, X) @ np.linalg.solve(L, np.linalg.solve(L.T, y))


def one_twice(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return kernel(Z, X) @ np.linalg.solve(L, np.linalg.solve(L, y))


def other_triangle(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return kernel(Z, X) @ scipy.linalg.solve_triangular(L.T, scipy.linalg.solve_triangular(L, y))


def lower_half_alone(X, y, Z):
    """Of a matrix that is not symmetric: what stands below the diagonal depends on the order."""
    K = np.exp(-0.1 * (X[:, None] - X[None]).sum(-1)) + len(X) ** 2 * np.eye(len(X))
    return kernel(Z, X) @ scipy.linalg.cho_solve(scipy.linalg.cho_factor(K, lower=True), y)


def weighted(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return (np.log(np.diag(L)) * y).sum() + kernel(Z, X).sum(1)


def moduli(X, y, Z):
    L = np.linalg.cholesky(covariance(X))
    return np.abs(np.linalg.solve(L, y)).sum() + kernel(Z, X).sum(1)


def rows_of_the_factor(X, y, Z):
    W = np.linalg.inv(np.linalg.cholesky(covariance(X)))
    return kernel(Z, X) @ (W @ W.T @ y)


@pytest.mark.parametrize(
    "function",
    [systems_exchanged, one_twice, other_triangle, lower_half_alone, weighted, moduli, rows_of_the_factor],
    ids=lambda f: f.__name__,
)
def test_what_depends_on_the_order_is_not_proved(function):
    verdict = ep.check(function, REGRESSION, "S(n)", budget=10)
    assert verdict.fails, str(verdict)


@pytest.mark.parametrize("function", [by_factor, by_triangles, by_upper])
def test_the_program_is_the_regression(function):
    program = trace_all_sizes(function, parse_signature(REGRESSION)).program
    assert not library_functions(program)
    rng, sizes = np.random.default_rng(0), {"n": 4, "d": 2, "m": 3}
    X, y, Z = rng.standard_normal((4, 2)), rng.standard_normal(4), rng.standard_normal((3, 2))
    found = evaluate_float(program, {"X": X, "y": y, "Z": Z}, sizes)
    assert np.allclose(found, kernel(Z, X) @ np.linalg.inv(covariance(X)) @ y, rtol=1e-10)


def test_what_exchanging_axes_does():
    b = Builder()
    x, w = b.input("x", ["n", "d"]), b.input("w", ["n", "n", "d"])
    rows, columns = (b.broadcast_to(b.expand(x, k), ["n", "n", "d"]) for k in (1, 0))
    gap = b.sub(rows, columns)
    assert exchanged(b, gap, 0, 1) == -1
    assert exchanged(b, b.map("sin", [gap]), 0, 1) == -1
    assert exchanged(b, b.map("cos", [gap]), 0, 1) == 1
    assert exchanged(b, b.map("exp", [gap]), 0, 1) == 0
    assert exchanged(b, b.mul(gap, gap), 0, 1) == 1
    assert exchanged(b, b.mul(b.mul(gap, gap), gap), 0, 1) == -1
    assert exchanged(b, b.sum(gap, [2]), 0, 1) == -1
    assert exchanged(b, b.mul(gap, w), 0, 1) == 0
    assert exchanged(b, b.add([gap, b.mul(gap, gap)]), 0, 1) == 0
    assert exchanged(b, b.add([rows, columns]), 0, 1) == 1
    # axes beside the exchanged ones keep their places
    y = b.input("y", ["n", "k"])
    apart = b.einsum([y, y, y, y], [[0, 2], [1, 3], [0, 3], [1, 2]], [0, 1, 2, 3])
    assert exchanged(b, apart, 0, 1) == 1
    bound = b.einsum([y, y], [[0, 2], [1, 3]], [0, 1, 2, 3])
    assert exchanged(b, bound, 0, 1) == 0
