"""`X g~(Z^T X)`: equal to the dense formula and to the Program, at the cost that is stated."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import PairForm
from eqvproof.deepsets.pair_forms import (
    attention,
    evaluate,
    gaussian_kernel,
    linear_attention,
    mean_field,
    rational_kernel,
)
from eqvproof.deepsets.pair_forms.compiled import run
from eqvproof.numbers.arrays import exact_array, to_fractions
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.support.errors import BackendError, DomainError, ShapeError, TraceError
from tests.deepsets.dense import dense

#: rho_1 = rho_2 = s unless said otherwise: nothing is left out by luck
LEAVE_OUT = PairForm(
    lambda y, s: s + y[0],
    lambda x, y: x @ y,
    lambda y, z, s: s * (y @ z) + y[0],
    lambda x, y, z: (x @ y) ** 2 + x[0] * z[1] + 3,
)
SECOND = PairForm(1, 0, lambda y, z, s: s / 7, lambda x, y, z: 1 / (1 + (x - z) @ (x - z)))
TRIPLE = PairForm(0, 0, lambda y, z, s: s, lambda x, y, z: 1 / (1 + (x @ y) ** 2 + (x @ z) ** 2))
VECTOR = PairForm(
    lambda y, s: s[0] * s[1],
    lambda x, y: np.array([x[0], x @ x]),
    lambda y, z, s: s[0] + y[0] * s[1] / (1 + s[2] ** 2),
    lambda x, y, z: np.array([x[0], y @ x, z[0] * x[1]]),
)
NUMPY = PairForm(
    1, 0, lambda y, z, s: np.exp(-s) * np.sqrt(1 + y[0] ** 2), lambda x, y, z: np.tanh(x @ y) ** 2
)
PIECES = PairForm(
    lambda y, s: s + 1,
    lambda x, y: sp.Piecewise((x @ y, x[0] < y[1]), (2, True)),
    lambda y, z, s: sp.Piecewise((y @ z + s, (y - z) @ (y - z) < 3 + s**2), (s, True)),
    lambda x, y, z: sp.Piecewise((x @ y, x[0] < y[1]), (2, True)),
)
RATIONAL = {
    "rational": rational_kernel(),
    "linear": linear_attention(),
    "mean field": mean_field(),
    "leave out": LEAVE_OUT,
    "second": SECOND,
    "triple": TRIPLE,
    "vector": VECTOR,
    "pieces": PIECES,
}
FORMS = {
    **RATIONAL,
    "attention": attention(),
    "attention by columns": attention(columns=True),
    "gaussian": gaussian_kernel(),
    "numpy": NUMPY,
    "pieces": PIECES,
}


def by_hand(form: PairForm, X, Z) -> np.ndarray:
    """Prop. 4.1 with three loops, in plain numbers."""
    e = form.plan(Z.shape[1]).e
    n, Y = X.shape[1], (Z.T @ X).T
    functions = [sp.lambdify((e.x, e.y, e.z), list(p), "math") for p in (e.psi1, e.psi2)]
    rho1, rho2 = sp.lambdify((e.y, e.s1), e.rho1, "math"), sp.lambdify((e.y, e.z, e.s), e.rho2, "math")
    g = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            others = [k for k in range(n) if k not in (i, j)]
            terms = [functions[i != j](Y[k], Y[i], Y[j]) for k in others]
            sums = (
                [math.fsum(column) for column in zip(*terms, strict=True)]
                if terms
                else [0.0] * len(e.s if i != j else e.s1)
            )
            g[i, j] = rho1(Y[i], sums) if i == j else rho2(Y[i], Y[j], sums)
    return X @ g


def points(n=50, d=5, k=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(d, n)), rng.normal(size=(d, k))


@pytest.mark.parametrize("name", FORMS)
def test_equal_to_the_formula_as_it_stands(name, monkeypatch):
    form, (X, Z) = FORMS[name], points()
    formula = dense(form, X, Z)
    scale = np.abs(formula).max()
    for tile in (512, 7):
        monkeypatch.setattr(evaluate, "TILE", tile)
        assert np.abs(form(X, Z) - formula).max() <= 1e-12 * scale
    np.testing.assert_allclose(X @ form.coefficients(X, Z), formula, rtol=0, atol=1e-12 * scale)
    small = X[:, :8]
    np.testing.assert_allclose(form(small, Z), by_hand(form, small, Z), rtol=1e-11, atol=1e-11 * scale)


@pytest.mark.parametrize("name", RATIONAL)
def test_equal_to_its_program_over_the_rationals(name):
    form, rng = RATIONAL[name], np.random.default_rng(0)
    X, Z = (np.vectorize(Fraction)(rng.integers(-5, 6, s), rng.integers(1, 4, s)) for s in ((3, 5), (3, 2)))
    program = form.program(2)
    exact = evaluate_exact(program, {"X": exact_array(X), "Z": exact_array(Z)}, {"d": 3, "n": 5})
    assert (to_fractions(exact) == form(X, Z)).all()


@pytest.mark.parametrize("name", FORMS)
def test_permuting_the_columns_permutes_the_result(name):
    form, (X, Z) = FORMS[name], points(seed=1)
    p = np.random.default_rng(0).permutation(50)
    a, b = form(X[:, p], Z), form(X, Z)[:, p]
    np.testing.assert_allclose(a, b, atol=1e-11 * np.abs(b).max())


#: psi_2(x_k, y_i, z_j) -> the exponent of the work, with rho_2 = s unless it depends on the sum
COSTS = [
    (1, lambda x, y, z: 0 * x[0], lambda y, z, s: 1),
    (1, lambda x, y, z: x @ x, lambda y, z, s: s + y @ y + z @ z),
    (1, lambda x, y, z: x @ y, lambda y, z, s: s + y @ y + z @ y),
    (1, lambda x, y, z: (x @ y) ** 2, lambda y, z, s: (s + (y @ y) ** 2 + (z @ y) ** 2) * z[0]),
    (1, lambda x, y, z: sp.exp(x[0]), lambda y, z, s: (y @ z) / (s + sp.exp(y[0]) + sp.exp(z[0]))),
    (1, lambda x, y, z: sp.cos(x[0] - y[0]), lambda y, z, s: s + 1 + sp.cos(z[0] - y[0])),
    (2, lambda x, y, z: x @ x, lambda y, z, s: s),
    (2, lambda x, y, z: y @ z, lambda y, z, s: s),
    (2, lambda x, y, z: (x @ y) * (x @ z), lambda y, z, s: s),
    (2, lambda x, y, z: (x @ y + x @ z) ** 2, lambda y, z, s: s),
    (2, lambda x, y, z: sp.exp(x @ y), lambda y, z, s: s),
    (2, lambda x, y, z: sp.exp(x @ z), lambda y, z, s: s),
    (2, lambda x, y, z: sp.exp(x @ y + y @ z), lambda y, z, s: s),
    (2, lambda x, y, z: sp.exp(x[0] + y[0] + z[0]), lambda y, z, s: sp.tanh(s)),
    (2, lambda x, y, z: x[0] / (1 + y @ z), lambda y, z, s: s),
    (2, lambda x, y, z: 1 / (1 + (x - y) @ (x - y)) + sp.exp(x @ z), lambda y, z, s: s),
    (2, lambda x, y, z: x @ y, lambda y, z, s: sp.exp(s + y @ y + z @ y - y @ z)),
    (3, lambda x, y, z: sp.exp(x @ y + x @ z), lambda y, z, s: s),
    (3, lambda x, y, z: 1 / (1 + (x @ y) ** 2 + (x @ z) ** 2), lambda y, z, s: s),
    (3, lambda x, y, z: sp.tanh(x[0] + y[0] + z[0]), lambda y, z, s: s),
    (3, lambda x, y, z: sp.Max(x @ y, x @ z), lambda y, z, s: s),
]


@pytest.mark.parametrize("index", range(len(COSTS)))
def test_the_exponent_stated_is_the_one_measured(index):
    stated, psi2, rho2 = COSTS[index]
    psi1 = lambda x, y: psi2(x, y, y)  # noqa: E731
    form = PairForm(lambda y, s: rho2(y, y, s - psi2(y, y, y)), psi1, rho2, psi2)
    assert form.cost.exponent == stated
    counts = []
    for n in (32, 128):
        X, _ = points(n, 2)
        result, count = form.evaluate_and_count(X)
        formula = dense(form, X)
        np.testing.assert_allclose(result, formula, rtol=0, atol=1e-11 * np.abs(formula).max())
        counts.append(count)
    assert abs(math.log(counts[1] / counts[0], 4) - stated) < 0.2


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("scale", [1e4, 1e9])
def test_a_large_point_does_not_drown_the_others(dtype, scale):
    """Subtracting the terms k = i, j from the whole sum would lose most of the digits of its rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2, 40)).astype(dtype)
    X[:, 7] *= dtype_scale(dtype, scale)
    form = PairForm(
        lambda y, s: s, lambda x, y: x @ x, lambda y, z, s: s, lambda x, y, z: (x @ x) * y[0] + x @ x
    )
    g, Y = form.coefficients(X), X.astype(np.float64).T
    squares = (Y**2).sum(axis=1)
    for i in range(40):
        for j in range(40):
            left = math.fsum(squares[k] for k in range(40) if k not in (i, j))
            wanted = left if i == j else left * (Y[i, 0] + 1)
            tolerance = (1e-12 if dtype == "float64" else 2e-5) * left * (1 + abs(Y[i, 0]))
            assert abs(float(g[i, j]) - wanted) <= tolerance


def dtype_scale(dtype, scale):
    return np.dtype(dtype).type(scale)


def test_large_scores_do_not_overflow():
    X, Z = points(30)
    for form in (attention(), attention(columns=True)):
        result = form(30 * X, 30 * Z)
        assert np.isfinite(result).all()
    scores = (30 * Z).T @ (30 * X)
    s = scores[:2].T @ scores[2:]  # s_ij = q_i . k_j
    weights = np.exp(s.T - s.T.max(axis=0))
    wanted = 30 * X @ (weights / weights.sum(axis=0))
    np.testing.assert_allclose(
        attention(columns=True)(30 * X, 30 * Z), wanted, atol=1e-11 * np.abs(wanted).max()
    )


@pytest.mark.parametrize("name", ["attention", "linear", "gaussian", "leave out"])
def test_float32_stays_float32(name):
    X, Z = points(60)
    X, Z = X.astype(np.float32), Z.astype(np.float32)
    found = FORMS[name](X, Z)
    assert found.dtype == np.float32
    wanted = FORMS[name](X.astype(float), Z.astype(float))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=3e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["attention", "linear", "leave out", "second"])
def test_dask_arrays(name):
    da = pytest.importorskip("dask.array")
    X, Z = points(64)
    found = FORMS[name](da.from_array(X, chunks=(5, 23)), Z)
    assert found.chunks[1] == (23, 23, 18)
    wanted = FORMS[name](X, Z)
    np.testing.assert_allclose(found.compute(), wanted, atol=1e-12 * np.abs(wanted).max())
    with pytest.raises(BackendError):
        FORMS[name](X, da.from_array(Z))


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("name", FORMS)
def test_few_points(name, n):
    X, Z = points(3)
    found = FORMS[name](X[:, :n], Z)
    assert found.shape == (5, n)
    if n:
        np.testing.assert_allclose(found, by_hand(FORMS[name], X[:, :n], Z), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("X", "Z", "error"),
    [
        (np.ones((2, 3)) * 1j, None, DomainError),
        ([[1.0, 2.0], [3.0]], None, ShapeError),
        (np.ones(3), None, ShapeError),
        (np.ones((2, 3)), np.ones((3, 2)), ShapeError),
        (np.array([["a", "b"]], dtype=object), None, DomainError),
        (np.ma.masked_greater(np.ones((2, 3)), 0), None, DomainError),
        (np.full((2, 3), Fraction(1)), np.ones((2, 2)), DomainError),
    ],
)
def test_bad_input(X, Z, error):
    with pytest.raises(error):
        mean_field()(X, Z)


def test_exact_numbers_and_functions_that_leave_them():
    with pytest.raises(DomainError, match="has irrational values"):
        attention()(np.full((2, 3), Fraction(1)))


@pytest.mark.parametrize("rho", ["a", None, lambda y, z, s: y[0] > z[0], lambda y, z, s: sp.Symbol("q")])
def test_what_is_no_function_of_the_arguments_is_refused(rho):
    with pytest.raises(DomainError, match="on their arguments only"):
        _ = PairForm(1, 0, rho, 0).cost


@pytest.mark.parametrize("fewest", [0, 10**9])
def test_terms_that_are_left_out_may_be_poles(fewest, monkeypatch):
    monkeypatch.setattr(run, "FEWEST", fewest)
    distance = lambda a, b: (a - b) @ (a - b)  # noqa: E731
    form = PairForm(0, 0, lambda y, z, s: s, lambda x, y, z: 1 / distance(x, y) + 1 / distance(x, z))
    X, n = points(9, 2)[0], 9
    with np.errstate(all="raise"):
        found = form(np.eye(n), X.T)
    for i, j in np.ndindex(n, n):
        terms = [1 / distance(X[:, k], p) for p in (X[:, i], X[:, j]) for k in range(n) if k not in (i, j)]
        assert abs(found[i, j] - (math.fsum(terms) if i != j else 0)) <= 1e-12 * math.fsum(terms)


@pytest.mark.parametrize("fewest", [0, 10**9])
def test_sums_that_overflow_are_infinite(fewest, monkeypatch):
    monkeypatch.setattr(run, "FEWEST", fewest)
    X, one = np.array([[30.0, -30.0, 1.0, 2.0]]), lambda x, y: sp.exp((x - y) @ (x - y))
    kept = PairForm(lambda y, s: 1 / (2 + s), one, lambda y, z, s: 1 / (1 + s + one(z, y) + 1),
                    lambda x, y, z: one(x, y))  # fmt: skip
    left_out = PairForm(0, 0, lambda y, z, s: 1 / (1 + s), lambda x, y, z: one(x, y))
    with np.errstate(all="raise"):
        assert kept.plan(1).whole
        assert not kept(X).any()
        assert left_out.coefficients(X)[2, 3] == 0.0


def test_functions_that_branch_on_values_are_refused():
    with pytest.raises(TraceError):
        _ = PairForm(1, 0, lambda y, z, s: 1 if float(y[0]) > 0 else 0, 0).cost
