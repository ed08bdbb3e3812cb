"""rho(sum phi) is the function it was built for; a function that is not invariant is refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import prod

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.deepsets.constructions import Construction
from eqvproof.deepsets.decomposition import Formula
from eqvproof.deepsets.pair_decomposition import PairConstruction, PairFormula
from eqvproof.deepsets.rewriting import NotRewritten
from eqvproof.deepsets.symmetric import PowerSumForms
from eqvproof.support.errors import DomainError, EqvproofError, ShapeError

decompose = ep.deepsets.decompose
X = sympy.symbols("x1:5")
PLANE = [sympy.symbols(f"u{i} v{i}") for i in range(3)]
A = sympy.Symbol("a")


def substituted(formula, rows):
    """rho(sum phi), written out here and not by the class."""
    table = {
        s: sum(f.subs(dict(zip(formula.point, row, strict=True)), simultaneous=True) for row in rows)
        for s, f in zip(formula.sums, formula.phi, strict=True)
    }
    return formula.rho.subs(table, simultaneous=True)


@given(
    n=st.integers(1, 4),
    d=st.integers(1, 2),
    reduce=st.booleans(),
    data=st.data(),
)
@settings(max_examples=40, deadline=None)
def test_symmetric_polynomials(n, d, reduce, data):
    rows = [row[:d] for row in [(X[i], sympy.Symbol(f"z{i}")) for i in range(n)]]
    vector = st.tuples(*[st.integers(0, 3 if d == 1 else 1)] * d)
    polynomial = sympy.Integer(data.draw(st.integers(-2, 2)))
    for _ in range(data.draw(st.integers(1, 2))):
        parts = data.draw(st.lists(vector, min_size=n, max_size=n))
        images = set(permutations(parts))
        polynomial += data.draw(st.fractions(-3, 3, max_denominator=4)) * sum(
            prod(s**e for row, v in zip(rows, image, strict=True) for s, e in zip(row, v, strict=True))
            for image in images
        )
    formula = decompose(polynomial, rows, reduce=reduce)
    assert formula.agreement.proved or formula.agreement.exact_points == formula.agreement.points
    for shift in (1, 2):
        values = [tuple(sympy.Rational(3 * i - shift * j, 2) for j in range(d)) for i in range(n)]
        table = {s: v for row, vs in zip(rows, values, strict=True) for s, v in zip(row, vs, strict=True)}
        assert substituted(formula, values) == polynomial.subs(table)
    assert not formula.rho.free_symbols - set(formula.sums)
    if reduce:
        assert all(sympy.Poly(f, *formula.point).total_degree() <= n for f in formula.phi)
    spoilt = polynomial + rows[0][0] ** 5
    if n > 1:
        with pytest.raises(DomainError) as caught:
            decompose(spoilt, rows)
        assert caught.value.code == "domain.not-invariant"


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(any), min_size=1, max_size=3), st.data()
)
@settings(max_examples=30)
def test_orbit_sums_at_points(parts, data):
    """The definition, monomial by monomial, at numbers."""
    n = len(parts) + data.draw(st.integers(0, 1))
    points = [(data.draw(st.integers(-4, 4)), data.draw(st.integers(-4, 4))) for _ in range(n)]
    padded = [*parts, *[(0, 0)] * (n - len(parts))]
    truth = sum(
        prod(x ** e[0] * y ** e[1] for (x, y), e in zip(points, image, strict=True))
        for image in set(permutations(padded))
    )
    for reduce in (False, True):
        form = PowerSumForms(n, reduce=reduce).orbit_sum(tuple(parts))
        value = sum(
            c * prod(sum(x ** a[0] * y ** a[1] for x, y in points) for a in key) for key, c in form.items()
        )
        assert value == truth
        assert not reduce or all(sum(a) <= n for key in form for a in key)


SYMMETRIC = [
    sympy.exp(sum(X)) + A,
    sum(x * sympy.exp(A * x) for x in X) / sum(sympy.exp(A * x) for x in X),
    sum(1 / (1 + x**2) for x in X),
    sympy.sqrt(sum(x**2 for x in X)) * sympy.sin(sympy.Mul(*X)),
    sum(sympy.Abs(x) for x in X) ** 3,
    sum(sympy.exp(x) * sympy.exp(y) for x in X for y in X if x != y),
    sympy.log(sum(sympy.exp(x) for x in X)),
    sympy.prod((x - y) ** 2 for i, x in enumerate(X[:3]) for y in X[:i]) + 0 * X[3],
    (X[0] ** 3 - X[1] ** 3) / (X[0] - X[1]),
    sympy.Integer(3),
]


@pytest.mark.parametrize("f", SYMMETRIC, ids=str)
def test_symmetric_expressions(f):
    points = [x for x in X if x in f.free_symbols] or list(X)
    formula = decompose(f, points)
    assert isinstance(formula, Formula)
    assert sum((formula.rho.has(x) for x in points), 0) == 0
    values = [sympy.Rational(k + 1, 3) for k in range(len(points))]
    left = f.subs(dict(zip(points, values, strict=True)))
    right = substituted(formula, [(v,) for v in values])
    assert abs(sympy.N((left - right).subs(A, 2), 40)) < 1e-35
    assert abs(sympy.N((left - formula(values)).subs(A, 2), 40)) < 1e-35


NOT_SYMMETRIC = [
    X[0],
    X[0] - X[1],
    sympy.exp(X[0]) + X[1],
    X[0] / X[1],
    sympy.sin(X[0] - X[1]),
    A * X[0] + X[1],
]


@pytest.mark.parametrize("f", NOT_SYMMETRIC, ids=str)
def test_expressions_that_are_not_symmetric(f):
    with pytest.raises(DomainError) as caught:
        decompose(f, X[:2])
    assert caught.value.code == "domain.not-invariant"
    assert "swapped" in str(caught.value)


@pytest.mark.parametrize(
    "f", [sympy.Max(*X[:2]), sympy.Abs(X[0] - X[1]), sympy.exp(X[0] * X[1] * X[2])], ids=str
)
def test_symmetric_expressions_out_of_reach_are_said_to_be_so(f):
    points = sorted(f.free_symbols, key=str)
    if f.func is sympy.exp:
        assert decompose(f, points).agreement.proved
        return
    with pytest.raises(NotRewritten, match="no rule"):
        decompose(f, points)


DISGUISED = [
    X[0] ** X[1] * X[1] ** X[0],
    sympy.sin(X[0] - X[1]) + sympy.sin(X[1] - X[0]) + sympy.Max(X[0], X[1]),
]


@pytest.mark.parametrize("f", DISGUISED, ids=str)
def test_parts_that_are_not_symmetric_do_not_condemn_the_whole(f):
    with pytest.raises(NotRewritten):
        decompose(f, X[:2])


def test_no_points():
    assert decompose(lambda x: x.sum() + 7, n=0)([]) == 7
    with pytest.raises(EqvproofError):
        decompose(np.max, n=0)
    for n in (-1, "a", True, 2.0):
        with pytest.raises(DomainError, match="n is not an integer"):
            decompose(np.max, n=n)


def test_functions_that_fail_or_are_undefined():
    with pytest.raises(EqvproofError, match="division"):
        decompose(lambda multiset: 1 / 0, universe=range(5))
    with pytest.raises(DomainError, match="none of the points"):
        decompose(lambda x: float("nan"), n=3)


@pytest.mark.parametrize("points", [[1, 2], [X[0], X[0]], [(X[0],), (X[1], X[2])], ["x1"]])
def test_points_that_are_no_symbols(points):
    with pytest.raises(DomainError):
        decompose(X[0] + X[1], points)


FUNCTIONS = [
    (lambda x: x.sum() ** 2 - (x**2).sum(), Formula),
    (lambda x: np.prod(x), Formula),
    (lambda x: np.array([x.sum(), (x**3).sum()]), Formula),
    (lambda x: np.max(x), Construction),
    (lambda x: np.sort(x), Construction),
    (lambda x: np.exp(x).sum(), Construction),
    (lambda x: np.median(x) + x.mean(), Construction),
    (lambda x: np.abs(x[:, None] - x).sum(), Construction),
]


@pytest.mark.parametrize(("f", "kind"), FUNCTIONS)
@pytest.mark.parametrize("n", [1, 4])
def test_functions_of_arrays(f, kind, n):
    found = decompose(f, n=n)
    assert n == 1 or isinstance(found, kind)
    assert found.agreement.points > 0
    x = [Fraction(3 * k * k - 5, 2) for k in range(n)]
    value = np.array(found(x), dtype=float).reshape(-1)
    assert np.allclose(value, np.array(f(np.array(x, dtype=float)), dtype=float).reshape(-1), rtol=1e-12)


@pytest.mark.parametrize("at_most", [False, True])
def test_functions_of_rows(at_most):
    def farthest(rows):
        return np.max((rows**2).sum(axis=1)) * len(rows)

    found = decompose(farthest, n=4, d=2, at_most=at_most)
    assert isinstance(found, Construction)
    assert found.agreement.exact_points == found.agreement.points
    assert found([[3, 4], [0, 0], [1, 1], [1, 1]]) == 100
    assert len(found.phi([3, 4])) == found.latent_dimension
    total = sum(found.phi(row) for row in [[3, 4], [0, 0], [1, 1], [1, 1]])
    assert found.rho(total) == 100
    if at_most:
        assert found([[3, 4]]) == 25


@pytest.mark.parametrize(
    "f",
    [lambda x: x[0], lambda x: x[0] * x.sum(), lambda x: np.sort(x) + x, lambda x: np.argmax(x), lambda x: x],
)
def test_functions_that_are_not_invariant(f):
    with pytest.raises(DomainError) as caught:
        decompose(f, n=3)
    assert caught.value.code == "domain.not-invariant"


def test_over_a_universe():
    found = decompose(
        lambda multiset: max(Counter(multiset).values(), default=0), universe="abcde", multiplicity=3
    )
    assert found("abcab") == 2
    assert found.rho(found.phi("a") + 3 * found.phi("e")) == 3
    assert found.latent_dimension == 1
    with pytest.raises(DomainError, match="not invariant"):
        decompose(lambda multiset: multiset[:1], universe="abcde")
    with pytest.raises(DomainError, match="not in the universe"):
        found("abz")


def attention(n, k):
    Y = sympy.Matrix(k, n, lambda a, i: sympy.Symbol(f"y{i}_{a}"))
    E = (Y.T * Y).applyfunc(sympy.exp)
    return Y, sympy.Matrix(n, n, lambda i, j: E[i, j] / sum(E[i, m] for m in range(n)))


COEFFICIENTS = {
    "attention": attention,
    "gram": lambda n, k: ((Y := attention(n, k)[0]), Y.T * Y),
    "gram squared": lambda n, k: ((Y := attention(n, k)[0]), (Y.T * Y) ** 2),
    "mean field": lambda n, k: ((Y := attention(n, k)[0]), sympy.diag(*[sum(Y) + Y[0, i] for i in range(n)])),
}


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_coefficient_matrices(name, n):
    Y, g = COEFFICIENTS[name](n, 2)
    found = decompose(g, Y.T, kind="coefficients")
    assert isinstance(found, PairFormula)
    assert found.agreement.proved
    columns = Y.T.tolist()
    for i in range(n):
        for j in range(n):
            psi, sums, rho = (
                (found.psi_1, found.sums_1, found.rho_1)
                if i == j
                else (found.psi_2, found.sums_2, found.rho_2)
            )
            ends = {
                **dict(zip(found.y_i, columns[i], strict=True)),
                **dict(zip(found.y_j, columns[j], strict=True)),
            }
            table = {
                s: sum(
                    f.subs({**ends, **dict(zip(found.y_k, columns[k], strict=True))}, simultaneous=True)
                    for k in range(n)
                    if k not in (i, j)
                )
                for s, f in zip(sums, psi, strict=True)
            }
            assert sympy.simplify(rho.subs({**ends, **table}, simultaneous=True) - g[i, j]) == 0


COEFFICIENT_FUNCTIONS = [
    (lambda Y: Y.T @ Y, PairFormula),
    (lambda Y: np.minimum.outer(Y[0], Y[1]) * np.max(Y), PairConstruction),
    (lambda Y: np.exp(Y.T @ Y) / np.exp(Y.T @ Y).sum(axis=1, keepdims=True), PairConstruction),
]


@pytest.mark.parametrize(("g", "kind"), COEFFICIENT_FUNCTIONS)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_coefficient_functions(g, kind, n):
    found = decompose(g, n=n, d=2, kind="coefficients")
    assert isinstance(found, kind)
    Y = np.array([[Fraction(i * j - 1, 2) for j in range(n)] for i in (1, 2)], dtype=object)
    value = np.array(found(Y), dtype=float).reshape(n, n)
    assert np.allclose(value, g(Y.astype(float)), rtol=1e-12)


@pytest.mark.parametrize(
    "g",
    [
        lambda Y: Y.T @ Y + np.outer(np.arange(Y.shape[1]), Y[0]),
        lambda Y: np.triu(Y.T @ Y),
        lambda Y: np.sort(Y.T @ Y, axis=1),
    ],
)
def test_coefficient_functions_that_are_not_equivariant(g):
    with pytest.raises(DomainError) as caught:
        decompose(g, n=3, d=2, kind="coefficients")
    assert caught.value.code == "domain.not-invariant"


def test_a_coefficient_matrix_that_is_not_equivariant():
    Y = attention(3, 1)[0]
    with pytest.raises(DomainError) as caught:
        decompose(sympy.Matrix(3, 3, lambda i, j: Y[i] * (j + 1)), Y.T, kind="coefficients")
    assert caught.value.code == "domain.not-invariant"


def test_wrong_arguments():
    with pytest.raises(ShapeError):
        decompose(sympy.eye(2), X[:3], kind="coefficients")
    with pytest.raises(ShapeError):
        decompose(lambda Y: Y, n=3, d=2, kind="coefficients")
    for arguments in [{"n": None}, {"kind": "other"}, {"kind": "coefficients"}]:
        with pytest.raises(DomainError):
            decompose(np.sum, **arguments)
    with pytest.raises(DomainError):
        decompose("x + y")
    with pytest.raises(EqvproofError):
        decompose(lambda x: 1 / 0, n=2)
    with pytest.raises(DomainError, match="number of points"):
        decompose(X[0] + X[1])([1, 2, 3])


def test_rounded_coefficients_are_not_said_to_be_equal():
    """0.1/6 is rounded: the sides are near, and no more is said."""
    a, b, c = sympy.symbols("a b c")
    assert not ep.deepsets.decompose(0.1 * a * b * c).agreement.proved
    assert ep.deepsets.decompose(0.5 * a * b).agreement.proved


def test_a_sum_of_one_function_over_the_points_is_one_feature():
    """A quotient of one point is not written out as a quotient of polynomials of all."""
    for h in (lambda t: sympy.exp(t) / (1 + sympy.exp(t)), lambda t: (t + 1) / (t**2 + 1)):
        formula = decompose(sum(h(x) for x in X[:3]), X[:3])
        assert formula.latent_dimension == 1 and formula.agreement.proved


def test_cases_are_no_sum():
    """The larger of two numbers, written by cases: nothing is taken away from a condition."""
    x, y = sympy.symbols("x y")
    with pytest.raises(DomainError, match=r"no rule writes|changes when"):
        decompose(sympy.Piecewise((x, x > y), (y, True)))


def test_points_at_which_an_expression_has_no_value():
    """SymPy raises where a maximum is taken of 0/0: such points are left out."""
    points = sympy.symbols("x y z")
    top = sympy.prod([t + sympy.Piecewise((t, t > 0), (0, True)) for t in points])
    a, b, c = (sympy.tanh(t) for t in points)
    found = decompose(sympy.Max(0, top / (a * b + a * c + b * c)))
    assert found.agreement.points > 0 or found.agreement.proved
    with pytest.raises(DomainError):
        decompose(sympy.Max(0, points[0] * top / (a * b + a * c + b * c)))
