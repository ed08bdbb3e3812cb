"""Functions of symmetric matrices by their eigenvectors: proved, and eigenvectors alone never."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.multiplicities import why_not_function
from eqvproof.tracing.numpy.trace import trace_all_sizes

eigh = np.linalg.eigh


def heat(X: Any) -> Any:
    L, V = eigh(X.T @ X)
    return (V * np.exp(-L)) @ V.T


def root(X: Any) -> Any:
    L, V = eigh(X @ X.T)
    return V @ np.diag(np.sqrt(np.maximum(L, 0))) @ V.T


def resolvent(A: Any) -> Any:
    L, V = eigh((A + A.T) / 2)
    return V @ np.diag(1 / (1 + L**2)) @ np.linalg.inv(V)


def gibbs(A: Any) -> Any:
    L, V = eigh(A + A.T)
    w = np.exp(L - L[-1])
    return np.einsum("ik,k,jk->ij", V, w / w.sum(), V)


def whitened(X: Any) -> Any:
    Y = X - X.mean(axis=0)
    L, V = eigh(Y.T @ Y / len(X))
    return Y @ V @ np.diag(1 / np.sqrt(L + 1e-3)) @ V.T


def filtered(A: Any, x: Any) -> Any:
    L, V = eigh(np.diag((A + A.T).sum(axis=1)) - A - A.T)
    return V @ (np.exp(-L)[:, None] * (V.T @ x))


def positive_part(A: Any) -> Any:
    L, V = eigh(A + A.T)
    return (V * (L > 0)) @ V.T


def absolute(X: Any) -> Any:
    L, V = eigh(X @ X.T)
    return (V * np.abs(L)) @ V.T


def heads(X: Any) -> Any:
    L, V = eigh(X @ np.swapaxes(X, -1, -2))
    return (V * np.tanh(L)[:, None, :]) @ np.swapaxes(V, -1, -2)


RIGHT = {
    "heat kernel": (heat, "X: d n -> n n", "O(d) x S(n)"),
    "square root": (root, "X: d n -> d d", "O(d) x S(n)"),
    "resolvent": (resolvent, "A: n n -> n n", "O(n)"),
    "softmax of the eigenvalues": (gibbs, "A: n n -> n n", "S(n)"),
    "whitening": (whitened, "X: n d -> n d^", "E(d) x S(n)"),
    "spectral filter": (filtered, "A: n n, x: n c -> n c", "S(n) x O(c)"),
    "projection": (positive_part, "A: n n -> n n", "O(n)"),
    "homogeneous": (absolute, "X: d n! -> d d", "Scale(d)"),
    "several matrices": (heads, "X: b d n -> b d d", "S(b) x O(d) x O(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_functions_of_matrices_are_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, budget=20)
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted




def across(X: Any) -> Any:
    L, V = eigh(X @ np.swapaxes(X, -1, -2))
    return (V * L.mean(axis=0)[None, ..., None, :]) @ np.swapaxes(V, -1, -2)


REFUSED = {
    "alone": lambda X: eigh(X @ np.swapaxes(X, -1, -2))[1],
    "their absolute values": lambda X: np.abs(eigh(X @ np.swapaxes(X, -1, -2))[1]),
    "weighted by their places": lambda X: (
        (V := eigh(X @ np.swapaxes(X, -1, -2))[1]) * np.arange(V.shape[-1]) @ np.swapaxes(V, -1, -2)
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_those_of_several_matrices_are_not_kept(name: str) -> None:
    with pytest.raises(TraceError, match=r"are kept|equal where eigenvalues are"):
        trace_all_sizes(REFUSED[name], parse_signature("X: b h d n -> b h d d"))


def test_eigenvalues_of_other_matrices_are_no_weights() -> None:
    with pytest.raises(TraceError, match="eigenvalues of other matrices"):
        trace_all_sizes(across, parse_signature("X: b h d n -> b h d d"))


def test_ties_are_found_by_the_rules() -> None:
    b = Builder()
    m, u, c = b.input("A", ["n", "n"]), b.input("u", ["n"]), b.input("c", [])
    t = b.eigvals(m)
    least = b.slice(t, 0, 0, 1)
    same = [t, b.map("exp", [t]), b.sub(t, least), b.mul(c, t), b.mul(t, b.sum(u)), b.broadcast_to(c, ["n"])]
    other = [u, b.mul(t, u), b.iota("n"), b.flip(t, 0), b.roll(t, 0, 1), b.sort(b.map("sin", [t]), 0)]
    assert not any(why_not_function(b, w, t) for w in same)
    assert all(why_not_function(b, w, t) for w in other)


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
def test_exact_and_float_values_agree(dtype: Any) -> None:
    """Two equal eigenvalues among them; the weights are equal there."""
    b = Builder()
    x, w = b.input("A", ["n", "n"]), b.input("w", ["n"])
    program = b.program(b.spectral(x, w))
    known = np.array([[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=object)  # 1, 1, 2, 4
    weights = np.array([5, 5, 6, -2], dtype=object)
    exact = evaluate_exact(program, {"A": known, "w": weights})
    wanted = [[2, -4, 0, 0], [-4, 2, 0, 0], [0, 0, 5, 0], [0, 0, 0, 5]]
    assert [[v.to_fraction() for v in row] for row in exact] == wanted
    assert np.allclose(evaluate_float(program, {"A": known, "w": weights}, dtype=dtype).astype(float), wanted)
    a = np.random.default_rng(0).integers(-4, 5, (4, 4)).astype(object)
    enclosed = evaluate_exact(program, {"A": a, "w": weights})
    floats = evaluate_float(program, {"A": a, "w": weights}, dtype=dtype)
    for ball, value in zip(enclosed.ravel(), floats.ravel(), strict=True):
        low, high = ball.bounds()
        assert low - Fraction(1, 10**9) < Fraction(float(value)) < high + Fraction(1, 10**9)


def test_weights_of_equal_eigenvalues_are_averaged() -> None:
    b = Builder()
    program = b.program(b.spectral(b.eye(3), b.input("w", [3])))
    exact = evaluate_exact(program, {"w": np.array([1, 2, 6], dtype=object)})
    assert [[v.to_fraction() for v in row] for row in exact] == [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
