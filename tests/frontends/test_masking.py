"""Minus infinity in masks."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

from eqvproof.errors import TraceError
from eqvproof.frontends import trace_all_sizes
from eqvproof.signature import parse_signature


def softmax(Y: Any, axis: int = -1) -> Any:
    E = np.exp(Y - Y.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis, keepdims=True)


def causal(X: Any) -> Any:
    n = X.shape[0]
    scores = X @ X.T / np.sqrt(X.shape[1])
    scores = np.where(np.tri(n) == 1, scores, -np.inf)
    return softmax(scores) @ X


def causal_added(X: Any) -> Any:
    n = X.shape[0]
    mask = np.triu(np.full((n, n), -np.inf), k=1)
    return softmax((X @ X.T + mask) / np.sqrt(X.shape[1])) @ X


def causal_written(X: Any) -> Any:
    scores = X @ X.T
    scores[np.tri(X.shape[0]) == 0] = -np.inf
    return scipy.special.softmax(scores, axis=-1) @ X


def graph_attention(X: Any, A: Any) -> Any:
    scores = np.where(A > 0, X @ X.T, -np.inf)
    return softmax(scores, axis=1) @ X


def heads(X: Any) -> Any:
    H = X.reshape(X.shape[0], 2, 3).swapaxes(0, 1)
    scores = H @ H.mT + np.where(np.tri(X.shape[0]) > 0, 0.0, -np.inf)[None]
    return (softmax(scores) @ H).swapaxes(0, 1).reshape(X.shape)


TRACED: dict[str, tuple[str, Any]] = {
    "causal": ("X: n d -> n d", causal),
    "added": ("X: n d -> n d", causal_added),
    "written": ("X: n d -> n d", causal_written),
    "graph": ("X: n d, A: n n -> n d", graph_attention),
    "heads": ("X: n 6 -> n 6", heads),
    "in place": ("X: n n -> n n", lambda X: np.exp(_added(X))),
    "transposed": ("X: n n -> n n", lambda X: np.exp(np.where(X > 0, X, -np.inf).T)),
    "joined": ("X: n -> k", lambda X: np.exp(np.concatenate([X, np.where(X > 0, X, -np.inf)]))),
    "indexed": ("X: n n -> n", lambda X: np.exp(np.where(X > 0, X, -np.inf)[0])),
    "maximum": ("X: n -> n", lambda X: np.maximum(np.where(X > 0, X, -np.inf), -1.0)),
    "clipped": ("X: n -> n", lambda X: np.clip(X, -np.inf, 1.0)),
    "initial": ("X: n d -> d", lambda X: X.max(axis=0, initial=-np.inf)),
    "logsumexp": ("X: n n -> n", lambda X: scipy.special.logsumexp(np.where(np.tri(len(X.shape)).sum() * X > -9e9, X, -np.inf), axis=1)),
    "weighed": ("X: n n -> n", lambda X: scipy.special.logsumexp(np.where(X > X.max(1, keepdims=True) - 1, X, -np.inf), axis=1, b=2 + X * X)),
    "near the top": ("X: n n -> n n", lambda X: scipy.special.softmax(np.where(X > X.max(0) - 1, X, -np.inf), axis=0)),
    "scaled": ("X: n n -> n n", lambda X: np.exp(2 * np.where(X > 0, X, -np.inf) - X.max())),
    "exp2": ("X: n -> n", lambda X: np.exp2(np.where(X > 0, -X, -np.inf))),
}  # fmt: skip


def _added(X: Any) -> Any:
    Y = X * 0.001
    Y += np.triu(np.full(X.shape, -np.inf), k=1)
    return Y


REFUSED: dict[str, Any] = {
    "result": lambda X: np.where(X > 0, X, -np.inf),
    "sum": lambda X: np.exp(np.where(X > 0, X, -np.inf).sum(axis=1, keepdims=True) + X),
    "zero times": lambda X: np.exp((X > 0) * -np.inf),
    "sign": lambda X: np.exp(-np.where(X > 0, X, -np.inf)),
    "scaled by an input": lambda X: np.exp(X * np.where(X > 0, X, -np.inf)),
    "plus infinity": lambda X: np.exp(-np.where(X > 0, X, np.inf)),
    "subtracted": lambda X: np.exp(X - np.where(X > 0, X, -np.inf)),
    "compared": lambda X: np.where(np.where(X > 0, X, -np.inf) > 0, 1.0, X),
    "product": lambda X: np.where(X > 0, X, -np.inf) @ X.T @ X,
    "multiplied": lambda X: np.exp(np.where(X > 0, X, -np.inf) ** 2),
    "written into a slice": lambda X: _written(X),
}


def _written(X: Any) -> Any:
    Y = X * 1.0
    Y[0] = -np.inf
    return np.exp(Y)


@pytest.mark.parametrize("name", TRACED)
def test_traced(name: str) -> None:
    signature, function = TRACED[name]
    trace_all_sizes(function, parse_signature(signature))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(TraceError, match="inf"):
        trace_all_sizes(REFUSED[name], parse_signature("X: n d -> n d"))
