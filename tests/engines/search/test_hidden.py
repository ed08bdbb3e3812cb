"""Violations that one Gaussian input and a tolerance miss: on ties, at one size, in one branch, tiny ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engines.search.asking import ask, floats_only


def beyond_six(x: Any) -> Any:
    return x if x.shape[0] <= 6 else x[::-1]


def at_five(X: Any) -> Any:
    return np.triu(X) if X.shape[0] == 5 else X


def from_twelve(x: Any) -> Any:
    if len(x) >= 12:
        return x * np.arange(len(x))
    return x


def every_third(x: Any) -> Any:
    return x[::-1] if x.shape[0] % 3 == 0 else x


def long_vectors(x: Any) -> Any:
    return np.maximum(x, 0) if np.sqrt((x * x).sum()) > 1000 else x


def short_vectors(x: Any) -> Any:
    return np.abs(x) if 0 < (x * x).sum() < 1e-12 else x


def huge_entries(x: Any) -> Any:
    return x[::-1] if x.max() > 1e30 else x


def tiny_part(x: Any) -> Any:
    return x + 1e-9 * np.abs(x)


def only_ties(x: Any) -> Any:
    equal = x[:, None] == x[None, :]
    return x * np.arange(len(x)) if equal.sum() > len(x) else x


def zero_column(X: Any) -> Any:
    empty = np.abs(X).sum(axis=0) == 0
    return X[:, ::-1] if empty.any() else X


def one_value(x: Any) -> Any:
    return x * np.arange(len(x)) if (x == 17).any() else x


def odd_permutations(x: Any) -> Any:
    return np.prod([x[i] - x[j] for i in range(len(x)) for j in range(i)])


def only_reflections(X: Any) -> Any:
    return X * np.sign(X[0, 0] * X[1, 1] - X[0, 1] * X[1, 0])


def collinear(X: Any) -> Any:
    determinant = X[0, 0] * X[1, 1] - X[0, 1] * X[1, 0]
    return np.abs(X) if determinant == 0 else X


def swallowed(x: Any) -> Any:
    try:
        return x / int(x[0] - x[0] + 1)
    except TypeError:
        return np.abs(x)


def by_loop(x: Any) -> Any:
    total = x[0] * 0
    for i, v in enumerate(x):
        total = total + v if i < 2 else total - v
    return total


THRESHOLD = {"at": 2000.0}


def named_threshold(x: Any) -> Any:
    return np.maximum(x, 0) if np.abs(x).max() > THRESHOLD["at"] else x


HIDDEN: dict[str, tuple[Any, str, str, dict[str, int]]] = {
    "beyond n = 6": (beyond_six, "x: n -> n", "S(n)", {"n": 7}),
    "at n = 5": (at_five, "X: n n -> n n", "S(n)", {"n": 5}),
    "from n = 12": (from_twelve, "x: n -> n", "S(n)", {"n": 12}),
    "every third n": (every_third, "x: n -> n", "S(n)", {"n": 3}),
    "norm above 1000": (long_vectors, "x: d -> d", "O(d)", {"d": 1}),
    "norm below 1e-6": (short_vectors, "x: d -> d", "O(d)", {"d": 1}),
    "entries above 1e30": (huge_entries, "x: n -> n", "S(n)", {"n": 3}),
    "relative size 1e-9": (tiny_part, "x: d -> d", "O(d)", {"d": 1}),
    "only ties": (only_ties, "x: n -> n", "S(n)", {"n": 2}),
    "only with a zero column": (zero_column, "X: d n -> d n", "S(n)", {"d": 1, "n": 3}),
    "only with an entry 17": (one_value, "x: n -> n", "S(n)", {"n": 2}),
    "only odd permutations": (odd_permutations, "x: n -> ()", "S(n)", {"n": 2}),
    "only reflections": (only_reflections, "X: 2 2! -> 2 2!", "O(2)", {}),
    "only collinear columns": (collinear, "X: 2 2! -> 2 2!", "O(2)", {}),
    "only from the third entry on": (by_loop, "x: n -> ()", "S(n)", {"n": 3}),
    "behind a named threshold": (named_threshold, "x: d -> d", "O(d)", {"d": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN)
def test_found_exactly(name: str) -> None:
    function, signature, under, sizes = HIDDEN[name]
    found = ask(function, signature, under).found
    assert found is not None
    assert found.grade in ("EXACT", "ENCLOSED")
    assert found.sizes == sizes


#: A violation at one isolated value looks like an accident of rounding (a floor that jumps) on floats.
ISOLATED = {"only with an entry 17"}


@pytest.mark.parametrize("name", [n for n in HIDDEN if n not in ISOLATED])
def test_found_by_measured_noise(name: str) -> None:
    function, signature, under, sizes = HIDDEN[name]
    result = ask(floats_only(function), signature, under)
    assert result.found is not None
    assert result.found.grade == "OBSERVED"
    assert result.found.sizes == sizes
    assert result.found.noise < abs(residual(result.found)) / 100


def residual(found: Any) -> float:
    left, right = found.left[found.entry], found.right[found.entry]
    return 1.0 if left is None or right is None else float(left - right)


def test_only_exact_arithmetic_sees_a_relative_violation_of_1e_minus_15() -> None:
    found = ask(lambda x: x + np.abs(x) * 2**-50, "x: d -> d", "O(d)").found
    assert found is not None and found.grade == "EXACT" and found.sizes == {"d": 1}


def test_a_threshold_is_found_to_the_unit() -> None:
    found = ask(long_vectors, "x: d -> d", "O(d)").found
    assert found is not None and found.inputs["x"].tolist() == [1001]


def test_what_a_target_does_on_exact_numbers_only_is_not_held_against_it() -> None:
    """On arrays of objects the target takes another way; on floats it is equivariant."""

    def two_faced(x: Any) -> Any:
        return np.abs(x) if x.dtype == object else x

    result = ask(two_faced, "x: d -> d", "O(d)", max_points=400)
    assert result.found is None


def test_what_a_target_does_on_floats_only_is_found() -> None:
    def two_faced(x: Any) -> Any:
        return x if x.dtype == object else np.abs(x)

    result = ask(two_faced, "x: d -> d", "O(d)", max_points=400)
    assert result.found is not None and result.found.grade == "OBSERVED"


def test_swallowed_exceptions_do_not_count() -> None:
    result = ask(swallowed, "x: d -> d", "O(d)", max_points=400)
    assert result.found is None or result.found.grade == "OBSERVED"


def test_a_target_that_knows_float64_from_all_else_is_judged_as_it_is_called() -> None:
    """On exact numbers and in float32 it would compute something else."""

    def f(x: Any) -> Any:
        return x.min() if x.dtype == float else 2 * x.min()

    found = ask(f, "x: d -> ()", "T(d)", sizes={"d": (1, 2)}, max_points=200).found
    assert found is not None and found.grade == "EXACT"
    assert found.right[()] == min(found.inputs["x"])
