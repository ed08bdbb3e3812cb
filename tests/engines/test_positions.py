"""Layers on edge lists: proved under permutations of nodes and of edges; slips that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted

EDGES = "X: n d, E[n]: 2 m -> n d"


def summed(X: Any, E: Any) -> Any:
    out = np.zeros_like(X)
    np.add.at(out, E[1], X[E[0]])
    return out


def with_loops(X: Any, E: Any) -> Any:
    nodes = np.arange(X.shape[0])
    return summed(X, np.stack([np.concatenate([E[0], nodes]), np.concatenate([E[1], nodes])]))


def mean(X: Any, E: Any) -> Any:
    return summed(X, E) / (1 + np.bincount(E[1], minlength=X.shape[0])[:, None])


def greatest(X: Any, E: Any) -> Any:
    out = np.zeros_like(X)
    np.maximum.at(out, E[1], X[E[0]])
    return out


def attention(X: Any, E: Any) -> Any:
    src, dst = E
    score = (X[src] * X[dst]).sum(axis=1)
    top = np.full(X.shape[0], -np.inf)
    np.maximum.at(top, dst, score)
    weight = np.exp(score - top[dst])
    total = np.zeros(X.shape[0])
    np.add.at(total, dst, weight)
    out = np.zeros_like(X)
    np.add.at(out, dst, (weight / total[dst])[:, None] * X[src])
    return out


def adjacency(X: Any, E: Any) -> Any:
    A = np.zeros((X.shape[0], X.shape[0]))
    A[E[0], E[1]] = 1.0
    return A @ X


def one_hot(X: Any, E: Any) -> Any:
    return np.eye(X.shape[0])[E[1]].T @ (E[0][:, None] == np.arange(X.shape[0])) @ X


def self_loops_only(X: Any, E: Any) -> Any:
    return X + np.bincount(E[0], weights=(E[0] == E[1]) * 1.0, minlength=X.shape[0])[:, None]


def taken(X: Any, E: Any) -> Any:
    out = X.copy()
    np.subtract.at(out, E[1], np.take(X, E[0], axis=0) * 0.5)
    return out


def two_steps(X: Any, E: Any) -> Any:
    return summed(np.tanh(summed(X, E)), E[::-1])


def last_written(X: Any, E: Any) -> Any:
    out = X * 1.0
    out[E[1]] = X[E[0]]
    return out


def differences(X: Any, E: Any) -> Any:
    gap = X[E[0]] - X[E[1]]
    out = X.copy()
    np.add.at(out, E[1], gap * np.exp(-(gap**2).sum(axis=1, keepdims=True)))
    return out


RIGHT = {
    "summed": (summed, EDGES, "S(n) x S(m)"),
    "with loops": (with_loops, EDGES, "S(n) x S(m)"),
    "mean": (mean, EDGES, "S(n) x S(m)"),
    "greatest": (greatest, EDGES, "S(n) x S(m)"),
    "attention": (attention, EDGES, "S(n) x S(m) x O(d)"),
    "adjacency": (adjacency, EDGES, "S(n) x S(m)"),
    "one-hot": (one_hot, EDGES, "S(n) x S(m) x O(d)"),
    "self-loops": (self_loops_only, EDGES, "S(n) x S(m)"),
    "taken": (taken, EDGES, "S(n) x S(m)"),
    "two steps": (two_steps, EDGES, "S(n) x S(m)"),
    "last written": (last_written, EDGES, "S(n)"),
    "entries": (lambda A, E: A[E[0], E[1]], "A: n n, E[n]: 2 m -> m", "S(n) x S(m)"),
    "differences": (differences, EDGES, "E(d) x S(n) x S(m)"),
    "lookup": (lambda W, i: W[i], "W: v d, i[v]: n -> n d", "S(v) x S(n) x O(d)"),
    "positions of positions": (lambda X, E, p: X[p[E[0]]], "X: n d, E[n]: 2 m, p[n]: n -> m d", "S(n)"),
    "along an axis": (
        lambda A, i: np.take_along_axis(A, i[:, None], axis=1)[:, 0], "A: k n, i[n]: k -> k", "S(n) x S(k)",
    ),
}  # fmt: skip

WRONG = {
    "numbers of positions": (lambda X, E: X + E[0].sum(), EDGES, "S(n)"),
    "positions summed": (lambda X, E: X * (E[0] < E[1]).sum(), EDGES, "S(n)"),
    "first edge": (lambda X, E: X + X[E[0, 0]], EDGES, "S(m)"),
    "first node": (lambda X, E: summed(X, E) + X[0], EDGES, "S(n)"),
    "neighbour of the position": (lambda X, E: summed(X, (E + 1) % X.shape[0]), EDGES, "S(n)"),
    "positional table": (lambda X, E: summed(X + np.arange(X.shape[0])[:, None], E), EDGES, "S(n)"),
    "last written": (last_written, EDGES, "S(m)"),
    "greatest under rotations": (greatest, EDGES, "O(d)"),
    "summed under translations": (summed, EDGES, "T(d)"),
    "edges by order": (lambda X, E: X + summed(X, E) * (E[0] * np.arange(E.shape[1])).sum(), EDGES, "S(m)"),
    "constant position": (lambda X, E: X + (E[0] == 0).sum(), EDGES, "S(n)"),
    "result is positions": (lambda X, E: E[0] * 1.0, "X: n d, E[n]: 2 m -> m", "S(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    assert_proved(function, signature, under)


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    assert_refuted(function, signature, under)
