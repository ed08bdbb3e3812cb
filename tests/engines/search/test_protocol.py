"""What a search says besides a counterexample: counts, notes, errors; equal seeds give equal answers."""

from __future__ import annotations

import itertools
import random
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search import (
    UNCONFIRMED,
    CalledSubject,
    Limits,
    ProgramSubject,
    find_counterexample,
    find_difference,
)
from eqvproof.engines.search.comparer import Comparer
from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import ShapeError, TargetError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.engines.search.asking import ask, floats_only, numbers

VECTOR, UNDER = "x: n -> n", "S(n)"


# ------------------------------------------------------------------------------------ answers that change
def test_random_targets() -> None:
    result = ask(lambda x: x + np.random.rand(), VECTOR, UNDER)
    assert result.nondeterministic and result.found is None


def test_counting_targets() -> None:
    counter = itertools.count()
    result = ask(lambda x: x * next(counter), VECTOR, UNDER)
    assert result.nondeterministic and result.found is None


def test_targets_that_change_later() -> None:
    calls = itertools.count()
    result = ask(lambda x: x if next(calls) < 60 else 2 * x, VECTOR, UNDER)
    assert result.nondeterministic and result.found is None


def test_random_signs_on_floats() -> None:
    rng = random.Random(1)
    result = ask(floats_only(lambda x: x * rng.choice((-1, 1))), VECTOR, UNDER)
    assert result.nondeterministic and result.found is None


# ----------------------------------------------------------------------------------------- nothing to see
def test_undefined_everywhere_is_not_a_comparison() -> None:
    for function in (lambda x: x * np.nan, lambda x: x / 0, lambda x: np.full(x.shape, np.inf)):
        for target in (function, floats_only(function)):
            result = ask(target, VECTOR, UNDER, max_points=300)
            assert result.found is None and result.tried == 0 and result.undefined > 0
            assert result.sizes_tried == ()


def test_trivial_groups_are_not_compared() -> None:
    result = ask(lambda x: x[0], VECTOR.replace("-> n", "-> ()"), UNDER, sizes={"n": 1})
    assert result.found is None and result.tried == 0 and result.undefined == 0


def test_one_side_undefined_refutes() -> None:
    found = ask(lambda x: 1 / x[0], "x: n -> ()", UNDER).found
    assert found is not None
    both = ask(lambda x: np.sqrt(x), "x: d -> d", "Signs(d)").found
    assert both is not None and both.is_one_sided and both.grade == "EXACT"
    assert numbers(both) == {"x": [1]}


def test_points_with_both_sides_defined_are_preferred() -> None:
    found = ask(lambda x: 1 / x[0], "x: n -> ()", UNDER).found
    assert found is not None and not found.is_one_sided
    assert found.sizes == {"n": 2}


# ------------------------------------------------------------------------------------------------- errors
def test_a_target_that_raises() -> None:
    def raises(x: Any) -> Any:
        raise ValueError("no")

    with pytest.raises(TargetError, match="raises ValueError"):
        ask(raises, VECTOR, UNDER)


@pytest.mark.parametrize("function", [lambda x: None, lambda x: (x, x), lambda x: "text"])
def test_a_target_without_an_array(function: Any) -> None:
    with pytest.raises(TargetError):
        ask(function, VECTOR, UNDER)


def test_a_target_of_another_shape() -> None:
    import eqvproof as ep

    with pytest.raises(ShapeError):
        ep.refute(lambda x: x[:1], VECTOR, UNDER)
    with pytest.raises(ShapeError):
        ep.refute(lambda X: X.T, "X: d n -> d n", "O(d)")


def test_sizes_at_which_a_target_does_not_work_are_passed_over() -> None:
    result = ask(lambda x: x[1:2].item() - x[0], "x: n -> ()", UNDER)
    assert result.found is not None and result.found.sizes == {"n": 2}
    result = ask(lambda x: x[2] + x.sum(), "x: n -> ()", UNDER)
    assert result.found is not None and result.found.sizes == {"n": 3}
    assert any("not tried at n = 2" in note for note in result.notes)


def test_arithmetic_errors_are_undefined_values() -> None:
    def careful(x: Any) -> Any:
        if (x == 0).any():
            raise ZeroDivisionError("zero")
        return 1 / x

    result = ask(careful, VECTOR, UNDER, max_points=300)
    assert result.found is None and result.tried > 0 and result.undefined > 0


# ------------------------------------------------------------------------------------------- the promises
def test_equal_seeds_give_equal_answers() -> None:
    def hidden(x: Any) -> Any:
        return x[::-1] if 2 < (x * x).sum() < 3 else x

    first, again = (ask(floats_only(hidden), VECTOR, UNDER, seed=3) for _ in range(2))
    assert (first.tried, first.sizes_tried, first.notes) == (again.tried, again.sizes_tried, again.notes)
    if first.found is not None and again.found is not None:
        assert numbers(first.found) == numbers(again.found)


def test_global_random_state_is_left_alone() -> None:
    random.seed(5)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    ask(np.tanh, "x: d -> d", "O(d)")
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]


def test_targets_get_copies() -> None:
    def writes(x: Any) -> Any:
        x[:] = x * 0
        return x

    result = ask(writes, VECTOR, UNDER, max_points=200)
    assert result.found is None and result.tried > 0
    assert any("writes into its argument" in note for note in result.notes)


def test_the_deadline_is_kept() -> None:
    def slow(x: Any) -> Any:
        time.sleep(0.01)
        return x

    result = ask(slow, VECTOR, UNDER, deadline=time.monotonic() + 0.5)
    assert result.found is None and 0 < result.tried < 100


def test_a_difference_for_which_no_time_is_left_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: Any) -> bool:
        raise TimeIsUp

    monkeypatch.setattr(Comparer, "_confirm", too_late)
    f = floats_only(lambda x: x * np.arange(len(x)))
    assert UNCONFIRMED in ask(f, VECTOR, UNDER).notes
    verdict = ep.check(f, VECTOR, UNDER)
    assert verdict.outcome == "UNDECIDED" and UNCONFIRMED in verdict.reason


def test_the_number_of_points_is_kept() -> None:
    calls = itertools.count()

    def counted(x: Any) -> Any:
        next(calls)
        return x

    result = ask(counted, VECTOR, UNDER, max_points=50)
    assert result.tried <= 50
    assert next(calls) < 400


def test_a_domain_restricts_both_points() -> None:
    def positive(inputs: Any) -> bool:
        return all(v > 0 for v in inputs["x"].flat)

    wrong_elsewhere = ask(np.abs, "x: d -> d", "S(d)", domain=positive, max_points=300)
    assert wrong_elsewhere.found is None and wrong_elsewhere.tried > 0
    reflected = ask(np.abs, "x: d -> d", "Signs(d)", domain=positive, max_points=300)
    assert reflected.found is None and reflected.tried == 0
    found = ask(lambda x: x[:1], "x: n -> 1", UNDER, domain=positive).found
    assert found is not None and positive(found.inputs)


# --------------------------------------------------------------------------------------- kinds of claims
def test_each_factor_moves_alone() -> None:
    found = ask(lambda X: np.cumsum(X, 1) * X.sum(), "X: d n -> d n", "O(d) x S(n)", how="program").found
    assert found is not None
    assert sum(not e.is_identity for e in found.elements) == 1
    assert len(found.elements) == 2
    found = ask(lambda X: X[:, ::-1] * 2, "X: d n -> d n", "O(d) x S(n)").found
    assert found is not None and found.elements[0].is_identity
    assert found.words == "swap positions 0 and 1 along n"


def test_identities() -> None:
    signature = parse_signature("x: n -> ()")
    pair = [CalledSubject(AtSizes(f, signature)) for f in (lambda x: x.max(), lambda x: np.abs(x).max())]
    found = find_difference(pair[0], pair[1], signature).found
    assert found is not None and found.sizes == {"n": 1} and numbers(found) == {"x": [-1]}
    assert (found.left[()], found.right[()]) == (-1, 1)
    same = [CalledSubject(AtSizes(f, signature)) for f in (lambda x: (x * x).sum(), lambda x: x @ x)]
    assert find_difference(same[0], same[1], signature, Limits(max_points=300)).found is None


def test_uninterpreted_functions_stand_for_any() -> None:
    import eqvproof as ep

    signature = parse_signature("X: d n -> d n")
    g = ep.opaque("g", "X: d n -> d n")
    program = trace_all_sizes(lambda X: g(X), signature, {}).program
    subject = ProgramSubject(program)
    found = find_counterexample(subject, signature, parse_group("O(d)", signature)).found
    assert found is not None and found.sizes == {"d": 1, "n": 1}
    assert found.is_recorded and subject.program_at(found.sizes) is None


def test_masks_and_indices() -> None:
    def masked(X: Any, M: Any) -> Any:
        return X * M.sum(axis=0) + np.arange(len(X)) * M.any()

    found = ask(masked, "X: n, M[bool]: n n -> n", UNDER).found
    assert found is not None and found.sizes == {"n": 2}
    assert set(found.inputs["M"].flat) <= {True, False}

    def gathered(X: Any, E: Any) -> Any:
        return X[E[0]] - 2 * X[E[1]]

    right = ask(gathered, "X: n, E[n]: 2 m -> m", UNDER, max_points=300)
    assert right.found is None and right.tried > 0
    found = ask(lambda X, E: X[E[0]] * E[1], "X: n, E[n]: 2 m -> m", UNDER).found
    assert found is not None and found.sizes["n"] == 2


def test_scalars_and_no_inputs() -> None:
    found = ask(lambda s, x: s * np.abs(x), "s: (), x: d -> d", "O(d)").found
    assert found is not None and numbers(found) == {"s": 1, "x": [1]}


def test_inputs_are_fractions() -> None:
    found = ask(lambda x: np.floor(x), "x: d -> d", "Signs(d)").found
    assert found is not None
    assert all(isinstance(v, Fraction) for v in found.inputs["x"].flat)
    seen = ask(floats_only(np.floor), "x: d -> d", "Signs(d)").found
    assert seen is not None and numbers(seen) == {"x": [Fraction(1, 2)]}
    assert all(isinstance(v, float) for v in seen.left.flat)


def test_rounded_constants_are_named() -> None:
    table = [np.sqrt(3.0), 1 / np.sqrt(3.0)]
    result = ask(
        lambda x: x * (table[0] * table[1]) + np.abs(x) * (1 - table[0] * table[1]), "x: d -> d", "O(d)"
    )
    if result.found is not None:  # the product of the rounded roots need not be 1
        assert any("rounded constants" in note for note in result.notes)
    result = ask(lambda x: x + np.abs(x) * 2.0**-52, "x: d -> d", "O(d)")
    assert result.found is not None and 0 < result.found.relative_size < 1e-15
    assert any("a relative 4.4e-16 only" in note for note in result.notes)


SHORT = np.array([0.1, 0.1 + 2**-26], dtype=np.float32).astype(np.float64)


def test_a_difference_that_short_constants_explain_is_named() -> None:
    """The two numbers are next to each other in float32: no constant is off by more."""
    assert SHORT[0] != SHORT[1]
    result = ask(lambda x: x * SHORT, "x: 2 -> 2", "S(2)")
    assert result.found is not None and result.found.relative_size < 1e-6
    assert any("rounded constants" in note for note in result.notes)


def test_past_roundings_a_larger_violation_is_looked_for() -> None:
    found = ask(lambda x: x * SHORT + np.maximum(x[0] - 40, 0), "x: 2 -> 2", "S(2)")
    assert found.found is not None and found.found.relative_size > 1e-2
    assert not any("rounded constants" in note for note in found.notes)


def test_the_entry_that_is_shown_is_more_than_rounding() -> None:
    found = ask(lambda x: x * np.array([*SHORT, 0.125, 0.5]), "x: 4 -> 4", "S(4)").found
    assert found is not None and found.relative_size > 1e-2
