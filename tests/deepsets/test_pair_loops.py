"""Pair forms by machine code: equal to the dense formula, and as accurate as they say."""

from __future__ import annotations

import math
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import PairForm
from eqvproof.deepsets.emit import exponential, llvm
from eqvproof.deepsets.pair_forms import attention, gaussian_kernel, rational_kernel
from eqvproof.deepsets.pair_forms.compiled import loops, run
from eqvproof.deepsets.pair_forms.compiled.stages import prepare
from eqvproof.deepsets.pair_forms.pieces import make_piece
from tests.deepsets.dense import dense
from tests.deepsets.test_pair_forms import COSTS, FORMS, points

pytest.importorskip("llvmlite")
#: sums that nothing separates, with functions that float32 has not, and every kind of sum at once
KINDS = PairForm(
    lambda y, s: s[0] + s[1] * y[0],
    lambda x, y: np.array([sp.tanh(x @ y), x[0]]),
    lambda y, z, s: sp.tanh(s[0]) + s[1] / (1 + s[2] ** 2) + sp.sqrt(1 + s[1] ** 2) + y[0] * z[1],
    lambda x, y, z: np.array([sp.exp(-((x - y) @ (x - y))), x[0] + sp.cosh(x[0] * z[0] / 8), x[1] ** 2]),
)
ALL = {**FORMS, "kinds": KINDS, "maximum": PairForm(1, 0, lambda y, z, s: sp.Max(y @ z, y[0] - z[0], s), 2)}


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Machine code for few pairs too."""
    monkeypatch.setattr(run, "FEWEST", 0)


@pytest.fixture
def narrow(monkeypatch):
    """As on a processor without vectors of 64 bytes."""
    for name in ("compile_loop", "lane_count"):
        uncached = getattr(loops, name).__wrapped__
        for module in (loops, run):
            monkeypatch.setattr(module, name, uncached)
    for module in (loops, llvm):
        monkeypatch.setattr(module, "has_wide_vectors", lambda: False)


def compare(name, n, dtype="float64", **options):
    X, Z = (a.astype(dtype) for a in points(n))
    found = ALL[name](X, Z, **options)
    wanted = dense(ALL[name], X.astype(float), Z.astype(float))
    tolerance = 1e-12 if dtype == "float64" else 3e-5
    assert found.dtype == dtype
    assert np.abs(found - wanted).max() <= tolerance * np.abs(wanted).max()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ALL)
def test_equal_to_the_formula_as_it_stands(name, dtype, monkeypatch):
    compare(name, 50, dtype, threads=1)
    monkeypatch.setattr(run, "_VECTORS", 2)  # several calls, on two threads; more than one block of rows
    compare(name, 140, dtype, threads=2) if name != "triple" else None


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ["attention by columns", "gaussian", "kinds"])
def test_on_a_processor_with_shorter_vectors(name, dtype, narrow):
    compare(name, 50, dtype)


@pytest.mark.parametrize("index", [4, 10, 13, 15, 16])
def test_the_exponent_stated_is_the_one_measured(index):
    stated, psi2, rho2 = COSTS[index]
    form = PairForm(lambda y, s: 1, 0, rho2, psi2)
    counts = []
    for n in (64, 256):
        counts.append(form.evaluate_and_count(points(n, 2)[0])[1])
    assert form.cost.exponent == (2 if stated == 1 else stated)
    assert abs(math.log(counts[1] / counts[0], 4) - form.cost.exponent) < 0.2


@pytest.mark.parametrize("d", [1, 25, 60])
def test_any_number_of_columns(d):
    """More than one group of columns in registers, and groups that are not full."""
    X, Z = points(70, d, 3)
    for form in (gaussian_kernel(), attention(columns=True)):
        Zk = Z[:, :2]
        wanted = dense(form, X, Zk)
        np.testing.assert_allclose(form(X, Zk), wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def test_many_coordinates_are_left_to_matrix_products(monkeypatch):
    monkeypatch.setattr(run, "MOST_COORDINATES", 3)
    monkeypatch.setattr(run, "run_loop", None)  # not called
    X, Z = points(40)
    wanted = dense(rational_kernel(), X, Z)
    np.testing.assert_allclose(rational_kernel()(X, Z), wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("scale", [1e4, 1e9])
def test_a_large_point_does_not_drown_the_others(dtype, scale):
    """X = 1 shows g~ itself; the term that is left out is the very number that was added."""
    form = PairForm(
        lambda y, s: s,
        lambda x, y: x @ x + (x @ y) ** 2,
        lambda y, z, s: sp.sqrt(s**2),
        lambda x, y, z: x @ x + (x[0] - y[0]) ** 2 + (x @ z - x[1] * y[0]) ** 2 + sp.sqrt(1 + (x @ z) ** 2),
    )
    assert not form.plan(2).whole
    rng, n = np.random.default_rng(0), 40
    Y = rng.normal(size=(n, 2)).astype(dtype)
    Y[7] *= np.dtype(dtype).type(scale)
    g = form(np.eye(n, dtype=dtype), Y)
    P = Y.astype(float)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            y, z = P[i], P[j]
            others = [P[k] for k in range(n) if k not in (i, j)]
            wanted = math.fsum(
                x @ x + (x[0] - y[0]) ** 2 + (x @ z - x[1] * y[0]) ** 2 + math.sqrt(1 + (x @ z) ** 2)
                for x in others
            )
            assert abs(float(g[i, j]) - wanted) <= (1e-11 if dtype == "float64" else 3e-6) * wanted


def test_what_is_not_a_number_stays_so():
    X, Z = points(40)
    for column, value in ((3, np.nan), (5, np.inf)):
        bad = X.copy()
        bad[:, column] = value
        for name in ("attention by columns", "attention", "gaussian", "rational"):
            with np.errstate(all="ignore"):
                assert np.isnan(FORMS[name](bad, Z)).any(axis=0).all()


def exponentials(x):
    """exp of each number, by a loop over one row and as many lanes."""
    y, z = (sp.Symbol("y", real=True),), (sp.Symbol("z", real=True),)
    one = np.zeros((1, 1), x.dtype)
    stage = prepare(make_piece((sp.exp(y[0] + z[0]),), y, z), one, x[:, None], one[0])
    work = SimpleNamespace(threads=1, count=lambda *sizes: None)
    totals, _ = run.run_loop([stage], "output", np.ones((1, 1), x.dtype), 1, len(x), 0, work)
    return totals[0].astype(x.dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("wide", [True, False])
def test_exp_is_within_one_unit_in_the_last_place(dtype, wide, request):
    if not wide:
        request.getfixturevalue("narrow")
    low, high = exponential._LOWEST[dtype == "float32"], {"float64": 709.78, "float32": 88.72}[dtype]
    rng = np.random.default_rng(0)
    near = rng.normal(size=700) * 10.0 ** rng.uniform(-20, 0.5, 700)
    x = np.concatenate([rng.uniform(low, high, 1300), near, [0.0, -0.0]]).astype(dtype)
    found = exponentials(x)
    with mpmath.workprec(150):
        for v, e in zip(x.tolist(), found, strict=True):
            exact = mpmath.exp(v)
            assert abs(exact - mpmath.mpf(float(e))) <= mpmath.mpf(float(np.spacing(e)))
    special = np.array([-np.inf, np.inf, np.nan, low - 1, high + 1, -3e38], dtype)
    np.testing.assert_array_equal(exponentials(special), [0, np.inf, np.nan, 0, np.inf, 0])


@pytest.mark.parametrize("name", ["attention", "kinds", "second"])
def test_dask_arrays(name):
    da = pytest.importorskip("dask.array")
    X, Z = points(64)
    found, wanted = ALL[name](da.from_array(X, chunks=(5, 23)), Z), ALL[name](X, Z)
    np.testing.assert_allclose(found.compute(), wanted, atol=1e-12 * np.abs(wanted).max())
