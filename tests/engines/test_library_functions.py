"""Functions of libraries that no Program spells out: any functions to a proof, which alone rests on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.numbers import UNDEFINED, exact_array
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.programs.evaluate.library_functions import LIBRARY, library_functions
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved

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
#: True, but not of every function in the place of the factor.
TRUE_BUT_OPEN = {
    "scale": (lambda X: np.diagonal(cholesky(gram(X)) ** 2).prod(), "X: d n -> ()", "S(n)"),
    "signs": (lambda X: cholesky(X.T @ X + np.eye(X.shape[1]))[0, 0], "X: d n -> ()", "Signs(n)"),
}


@pytest.mark.parametrize("name", [n for n in RIGHT if n != "of each in a batch"])
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = assert_proved(function, signature, under)
    rests_on = " ".join(ep.verify(verdict.certificate).rests_on)
    assert "numpy.linalg.cholesky is a function of its arguments alone" in rests_on


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    """On floats: exact counterexamples rest on Programs, and no Program computes what the library does."""
    function, signature, under = WRONG[name]
    verdict = ep.check(function, signature, under)
    assert verdict.fails and verdict.grade == "OBSERVED", str(verdict)
    assert "numpy.linalg.cholesky is not traced" in str(verdict)


@pytest.mark.parametrize("name", TRUE_BUT_OPEN)
def test_what_is_not_true_of_every_function_is_not_refuted(name: str) -> None:
    function, signature, under = TRUE_BUT_OPEN[name]
    verdicts = [call(function, signature, under, budget=1) for call in (ep.check, ep.decide, ep.refute)]
    verdicts.append(ep.prove(function, signature, under))
    assert not any(v.fails or v.grade == "PROVED" for v in verdicts)


def test_identities() -> None:
    signature = "X: d n -> n n"

    def square(X: Any) -> Any:
        factor = cholesky(gram(X))
        return factor @ factor.T

    same = ep.identical(lambda X: cholesky(gram(X)), lambda X: cholesky(gram(X + X) - 3 * X.T @ X), signature)
    assert same.grade == "PROVED" and ep.verify(same.certificate).accepted
    assert ep.identical(lambda X: cholesky(gram(X)), lambda X: cholesky(gram(2 * X)), signature).fails
    found = ep.identical(square, gram, signature, budget=1)  # true of this function, and not of every one
    assert not found.fails and found.grade != "PROVED"


def test_an_axis_that_moves_inside_is_no_proof() -> None:
    """A function of the whole array need not treat matrices one by one, as far as a proof knows."""
    function, signature, under = RIGHT["of each in a batch"]
    assert ep.prove(function, signature, under).outcome == "UNDECIDED"


def test_a_program_names_it_and_computes_it() -> None:
    program = trace_all_sizes(lambda X: cholesky(gram(X)), parse_signature("X: d n -> n n")).program
    assert library_functions(program) == ("numpy.linalg.cholesky",)
    X = np.random.default_rng(0).normal(size=(3, 4))
    np.testing.assert_allclose(evaluate_float(program, {"X": X}), cholesky(gram(X)), rtol=1e-12)
    points = np.random.default_rng(1).integers(-3, 4, (4, 3))
    exact = np.array([[x.to_float() for x in row] for row in evaluate_exact(program, {"X": points})])
    np.testing.assert_allclose(exact, cholesky(gram(points)), rtol=1e-12)


def test_matrices_without_a_factor_are_undefined() -> None:
    found = LIBRARY["numpy.linalg.cholesky"](np.array([[[4.0, 0.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]]))
    assert found[0].tolist() == [[2.0, 0.0], [1.0, 2.0]] and np.isnan(found[1]).all()
    exact = LIBRARY["numpy.linalg.cholesky"](exact_array([[[4, 0], [2, 5]], [[1, 2], [2, 4]]]))
    assert exact[0].tolist() == [[2, 0], [1, 2]] and all(x is UNDEFINED for x in exact[1].flat)


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
