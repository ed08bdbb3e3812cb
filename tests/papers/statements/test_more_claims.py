"""Kinds of claims: equations from hypotheses, spaces of linear maps, size after size."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.papers.statements import (
    AtSizes,
    Court,
    Equational,
    Equivariance,
    Identity,
    LinearMaps,
    MapSpace,
)
from eqvproof.support.errors import EqvproofError

CYCLE = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
ONE = np.eye(3, dtype=int)


def judge(claim):
    return Court(budget=20).judge(claim)


def answer(claim):
    found = judge(claim)
    for certificate in found.certificates:
        report = ep.verify(certificate)
        assert report.accepted and (report.grade == found.grade or not found.grade)
    assert found.certificates or not isinstance(claim, LinearMaps) or not found.grade
    return f"{found.outcome} {found.grade}".strip()


# -- equations from hypotheses ---------------------------------------------------------------------------


def test_a_conclusion_that_follows():
    claim = Equational("f(f(x)) = x", {"f is an involution": "f(f(x)) = x"}, "x")
    found = judge(claim)
    assert (str(found.outcome), str(found.grade)) == ("HOLDS", "PROVED")
    assert found.verdicts[0].derivation == ("f(f(x)) = x  (f is an involution)",)
    assert found.certificates[0]["kind"] == "rewriting"


def test_both_sides_are_rewritten():
    monoid = {"associative": "mul(mul(a, b), c) = mul(a, mul(b, c))", "neutral": "mul(one, a) = a"}
    assert answer(Equational("mul(mul(p, one), q) = mul(p, q)", monoid, "a b c")) == "HOLDS PROVED"
    assert answer(Equational("mul(p, q) = mul(q, p)", monoid, "a b c")) == "UNDECIDED"


def test_a_name_that_is_no_variable_stands_for_itself():
    assert answer(Equational("f(b) = b", {"fixed": "f(a) = a"}, "x")) == "UNDECIDED"
    assert answer(Equational("f(b) = b", {"fixed": "f(a) = a"}, "a")) == "HOLDS PROVED"


def test_a_variable_that_occurs_twice_is_one_thing():
    claim = {"same": "g(x, x) = x"}
    assert answer(Equational("g(a, a) = a", claim, "x")) == "HOLDS PROVED"
    assert answer(Equational("g(a, b) = a", claim, "x")) == "UNDECIDED"


@pytest.mark.parametrize(
    ("conclusion", "hypothesis", "says"),
    [
        ("f(x", "a = a", "not an equation of terms"),
        ("f(x) = y)", "a = a", "not an equation of terms"),
        ("f(x) = ", "a = a", "not an equation of terms"),
        ("f(x) y = z", "a = a", "not an equation of terms"),
        ("a = b = c", "a = a", "not an equation of terms"),
        ("f(x) = x", "f(x) = y", "variable on its right side only"),
        ("f(x) = z", "f(x) = f(f(x))", "does not end"),
    ],
)
def test_what_cannot_be_read(conclusion, hypothesis, says):
    claim = Equational(conclusion, {"h": hypothesis}, "x y")
    with pytest.raises(EqvproofError, match=says):
        claim.judge(Court())
    assert says in judge(claim).reason


# -- spaces of linear maps -------------------------------------------------------------------------------


def powers(*exponents):
    family = [np.linalg.matrix_power(CYCLE, k) for k in exponents]
    return LinearMaps(lambda: [MapSpace("C_3", [CYCLE], [CYCLE], family)])


def test_circulants_are_the_maps_that_commute_with_shifts():
    assert answer(powers(0, 1, 2)) == "HOLDS DECIDED"
    assert answer(powers(0, 1, 2, 2)) == "HOLDS DECIDED"


def test_an_equivariant_map_that_is_missing():
    found = judge(powers(0, 1))
    assert (str(found.outcome), str(found.grade)) == ("FAILS", "EXACT")
    assert "dimension 3, the family spans dimension 2" in found.reason


def test_a_map_that_is_not_equivariant():
    wrong = LinearMaps(lambda: [MapSpace("C_3", [CYCLE], [CYCLE], [np.diag([1, 0, 0])])])
    assert judge(wrong).reason.startswith("in the family, but not equivariant: [[1, 0, 0]")


def test_invariant_functionals():
    mean = LinearMaps(
        lambda: [MapSpace("C_3", [CYCLE], [np.eye(1, dtype=int)], [np.ones((1, 3), dtype=int)])]
    )
    assert answer(mean) == "HOLDS DECIDED"
    nothing = LinearMaps(lambda: [MapSpace("signs", [-ONE], [ONE], [])])
    assert answer(nothing) == "HOLDS DECIDED"
    assert answer(LinearMaps(lambda: [])) == "UNDECIDED"


# -- size after size -------------------------------------------------------------------------------------


def first_shift(sizes):
    return Equivariance(lambda x: x @ np.roll(x, 1), "x: n -> ()", "C(n)", sizes=sizes)


def test_a_claim_at_sizes_is_decided():
    found = judge(AtSizes(first_shift, ({"n": 1}, {"n": 2}, {"n": 3})))
    assert (str(found.outcome), str(found.grade)) == ("HOLDS", "DECIDED")
    assert found.scope == "at 3 sizes (n in 1..3)"
    assert found.certificates
    assert all(ep.verify(c).accepted for c in found.certificates)


def test_the_first_size_that_fails():
    claim = AtSizes(
        lambda s: Identity(lambda x: x[::-1], lambda x: x, "x: n -> n", sizes=s),
        tuple({"n": n} for n in range(1, 5)),
    )
    found = judge(claim)
    assert (str(found.outcome), found.scope) == ("FAILS", "at n = 2")


def test_no_sizes_decide_nothing():
    assert answer(AtSizes(first_shift, ())) == "UNDECIDED"
