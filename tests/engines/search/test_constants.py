from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search import mine_constants, size_order

LIMIT = 41
TABLE = np.array([0.25, 43.0])


def helper(x: Any) -> Any:
    return x * 19 if len(x) > 23 else x


def uses_globals(x: Any) -> Any:
    return helper(x)[:LIMIT] * TABLE.sum()


class Model:
    def __init__(self) -> None:
        self.width = 29

    def scale(self, x: Any) -> Any:
        return x * 31

    def __call__(self, x: Any) -> Any:
        return self.scale(x) if len(x) > self.width else x


def made(bound: int) -> Any:
    def inner(x: Any, *, slack: float = 0.125) -> Any:
        return [v for v in x if v > bound + slack]

    return inner


def test_numbers_of_the_code_itself() -> None:
    assert mine_constants(lambda x: x if len(x) > 6 else 0.5 * x) == (6, Fraction(1, 2))


def test_negative_numbers_by_their_absolute_value() -> None:
    assert 37 in mine_constants(lambda x: x - 37 if (x > -37).any() else x * -37.0)


def test_nested_code_closures_defaults() -> None:
    found = mine_constants(made(47))
    assert 47 in found and Fraction(1, 8) in found


def test_globals_and_functions_that_are_named() -> None:
    found = mine_constants(uses_globals)
    assert {41, 19, 23, Fraction(1, 4), 43} <= set(found)


def test_objects_methods_partials() -> None:
    assert {29, 31} <= set(mine_constants(Model()))
    assert 31 in mine_constants(Model().scale)
    assert 53 in mine_constants(functools.partial(lambda x, k: x * k, k=53))


def test_truth_values_infinities_and_zero_are_left_out() -> None:
    found = mine_constants(lambda x: x * float("inf") if x.any() is True else x * np.nan + 0)
    assert all(isinstance(c, (int, Fraction)) and c > 0 and c is not True for c in found)


def test_library_code_is_not_read() -> None:
    assert mine_constants(np.linalg.norm) == ()


def test_no_more_than_asked_for() -> None:
    assert len(mine_constants(uses_globals, limit=3)) == 3


def test_sizes_by_their_sum_then_in_order() -> None:
    signature = parse_signature("X: d n -> d n")
    order = size_order(signature, {"d": (1, 2), "n": (1, 2)})
    assert order == [{"d": 1, "n": 1}, {"d": 1, "n": 2}, {"d": 2, "n": 1}, {"d": 2, "n": 2}]


def test_constants_lead_beyond_open_ranges_only() -> None:
    signature = parse_signature("x: n -> n")
    closed = [s["n"] for s in size_order(signature, {"n": (1, 4)}, (9,))]
    opened = [s["n"] for s in size_order(signature, {"n": (1, 4)}, (9,), unbounded=("n",))]
    assert closed == [1, 2, 3, 4]
    assert opened == [1, 2, 3, 4, 8, 9, 10, 11]  # up to two beyond: parity and strict inequalities
    assert [s["n"] for s in size_order(signature, {"n": 5}, (9,))] == [5]
    assert [s["n"] for s in size_order(signature, {}, ())] == [1, 2, 3, 4]


def test_a_closed_range_is_tried_to_its_end() -> None:
    signature = parse_signature("x: n -> n")
    assert [s["n"] for s in size_order(signature, {"n": (2, 9)})] == [2, 3, 4, 5, 6, 7, 8, 9]
