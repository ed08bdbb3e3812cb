"""Kinds of claims, judged by the engines."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.papers.statements import (
    Case,
    Condition,
    Construction,
    Court,
    Enumeration,
    Equivariance,
    Identity,
    Instance,
    NotFor,
    Typing,
)
from eqvproof.papers.statements.claims.construction import equal_exactly
from eqvproof.support.errors import DomainError, EqvproofError


def judge(claim):
    return Court(budget=20).judge(claim)


def answer(claim):
    found = judge(claim)
    return f"{found.outcome} {found.grade}".strip()


def accepted(found):
    return bool(found.certificates) and all(ep.verify(c).accepted for c in found.certificates)


def test_equivariance():
    assert answer(Equivariance(lambda X: X @ X.T @ X, "X: d n -> d n", "O(d)")) == "HOLDS PROVED"
    found = judge(Equivariance(lambda X: X * X, "X: d n -> d n", "O(d)"))
    assert (str(found.outcome), str(found.grade), found.scope) == ("FAILS", "EXACT", "at d = 1, n = 1")
    assert "At d = 1, n = 1" in found.reason
    assert accepted(found)


def test_equivariance_at_sizes():
    claim = Equivariance(lambda x: x[::-1], "x: n -> n", "S(n)", sizes={"n": (1, 2)})
    assert str(judge(claim).outcome) == "HOLDS"
    claim = Equivariance(lambda x: x[::-1], "x: n -> n", "S(n)", sizes={"n": (1, 3)})
    assert str(judge(claim).outcome) == "FAILS"


def test_identity():
    claim = Identity(lambda X, Y: (X @ Y).T, lambda X, Y: Y.T @ X.T, "X: a b, Y: b c -> c a")
    assert answer(claim) == "HOLDS PROVED"
    assert accepted(judge(claim))
    claim = Identity(lambda X: X @ X.T, lambda X: X.T @ X, "X: n n -> n n")
    assert answer(claim) == "FAILS EXACT"
    assert accepted(judge(claim))


def test_an_identity_on_a_domain_says_so():
    claim = Identity(lambda x: x / x, np.ones_like, "x: n -> n")
    assert str(judge(claim).outcome) == "FAILS"
    there = Identity(
        lambda x: x / x, np.ones_like, "x: n -> n", domain=lambda at: all(at["x"] != 0), where="no x_i is 0"
    )
    found = judge(there)
    assert str(found.outcome) == "HOLDS"
    assert found.scope.endswith(", where no x_i is 0")


def test_typing():
    assert answer(Typing(lambda A, B: A @ B, "A: a b, B: b c -> a c")) == "HOLDS PROVED"
    assert accepted(judge(Typing(lambda A, B: A @ B, "A: a b, B: b c -> a c")))


@pytest.mark.parametrize(
    ("f", "signature", "scope"),
    [
        (lambda A, B: A @ B, "A: a b, B: c b -> a c", "at a = 1, b = 1, c = 2"),
        (lambda A: A.T, "A: a b -> a b", "at a = 1, b = 2"),
        (lambda A: A.sum(), "A: a b -> a", "at a = 1, b = 1"),
        (lambda A, x: A + x, "A: a b, x: a -> a b", "at a = 1, b = 2"),
    ],
)
def test_an_ill_typed_term_is_shown_at_the_smallest_sizes(f, signature, scope):
    """EXACT with the Program whose result has another shape; OBSERVED where NumPy refuses an operation."""
    for claim in (Typing(f, signature), Identity(f, f, signature), Equivariance(f, signature, "O(a)")):
        found = judge(claim)
        if isinstance(claim, Typing) or not found.reason.startswith("At"):
            assert str(found.outcome) == "FAILS"
            assert found.reason.startswith("ill-typed term")
            assert str(found.grade) == ("EXACT" if "another shape" in found.reason else "OBSERVED")
            assert [c["kind"] for c in found.certificates] == ["ill-typed"] * (found.grade == "EXACT")
            assert accepted(found) or not found.certificates
        if isinstance(claim, Typing):
            assert found.scope in (scope, scope.replace("a = 1, b = 2", "a = 2, b = 1"))


def test_sizes_of_the_claim_bound_the_search_for_an_ill_typed_term():
    claim = Equivariance(lambda A: A.T, "A: a b -> a b", "O(a)", sizes={"a": 2, "b": 2})
    assert not judge(claim).reason.startswith("ill-typed")


def test_an_instance():
    point = {"Q": [[0, 1], [1, 0]], "x": [Fraction(1, 3), 2]}
    swap = Instance(lambda Q, x: Q @ x, lambda Q, x: x[::-1], "Q: d d, x: d -> d", point)
    found = judge(swap)
    assert (str(found.outcome), str(found.grade), found.scope) == (
        "HOLDS",
        "DECIDED",
        "at d = 2, for this point",
    )
    wrong = Instance(lambda Q, x: Q @ x, lambda Q, x: x, "Q: d d, x: d -> d", point)
    assert answer(wrong) == "FAILS EXACT"
    assert accepted(judge(wrong))
    assert answer(NotFor(wrong)) == "HOLDS DECIDED"
    assert answer(NotFor(swap)) == "FAILS EXACT"


def test_an_instance_of_fixed_size():
    found = judge(Instance(lambda x: 2 * x, lambda x: x + x, "x: 3 -> 3", {"x": [1, 2, 3]}))
    assert found.scope == "at this point"


def test_an_instance_whose_sides_are_not_rational_is_not_decided():
    assert answer(Instance(np.exp, lambda x: 1 + x, "x: 1 -> 1", {"x": [1]})) == "UNDECIDED"
    assert answer(Instance(lambda x: 1 / x, lambda x: x, "x: 1 -> 1", {"x": [0]})) == "UNDECIDED"


def test_an_instance_without_its_arguments():
    found = judge(Instance(lambda x: x, lambda x: x, "x: 2 -> 2", {}))
    assert "the point has no value for an argument" in found.reason


def test_an_enumeration_stops_at_the_first_difference():
    seen = []

    def family():
        for n in range(1, 5):
            seen.append(n)
            yield Case({"n": n}, {"x": np.arange(n, dtype=object)})

    claim = Enumeration(lambda x: x * x, lambda x: x, "x: n -> n", family, "0 .. n - 1")
    found = judge(claim)
    assert (str(found.outcome), found.scope, seen) == ("FAILS", "at n = 3", [1, 2, 3])
    assert accepted(found)
    claim = Enumeration(lambda x: x + x, lambda x: 2 * x, "x: n -> n", family, "0 .. n - 1")
    found = judge(claim)
    assert (str(found.grade), found.scope) == ("DECIDED", "at 4 sizes (n in 1..4), for 0 .. n - 1")
    assert answer(Enumeration(lambda x: x, lambda x: x, "x: n -> n", lambda: [], "nothing")) == "UNDECIDED"


def roots(rng):
    for _ in range(5):
        root = rng.randint(-9, 9)
        yield Case({"n": 1}, {"square": root * root})


def test_a_construction_is_tested_never_proved():
    condition = lambda r, square: [Condition("r^2 = s", r * r, square)]  # noqa: E731
    claim = Construction(roots, lambda square: int(square**0.5), condition)
    found = judge(claim)
    assert (str(found.outcome), str(found.grade)) == ("HOLDS", "TESTED")
    assert found.reason == "constructed and checked exactly at 5 points (r^2 = s); no proof for others"


def test_a_construction_that_does_not_do_refutes_nothing():
    def refuse(square):
        raise DomainError("no root")

    condition = lambda r, square: [Condition("r^2 = s", r * r, square)]  # noqa: E731
    assert answer(Construction(roots, lambda square: square + 1, condition)) == "UNDECIDED"
    assert "no root" in judge(Construction(roots, refuse, condition)).reason
    assert answer(Construction(roots, lambda square: 0, lambda r, square: [])) == "UNDECIDED"
    assert answer(Construction(lambda rng: [], lambda: 0, lambda r: [])) == "UNDECIDED"


def test_exact_comparison():
    assert equal_exactly([[1, Fraction(2, 4)]], np.array([[1, Fraction(1, 2)]], dtype=object))
    assert not equal_exactly([1, 2], [[1, 2]])
    assert not equal_exactly([Fraction(1, 3)], [Fraction(33, 100)])
    with pytest.raises(EqvproofError, match="a float cannot be compared exactly"):
        equal_exactly([0.5], [Fraction(1, 2)])
