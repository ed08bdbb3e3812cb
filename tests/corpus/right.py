"""Right functions, hard ones among them: cancellation, condition 1e12, denormals, entries of 1e300.

Those that are not marked exact are asked about as functions of floats alone, where only measured noise tells
rounding from a violation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.corpus.case import Corpus, in_floats, norm, softmax

VECTOR, MATRIX, COLUMNS = "x: n -> n", "X: d n -> d n", "X: n d -> n d"
CORPUS = Corpus()


def add(why: str, signature: str, under: str, function: Any, *, both: bool = True, **options: Any) -> None:
    """The function as it is and, with `both`, as a function of floats alone."""
    CORPUS.add(why, signature, under, function, **options)
    if both:
        CORPUS.add(why + " in floats", signature, under, in_floats(function), exact=False, **options)


def floats(why: str, signature: str, under: str, function: Any, **options: Any) -> None:
    CORPUS.add(why + " in floats", signature, under, in_floats(function), exact=False, **options)


def newton(x: Any) -> Any:
    a = (x * x).sum() + 1
    r = a
    for _ in range(30):
        r = (r + a / r) / 2
    return r


def attention(X: Any) -> Any:
    return X @ softmax(X.T @ X, axis=0)


def knowledge(X: Any, Z: Any) -> Any:
    return X + Z @ softmax(Z.T @ X / 3, axis=0)


def cross(X: Any) -> Any:
    a, b = X[0], X[1]
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def angle(x: Any, y: Any) -> Any:
    return np.arccos((x * y).sum() / (norm(x) * norm(y)))


def cubic(X: Any) -> Any:
    g = X.T @ X
    return (g + 1e6) ** 3 - g**3 - 3e6 * g**2 - 3e12 * g - 1e18


P = "plain"
add(P, MATRIX, "O(d) x S(n)", lambda X: X @ (X.T @ X))
add(P, MATRIX, "O(d) x S(n)", attention)
add(P, "X: d n, Z: d k -> d n", "O(d)", knowledge)
add(P, "X: d n, Z: d k -> d n", "S(k)", knowledge)
add(P, COLUMNS, "S(n)", lambda X: X - X.mean(axis=0))
add(P, "X: n d -> d", "S(n)", lambda X: X.max(axis=0))
add(P, "X: n d -> n", "O(d)", lambda X: (X * X).sum(axis=1))
add(P, "A: n n, X: n c -> n c", "S(n)", lambda A, X: A @ X + X / (1 + A.sum(axis=1, keepdims=True) ** 2))
add(P, "A: n n -> n n", "S(n)", lambda A: A @ A - A.T)
add(P, "x: n -> n!", "S(n)", np.sort)
add(P, "x: n -> ()", "S(n)", np.median)
add(P, VECTOR, "C(n)", lambda x: np.roll(x, 1) - 3 * np.roll(x, -2))
add(P, VECTOR, "Signs(n)", lambda x: np.sinh(x / 3) * x**2)
add(P, "x: d -> ()", "Signs(d)", lambda x: np.cos(x).prod())
add(P, "X: 2 3 -> 3", "SO(3)", cross)
add(P, "x: 3 -> ()", "A(3)", lambda x: (x[0] - x[1]) * (x[1] - x[2]) * (x[2] - x[0]))
add(P, "X: d n -> 2d n", "O(d)", lambda X: np.concatenate([X, 2 * X]))
add(P, "x: d, y: d -> d", "O(d)", lambda x, y: x * (y * y).sum() - y * (x * y).sum())
add(P, "X: d d -> ()", "O(d)", lambda X: np.trace(X @ X))
add(P, "X: d d -> d d", "O(d)", lambda X: X @ X.T @ X)
add(P, VECTOR, "S(n)", lambda x: softmax(x))
add(P, VECTOR, "S(n)", lambda x: np.where(x > x.mean(), x, 0))

C = "cancellation"
add(C, "x: n -> ()", "S(n)", lambda x: ((x + 1e16) - 1e16).sum())
add(C, "x: n -> ()", "S(n)", lambda x: ((x + 1e8) ** 2).mean() - (x + 1e8).mean() ** 2)
add(C, "X: d n -> n n", "O(d)", cubic)
add(C, "x: d -> ()", "O(d)", lambda x: np.sqrt((x * x).sum() + 1e16) - 1e8)
add(C, VECTOR, "S(n)", lambda x: (x + x.sum() * 1e12) - x.sum() * 1e12)
add(C, "x: d -> ()", "O(d)", lambda x: (1 - np.cos(norm(x) * 1e-6)) * 1e12)
add(C, "x: d -> ()", "O(d)", lambda x: np.exp((x * x).sum() * 1e-9) - 1)
add(C, "x: n -> ()", "S(n)", lambda x: np.log(np.exp(x / 4).sum()) - np.log(np.exp(x / 4).mean()))
add(C, MATRIX, "O(d)", lambda X: (X * 1e10 + X) - X * 1e10)
add(C, "x: n -> ()", "S(n)", lambda x: (x**5).sum() - (x**5).mean() * len(x))
add(C, "Q: m d, K: n d, V: n e -> m e", "S(n)", lambda Q, K, V: softmax(Q @ K.T) @ V)
add(C, "x: d, y: d -> ()", "O(d)", lambda x, y: ((x + y) ** 2).sum() - ((x - y) ** 2).sum() - 4 * x @ y)

K = "condition"
add(K, MATRIX, "O(d)", lambda X: X @ np.linalg.inv(X.T @ X + 1e-12 * np.eye(X.shape[1])))
add(K, "A: n n -> n n", "S(n)", lambda A: np.linalg.inv(np.eye(len(A)) * 1e-12 + np.ones(A.shape)) * A.sum())
add(K, "A: n n -> n n", "S(n)", np.linalg.inv)
add(K, "X: d n -> ()", "O(d)", lambda X: np.linalg.det(X.T @ X + np.ones((X.shape[1],) * 2) * 1e6))
add(K, "X: d n, y: d -> d", "O(d)", lambda X, y: X @ np.linalg.solve(X.T @ X, X.T @ y))
add(K, "x: d, y: d -> ()", "O(d)", angle)
add(K, "x: d -> ()", "O(d)", newton)
add(K, "x: d -> d", "O(d)", lambda x: x / norm(x))
add(K, "x: n -> ()", "S(n)", lambda x: 1 / (x.sum() ** 2 + 1e-12))
add(K, "x: d -> ()", "O(d)", lambda x: np.floor((x * x).sum() / 3))
add(K, "x: d -> ()", "O(d)", lambda x: np.where((x * x).sum() > 1, 1.0, 0.0))
add(K, "x: d -> ()", "O(d)", lambda x: np.sin((x * x).sum() * 1e9))
add(K, "x: n -> ()", "S(n)", lambda x: np.tan(x.sum() * 1e6))
add(K, "x: n -> ()", "S(n)", lambda x: np.rint(x.sum() * 1000) / 1000)

R = "range"
add(R, "x: d -> d", "O(d)", lambda x: (x * 1e300) / 1e300)
add(R, "x: d -> ()", "O(d)", lambda x: np.sqrt(((x * 1e200) ** 2).sum()))
add(R, "x: d -> ()", "O(d)", lambda x: ((x * 1e-160) ** 2).sum() * 1e300)
add(R, "x: d -> d", "O(d)", lambda x: (x * 1e-310) / 1e-310)
add(R, VECTOR, "S(n)", lambda x: x * 1e300 + x.sum() * 1e300)
add(R, "x: n -> ()", "S(n)", lambda x: (x * 1e-320).sum())
add(R, "x: n -> ()", "S(n)", lambda x: np.exp(x * 100).sum())
add(R, "x: d -> ()", "O(d)", lambda x: np.exp(-np.exp((x * x).sum())))
add(R, "x: d -> ()", "O(d)", lambda x: np.log(np.exp(-((x * x).sum()) * 80)))
add(R, "x: n -> ()", "S(n)", lambda x: (np.abs(x) ** 20).sum() ** 0.05)
add(R, "x: n -> ()", "S(n)", lambda x: (x * 1e154).prod() * 1e-300)
add(R, COLUMNS, "O(d)", lambda X: softmax(1000 * X @ X.T) @ X)

L = "libraries"
floats(L, "X: d n -> n!", "O(d) x S(n)", lambda X: np.linalg.eigvalsh(X.T @ X))
floats(L, "X: d n -> ()", "O(d) x S(n)", lambda X: np.linalg.svd(X, compute_uv=False)[0])
floats(L, "X: d n -> d", "S(n)", lambda X: (X.astype(np.float32) * np.float32(1 / 3)).sum(axis=1))
floats(L, "x: n -> ()", "S(n)", lambda x: math.fsum(v / 7 for v in x))
floats(L, "x: n -> n!", "C(n)", lambda x: np.real(np.fft.ifft(np.abs(np.fft.fft(x)) ** 2)))
floats(L, "x: n -> ()", "S(n)", lambda x: np.std(x))
floats(L, "x: n -> ()", "S(n)", lambda x: np.linalg.norm(x, 3))
