"""Cholesky factors: proved where their matrix stays or a batch is permuted, refuted by points elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.numbers import UNDEFINED
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from tests.judged import assert_proved, assert_refuted
from tests.sampling import examples

cholesky = np.linalg.cholesky


def gram(X: Any) -> Any:
    return X.T @ X + np.eye(X.shape[1])


RIGHT = {
    "factor of a Gram matrix": (lambda X: cholesky(gram(X)), "X: d n -> n! n!", "O(d)"),
    "of one that may be singular": (lambda X: cholesky(X.T @ X), "X: d n -> n! n!", "O(d)"),
    "upper factor": (lambda X: cholesky(gram(X), upper=True), "X: d n -> n! n!", "O(d)"),
    "whitened": (lambda X: X @ np.linalg.inv(cholesky(gram(X))).T, "X: d n -> d n!", "O(d)"),
    "of differences": (lambda X: cholesky(gram(X - X[:, :1])), "X: d n -> n! n!", "E(d)"),
    "of each in a batch": (
        lambda X: cholesky(np.swapaxes(X, -1, -2) @ X + np.eye(X.shape[-1])), "X: b d n -> b n! n!", "S(b)",
    ),
}  # fmt: skip
WRONG = {
    "of the rows": (lambda X: cholesky(X @ X.T + np.eye(len(X))), "X: d n -> d! d!", "O(d)"),
    "positions": (lambda X: cholesky(gram(X)), "X: d n -> n n", "S(n)"),
    "scale": (lambda X: cholesky(X.T @ X), "X: d n -> n n", "Scale(d)"),
    "transposed": (lambda X: X @ np.linalg.inv(cholesky(X @ X.T + np.eye(len(X)))), "X: n n -> n n!", "O(n)"),
}
#: True by what the factor is, which rules do not know: decided at single sizes.
DECIDED = {
    "signs of an entry": (lambda X: cholesky(X.T @ X + np.eye(X.shape[1]))[0, 0], "X: d n -> ()", "Signs(n)"),
    "signs of a factor": (lambda X: cholesky(gram(X)), "X: d n -> n n", "Signs(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    verdict = assert_proved(*RIGHT[name])
    assert "Whole" in " ".join(ep.verify(verdict.certificate).rests_on)


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    """By points at which the kernel computes both sides itself."""
    verdict = assert_refuted(*WRONG[name])
    assert all(part.startswith("evaluation in rational") for part in ep.verify(verdict.certificate).rests_on)


@pytest.mark.parametrize("name", DECIDED)
def test_decided(name: str) -> None:
    function, signature, under = DECIDED[name]
    verdict = ep.decide(function, signature, under, sizes={"d": 2, "n": 2})
    assert verdict.grade == "DECIDED" and ep.verify(verdict.certificate).accepted, str(verdict)


def test_what_is_not_seen_is_not_refuted() -> None:
    """The squares of the diagonal are the pivots, whose product is the determinant."""

    def pivots(X: Any) -> Any:
        return (np.diagonal(cholesky(gram(X))) ** 2).prod()

    verdict = ep.check(pivots, "X: d n -> ()", "S(n)", budget=1)
    assert verdict.holds or verdict.outcome == "UNDECIDED", str(verdict)


def test_identities() -> None:
    signature = "X: d n -> n n"

    def square(X: Any) -> Any:
        factor = cholesky(gram(X))
        return factor @ factor.T

    same = ep.identical(lambda X: cholesky(gram(X)), lambda X: cholesky(gram(X + X) - 3 * X.T @ X), signature)
    assert same.grade == "PROVED" and ep.verify(same.certificate).accepted
    assert ep.identical(lambda X: cholesky(gram(X)), lambda X: cholesky(gram(2 * X)), signature).fails
    assert not ep.identical(square, gram, signature, budget=1).fails


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=examples(30), deadline=None)
def test_values_of_programs(seed: int, is_short: bool) -> None:
    """Of Gram matrices, some singular, in floats and in exact numbers: L L^T is the matrix, if all pivots are
    positive, and else nothing is defined."""
    b, rng = Builder(), np.random.default_rng(seed)
    program = b.program(b.matrix("cholesky", b.input("M", ["n", "n"])))
    n = int(rng.integers(1, 4))
    X = rng.integers(-3, 4, (n - 1 if is_short else n + 1, n))
    M = X.T @ X
    exact = evaluate_exact(program, {"M": M})
    if round(np.linalg.det(M)) == 0:
        assert all(x is UNDEFINED for x in exact.flat)
        return
    found = np.array([[x.to_float() for x in row] for row in exact])
    np.testing.assert_allclose(found @ found.T, M, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found, evaluate_float(program, {"M": M.astype(float)}), rtol=1e-6, atol=1e-6)
    assert (np.triu(found, 1) == 0).all() and (np.diag(found) > 0).all()


def in_torch() -> Any:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    def whitened(X: Any) -> Any:
        factor = torch.linalg.cholesky(X.T @ X + torch.eye(X.shape[1], dtype=X.dtype), upper=True)
        return X @ torch.linalg.inv(factor)

    return whitened


def in_jax() -> Any:
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    return lambda X: X @ jnp.linalg.inv(jnp.linalg.cholesky(X.T @ X + jnp.eye(X.shape[1]))).T


@pytest.mark.parametrize("make", [in_torch, in_jax])
def test_frameworks(make: Any) -> None:
    assert_proved(make(), "X: d n -> d n!", "O(d)", budget=120)
