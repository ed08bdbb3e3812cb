"""A counterexample of a traced Program counts only if a call of the function does not contradict it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search.confirm import contradicts_calls
from eqvproof.engines.search.result import FoundCounterexample
from eqvproof.engines.search.sides import claim_sides_of
from tests.engines.search.asking import ask, subject_of
from tests.judged import assert_refuted

SIGNATURE, UNDER = "X: n d -> n d", "O(d)"


def is_contradicted(traced: Any, called: Any, found: FoundCounterexample) -> bool:
    """Checks a counterexample of the Program of one function by calls of another one."""
    signature = parse_signature(SIGNATURE)
    sides = (
        claim_sides_of([subject_of(f, SIGNATURE, {}, how)], signature, parse_group(UNDER, signature))
        for f, how in ((traced, "program"), (called, "called"))
    )
    return contradicts_calls(found, *sides, chooses=True)


WRONG = (
    lambda X: X + 1,
    lambda X: np.tanh(X),
    lambda X: X * np.abs(X).max(),
    lambda X: X / X[:1, :1],  # undefined on one side
    lambda X: (X + 1e8) - 1e8 + np.abs(X),  # rounding takes its floats off the exact values
)


@pytest.mark.parametrize("function", WRONG)
def test_functions_do_not_contradict_their_own_programs(function: Any) -> None:
    found = ask(function, SIGNATURE, UNDER, how="program").found
    assert found is not None
    assert not is_contradicted(function, function, found)


@pytest.mark.parametrize("function", WRONG)
def test_a_function_of_other_values_contradicts(function: Any) -> None:
    found = ask(function, SIGNATURE, UNDER, how="program").found
    assert found is not None

    def other(X: Any) -> Any:  # it is equivariant, and no trace of it gives these values
        return 3 * X

    assert is_contradicted(function, other, found)


def test_a_function_that_raises_contradicts() -> None:
    found = ask(WRONG[0], SIGNATURE, UNDER, how="program").found
    assert found is not None

    def other(X: Any) -> Any:
        raise ValueError("no values")

    assert is_contradicted(WRONG[0], other, found)


def largest_of_one_row(X: Any) -> Any:
    unit = X / np.linalg.norm(X, axis=0, keepdims=True)
    return np.eye(X.shape[-1])[np.argmax(unit, axis=0) % X.shape[-1]]


def test_positions_of_undefined_values_do_not_refute_alone() -> None:
    """np.argmax of a column of NaN is 0 in NumPy: with one row, this function is constant."""
    verdict = ep.check(largest_of_one_row, "X: 1 d -> d! d!", "A(d)")
    assert not verdict.fails, str(verdict)
    refuted = ep.check(largest_of_one_row, "X: n d -> d! d!", "A(d)")
    assert refuted.fails
    assert refuted.counterexample.sizes["n"] > 1


def test_refuted_functions_stay_refuted() -> None:
    for function in WRONG[:4]:
        assert_refuted(function, SIGNATURE, UNDER)
