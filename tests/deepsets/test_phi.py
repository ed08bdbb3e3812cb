"""phi as a formula: what is read, what it computes."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.deepsets.phi import Formula, Tape, read_formula
from eqvproof.deepsets.phi.bounds import feature_bounds
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.phi.symbolic import assign_columns
from eqvproof.support.errors import DomainError, TraceError

x, y = sp.symbols("x y")


def values(phi, *columns, symbols=None):
    arrays = [np.array(c, dtype=float) for c in columns]
    return evaluate(read_formula(phi, len(arrays), symbols), arrays)


def close(found, wanted, ulps=4):
    wanted = np.array(wanted, dtype=float)
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        near = np.abs(found - wanted) <= ulps * np.spacing(np.abs(wanted))
    assert (same | near).all(), (found, wanted)


EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 5e-324, -1e-8, 709.7, 709.9, -745.0, -746.0, 30.0, 1e10, np.inf,
         -np.inf, np.nan]  # fmt: skip


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sinh", "cosh", "floor", "ceil", "sign"])
def test_own_functions_agree_with_numpys(name):
    points = np.concatenate(
        [EDGES, np.random.default_rng(0).normal(size=3000) * 20, np.linspace(-0.7, 0.7, 999)]
    )
    tape = Tape(1)
    formula = tape.formula((tape.put(name, tape.column(0)),), scalar=True)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(points)
    close(evaluate(formula, [points])[0], wanted, ulps={"exp": 1, "log": 1}.get(name, 5))


def test_log_of_everything():
    points = np.ldexp(np.random.default_rng(1).random(4000) + 1, np.arange(4000) % 2090 - 1070)
    close(values(sp.log(x), points)[0], np.log(points), ulps=1)


@pytest.mark.parametrize(
    ("phi", "function"),
    [
        (x**2 * y - 3 * x / y, lambda a, b: a**2 * b - 3 * a / b),
        (sp.sqrt(x**2 + y**2), lambda a, b: np.sqrt(a**2 + b**2)),
        (sp.Rational(1, 3) * x - y, lambda a, b: a / 3 - b),
        (-x * y, lambda a, b: -a * b),
        (sp.Abs(x) ** sp.Rational(3, 2), lambda a, b: np.abs(a) ** 1.5),
        (sp.exp(-(x**2)) / (1 + y**2), lambda a, b: np.exp(-(a**2)) / (1 + b**2)),
        (sp.Max(x, y, 0) - sp.Min(x, y), lambda a, b: np.maximum(np.maximum(a, b), 0) - np.minimum(a, b)),
        (sp.Piecewise((x, x > y), (sp.sin(y), True)), lambda a, b: np.where(a > b, a, np.sin(b))),
        (sp.pi * x + sp.E, lambda a, b: np.pi * a + np.e),
        (1 / (x * y**2), lambda a, b: 1 / (a * b**2)),
        (
            sp.Piecewise((1, sp.And(x > 0, sp.Ne(y, 1))), (2, True)),
            lambda a, b: np.where((a > 0) & (b != 1), 1.0, 2),
        ),
    ],
)
def test_expressions_mean_what_sympy_means(phi, function):
    a, b = np.random.default_rng(0).normal(size=(2, 200))
    (found,) = values(phi, a, b, symbols=(x, y))
    np.testing.assert_allclose(found, function(a, b), rtol=1e-13, atol=1e-15)


def test_functions_are_written_down():
    rows = np.random.default_rng(0).normal(size=(50, 3))
    for phi in (
        lambda r: r @ r,
        lambda r: np.array([r.sum(), r[0] * r[1], np.exp(-(r[2] ** 2))]),
        lambda r: np.concatenate([r, r**2, np.sqrt(np.abs(r))]),
        lambda r: np.tanh(2.0 * r - 1),
    ):
        found = np.array(evaluate(read_formula(phi, 3), list(rows.T.copy()))).T
        wanted = np.array([np.atleast_1d(phi(r)) for r in rows])
        np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize(
    "phi", [lambda r: r[0] if r[0] > 0 else 0, lambda r: float(r[0]), lambda r: np.sort(r)]
)
def test_what_cannot_be_written_down_says_so(phi):
    with pytest.raises(TraceError):
        read_formula(phi, 2)


def test_equal_operations_are_written_once():
    n = sp.symbols("n0:3")
    monomials = tuple(sp.Mul(*(v**a for v, a in zip(n, e, strict=True))) for e in np.ndindex(3, 3, 3))
    assert read_formula(monomials, 3).operations == 26 - 3  # one product for each beyond 1 and the columns


@pytest.mark.parametrize(
    ("names", "columns", "wanted"),
    [
        (["x0", "x2"], 3, {"x0": 0, "x2": 2}),
        (["x1", "x3"], 3, {"x1": 0, "x3": 2}),
        (["x_1", "x_2"], 2, {"x_1": 0, "x_2": 1}),
        (["b", "a"], 2, {"a": 0, "b": 1}),
        (["x"], 1, {"x": 0}),
        (["x10", "x9"], 11, None),
        (["x1"], 3, None),
        (["a"], 2, None),
        (["x5"], 3, None),
    ],
)
def test_names_of_columns(names, columns, wanted):
    if wanted is None:
        with pytest.raises(DomainError, match="symbols="):
            assign_columns(names, columns)
    else:
        assert assign_columns(names, columns) == wanted


def test_entries_of_an_indexed_base_are_columns():
    r = sp.IndexedBase("r")
    m = sp.MatrixSymbol("m", 3, 1)
    for phi in (r[2] - r[0], m[2, 0] - m[0, 0]):
        (found,) = values(phi, [1.0], [2.0], [5.0])
        assert found[0] == 4.0


@given(st.lists(st.floats(-8, 8), min_size=2, max_size=2), st.floats(0, 10), st.integers(0, 9), st.booleans())
def test_bounds_hold(point, slack, which, single):
    phis = [x * y - x, x**4 - y**2, sp.sqrt(x**2 + 1), 1 / (2 + x**2), sp.exp(x - y), sp.tanh(x) * y,
            sp.Abs(x - y), sp.Max(x, y), sp.log(3 + x**2),
            sp.Piecewise((x, x > y), (y - 1, True))]  # fmt: skip
    formula: Formula = read_formula(phis[which], 2, (x, y))
    dtype = np.float32 if single and not formula.needs_float64 else np.float64
    columns = [np.array([p], dtype=dtype) for p in point]
    limits = [float(np.abs(c[0]) + dtype(slack)) for c in columns]
    (bound,) = feature_bounds(formula, limits, single=dtype == np.float32)
    assert bound is not None
    assert abs(float(evaluate(formula, columns)[0][0])) <= bound


@pytest.mark.parametrize("phi", [1 / x, sp.sqrt(x), sp.log(x), sp.tan(x), sp.exp(1000 * x)])
def test_no_bound_where_there_is_none(phi):
    assert feature_bounds(read_formula(phi, 1), [2.0]) == [None]


@pytest.mark.parametrize("phi", [sp.I * x, sp.gamma(x), "x", 3j, object()])
def test_refused(phi):
    with pytest.raises(DomainError):
        read_formula(phi, 1)


@pytest.mark.parametrize("given", [[(1,)], [(1, -1)], [(0.5, 1)], [(1, 0), "x"], [[1, 0], [2]]])
def test_exponents_that_do_not_fit_are_refused(given):
    with pytest.raises(DomainError, match="exponents"):
        read_formula(given, 2)


def test_exponents_are_monomials():
    a, b = sp.symbols("x1:3")
    assert read_formula([(1, 0), [2, 3], (0, 0)], 2) == read_formula((a, a**2 * b**3, 1), 2)


def test_equal_formulas_are_one_object_however_phi_is_written() -> None:
    x1, x2 = sp.symbols("x1 x2")
    one = read_formula([(1, 0), (2, 3)], 2)
    assert read_formula([(1, 0), (2, 3)], 2) is one  # other tuples, in another list
    assert read_formula((x1, x1**2 * x2**3), 2) is one
    assert read_formula((x1, x1**2 * x2**2), 2) is not one
