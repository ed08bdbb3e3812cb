"""The ready domains: members and others, points moved into them, names, conjunctions, verdicts."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims import domains
from eqvproof.claims.groups.families import EVERY_FAMILY

Rows = list[list[Any]]
MATRICES = {
    name: getattr(domains, name)
    for name in ("rotation", "invertible", "simple_spectrum", "full_column_rank", "full_row_rank")
}
READY = {name: value for name, value in vars(domains).items() if isinstance(value, domains.Domain)}
ENTRIES = st.one_of(st.integers(-3, 3).map(Fraction), st.fractions(-3, 3, max_denominator=4))


def exact(values: Any) -> Any:
    array = np.array(values, dtype=object)
    return np.array([*map(Fraction, array.flat)] or [], dtype=object).reshape(array.shape)


def is_member(name: str, rows: Rows) -> bool:
    """From the definition, with SymPy."""
    entries = [[sympy.Rational(v.numerator, v.denominator) for v in map(Fraction, row)] for row in rows]
    m = sympy.Matrix(entries)
    if name == "full_column_rank":
        return m.rank() == m.cols
    if name == "full_row_rank":
        return m.rank() == m.rows
    if m.rows != m.cols:
        return False
    if name == "rotation":
        return m.T * m == sympy.eye(m.rows) and m.det() == 1
    if name == "invertible":
        return m.det() != 0
    x = sympy.Symbol("x")
    return sympy.discriminant((m + m.T).charpoly(x).as_expr(), x) != 0 if m.rows > 1 else True


def square(size: int) -> st.SearchStrategy[Rows]:
    return st.lists(st.lists(ENTRIES, min_size=size, max_size=size), min_size=size, max_size=size)


@pytest.mark.parametrize("name", MATRICES)
@given(st.integers(1, 3).flatmap(square))
def test_membership_is_decided_and_points_are_moved(name: str, rows: Rows) -> None:
    domain, point = MATRICES[name], {"A": exact(rows)}
    inside = is_member(name, rows)
    assert domain(point) == inside
    moved = domain.moved(point)
    assert domain(moved) and is_member(name, moved["A"].tolist())
    if inside:
        assert (moved["A"] == point["A"]).all()
    stack = {"A": np.stack([point["A"], moved["A"]])}
    assert domain(stack) == inside and domain(domain.moved(stack))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_rotations(size: int) -> None:
    """All that are drawn from the group; with a row reflected, or a number changed, none."""
    rng = random.Random(size)
    for _ in range(8):
        matrix = exact(EVERY_FAMILY["SO"].sample(size, rng))
        assert domains.rotation({"R": matrix})
        reflected = matrix.copy()
        reflected[0] = -reflected[0]
        near = matrix.copy()
        near[0, 0] += Fraction(1, 10**20)
        assert not domains.rotation({"R": reflected}) and not domains.rotation({"R": near})


def test_drawn_rotations_differ_and_turn_by_half_circles() -> None:
    """Points with negative diagonals give rotations that have the eigenvalue -1."""
    seen = set()
    for values in np.ndindex(3, 3, 3, 3):
        matrix = exact(np.array(values).reshape(2, 2) - 1)
        moved = domains.rotation.moved({"R": matrix})["R"]
        assert domains.rotation({"R": moved})
        seen.add(tuple(moved.flat))
    assert len(seen) > 6 and (-1, 0, 0, -1) in seen


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [
        (domains.no_ties, [1, 2, 3], [1, 2, 1]),
        (domains.no_ties, [[1, 2], [3, 4]], [[1, 2], [3, 1]]),
        (domains.simple_spectrum, [[1, 5], [-5, 2]], [[1, 5], [-5, 1]]),
        (domains.simple_spectrum, [[1, 1], [1, 1]], [[2, 0], [0, 2]]),
        (domains.rotation, [["3/5", "-4/5"], ["4/5", "3/5"]], [["3/5", "4/5"], ["4/5", "-3/5"]]),
        (domains.rotation, [[1]], [[-1]]),
        (domains.invertible, [[0, 1], [1, 0]], [[1, 2], [2, 4]]),
        (domains.invertible, [[1, 2], [3, 4]], [[1, 0, 0], [0, 1, 0]]),
        (domains.distinct("A", axis=0), [1, 2, 3], [1, 2, 1]),
        (domains.simple_spectrum, [[3]], [[1, 2, 3], [4, 5, 6]]),
    ],
)
def test_members(domain: Any, inside: Any, outside: Any) -> None:
    assert domain({"A": exact(inside)}) and not domain({"A": exact(outside)})


@pytest.mark.parametrize("name", [n for n in READY if n != "distinct"])
def test_names_of_arguments(name: str) -> None:
    """Called with names, a domain leaves other arguments alone."""
    domain = READY[name]
    bad = exact([[0, 0], [0, 0]] if name in ("nonzero", "simple_spectrum") else [[-1, -1], [-1, -1]])
    point = {"A": bad, "B": bad, "data_x": bad}
    named = domain("A")
    assert isinstance(named, domains.Domain) and str(named).startswith("A ")
    moved = named.moved(point)
    assert named(moved) and not named(point) and (moved["B"] == bad).all()
    both = domain("A", "B")
    assert not both(moved) and both(both.moved(point))
    assert domain("data.x")(domain("data.x").moved(point))
    with pytest.raises(ep.EqvproofError, match="does not have"):
        domain("C")(point)


def test_conjunctions() -> None:
    joined = domains.positive("w") & domains.invertible("A") & (lambda p: p["w"][0] < 100)
    point = {"A": exact([[1, 1], [1, 1]]), "w": exact([-1, 2])}
    assert not joined(point)
    moved = joined.moved(point)
    assert joined(moved)
    assert not joined({**moved, "w": exact([100, 1])}) and not joined({**moved, "A": point["A"]})
    turned = (lambda p: True) & domains.no_ties  # type: ignore[operator]
    assert isinstance(turned, domains.Domain) and turned({"x": exact([1, 2])})


@pytest.mark.parametrize("name", MATRICES)
def test_vectors_are_no_matrices(name: str) -> None:
    for domain in (MATRICES[name], MATRICES[name]("x")):
        with pytest.raises(ep.EqvproofError, match="arguments that are none"):
            ep.refute(lambda x: x, "x: n -> n", "S(n)", domain=domain)


# ------------------------------------------------------------------------------------------------- verdicts
def inverse(A: Any) -> Any:
    return np.linalg.inv(A)


def transpose(A: Any) -> Any:
    return A.T


def by_rank(x: Any) -> Any:
    """The entries, each plus its rank among all: of equal ones the first comes first."""
    order = np.argsort(x, kind="stable")
    return x + np.argsort(order, kind="stable")


def gap(A: Any) -> Any:
    """1, but for matrices of which the symmetric part has a double eigenvalue, in two dimensions."""
    s = A + A.T
    double = (s[0, 0] - s[1, 1]) ** 2 + 4 * s[0, 1] ** 2 == 0
    return np.where(double, A[0, 1], 1.0)


#: A call with a domain, one without: what fails outside holds inside.
INSIDE: dict[str, tuple[Callable[..., Any], Any]] = {
    "rotation": (
        lambda **o: ep.identical(inverse, transpose, "A: d d -> d d", sizes={"d": (1, 3)}, **o),
        domains.rotation("A"),
    ),
    "no_ties": (
        lambda **o: ep.check(by_rank, "x: n -> n", "S(n)", sizes={"n": (1, 3)}, **o), domains.no_ties("x"),
    ),
    "simple_spectrum": (
        lambda **o: ep.check(gap, "A: d d -> ()", "O(d)", sizes={"d": 2}, **o), domains.simple_spectrum("A"),
    ),
    "invertible": (
        lambda **o: ep.identical(
            lambda A: np.where(np.linalg.det(A) == 0, 1.0, 0.0), lambda A: 0.0 * A.sum(), "A: d d -> ()",
            sizes={"d": 2}, **o,
        ),
        domains.invertible("A"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", INSIDE)
def test_what_fails_outside_does_not_inside(name: str) -> None:
    call, domain = INSIDE[name]
    outside = call(budget=10)
    assert outside.fails and not domain(outside.counterexample.inputs)
    assert not call(domain=domain, budget=4).fails


@pytest.mark.parametrize("call", [ep.check, ep.refute])
@pytest.mark.parametrize(
    ("f", "signature", "under", "domain"),
    [
        (lambda R: R + R[0, 0], "R: d d -> d d", "SO(d)", domains.rotation("R")),
        (lambda A: np.abs(A), "A: d d -> d d", "O(d)", domains.invertible("A")),
        (lambda A: np.abs(A), "A: d d -> d d", "O(d)", domains.simple_spectrum("A")),
        (lambda x: x[0] * x, "x: n -> n", "S(n)", domains.no_ties("x") & domains.positive("x")),
    ],
)
def test_counterexamples_lie_inside(call: Any, f: Any, signature: str, under: str, domain: Any) -> None:
    verdict = call(f, signature, under, domain=domain, sizes=None, budget=20)
    assert verdict.fails and domain(verdict.counterexample.inputs)
    assert ep.verify(verdict.certificate).accepted


def test_a_proof_holds_in_every_domain() -> None:
    for call in (ep.prove, ep.check):
        verdict = call(lambda R, x: R @ x, "R: d d, x: d -> d", "O(d)", domain=domains.rotation("R"))
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    decided = ep.decide(lambda R: R.T, "R: d d -> d d", "O(d)", sizes={"d": 2}, domain=domains.rotation)
    assert decided.holds and ep.verify(decided.certificate).accepted
