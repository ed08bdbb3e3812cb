"""Kinds of claims: shapes of products, choices, codes, vertices, costs, variances, derivations, examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.papers.statements import (
    Case,
    Choice,
    Cost,
    Court,
    Derivation,
    Equational,
    Equivariance,
    Illustrated,
    Injective,
    NotFor,
    Polytope,
    ProductShapes,
    Remark,
    Variance,
    Vertices,
)
from eqvproof.support.errors import EqvproofError


def judge(claim):
    return Court(budget=20).judge(claim)


def answer(claim):
    found = judge(claim)
    for certificate in found.certificates:
        report = ep.verify(certificate)
        assert report.accepted and (report.grade == found.grade or not found.grade)
    finite = (ProductShapes, Vertices, Choice, Injective, Variance)
    assert found.certificates or not isinstance(claim, finite) or not found.grade
    return f"{found.outcome} {found.grade}".strip()


# -- shapes of products ----------------------------------------------------------------------------------


def shapes(text, *, shape="n n", possible=True):
    return ProductShapes({"a product": text}, shape, sizes="k n", varies="n", possible=possible)


@pytest.mark.parametrize(
    ("text", "shape", "fits"),
    [
        ("Y^T: n k, W: a b, Y: k n", "n n", True),
        ("Y^T: n k, Y: k n", "n n", True),
        ("Y: k n, W: a b, Y^T: n k", "k k", False),  # W would be n x n
        ("Y: k n, Y^T: n k", "k k", True),
        ("Y: k n, Y^T: n k", "n n", False),
        ("W: a b", "n n", False),
        ("W: a a, V: b b", "n n", False),
        ("W: a b, V: c e", "k k", True),
        ("W: a b, V: c e", "k n", False),
        ("W: a 2, V: 3 e", "k k", False),
        ("W: a 2, V: 2 e", "k k", True),
        ("W: a a, V: a a", "k 2", False),
        ("Y: k n, Z: k n", "k n", False),
    ],
)
def test_products(text, shape, fits):
    assert answer(shapes(text, shape=shape)) == ("HOLDS PROVED" if fits else "FAILS EXACT")
    assert answer(shapes(text, shape=shape, possible=False)) == ("FAILS EXACT" if fits else "HOLDS PROVED")


@pytest.mark.parametrize("k", [1, 2, 3])
def test_products_by_trying_all_small_dimensions(k):
    """W Y^T V Y U: for every choice of dimensions up to 4 the shape is wrong at n = 1 or at n = 2."""
    claim = shapes("W: a b, Y^T: n k, V: c e, Y: k n, U: f g")
    tried = {
        all(b == n and c == k and e == k and f == n and (a, g) == (n, n) for n in (1, 2))
        for a, b, c, e, f, g in np.ndindex(4, 4, 4, 4, 4, 4)
    }
    assert tried == {False}
    assert "depend on n" in judge(claim).reason


def test_one_product_of_several_may_fit():
    claim = ProductShapes({"W": "W: a b", "Y^T Y": "Y^T: n k, Y: k n"}, "n n", sizes="k n", varies="n")
    assert "Y^T Y has the shape n x n" in judge(claim).reason
    assert answer(claim) == "HOLDS PROVED"


@pytest.mark.parametrize("text", ["Y", "Y: k", ": k n", "Y: k n m"])
def test_a_matrix_that_cannot_be_read(text):
    with pytest.raises(EqvproofError, match="this is not a matrix"):
        shapes(text).judge(Court())


# -- one of finitely many --------------------------------------------------------------------------------


def roots(*numbers):
    cases = lambda: [Case({"n": n}, {"n": n}) for n in numbers]  # noqa: E731
    candidates = lambda n: ({"r": r} for r in range(n + 1))  # noqa: E731
    return Choice(lambda n, r: r * r, lambda n, r: n, "n: (), r: () -> ()", cases, candidates, "root")


def test_choices():
    assert answer(roots(0, 1, 4, 9)) == "HOLDS DECIDED"
    found = judge(roots(1, 4, 6, 7))
    assert f"{found.outcome} {found.grade} {found.scope}" == "FAILS EXACT at n = 6"
    assert "none of all 7 candidates" in found.reason
    assert answer(roots()) == "UNDECIDED"


@pytest.mark.parametrize(("tenth", "expected"), [(Fraction(1, 10), "HOLDS DECIDED"), (0.1, "FAILS EXACT")])
def test_a_float_is_the_number_that_it_is(tenth, expected):
    cases = lambda: [Case({}, {})]  # noqa: E731
    claim = Choice(lambda c: 10 * c, np.ones_like, "c: () -> ()", cases, lambda: [{"c": tenth}], "tenth")
    assert answer(claim) == expected


def test_a_choice_among_no_candidates_is_not_decided():
    same = lambda c: c  # noqa: E731
    claim = Choice(same, same, "c: () -> ()", lambda: [Case({}, {})], list, "nothing")
    assert "no candidates" in judge(claim).reason
    assert answer(claim) == "UNDECIDED"


# -- codes -----------------------------------------------------------------------------------------------


def squares(*numbers):
    family = lambda: [Case({}, {"n": n}) for n in numbers]  # noqa: E731
    return Injective(lambda n: n * n, "n: () -> ()", family, "numbers")


def test_injective():
    assert answer(squares(0, 1, 2, 5)) == "HOLDS DECIDED"
    found = judge(squares(0, 2, 1, -2, -1))
    assert f"{found.outcome} {found.grade}" == "FAILS EXACT"
    assert "n = 2 and n = -2 have the same value, 4" in found.reason
    assert answer(squares()) == "UNDECIDED"


def test_points_of_different_sizes_are_not_compared():
    family = lambda: [Case({"m": m}, {"x": [2] * m}) for m in (1, 2)]  # noqa: E731
    assert answer(Injective(lambda x: x[0], "x: m -> ()", family, "numbers")) == "HOLDS DECIDED"
    twice = Injective(lambda x: x[0], "x: m -> ()", lambda: [*family(), *family()], "numbers")
    assert "the kernel rejects the certificate" in judge(twice).reason


def test_a_value_that_is_not_rational_is_not_decided():
    family = lambda: [Case({}, {"n": n}) for n in (1, 2)]  # noqa: E731
    for f in (np.exp, lambda n: 1 / (n - 1)):
        found = judge(Injective(f, "n: () -> ()", family, "numbers"))
        assert str(found.outcome) == "UNDECIDED"
        assert "not a rational number, or not defined" in found.reason


# -- vertices --------------------------------------------------------------------------------------------


def simplex(points, matrix=((1, 1, 1),), right=(1,)):
    return Vertices(lambda: [Polytope("a triangle", matrix, right, points)])


def test_vertices():
    units = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert answer(simplex(units)) == "HOLDS DECIDED"
    assert "a vertex that is not given: (0, 0, 1)" in judge(simplex(units[:2])).reason
    assert answer(simplex(units[:2])) == "FAILS EXACT"
    assert "no vertex" in judge(simplex([*units, (0, "1/2", "1/2")])).reason
    assert answer(simplex(units, ((1, 1, 1), (2, 2, 2)), (1, 2))) == "HOLDS DECIDED"  # a row twice
    assert answer(simplex([], ((1, 1, 1), (2, 2, 2)), (1, 3))) == "HOLDS DECIDED"  # empty
    assert answer(simplex([], ((1, 1, 1),), (-1,))) == "HOLDS DECIDED"  # no x >= 0
    assert answer(Vertices(list)) == "UNDECIDED"


def test_half_the_permutations_are_not_all_vertices():
    even = [p for p in permutations(range(3)) if np.linalg.det(np.eye(3)[list(p)]) > 0]
    rows = [[int(k // 3 == i) for k in range(9)] for i in range(3)]
    columns = [[int(k % 3 == j) for k in range(9)] for j in range(3)]
    points = [np.eye(3, dtype=int)[list(p)].ravel().tolist() for p in even]
    assert answer(Vertices(lambda: [Polytope("B_3", rows + columns, [1] * 6, points)])) == "FAILS EXACT"


# -- costs -----------------------------------------------------------------------------------------------


def test_costs():
    X = "X: n d -> n n"
    assert answer(Cost(lambda X: X @ X.T, X, "n", time=2, memory=2)) == "HOLDS PROVED"
    assert answer(Cost(lambda X: X @ X.T, X, "n", time=2, memory=1)) == "UNDECIDED"
    assert answer(Cost(lambda X: X @ X.T @ X, "X: n d -> n d", "n", time=2, memory=2)) == "HOLDS PROVED"
    assert answer(Cost(lambda X: X.T @ X, "X: n d -> d d", "n", time=1, memory=1)) == "HOLDS PROVED"
    assert (
        answer(Cost(lambda X: np.exp(X) @ np.exp(X) @ X, "X: n n -> n n", "n", time=2, memory=2))
        == "UNDECIDED"
    )


def test_a_cost_that_is_not_counted():
    assert "Sort" in judge(Cost(lambda x: np.sort(x), "x: n -> n", "n", time=9, memory=9)).reason
    f = ep.opaque("f", "x: n -> n")
    assert "Opaque" in judge(Cost(lambda x: f(x), "x: n -> n", "n", time=9, memory=9)).reason


def test_a_cost_has_the_certificate_of_its_shapes():
    found = judge(Cost(lambda X: X @ X.T, "X: n d -> n n", "n", time=2, memory=2))
    assert all(ep.verify(c).accepted for c in found.certificates)
    assert len(found.certificates) == 1


# -- variances -------------------------------------------------------------------------------------------


def product_of(outcomes, value):
    sizes = tuple({"d": d} for d in (1, 2, 3))
    return Variance(lambda q, k: q @ k, value, "q: d, k: d", outcomes, sizes)


def test_variances():
    assert answer(product_of((-1, 1), lambda s: s["d"])) == "HOLDS DECIDED"
    found = judge(product_of((0, 2), lambda s: s["d"]))
    assert "the variance is 3, not 1" in found.reason
    assert found.scope == "at d = 1"
    assert answer(product_of((0, 2), lambda s: 3 * s["d"])) == "HOLDS DECIDED"
    assert "too many" in judge(product_of(range(500), lambda s: 0)).reason


# -- derivations and examples ----------------------------------------------------------------------------

INVOLUTION = Remark(id="x.f", place="1", printed="f(f(x)) = x", claim=Equational("a = a", {}, ""))
FAILING = Remark(
    id="x.g", place="1", printed="g", claim=Equivariance(lambda x: x[0], "x: n -> ()", under="S(n)")
)
REPAIRED = Remark(
    id="x.h", place="1", printed="h", claim=FAILING.claim,
    repaired=Remark(id="x.h.repaired", place="1", printed="h", claim=NotFor(FAILING.claim)),
)  # fmt: skip


def derive(conclusion, *statements):
    return Derivation(
        conclusion, dict(zip(("f(f(x)) = x", "g(x) = f(x)"), statements, strict=False)), {}, "x"
    )


def test_derivations():
    assert answer(derive("f(f(a)) = a", INVOLUTION)) == "HOLDS PROVED"
    assert answer(derive("f(a) = a", INVOLUTION)) == "UNDECIDED"
    assert "it depends on x.g, which is FAILS" in judge(derive("g(g(a)) = a", INVOLUTION, FAILING)).reason
    found = judge(derive("g(g(a)) = a", INVOLUTION, REPAIRED))
    assert f"{found.outcome} {found.grade}" == "HOLDS DECIDED"  # the grade of the repaired form
    assert found.reason.startswith("x.h FAILS as printed (EXACT), its repaired form is used")


def test_one_statement_may_stand_for_two_equations():
    claim = Derivation("g(f(f(a))) = a", {"f(f(x)) = x": INVOLUTION, "g(x) = x": INVOLUTION}, {}, "x")
    assert answer(claim) == "HOLDS PROVED"


def test_examples_add_nothing_to_a_proof_and_take_nothing_from_it():
    proof, tested = INVOLUTION.claim, Equivariance(np.sort, "x: n -> n!", under="S(n)", sizes={"n": 3})
    assert answer(Illustrated(proof, {"sorting": tested})) == "HOLDS PROVED"
    found = judge(Illustrated(proof, {"an entry": FAILING.claim}))
    assert str(found.outcome) == "UNDECIDED"
    assert "an entry: FAILS" in found.reason
    assert answer(Illustrated(FAILING.claim, {"sorting": tested})) == "FAILS EXACT"
