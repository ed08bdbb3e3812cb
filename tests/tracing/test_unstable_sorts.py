"""Sorts that promise no order of equal entries: what is proved holds in whatever order they stand."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel.interval import UNKNOWN, Arithmetic
from eqvproof.kernel.report import Undecided
from eqvproof.kernel.tensors import Tensor
from eqvproof.programs import Builder
from tests.judged import assert_proved, assert_refuted
from tests.kernel.corpus import reseal
from tests.kernel.encoding import evaluated, in_forms


def by_norm(X: Any) -> Any:
    return X[np.argsort((X**2).sum(1))]


def by_coordinate(X: Any) -> Any:
    return X[np.argsort(X[:, 0])]


def test_what_rests_on_the_comparisons_alone_is_proved() -> None:
    assert_proved(by_norm, "X: n d -> n d", "O(d)")
    assert_proved(lambda x: x * np.argsort(x), "x: n -> n", "Scale(n)")
    assert_refuted(by_coordinate, "X: n d -> n d", "O(d)")


@pytest.mark.parametrize(
    "f",
    [lambda x: x[np.argsort(x)], lambda x: x[np.argsort(-x)], lambda x: x[np.argsort(x)][::-1],
     lambda x: x[np.argsort(x)[::-1]]],
)  # fmt: skip
def test_sorted_values_do_not_rest_on_the_order_of_equal_ones(f: Any) -> None:
    assert_proved(f, "x: n -> n!", "S(n)")


def test_sorted_rows() -> None:
    signature = "X: n d -> n! d"
    assert_proved(lambda X: np.take_along_axis(X, np.argsort(X, axis=0), axis=0), signature, "S(n)")
    assert_refuted(lambda X: np.take_along_axis(X, np.argsort(X, axis=1), axis=1), signature, "S(n)")
    assert_proved(lambda x: x[np.argmin(x)], "x: n -> ()", "S(n)")
    assert_refuted(lambda x: x[np.argmin(x) - 1], "x: n -> ()", "S(n)")


def test_the_order_along_one_axis_is_none_along_another() -> None:
    def crossed(A: Any) -> Any:
        return np.take_along_axis(A, np.argsort(A, axis=0), axis=1)

    assert_proved(crossed, "A: n n -> n n", "Scale(n)")
    assert ep.identical(crossed, lambda A: np.sort(A, axis=0), "A: n n -> n n").fails


def test_a_sort_is_not_a_stable_one() -> None:
    def grade(one: Any, other: Any, budget: float = 30) -> str:
        f, g = (lambda x: np.argsort(-x, kind=one)), (lambda x: np.argsort(-x, kind=other))
        return ep.identical(f, g, "x: n -> n", budget=budget).grade

    assert grade("stable", "mergesort") == grade(None, "quicksort") == "PROVED"
    assert "PROVED" not in (grade(None, "stable", 0.5), grade("heapsort", None, 0.5))
    plain, stable = (lambda x: np.argsort(x)), (lambda x: np.argsort(x, stable=True))
    again = ep.identical(plain, stable, "x: n -> n", budget=0.5)
    assert again.grade != "PROVED"


def test_equal_entries_are_told_by_calls_alone() -> None:
    """The Program says nothing there: the function itself, on floats, differs."""
    for call in (ep.check, ep.refute):
        verdict = call(by_norm, "X: n d -> n! d", "S(n)")
        assert verdict.fails and verdict.grade == "OBSERVED"


def test_the_order_of_an_order_is_its_inverse() -> None:
    assert ep.check(lambda x: x.argsort().argsort(), "x: n -> n", "S(n)").grade == "OBSERVED"  # at ties
    weighted = lambda x: (x * x.argsort().argsort()).sum()  # noqa: E731
    assert "wherever" in assert_proved(weighted, "x: n -> ()", "S(n)").scope
    assert_proved(lambda X: np.argsort(np.argsort(X, axis=1), axis=1), "X: b n -> b n", "S(b)")
    assert_refuted(lambda x: x.argsort().argsort().argsort(), "x: n -> n", "S(n)", sizes={"n": (3, 5)})
    ranks = lambda x: (x[None] < x[:, None]).sum(1) * 1.0  # noqa: E731
    assert ep.identical(lambda x: x.argsort().argsort() * 1.0, ranks, "x: n -> n", budget=1).grade != "EXACT"
    shifted = ep.identical(lambda x: x.argsort().argsort() + 1.0, ranks, "x: n -> n", budget=5)
    assert shifted.fails


def test_rows_are_sorted_each_for_itself() -> None:
    assert_proved(lambda X: np.argsort(X, axis=1) * X, "X: b n -> b n", "S(b)")
    assert_refuted(lambda X: np.argsort(X, axis=0) * X, "X: b n -> b n", "S(b)", sizes={"b": (3, 5)})


def refuted() -> ep.Verdict:
    return assert_refuted(lambda X: X[np.argsort((X**2).sum(1))] + X[:, :1], "X: n d -> n d", "O(d)")


def test_a_counterexample_may_pass_over_what_is_not_known() -> None:
    certificate = refuted().certificate
    assert certificate is not None and certificate["kind"] == "counterexample"
    assert any("order_of_equals" in note for note in ep.verify(certificate).rests_on)


def test_the_kernel_decides_nothing_by_an_unknown_value() -> None:
    def value(make: Any) -> Any:
        b = Builder()
        x = b.input("x", [2])
        unknown = b.opaque("g", [x], [2])
        data = b.program(make(b, x, unknown)).to_json()
        return evaluated(data, {"x": Tensor((2,), [Fraction(3), Fraction(0)])}, Arithmetic(64))

    assert value(lambda b, x, g: b.select(b.const(1), x, g)).values == [3, 0]
    assert value(lambda b, x, g: b.select(b.map("lt", [x, b.const(9)]), x, g)).values == [3, 0]
    passed = value(lambda b, x, g: b.select(x, g, x)).values
    assert passed[0] is UNKNOWN and passed[1] == 0
    for asks in (
        lambda b, x, g: b.map("lt", [g, x]), lambda b, x, g: b.map("eq", [g, g]), lambda b, x, g: b.neg(g),
        lambda b, x, g: b.mul(x, g), lambda b, x, g: b.sort(g, 0), lambda b, x, g: b.reduce("max", g, [0]),
        lambda b, x, g: b.select(g, x, x), lambda b, x, g: b.map("exp", [g]), lambda b, x, g: b.onehot(g, 2),
    ):  # fmt: skip
        with pytest.raises(Undecided):
            value(asks)


def test_a_certificate_whose_sides_are_unknown_is_not_accepted() -> None:
    certificate = copy.deepcopy(refuted().certificate)
    assert certificate is not None and ep.verify(certificate).accepted
    b = Builder()
    unknown = b.program(b.opaque("g", [b.input("X", ["n", "d"])], ["n", "d"])).to_json()
    certificate["forms"] = in_forms(unknown, certificate["evidence"]["sizes"])
    report = ep.verify(reseal(certificate))
    assert not report.accepted and "unknown function" in report.reason


def nearest(X: Any) -> Any:
    distances = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    return X[np.argsort(distances, axis=1)[:, 1:3]].mean(1)


@pytest.mark.whole_search
def test_neighbours_are_proved_wherever_no_distances_tie() -> None:
    sizes = {"n": (3, 5)}
    verdict = assert_proved(nearest, "X: n d -> n d", "S(n)", sizes=sizes, generic=True)
    assert "wherever no two entries of distances tie" in verdict.scope
    assert ep.check(nearest, "X: n d -> n d", "S(n)", sizes=sizes).fails
    assert "wherever" not in assert_proved(nearest, "X: n d -> n d", "E(d)", sizes=sizes).scope


def test_what_fails_apart_from_ties_or_only_at_ties_is_refuted() -> None:
    def places(X: Any) -> Any:
        return np.argsort(((X[:, None] - X[None]) ** 2).sum(-1), axis=1)[:, 1:3].sum(1)

    def first_where_rows_are_equal(X: Any) -> Any:
        equal = (((X[:, None] - X[None]) ** 2).sum(-1) == 0).sum() > X.shape[0]
        return nearest(X) + np.where(equal, X[0], 0)

    assert_refuted(places, "X: n d -> n", "S(n)", sizes={"n": (3, 5)})
    verdict = ep.check(first_where_rows_are_equal, "X: n d -> n d", "S(n)", sizes={"n": (3, 5)})
    assert verdict.fails
    verdict = ep.check(lambda X: nearest(X**2), "X: n d -> n d", "E(d)", sizes={"n": (3, 5)})
    assert verdict.fails


def test_a_proof_that_leaves_out_every_point_is_none() -> None:
    """Each distance stands twice in the flattened matrix: where is nothing tied?"""

    def tied(x: Any) -> Any:
        return x[np.argsort(np.stack([x, x]).reshape(-1))[0] % len(x)] * 1.0

    assert ep.check(tied, "x: n -> ()", "S(n)", budget=4).grade != "PROVED"
