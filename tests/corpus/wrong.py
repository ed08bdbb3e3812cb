"""Wrong functions: each breaks its claim in one way that tests on one Gaussian input may miss."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.corpus.case import Corpus, in_floats, norm, softmax

VECTOR, MATRIX, COLUMNS = "x: n -> n", "X: d n -> d n", "X: n d -> n d"
CORPUS = Corpus()
add = CORPUS.add

# ------------------------------------------------------------------------------------------------- ties
add("ties", VECTOR, "S(n)", lambda x: np.arange(len(x)) == np.argmax(x))
add("ties", VECTOR, "S(n)", lambda x: x * (np.arange(len(x)) == np.argmin(x)))
add("ties", "x: n -> n", "S(n)", lambda x: np.argsort(np.argsort(x, kind="stable"), kind="stable") + 0 * x)
add("ties", "X: n d -> n", "S(d)", lambda X: np.argmax(X, axis=1))
add("ties", COLUMNS, "S(n)", lambda X: X[np.argmax(X[:, 0])] + 0 * X)
add("ties", COLUMNS, "S(n)", lambda X: X[np.argsort(X[:, 0], kind="stable")][0] + X)
add("ties", "x: n, y: n -> n", "S(n)", lambda x, y: y[np.argmax(x)] * np.ones_like(x))
add("ties", "x: n, y: n -> ()", "S(n)", lambda x, y: y[np.argsort(x, kind="stable")][0])
add("ties", "x: n, y: n -> ()", "S(n)", lambda x, y: y[np.argsort(x, kind="stable")[-1]])
add("ties", VECTOR, "S(n)", lambda x: np.where(np.arange(len(x)) == np.argmax(np.abs(x)), 0, x))


# ----------------------------------------------------------------------------------------- zero columns
def when_zero(x: Any) -> Any:
    return np.where(x == 0, np.arange(len(x)), x)


def unit(X: Any) -> Any:
    """Unit columns; a zero column becomes the first unit vector."""
    s = (X * X).sum(axis=0)
    e = np.zeros(X.shape)
    e[0] = 1
    return np.where(s == 0, e, X * s)


add("zeros", VECTOR, "S(n)", when_zero)
add("zeros", MATRIX, "O(d)", unit)
add("zeros", MATRIX, "SO(d)", unit, sizes={"d": (2, 4)})
add("zeros", MATRIX, "O(d)", lambda X: np.where((X * X).sum(axis=0) == 0, 1, X))
add("zeros", MATRIX, "S(n)", lambda X: np.where((X == 0).all(axis=0), np.arange(X.shape[1]), X))
add("zeros", VECTOR, "S(n)", lambda x: x if x.any() else np.arange(len(x)) * 1)
add("zeros", "x: n -> ()", "S(n)", lambda x: x[0] if (x == 0).sum() == 1 else x.sum())
add("zeros", VECTOR, "Signs(n)", lambda x: np.where(x == 0, 1, x) * np.where(x == 0, 1, 1))
add("zeros", "x: d -> ()", "O(d)", lambda x: np.where((x == 0).any(), 1, (x * x).sum()))
add("zeros", "x: d, y: d -> ()", "O(d)", lambda x, y: x @ y + np.where(y[0] == 0, 1, 0))


# ------------------------------------------------------------------------------------------- at one size
def at_size(k: int) -> Any:
    return lambda x: x * (np.arange(len(x)) + 1) if len(x) == k else x


def from_size(k: int) -> Any:
    return lambda x: np.cumsum(x) if len(x) > k else x


for k in (1, 2, 3, 4, 5, 7, 11):
    if k > 1:
        add("one size", VECTOR, "S(n)", at_size(k))
    add("one size", VECTOR, "S(n)", from_size(k))
add("one size", MATRIX, "O(d)", lambda X: X[::-1] if X.shape[0] == 3 else X)
add("one size", MATRIX, "S(n)", lambda X: X * np.arange(X.shape[1]) if X.shape[0] == 5 else X)
add("one size", VECTOR, "C(n)", lambda x: x[::-1] * 1 if len(x) % 3 == 0 else x)
add("one size", VECTOR, "S(n)", lambda x: x + x[0] if x.size == 6 else x)
add("one size", "x: n -> ()", "S(n)", lambda x: x[0] if x.shape[0] >= 9 else x.sum())


# --------------------------------------------------------------------------------------- reflections only
def cross(X: Any) -> Any:
    a, b = X[0], X[1]
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def turned(x: Any) -> Any:
    return np.array([-x[1], x[0]])


R = "reflections only"
add(R, "X: 2 3 -> 3", "O(3)", cross)
add(R, "x: 2 -> 2", "O(2)", turned)
add(R, "x: 2 -> 2", "O(2)", lambda x: x + turned(x) * (x * x).sum())
add(R, "X: 3 3! -> ()", "O(3)", lambda X: (X[:, 0] * cross(np.array([X[:, 1], X[:, 2]]))).sum())
add(R, "X: 2 2! -> ()", "O(2)", lambda X: X[0, 0] * X[1, 1] - X[0, 1] * X[1, 0])
add(R, "X: d d! -> ()", "O(d)", lambda X: np.linalg.det(X))
add(R, "X: d d! -> d d!", "O(d)", lambda X: np.linalg.det(X) * X)
add(R, "X: 3 3! -> 3 3!", "O(3)", lambda X: X * (X[:, 0] * cross(X.T[1:])).sum())
add(R, "x: 2, y: 2 -> ()", "O(2)", lambda x, y: x[0] * y[1] - x[1] * y[0])
add(R, "x: 2, y: 2 -> 2", "O(2)", lambda x, y: x * (x[0] * y[1] - x[1] * y[0]))
add(R, "X: d n -> d n", "O(d)", lambda X: X if X.shape[0] != 2 else np.array([X[0] - X[1], X[0] + X[1]]))

# --------------------------------------------------------------------------------- odd permutations only
O_ = "odd permutations only"
add(O_, "x: 3 -> ()", "S(3)", lambda x: (x[0] - x[1]) * (x[1] - x[2]) * (x[2] - x[0]))
add(O_, "x: 3 -> 3", "S(3)", lambda x: np.array([x[1] - x[2], x[2] - x[0], x[0] - x[1]]))
add(O_, "x: 3 -> 3", "S(3)", lambda x: x * (x[0] - x[1]) * (x[1] - x[2]) * (x[2] - x[0]))
add(O_, "X: 3 3! -> ()", "S(3)", lambda X: np.linalg.det(X))
add(O_, "X: n n! -> ()", "S(n)", lambda X: np.linalg.det(X))
add(O_, "x: n -> n", "S(n)", lambda x: np.roll(x, 1))
add(O_, "x: 3 -> ()", "S(3)", lambda x: x[0] * x[1] ** 2 + x[1] * x[2] ** 2 + x[2] * x[0] ** 2)
add(O_, "x: 4 -> ()", "S(4)", lambda x: x[0] * x[1] + x[2] * x[3])
add(O_, "x: n -> n", "S(n)", lambda x: x - np.roll(x, 2))


# -------------------------------------------------------------------------------------- behind a magnitude
def beyond(limit: float) -> Any:
    return lambda x: np.cumsum(x) if norm(x) > limit else x


def below(limit: float) -> Any:
    return lambda x: np.maximum(x, 0) if (x * x).sum() < limit else x


M = "behind a magnitude"
for limit in (10.0, 1000.0, 12345.0, 1e6, 1e9):
    add(M, VECTOR, "S(n)", beyond(limit))
for limit in (1e-3, 1e-6, 1e-9):
    add(M, "x: d -> d", "O(d)", below(limit))
add(M, VECTOR, "S(n)", lambda x: np.where(x > 500, x * np.arange(len(x)), x))
add(M, VECTOR, "Signs(n)", lambda x: np.where(x > 99, 2 * x, x))
add(M, MATRIX, "O(d)", lambda X: np.clip(X, -100, 100))
add(M, MATRIX, "O(d)", lambda X: np.where(np.abs(X) > 1e4, 0, X))
add(M, "x: n -> ()", "S(n)", lambda x: x[0] if x.sum() > 1e5 else x.sum())
add(M, "x: d -> d", "O(d)", lambda x: x * 0 if x[0] > 77 else x)

# -------------------------------------------------------------------------------------------- relative size
for eps in (1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15):
    add("tiny", VECTOR, "S(n)", lambda x, e=eps: x + e * (x * np.arange(len(x))))
    add("tiny", "x: d -> d", "O(d)", lambda x, e=eps: x + e * np.maximum(x, 0))
add("tiny", MATRIX, "O(d)", lambda X: X @ (X.T @ X) + 1e-9 * np.abs(X))
add("tiny", "X: n d -> n d", "S(n)", lambda X: softmax(X @ X.T) @ X + 1e-9 * X[0])
add("tiny", "x: n -> ()", "S(n)", lambda x: x.sum() + 1e-8 * x[0])
add("tiny", "x: n -> n", "C(n)", lambda x: x + 1e-10 * np.cumsum(x))

# --------------------------------------------------------------------------------------------- mutations
U = "mutation"
add(U, MATRIX, "O(d)", lambda X: np.maximum(X, 0))
add(U, MATRIX, "O(d)", lambda X: X * X.sum(axis=0))
add(U, MATRIX, "O(d)", lambda X: X / np.sqrt((X * X).sum(axis=1, keepdims=True)))
add(U, MATRIX, "O(d)", lambda X: X @ (X.T @ X) + 1)
add(U, MATRIX, "O(d)", lambda X: X - X.mean(axis=0))
add(U, MATRIX, "O(d)", lambda X: np.abs(X) * (X * X).sum())
add(U, MATRIX, "S(n)", lambda X: X - X[:, :1])
add(U, MATRIX, "S(n)", lambda X: X - X.mean(axis=0) * np.arange(X.shape[1]))
add(U, MATRIX, "S(n)", lambda X: np.cumsum(X, axis=1))
add(U, MATRIX, "S(n)", lambda X: X @ np.tril(X.T @ X))
add(U, MATRIX, "S(d)", lambda X: np.sort(X, axis=0))
add(U, COLUMNS, "S(n)", lambda X: softmax(np.where(np.tri(len(X)) > 0, X @ X.T, -100)) @ X)
add(U, COLUMNS, "S(n)", lambda X: softmax(X @ X.T, axis=0) @ X + np.roll(X, 1, axis=0))
add(U, COLUMNS, "O(d)", lambda X: softmax(X @ X.T) @ (X + 0.001))
add(U, COLUMNS, "O(d)", lambda X: softmax(X @ X[:, ::-1].T) @ X)
add(U, COLUMNS, "O(d)", lambda X: softmax(X[:, :1] @ X[:, :1].T) @ X)
add(U, "X: n d -> d", "S(n)", lambda X: X[0])
add(U, "X: n d -> d", "S(n)", lambda X: X.mean(axis=0) + X[-1] / 3)
add(U, "X: n d -> n", "O(d)", lambda X: X.max(axis=1))
add(U, "X: n d -> n", "O(d)", lambda X: np.abs(X).sum(axis=1))
add(U, "X: n d -> n", "S(n)", lambda X: X.sum(axis=1) * np.arange(len(X)))
add(U, "A: n n, X: n c -> n c", "S(n)", lambda A, X: A.T @ X + A[0, 0] * X[0])
add(U, "A: n n, X: n c -> n c", "S(n)", lambda A, X: np.tril(A) @ X)
add(U, "A: n n -> n n", "S(n)", lambda A: A @ A + np.roll(A, 1, axis=0))
add(U, VECTOR, "S(n)", lambda x: x[::-1])
add(U, VECTOR, "S(n)", lambda x: x * (x > x[0]))
add(U, VECTOR, "S(n)", lambda x: np.diff(x, append=x[:1]))
add(U, VECTOR, "C(n)", lambda x: x[::-1])
add(U, VECTOR, "C(n)", lambda x: np.cumsum(x))
add(U, VECTOR, "C(n)", lambda x: x + np.arange(len(x)))
add(U, VECTOR, "A(n)", lambda x: np.roll(x, 1))
add(U, VECTOR, "Signs(n)", lambda x: np.exp(x))
add(U, VECTOR, "Signs(n)", lambda x: x**2)
add(U, VECTOR, "Signs(n)", lambda x: np.sort(x))
add(U, "x: d -> ()", "O(d)", lambda x: (np.abs(x) ** 3).sum())
add(U, "x: d -> ()", "O(d)", lambda x: (x * x)[1:].sum())
add(U, "x: d, y: d -> ()", "O(d)", lambda x, y: (x * y[::-1]).sum())
add(U, "x: d, y: d -> d", "O(d)", lambda x, y: x * y)

# -------------------------------------------------------------------------------------------- floats only
F = "floats only"
add(F, VECTOR, "S(n)", in_floats(lambda x: np.cumsum(x)), exact=False)
add(F, MATRIX, "O(d)", in_floats(lambda X: np.maximum(X, 0)), exact=False)
add(F, COLUMNS, "S(n)", in_floats(lambda X: softmax(X @ X.T, axis=1) @ X + X[0] * 1e-3), exact=False)
add(F, MATRIX, "O(d)", in_floats(lambda X: X @ (X.T @ X) + 1e-6 * X**3), exact=False)
add(F, "X: 2 3 -> 3", "O(3)", in_floats(cross), exact=False)
add(F, VECTOR, "S(n)", in_floats(lambda x: np.fft.fft(x).real), exact=False)
