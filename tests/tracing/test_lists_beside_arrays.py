"""Operators of a plain array and a list of traced numbers: NumPy takes the list as an array."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

MIXED = np.arange(9.0).reshape(3, 3)
TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])


def mixed_rows(X):  # type: ignore[no-untyped-def]
    return MIXED @ [X[0], X[1], X[2]]


def turned(v):  # type: ignore[no-untyped-def]
    return TURN @ [v[0], v[1]]


def turned_from_the_right(v):  # type: ignore[no-untyped-def]
    x, y = v
    return [x, y] @ TURN - (x, y) + np.ones(2) * [x, y]


def with_a_constant(v):  # type: ignore[no-untyped-def]
    return TURN @ [v[0], 0.5]


def written(v):  # type: ignore[no-untyped-def]
    w = TURN @ [v[0], v[1]]
    w[0] += 1.0
    return np.linalg.norm(w)


def totals(X):  # type: ignore[no-untyped-def]
    return (np.ones((2, 1)) * [X.sum(), X.max()]).sum()


def asks_at_rare_entries(v):  # type: ignore[no-untyped-def]
    w = TURN @ [v[0], v[1]]
    if v.sum() == 12345.75:
        return v if w.dtype == object else np.cumsum(v)
    return v


def truth_at_rare_entries(v):  # type: ignore[no-untyped-def]
    w = TURN @ [v[0], v[1]]
    if v.sum() == 12345.75:
        return v * 0 + w.any() * v[0]
    return v * v.max()


def asks_by_name(v):  # type: ignore[no-untyped-def]
    w = TURN @ [v[0], v[1]]
    return getattr(w, "item" + "size") * v


def integers(z):  # type: ignore[no-untyped-def]
    return np.array([1, 2], np.int8) @ [z[0], z[1]]


CLAIMS = [
    (mixed_rows, "X: 3 2 -> 3 2", "O(2)", "PROVED"),
    (mixed_rows, "X: 3 2 -> 3 2", "S(3)", "EXACT"),
    (turned, "v: 2 -> 2", "SO(2)", "PROVED"),
    (turned, "v: 2 -> 2", "O(2)", "EXACT"),
    (turned_from_the_right, "v: 2 -> 2", "SO(2)", "PROVED"),
    (turned_from_the_right, "v: 2 -> 2", "O(2)", "EXACT"),
    (with_a_constant, "v: 2 -> 2", "SO(2)", "EXACT"),
    (written, "v: 2 -> ()", "SO(2)", "ENCLOSED"),
    (totals, "X: n -> ()", "S(n)", "PROVED"),
    (totals, "X: n -> ()", "T(n)", "EXACT"),
]
REFUSED = [
    (asks_at_rare_entries, "v: 2 -> 2"),
    (truth_at_rare_entries, "v: 2 -> 2"),
    (asks_by_name, "v: 2 -> 2"),
    (integers, "z[3]: 2 -> ()"),
]


@pytest.mark.parametrize(
    ("f", "signature", "group", "grade"), CLAIMS, ids=[f"{f.__name__} {g}" for f, _, g, _ in CLAIMS]
)
def test_claims(f, signature, group, grade):  # type: ignore[no-untyped-def]
    verdict = ep.check(f, signature, under=group)
    assert verdict.grade == grade, verdict
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("f", "signature"), REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_what_arrays_of_objects_answer_otherwise_is_refused(f, signature):  # type: ignore[no-untyped-def]
    assert ep.prove(f, signature, "S(2)").outcome == "UNDECIDED"


OPERATIONS = {
    "sum": lambda one, other: one + other,
    "difference": lambda one, other: one - other,
    "product": lambda one, other: one * other,
    "quotient": lambda one, other: one / other,
    "product of matrices": lambda one, other: one @ other,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_random_operands_give_what_numpy_gives_for_arrays(name: str) -> None:
    rng, apply = np.random.default_rng(len(name)), OPERATIONS[name]
    constant = rng.integers(1, 5, size=(3, 3)).astype(float)

    def difference(X):  # type: ignore[no-untyped-def]
        rows = [[X[0, 0] ** 2 + 1, X[1, 1], 2.0], [X[0, 1], 1.0, X[2, 2]], [3.0, X[1, 2], X[2, 0]]]
        if name == "quotient":
            rows = [[x * x + 1.0 for x in row] for row in rows]
        return (apply(constant, rows) - apply(constant, np.array(rows))).sum()

    verdict = ep.check(difference, "X: 3 3 -> ()", under="Signs(3)")
    assert verdict.grade in ("PROVED", "DECIDED"), verdict
    assert ep.verify(verdict.certificate).accepted
