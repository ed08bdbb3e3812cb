"""Points come back from their power sums exactly, or within the bound, or not at all."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import eqvproof as ep
from eqvproof.deepsets import collisions
from eqvproof.support.errors import DomainError, EqvproofError, ShapeError
from tests.sampling import examples

PowerSums = ep.deepsets.PowerSums
RATIONAL = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 7))


def monomial_sums(points, n, d):
    """The definition, term by term."""
    every = [a for a in product(range(n + 1), repeat=d) if 1 <= sum(a) <= n]
    return {
        a: sum((prod(x**e for x, e in zip(row, a, strict=True)) for row in points), Fraction(0))
        for a in every
    }


@st.composite
def point_sets(draw, n, d):
    """Points with repetitions, and with equal coordinates."""
    few = draw(st.lists(RATIONAL, min_size=1, max_size=4))
    coordinate = st.one_of(RATIONAL, st.sampled_from(few))
    rows = draw(st.lists(st.tuples(*[coordinate] * d), min_size=n, max_size=n))
    for k in draw(st.lists(st.integers(1, max(1, n - 1)), max_size=n // 2)):
        if k < n:
            rows[k] = rows[k - 1]
    return rows


@pytest.mark.parametrize("d", [1, 2, 3])
@given(data=st.data())
@settings(max_examples=15)
def test_rational_points_come_back(d, data):
    n = data.draw(st.integers(0, (12, 10, 7)[d - 1]))
    points = data.draw(point_sets(n, d))
    sums = PowerSums(n, d)
    features = sums.encode(points)
    assert dict(zip(sums.exponents, features, strict=True)) == monomial_sums(points, n, d)
    decoded = sums.decode(features)
    assert decoded.exact
    assert decoded.bound == 0
    assert Counter(map(tuple, decoded.points.tolist())) == Counter(points)
    assert decoded.told_apart == len(set(points))


@pytest.mark.parametrize("d", [2, 3])
def test_twelve_points(d):
    rng = np.random.default_rng(d)
    rows = [tuple(Fraction(int(x), 3) for x in row) for row in rng.integers(-5, 5, (12, d))]
    rows[3] = rows[4] = rows[5]
    decoded = PowerSums(12, d).decode(PowerSums(12, d).encode(rows))
    assert Counter(map(tuple, decoded.points.tolist())) == Counter(rows)


@given(st.data())
def test_fewer_points_than_allowed(data):
    points = data.draw(point_sets(data.draw(st.integers(0, 4)), 2))
    sums = PowerSums(5, 2, at_most=True)
    decoded = sums.decode(sums.encode(points))
    assert Counter(map(tuple, decoded.points.tolist())) == Counter(points)


@given(st.lists(st.sampled_from([-3, -2, 2, 5, 7]), min_size=1, max_size=2), st.integers(1, 2))
def test_irrational_points_are_algebraic_numbers(squares, multiplicity):
    """The roots of (x^2 - a)(x^2 - b), and whether they are real, are known."""
    x = sympy.Symbol("x")
    roots = [r for a in squares for r in (-sympy.sqrt(a), sympy.sqrt(a))] * multiplicity
    n = len(roots)
    features = [sympy.expand(sum(r**k for r in roots)) for k in range(1, n + 1)]
    if min(squares) < 0:
        with pytest.raises(DomainError, match="no real points"):
            PowerSums(n).decode(features)
        return
    decoded = PowerSums(n).decode(features)
    found = [value for (value,) in decoded.points]
    assert Counter(sympy.minimal_polynomial(r, x) for r in found) == Counter(
        sympy.minimal_polynomial(r, x) for r in roots
    )
    assert np.allclose([float(v) for v in found], sorted(float(r) for r in roots))
    assert decoded.told_apart == len({str(r) for r in roots})


def test_irrational_points_of_the_plane():
    r = sympy.sqrt(2)
    rows = [(r, 1 - r), (-r, 1 + r), (0, 3)]
    sums = PowerSums(3, 2)
    features = [sympy.expand(sum(x**a * y**b for x, y in rows)) for a, b in sums.exponents]
    found = sums.decode(features).points
    assert {tuple(sympy.nsimplify(sympy.sympify(v, strict=True)) for v in row) for row in found} == set(rows)


@given(st.data())
@settings(max_examples=20)
def test_sums_of_no_points_are_refused(data):
    """A feature changed by anything is no longer the sum of the same points; it may be that of others."""
    n, d = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 2))
    sums = PowerSums(n, d)
    features = sums.encode(data.draw(point_sets(n, d)))
    features[data.draw(st.integers(0, len(features) - 1))] += data.draw(RATIONAL)
    try:
        decoded = sums.decode(features)
    except DomainError as error:
        assert error.code == "domain.power-sums"
        return
    if all(isinstance(x, Fraction) for x in decoded.points.flat):
        assert (sums.encode(decoded.points) == features).all()


def within(truth, decoded):
    """Whether some numbering puts every true point within the bound stated for it."""
    distance = np.abs(truth[:, None] - decoded.points[None]).max(axis=-1)
    outside = distance > decoded.bounds[None]
    return not outside[linear_sum_assignment(outside)].any()


@pytest.mark.parametrize("d", [1, 2, 3])
@given(st.integers(0, 2**32 - 1), st.integers(1, 14), st.sampled_from(["uniform", "far", "repeated", "tiny"]))
@settings(max_examples=examples(60))
def test_the_float_bound_is_true(d, seed, n, kind):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (min(n, 8) if d == 3 else n, d))
    if kind == "far":
        points += rng.uniform(-100, 100, d)
    elif kind == "repeated":
        points = points[rng.integers(0, len(points), len(points))]
    elif kind == "tiny":
        points *= 2.0 ** rng.integers(-90, 10)
    sums = PowerSums(len(points), d)
    try:
        decoded = sums.decode(sums.encode(points), tolerance=float(rng.choice([1e-6, 1e3])))
    except DomainError as error:
        assert error.code == "domain.precision"
        return
    assert not decoded.exact
    assert within(points, decoded)
    assert decoded.told_apart <= len(np.unique(points, axis=0))


def test_the_test_above_can_fail():
    points = np.array([[0.0], [0.5], [1.0]])
    decoded = PowerSums(3).decode(PowerSums(3).encode(points))
    assert within(points, decoded)
    assert not within(points + 1e-9, decoded)


def test_where_float64_is_enough_and_where_not():
    rng = np.random.default_rng(0)
    for n, d in [(8, 1), (10, 1), (10, 2), (6, 3)]:
        points = rng.uniform(-1, 1, (n, d))
        assert PowerSums(n, d).decode(PowerSums(n, d).encode(points)).bound < 1e-6
    for n, d in [(32, 1), (30, 3)]:
        with pytest.raises(DomainError, match="which tells apart") as caught:
            PowerSums(n, d).decode(PowerSums(n, d).encode(rng.uniform(-1, 1, (n, d))))
        assert caught.value.code == "domain.precision"


@given(st.integers(0, 2**32 - 1), st.floats(0, 1e-3))
@settings(max_examples=30)
def test_stated_errors_are_believed(seed, error):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (3, 2))
    sums = PowerSums(3, 2)
    features = sums.encode(points)
    noisy = features + rng.uniform(-1, 1, features.shape) * error
    try:
        decoded = sums.decode(noisy, error=error + 1e-14, tolerance=10)
    except DomainError:
        return
    assert within(points, decoded)


def test_floats_without_error_are_exact():
    decoded = PowerSums(2).decode([3.0, 5.0], error=0)
    assert decoded.exact
    assert decoded.points.tolist() == [[1], [2]]


def test_inconsistent_floats():
    for n, d, features in [(2, 1, [0.0, -1.0]), (2, 2, [1.0, 1.0, 1.0, 3.0, 1.0])]:
        with pytest.raises(EqvproofError):
            PowerSums(n, d).decode(features)


@given(st.integers(0, 30), st.integers(1, 4), st.booleans())
def test_dimensions(n, d, at_most):
    sums = PowerSums(n, d, at_most=at_most)
    assert sums.latent_dimension == len(sums.exponents) == comb(n + d, d) - (not at_most)
    assert len(set(sums.exponents)) == len(sums.exponents)
    assert all(len(a) == d and sum(a) <= n for a in sums.exponents)
    assert sums.latent_dimension >= sums.lower_bound == n * d
    assert str(sums.lower_bound) in sums.dimensions


@given(st.integers(1, 26), st.integers(1, 2), st.data())
@settings(max_examples=40, deadline=None)
def test_too_low_a_degree_cannot_tell(n, d, data):
    degree = data.draw(st.integers(0, n - 1))
    left, right = PowerSums(n, d).collision(degree)
    assert left.shape == right.shape == (n, d)
    if all(isinstance(x, Fraction) for x in [*left.flat, *right.flat]):
        assert Counter(map(tuple, left.tolist())) != Counter(map(tuple, right.tolist()))
        for k in range(degree + 1):
            assert sum(x**k for x, *_ in left) == sum(x**k for x, *_ in right)
    else:
        a, b = (np.sort(np.array(side[:, 0], dtype=float)) for side in (left, right))
        assert np.abs(a - b).max() > 1e-3
        powers = np.arange(degree + 1)
        assert np.allclose((a[:, None] ** powers).sum(0), (b[:, None] ** powers).sum(0), atol=1e-9)


def test_an_algebraic_collision_exactly():
    left, right = collisions.equal_power_sums(11, 1, 10)
    x = sympy.Symbol("x")
    polynomials = []
    for side in (left, right):
        residues = {sympy.minimal_polynomial(value, x) for value in side[:, 0]}
        polynomials.append(sympy.Poly(sympy.prod(residues), x))
    # cos(2 k pi / 11) stands twice for k > 0: both squarefree parts are those of T_11 - 1 and T_11 + 1.
    chebyshev = sympy.Poly(sympy.chebyshevt(11, x), x)
    for polynomial, sign in zip(polynomials, (1, -1), strict=True):
        assert sympy.rem(chebyshev - sign, polynomial).is_zero
    assert (chebyshev - 1 - (chebyshev + 1)).degree() == 0


def test_the_full_degree_has_no_collision():
    for degree in (3, 4, -1):
        with pytest.raises(DomainError):
            PowerSums(3).collision(degree)


def relu(x):
    return max(x, 0)


EMBEDDINGS = {
    "relu moments": lambda x: [relu(x), relu(x - 1), relu(x - 2), relu(1 - x)],
    "squared relu moments": lambda x: [relu(x) ** 2, relu(x - 1) ** 2, relu(-x) ** 2],
    "two powers": lambda x: [x, x * x],
    "a rational function": lambda x: Fraction(1, 1 + x * x),
    "floats": lambda x: [0.1 * x, 0.3 * x * x],
}


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_a_narrow_embedding_has_a_collision(name):
    phi = EMBEDDINGS[name]
    pair = collisions.find_collision(phi, [Fraction(k, 2) for k in range(-8, 9)])
    assert Counter(pair.left) != Counter(pair.right)
    assert len(pair.left) == len(pair.right)
    values = [[Fraction(v) for v in np.atleast_1d(phi(x))] for x in pair.left]
    others = [[Fraction(v) for v in np.atleast_1d(phi(x))] for x in pair.right]
    assert [sum(c) for c in zip(*values, strict=True)] == [sum(c) for c in zip(*others, strict=True)]
    assert list(pair.sum) == [sum(c) for c in zip(*values, strict=True)]
    larger = collisions.find_collision(phi, [Fraction(k, 2) for k in range(-8, 9)], size=len(pair.left) + 3)
    assert len(larger.left) == len(larger.right) == len(pair.left) + 3
    assert (
        collisions.find_collision(phi, [Fraction(k, 2) for k in range(-8, 9)], size=len(pair.left) - 1)
        is None
    )


def test_too_few_candidates_have_none():
    assert collisions.find_collision(lambda x: [x, x * x], [0, 1, 2]) is None
    assert collisions.find_collision(lambda x: x, []) is None
    assert collisions.find_collision(lambda x: [x, x * x], [0, 1, 2, 5]) is not None
    with pytest.raises(DomainError):
        collisions.find_collision(lambda x: [1] * x, [1, 2])
    with pytest.raises(DomainError, match="not rational"):
        collisions.find_collision(sympy.sqrt, [1, 2, 3])


@pytest.mark.parametrize("points", [[[1, 2], [3]], [[1, [2]], [3, 4]], [1, 2], [[1, 2]], np.zeros((2, 3)), 3])
def test_wrong_shapes(points):
    with pytest.raises(ShapeError):
        PowerSums(2, 2).encode(points)


@pytest.mark.parametrize(
    "points", [[1, 1j], [1, np.nan], [np.inf, 1.0], "ab", None, [1, "a"], [1, sympy.sqrt(2)], [1e200, 1e200]]
)
def test_what_is_no_real_number(points):
    with pytest.raises(EqvproofError):
        PowerSums(2).encode(points)


@pytest.mark.parametrize("features", [[1], [1, 2, 3], [[1, 2]], [1, 1j], [1, np.nan], "ab"])
def test_wrong_features(features):
    with pytest.raises(EqvproofError):
        PowerSums(2).decode(features)


@pytest.mark.parametrize("error", [-1, [0, 0, 0], np.nan, "a"])
def test_wrong_errors(error):
    with pytest.raises(EqvproofError):
        PowerSums(2).decode([1.0, 2.0], error=error)


@pytest.mark.parametrize("arguments", [(-1, 1), (2, 0), (2.0, 1), (True, 1)])
def test_wrong_numbers_of_points(arguments):
    with pytest.raises(DomainError):
        PowerSums(*arguments)
    with pytest.raises(DomainError, match="number of points"):
        PowerSums(2, 1, at_most=True).decode([Fraction(1, 2), 1, 1])


@pytest.mark.parametrize("empty", [[], np.zeros(0), np.zeros((0, 2)), ()])
def test_the_empty_set(empty):
    for sums in (PowerSums(0, 2), PowerSums(3, 2, at_most=True)):
        assert len(sums.decode(sums.encode(empty))) == 0
    with pytest.raises(ShapeError, match="number of points is wrong"):
        PowerSums(3, 2).encode(empty)


def test_what_is_accepted_as_points():
    for points in [(2, 1), sympy.Matrix([2, 1]), np.array([1, 2], dtype=np.int8), iter([2, 1])]:
        assert PowerSums(2).encode(points).tolist() == [3, 5]
    assert PowerSums(2).encode(np.float32([0.5, 1])).tolist() == [1.5, 1.25]
    decoded = PowerSums(2).decode([3, 5])
    assert [x for (x,) in decoded] == [1, 2] == np.asarray(decoded)[:, 0].tolist()


def test_masked_points_and_too_many_features_are_refused():
    with pytest.raises(DomainError, match="masked"):
        ep.deepsets.PowerSums(2).encode(np.ma.masked_greater(np.arange(2.0), 0))
    with pytest.raises(DomainError, match="too many power sums"):
        ep.deepsets.PowerSums(10**6, 10)
    for tolerance in (0, -1, float("nan"), "a"):
        with pytest.raises(DomainError, match="tolerance"):
            ep.deepsets.PowerSums(2).decode([1.0, 1.0], tolerance=tolerance)
