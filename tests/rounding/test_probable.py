"""Probable bounds hold, are never above the certain ones, and are far below them where sums are long."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.rounding import draws as draws_module
from eqvproof.rounding.draws import (
    DRAWS,
    DrawnNumber,
    Normals,
    bound_forms,
    combine_deviations,
    lower_tail,
    stored_draws,
)
from eqvproof.rounding.enclosed import Enclosed
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.probable import RISK, ProbableSystem
from eqvproof.rounding.tracing import trace_with_roundings
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import DTYPES, beyond, bounds, computed, real

rng = np.random.default_rng(2)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(X):
    return X @ softmax(X.T @ X / np.sqrt(X.shape[0]), axis=0)


@pytest.mark.parametrize("large", [1, 5, 2**15])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(100, 130))
def test_random_programs_stay_within_their_bounds(
    seed: int, dtype: str, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws_module, "LARGE", large)
    program, sizes = random_program(seed), {"n": 1 + seed % 4, "d": 1 + seed % 3}
    inputs = {n: random_inputs(seed, sizes)[n] for n, _ in program.inputs}
    certain = bounds(program, inputs, sizes, dtype)
    if certain is None:
        return
    bound = bounds(program, inputs, sizes, dtype, "probable")
    assert bound is not None
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
    assert "probability 1e-09" in str(found)


def test_the_deviation_of_a_sum_is_the_same_drawn_and_not_drawn() -> None:
    """A sum of n terms has the deviation sqrt(n - 1) u S; met by a row of ones, rows add up in squares."""
    system = ProbableSystem(format_of("float32"))
    X = np.full((300, 64), 0.5)
    rows = system.contract([system.as_input(system.base.as_input(X))], [(0, 1)], (0,), {0: 300, 1: 64})
    assert np.allclose(rows.fresh, np.sqrt(63) * 32, rtol=1e-5)
    ones = system.as_input(system.base.as_input(np.ones((200, 300))))
    drawn = system.contract([rows, ones], [(0,), (1, 0)], (1,), {0: 300, 1: 200})
    assert rows.draws is not None
    spread = float(np.sqrt(np.mean(np.square(drawn.draws.take(slice(None))))))
    assert abs(spread / (np.sqrt(63 * 300) * 32) - 1) < 0.2


def test_what_is_taken_once_goes_on_without_draws_and_gives_the_same_bound() -> None:
    def f(X):
        return np.exp(X @ X.T * 0.1) * 3.0 + 0.5

    X = rng.normal(size=(6, 5))
    found = ep.rounding_bound(f, "X: n d -> n n", X, dtype="float32", model="probable").bound
    reading, sizes = trace_with_roundings(f, "X: n d -> n n", {}), {"n": 6, "d": 5}
    system = ProbableSystem(reading.format("float32"), draws=4000)
    drawn, _ = reading.walk(system, {"X": system.as_input(system.base.as_input(X))}, sizes)
    assert drawn.draws is not None  # nothing is told to be taken once here
    assert np.all(np.abs(found / system.bound(drawn) - 1) < 0.2)


def test_the_lower_tail_is_a_bound_of_chi_squared() -> None:
    t = lower_tail(0.01, DRAWS)
    draws = np.mean(rng.standard_normal((20000, DRAWS)) ** 2, axis=1)
    assert 0 < np.mean(draws < t) < 0.01


def test_no_normal_number_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays with the same draws would cancel where they are subtracted, also at the end of the pool."""
    monkeypatch.setattr(draws_module, "POOL", 1000)
    draws_module._pool.cache_clear()
    normals = Normals()
    found = np.concatenate([normals.draw(4, np.ones((k, 5))).ravel() for k in (20, 20, 30, 1)])
    draws_module._pool.cache_clear()
    assert len(set(found.tolist())) > 0.99 * found.size  # of 23 bits, a few are equal by chance
    assert 0.9 < np.std(found) < 1.1
    assert abs(np.corrcoef(found[:400], found[400:800])[0, 1]) < 0.2


def test_shifts_of_roundings_cost_no_more_than_their_length() -> None:
    w, s, shift = (rng.normal(size=40) for _ in range(3))
    sigma = float(np.linalg.norm(s * w))
    assert abs(s @ shift) <= sigma * float(np.linalg.norm(shift / w))
    one, wide = stored_draws(Normals().draw(DRAWS, np.abs(s * w)[None])), Enclosed(np.zeros(1))
    one = one.transform(lambda a: a.sum(axis=-1, keepdims=True)[..., 0], (1,))
    plain, shifted = (bound_forms(DrawnNumber(wide, one), 1e-9, DRAWS, shift) for shift in (0.0, 3.0))
    assert shifted > plain + 3 * sigma


def test_a_result_that_is_one_number_has_a_bound() -> None:
    X = rng.standard_normal((5, 3)).astype(np.float32)
    found = ep.rounding_bound(lambda X: (X**2).sum(), "X: n d -> ()", X, dtype="float32", model="probable")
    seen = abs(float((X**2).sum()) - float((X.astype(float) ** 2).sum()))
    assert found.bound.shape == () and seen <= float(found.bound)


def forms(reading, X, draws, large, monkeypatch):
    """The bound of the linear form of every entry, without what is rest."""
    monkeypatch.setattr(draws_module, "LARGE", large)
    system, once = ProbableSystem(reading.format("float32"), draws), reading.nodes_used_once()

    def mark(node, value):
        if node - 1 in once:
            value.is_used_once = True

    sizes = {"n": X.shape[0], "d": X.shape[1]}
    found, _ = reading.walk(system, {"X": system.as_input(system.base.as_input(X))}, sizes, mark)
    return found, system.bound(found)


def shared(X):
    S = X @ X.T
    return (np.exp(S - S.max(axis=1, keepdims=True)) + S * S.sum(axis=1, keepdims=True)) @ X


def twice(X):
    """Two maxima of one array, which round together."""
    S = X @ X.T
    return S.max(axis=1, keepdims=True) + (S * 1.0).max(axis=1, keepdims=True) + 0.0 * X


def chosen(X):
    S = X @ X.T
    return np.where(S > 0.3, S, 2.0 * S) @ X + np.concatenate([S, S], axis=1)[:, 1 : 1 + X.shape[1]]


@pytest.mark.parametrize("f", [shared, twice, chosen])
@pytest.mark.parametrize("large", [8, 40, 150])
def test_arrays_that_are_not_drawn_are_never_below_those_that_are(f, large, monkeypatch) -> None:
    """4000 draws show deviations within some percent: what is kept without draws is no less."""
    X = rng.normal(size=(12, 5)).astype(np.float32).astype(float)
    reading = trace_with_roundings(f, "X: n d -> n d", {"n": 12, "d": 5})
    _, exact = forms(reading, X, 4000, 2**15, monkeypatch)
    found, bound = forms(reading, X, 4000, large, monkeypatch)
    assert np.all(bound >= 0.85 * exact)
    assert np.all(bound <= found.known.error)
    assert np.median(bound / exact) < 30


def test_what_is_kept_together_covers_a_form_added_to_itself() -> None:
    f = np.abs(rng.normal(size=7))
    assert np.allclose(combine_deviations([f, f]), 2 * f)
    for c in rng.normal(size=(50, 7)):
        g = f[::-1].copy()
        most = np.linalg.norm(c * f) + np.linalg.norm(c * g)
        assert np.linalg.norm(c * combine_deviations([f, g])) >= most * (1 - 1e-12)


def test_numbers_that_draws_in_float32_cannot_hold_have_their_certain_bound() -> None:
    def f(X):
        Y = (X @ X.T) * 2.0**-200
        return np.concatenate([Y, Y]) * 2.0**100 * 2.0**100

    X = rng.normal(size=(6, 40))
    found = ep.rounding_bound(f, "X: n d -> 2n n", X, dtype="float64", model="probable")
    wide = X.astype(np.longdouble)
    exact = np.concatenate([wide @ wide.T] * 2)
    assert np.all(np.abs(f(X) - exact) <= found.bound)
