"""Probable bounds hold, are never above the certain ones, and are far below them where sums are long."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.errors import EqvproofError
from eqvproof.evaluate.walk import run
from eqvproof.rounding.drawn import DRAWS, lower_tail
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.probable import RISK, ProbableSystem
from eqvproof.rounding.reading import read
from tests.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import DTYPES, beyond, bounds, computed, form_of, real

rng = np.random.default_rng(2)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(X):
    return X @ softmax(X.T @ X / np.sqrt(X.shape[0]), axis=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(100, 130))
def test_random_programs_stay_within_their_bounds(seed: int, dtype: str) -> None:
    program, sizes = random_program(seed), {"n": 1 + seed % 4, "d": 1 + seed % 3}
    inputs = {n: random_inputs(seed, sizes)[n] for n, _ in program.inputs}
    certain = bounds(program, inputs, sizes, dtype)
    if certain is None:
        return
    system = ProbableSystem(form_of(dtype))
    given = {n: system.given(system.base.given(np.asarray(a, dtype=float))) for n, a in inputs.items()}
    try:
        with np.errstate(all="ignore"):
            bound = system.bound(run(program, system, given, sizes))
    except EqvproofError:
        return
    assert (bound <= certain * (1 + 2.0**-20)).all()
    result = computed(program, inputs, sizes, dtype, seed)
    assert not beyond(result, real(program, inputs, sizes), bound).any()


def test_long_sums_are_far_sharper() -> None:
    X = rng.normal(size=(8, 400)).astype(np.float32)
    certain = ep.rounding_bound(attention, "X: d n -> d n", X)
    found = ep.rounding_bound(attention, "X: d n -> d n", X, model="probable")
    error = np.abs(attention(X) - attention(X.astype(np.float64)))
    assert (error <= found.bound).all()
    assert np.median(found.bound / certain.bound) < 0.5
    assert found.risk == RISK
    assert certain.risk == 0
    assert any("independent" in a for a in found.assumptions)
    assert "probability of 1e-09" in str(found)


def test_the_deviation_of_a_sum_is_the_same_drawn_and_not_drawn() -> None:
    """A sum of n terms has the deviation sqrt(n - 1) u S; met by a row of ones, rows add up in squares."""
    system = ProbableSystem(format_of("float32"))
    X = np.full((300, 64), 0.5)
    rows = system.contract([system.given(system.base.given(X))], [(0, 1)], (0,), {0: 300, 1: 64})
    assert np.allclose(rows.fresh, np.sqrt(63) * 32, rtol=1e-5)
    ones = system.given(system.base.given(np.ones((200, 300))))
    drawn = system.contract([rows, ones], [(0,), (1, 0)], (1,), {0: 300, 1: 200})
    assert rows.draws is not None
    spread = float(np.sqrt(np.mean(np.square(drawn.draws))))
    assert abs(spread / (np.sqrt(63 * 300) * 32) - 1) < 0.2


def test_what_is_taken_once_goes_on_without_draws_and_gives_the_same_bound() -> None:
    def f(X):
        return np.exp(X @ X.T * 0.1) * 3.0 + 0.5

    X = rng.normal(size=(6, 5))
    found = ep.rounding_bound(f, "X: n d -> n n", X, model="probable").bound
    reading, sizes = read(f, "X: n d -> n n", {}), {"n": 6, "d": 5}
    system = ProbableSystem(reading.format("float32"), draws=4000)
    drawn, _ = reading.walk(system, {"X": system.given(system.base.given(X))}, sizes)
    assert drawn.draws is not None  # nothing is told to be taken once here
    assert np.all(np.abs(found / system.bound(drawn) - 1) < 0.2)


def test_the_lower_tail_is_a_bound_of_chi_squared() -> None:
    t = lower_tail(0.01, DRAWS)
    draws = np.mean(rng.standard_normal((20000, DRAWS)) ** 2, axis=1)
    assert 0 < np.mean(draws < t) < 0.01


def test_a_result_that_is_one_number_has_a_bound() -> None:
    X = rng.standard_normal((5, 3)).astype(np.float32)
    found = ep.rounding_bound(lambda X: (X**2).sum(), "X: n d -> ()", X, dtype="float32", model="probable")
    seen = abs(float((X**2).sum()) - float((X.astype(float) ** 2).sum()))
    assert found.bound.shape == () and seen <= float(found.bound)
