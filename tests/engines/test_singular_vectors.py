"""Singular vectors of matrices of any two sizes, and weights that leave out singular values of 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved

Function = Callable[..., Any]
SIGNATURE, GROUP = "W: n d -> n d", "O(n) x O(d)"


def with_weights(weight: Function) -> Function:
    def function(W: Any) -> Any:
        U, s, Vt = np.linalg.svd(W, full_matrices=False)
        return (U * weight(s)) @ Vt

    return function


#: Weights that are 0 where s is 0: the result is the same for all singular vectors, at all matrices.
EVERYWHERE: dict[str, Function] = {
    "the matrix": lambda s: s,
    "threshold": lambda s: s > 1e-3,
    "soft threshold": lambda s: np.maximum(s - 0.5, 0),
    "relative threshold": lambda s: s > 0.1 * s.max(),
    "powers": lambda s: s**3,
    "a choice": lambda s: np.where(s > 0.5, 1 / s, 0),
    "shrunk": lambda s: s / (s + 1),
    "shares": lambda s: s / (1 + s.sum()),
    "clipped": lambda s: np.minimum(s, 1),
}
#: Weights that are not: of a matrix with a singular value of 0 the result is any of several.
OFF_ZERO: dict[str, Function] = {
    "none": lambda s: 1,
    "one more": lambda s: s + 1,
    "small ones": lambda s: s < 0.5,
    "equality": lambda s: s >= 0,
    "from the greatest": lambda s: s - s.max(),
    "exponentials": lambda s: np.exp(-s),
    "cosines": lambda s: np.cos(s) - s,
}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_weights_that_are_0_at_0_are_spoken_of_everywhere(name: str) -> None:
    verdict = assert_proved(with_weights(EVERYWHERE[name]), SIGNATURE, GROUP)
    assert verdict.is_unrestricted and not verdict.points


@pytest.mark.whole_search
@pytest.mark.parametrize("name", OFF_ZERO)
def test_other_weights_are_not(name: str) -> None:
    f = with_weights(OFF_ZERO[name])
    verdict = ep.check(f, SIGNATURE, GROUP, generic=True)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert "the singular values of W differ and none is 0" in verdict.scope
    whole = ep.check(f, SIGNATURE, GROUP, budget=60)
    assert whole.fails and whole.grade == "OBSERVED", str(whole)


@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (4, 2), (2, 4), (3, 3)])
def test_values_are_those_of_numpy(name: str, shape: tuple[int, int]) -> None:
    f, rng = with_weights(EVERYWHERE[name]), np.random.default_rng(sum(shape))
    program = trace_all_sizes(f, parse_signature(SIGNATURE)).program
    n, d = shape
    for rank in range(min(n, d) + 1):
        W = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))
        with np.errstate(all="ignore"):
            found, expected = evaluate_float(program, {"W": W}, {"n": n, "d": d}), f(W)
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize(
    "f",
    [
        lambda W: np.linalg.svd(W, compute_uv=False).sum(),
        lambda W: (np.linalg.svd(W, compute_uv=False) ** 2).sum() / np.linalg.svdvals(W).max() ** 2,
        lambda W: np.log1p(np.linalg.svdvals(W)).sum(),
    ],
)
def test_singular_values_of_matrices_of_any_two_sizes(f: Function) -> None:
    assert_proved(f, "W: n d -> ()", GROUP)


def test_the_numbers_of_rows_and_columns_are_told_apart() -> None:
    """The mean divides by the number of singular values, which is the lesser of the two sizes."""
    mean = lambda W: np.linalg.svdvals(W).mean()  # noqa: E731
    assert_proved(mean, "W: n d -> ()", GROUP)
    by_rows = lambda W: np.linalg.svdvals(W).sum() / len(W)  # noqa: E731
    assert ep.identical(mean, by_rows, "W: n d -> ()").fails
    lesser = lambda W: np.linalg.svdvals(W).sum() / np.minimum(*np.shape(W))  # noqa: E731
    program = trace_all_sizes(mean, parse_signature("W: n d -> ()")).program
    for n, d in ((2, 3), (3, 2), (2, 2), (1, 4)):
        W = np.random.default_rng(n).normal(size=(n, d))
        np.testing.assert_allclose(evaluate_float(program, {"W": W}, {"n": n, "d": d}), lesser(W))


@pytest.mark.parametrize(
    "f",
    [
        lambda W: np.abs(with_weights(EVERYWHERE["threshold"])(W)),
        lambda W: with_weights(EVERYWHERE["threshold"])(W)[::-1],
        lambda W: with_weights(lambda s: (s > 1e-3) * np.arange(s.shape[0]))(W) * W.max(),
        lambda W: with_weights(lambda s: s > W[0, 0])(W),
    ],
)
def test_near_misses_fail(f: Function) -> None:
    verdict = ep.check(f, SIGNATURE, GROUP, budget=8)
    assert verdict.fails, str(verdict)


def test_numbers_that_the_function_divides_by_itself_stay_undefined() -> None:
    """``(s > c) / s`` is not 0 where s is 0: 0 times 1/0 has no value."""
    f = with_weights(lambda s: (s > 0.5) / s)
    program = trace_all_sizes(f, parse_signature(SIGNATURE)).program
    W = np.array([[2.0, 0.0], [0.0, 0.0]])
    with np.errstate(all="ignore"):
        assert not np.isfinite(f(W)).any()
        assert not np.isfinite(evaluate_float(program, {"W": W}, {"n": 2, "d": 2})).any()


def test_singular_vectors_in_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")

    def muon(W: Any) -> Any:
        U, s, Vt = jnp.linalg.svd(W, full_matrices=False)
        return (U * (s > 1e-6)) @ Vt

    def polar(W: Any) -> Any:
        U, _, Vt = jnp.linalg.svd(W, full_matrices=False)
        return U @ Vt

    assert_proved(muon, SIGNATURE, GROUP, backend="jax", budget=60)
    total = lambda W: jnp.linalg.svd(W, compute_uv=False).sum()  # noqa: E731
    assert_proved(total, "W: n d -> ()", GROUP, backend="jax", budget=60)
    verdict = ep.check(polar, SIGNATURE, GROUP, backend="jax", budget=60, generic=True)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert "the singular values of W differ and none is 0" in verdict.scope
    verdict = ep.check(lambda W: jnp.abs(muon(W)), SIGNATURE, GROUP, backend="jax", budget=60)
    assert verdict.fails
