"""Probable bounds hold, are never above the certain ones, and are far below them where sums are long."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.errors import EqvproofError
from eqvproof.evaluate.walk import run
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.probable import DRAWS, RISK, ProbableSystem, _lower_tail
from tests.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import DTYPES, beyond, bounds, computed, real

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
    system = ProbableSystem(format_of(dtype, sums_apart=False))
    given = {n: system.given(system.base.given(np.asarray(a, dtype=float))) for n, a in inputs.items()}
    try:
        with np.errstate(all="ignore"):
            bound = system.bound(run(program, system, given, sizes))
    except EqvproofError:
        return
    assert (bound <= certain).all()
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


def test_the_deviation_that_draws_show_is_that_of_the_sum() -> None:
    """A sum of n terms: draws have the deviation sqrt(n - 1) u S, in units of the format."""
    system = ProbableSystem(format_of("float32"))
    X = np.full((200, 64), 0.5)
    drawn = system.contract([system.given(system.base.given(X))], [(0, 1)], (0,), {0: 200, 1: 64})
    spread = float(np.sqrt(np.mean(np.square(drawn.draws))))
    assert abs(spread / (np.sqrt(63) * 32) - 1) < 0.05


def test_the_lower_tail_is_a_bound_of_chi_squared() -> None:
    t = _lower_tail(0.01)
    draws = np.mean(rng.standard_normal((20000, DRAWS)) ** 2, axis=1)
    assert 0 < np.mean(draws < t) < 0.01
