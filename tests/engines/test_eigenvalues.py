"""Eigenvalues of symmetric matrices and singular values: proved under rotations, and slips that fail."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.tracing.arrays.symmetric import is_symmetric
from tests.judged import assert_proved, assert_refuted

EIG = np.linalg.eigvalsh


def covariance(X: Any) -> Any:
    centred = X - X.mean(axis=0)
    return EIG(centred.T @ centred / X.shape[0])


def laplacian(A: Any) -> Any:
    W = A + A.T
    return EIG(np.diag(W.sum(axis=1)) - W)


RIGHT = {
    "gram": (lambda X: EIG(X.T @ X), "X: d n -> n!", "O(d) x S(n)"),
    "covariance": (covariance, "X: n d -> d!", "E(d) x S(n)"),
    "laplacian": (laplacian, "A: n n -> n!", "S(n)"),
    "sum with the transpose": (lambda A: EIG(A + A.T), "A: n n -> n!", "O(n)"),
    "nuclear norm": (lambda A: np.linalg.norm(A, ord="nuc"), "A: d n -> ()", "O(d) x O(n)"),
    "spectral norm": (lambda A: np.linalg.norm(A, 2), "A: d n -> ()", "O(d) x O(n)"),
}
WRONG = {
    "a matrix that is not symmetric": (EIG, "A: n n -> n!", "S(n)"),
    "elementwise before": (lambda A: EIG(np.tanh(A + A.T)), "A: n n -> n!", "O(n)"),
    "columns for rows": (lambda X: EIG(X.T @ np.diag(X[:, 0]) @ X), "X: d n -> n!", "O(d)"),
    "no centre": (lambda X: EIG(X.T @ X), "X: n d -> d!", "E(d)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    assert_proved(function, signature, under)


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    assert_refuted(function, signature, under)


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
def test_exact_and_float_values_agree(dtype: Any) -> None:
    """Rational eigenvalues (2 and 4, twice 1) exactly; irrational ones enclosed."""
    b = Builder()
    program = b.program(b.eigvals(b.input("A", ["n", "n"])))
    known = np.array([[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=object)
    exact = evaluate_exact(program, {"A": known})
    assert [x.to_fraction() for x in exact] == [Fraction(v) for v in (1, 1, 2, 4)]
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, (4, 4)).astype(object)
    enclosed = [x.bounds() for x in evaluate_exact(program, {"A": a})]
    floats = evaluate_float(program, {"A": a}, dtype=dtype)
    assert all(low - Fraction(1, 10**9) < Fraction(float(v)) < high + Fraction(1, 10**9)
               for (low, high), v in zip(enclosed, floats, strict=True))  # fmt: skip


def test_symmetry_is_seen_or_not_claimed() -> None:
    b = Builder()
    x, a = b.input("X", ["d", "n"]), b.input("A", ["n", "n"])
    gram = b.matmul(b.transpose(x), x)
    both = b.add([a, b.transpose(a)])
    assert is_symmetric(b, gram) and is_symmetric(b, both)
    assert is_symmetric(b, b.map("exp", [gram])) and is_symmetric(b, b.inv(gram))
    assert not is_symmetric(b, a) and not is_symmetric(b, b.matmul(gram, both))
    assert not is_symmetric(b, b.add([a, gram])) and not is_symmetric(b, b.matmul(a, a))
