"""Infinity in masks."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted


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
    "plus infinity": ("X: n -> n", lambda X: np.exp(-np.where(X > 0, X, np.inf))),
    "compared": ("X: n -> n", lambda X: np.where(np.where(X > 0, X, -np.inf) > 0, 1.0, X)),
    "compared from the right": ("X: n -> n", lambda X: X * (X >= np.where(X > 0, X / 2, np.inf))),
    "equal": ("X: n -> n", lambda X: X * (X != np.where(X > 0, X, np.inf))),
    "subtracted from": ("X: n -> n", lambda X: np.exp(X - np.where(X > 0, X, np.inf))),
    "least": ("X: n n -> n", lambda X: np.where(X > X.max(0) - 1, X, np.inf).min(axis=0)),
    "lesser": ("X: n -> n", lambda X: np.minimum(3 - X, np.where(X > 0, X, np.inf))),
    "scaled up": ("X: n -> n", lambda X: np.minimum(np.sqrt(np.where(X > 0, X, np.inf)) * 3 + X, X * X)),
    "over": ("X: n -> n", lambda X: X / np.where(X > 0, 1 + X, np.inf) + 1 / np.where(X > 1, X, np.inf) ** 2),
    "order": ("X: n n -> n n", lambda X: np.argsort(np.where(X > X.max(0) - 1, X, np.inf), 0, kind="stable") * 1.0),
    "greatest place": ("X: n -> ()", lambda X: 1.0 * np.argmax(np.where(X > X.max() - 1, -X, -np.inf))),
    "sorted": ("X: n -> n", lambda X: np.exp(-np.sort(np.where(X > 0, X, np.inf)))),
    "sorted up": ("X: n -> n", lambda X: np.exp(np.sort(np.where(X > 0, X, -np.inf)))),
    "diagonal": ("X: n n -> n", lambda X: _without_diagonal(X).min(axis=1)),
    "joined +inf": ("X: n -> k", lambda X: np.exp(-np.concatenate([X, np.where(X > 0, X, np.inf)]))),
    "summed": ("X: n n -> n", lambda X: np.exp(np.where(X > 0, X, -np.inf).sum(axis=0))),
    "summed +inf": ("X: n n -> n", lambda X: 1 / (1 + np.sum(np.where(X > 0, X, np.inf), axis=1))),
    "exp2": ("X: n -> n", lambda X: np.exp2(np.where(X > 0, -X, -np.inf))),
}  # fmt: skip


def _without_diagonal(X: Any) -> Any:
    Y = X.copy()
    np.fill_diagonal(Y, np.inf)
    return Y[:, ::-1]


def _added(X: Any) -> Any:
    Y = X * 0.001
    Y += np.triu(np.full(X.shape, -np.inf), k=1)
    return Y


REFUSED: dict[str, Any] = {
    "mean": lambda X: np.exp(np.where(X > 0, X, -np.inf).mean(axis=1, keepdims=True) + X),
    "zero times": lambda X: np.exp((X > 0) * -np.inf),
    "sign": lambda X: np.exp(-np.where(X > 0, X, -np.inf)),
    "scaled by an input": lambda X: np.exp(X * np.where(X > 0, X, -np.inf)),
    "exp of plus infinity": lambda X: np.exp(np.where(X > 0, X, np.inf)),
    "both signs": lambda X: np.minimum(np.where(X > 0, X, np.inf), np.where(X > 0, X, -np.inf)),
    "least of minus infinity": lambda X: np.where(X > 0, X, -np.inf).min(axis=0, keepdims=True) * X,
    "unstable order": lambda X: 1.0 * np.argsort(np.where(X > 0, X, np.inf), axis=0),
    "infinity over infinity": lambda X: np.divide(*2 * [np.where(X > 0, X, np.inf)]),
    "softmax of plus infinity": lambda X: scipy.special.softmax(np.where(X > 0, X, np.inf), axis=0),
    "subtracted": lambda X: np.exp(X - np.where(X > 0, X, -np.inf)),
    "product": lambda X: np.where(X > 0, X, -np.inf) @ X.T @ X,
    "multiplied": lambda X: np.exp(np.where(X > 0, X, -np.inf) ** 2),
    "written into a slice": lambda X: _written(X),
}


def _written(X: Any) -> Any:
    Y = X * 1.0
    Y[0] = -np.inf
    return np.exp(Y)


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_a_returned_infinity_is_no_value(infinity: float) -> None:
    function = lambda X: np.where(X > 0, X, infinity)  # noqa: E731
    trace = trace_all_sizes(function, parse_signature("X: n n -> n n"))
    found = evaluate_float(trace.program, {"X": np.array([[1.0, -1.0], [0.0, 2.0]])}, {"n": 2})
    assert (np.isfinite(found) == [[True, False], [False, True]]).all()
    assert any("infinity" in note for note in trace.notes)


@pytest.mark.parametrize("name", TRACED)
def test_traced(name: str) -> None:
    signature, function = TRACED[name]
    trace_all_sizes(function, parse_signature(signature))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(TraceError, match="inf"):
        trace_all_sizes(REFUSED[name], parse_signature("X: n d -> n d"))


def _gaps(X: Any) -> Any:
    D = ((X[:, None] - X[None]) ** 2).sum(-1)
    np.fill_diagonal(D, np.inf)
    return D


def _without(X: Any, M: Any, instead: Any = 0.0) -> Any:
    scores = np.where(M, X @ X.T, -np.inf)
    return np.where(scores == -np.inf, instead, scores)


def _least_message(X: Any, e: Any) -> Any:
    found = np.full(X.shape, np.inf)
    np.minimum.at(found, e[1], X[e[0]])
    return np.where(np.isinf(found), 0, found)


def _distances(X):
    return np.linalg.norm(X[:, None] - X[None], axis=-1)


def _without_itself(X):
    return np.where(np.eye(len(X)) == 1, -np.inf, X @ X.T)


def _hidden(X, M):
    return np.where(X.sum() > 0, np.where(M, X, -np.inf), X)


TRUE: dict[str, tuple[Any, str, str]] = {
    "nearest": (lambda X: X[_gaps(X).argmin(axis=1)], "X: n d -> n d", "O(d)"),
    "distances to the nearest": (lambda X: _gaps(X).min(axis=1), "X: n d -> n", "E(d) x S(n)"),
    "energy": (lambda X: (1 / _gaps(X) ** 2 - 1 / _gaps(X)).sum(), "X: n d -> ()", "E(d) x S(n)"),
    "within a radius": (lambda X: (_gaps(X) < 1).sum(axis=1), "X: n d -> n", "E(d) x S(n)"),
    "without -inf": (lambda X, M: _without(X, M) @ X, "X: n d, M[bool]: n n -> n d", "S(n) x O(d)"),
    "infinity added to the diagonal": (
        lambda X: (_distances(X) + np.diag(np.full(len(X), np.inf))).min(axis=1).mean(), "X: n d -> ()", "S(n) x E(d)",
    ),
    "sizes of infinite entries": (lambda X: np.abs(_without_itself(X)).min(axis=1), "X: n d -> n", "S(n) x O(d)"),
    "hidden where the sum is positive": (lambda X: np.exp(_hidden(X, X > 0)), "X: n d -> n d", "S(n) x S(d)"),
    "least message": (_least_message, "X: n d, e[n]: 2 m -> n d", "S(n)"),
}
FALSE: dict[str, tuple[Any, str, str]] = {
    "an entry in place of -inf": (lambda X, M: _without(X, M, X[0, 0]) @ X, "X: n d, M[bool]: n n -> n d", "O(d)"),
    "one of two nearest": (lambda X: X[_gaps(X).argmin(axis=1)], "X: n d -> n d", "S(n)"),
    "within a radius that moves": (lambda X: (_gaps(X) < X.sum()).sum(axis=1), "X: n d -> n", "O(d)"),
    "infinity added to what comes first": (
        lambda X: (_distances(X) + np.diag(np.where(np.arange(len(X)) == 0, np.inf, 0))).min(axis=1).mean(),
        "X: n d -> ()", "S(n)",
    ),
    "sizes of infinite entries, and one more": (
        lambda X: np.abs(_without_itself(X)).min(axis=1) + X[0, 0], "X: n d -> n", "O(d)",
    ),
    "one hidden where the sum is positive": (
        lambda X: np.exp(_hidden(X, np.arange(len(X))[:, None] > 0)), "X: n d -> n d", "S(n)",
    ),
    "first left out": (
        lambda X: np.where(np.arange(len(X))[:, None] == 0, np.inf, X).min(axis=0), "X: n d -> d", "S(n)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_proved(name: str) -> None:
    assert_proved(*TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_refuted(name: str) -> None:
    assert_refuted(*FALSE[name])


def either(X: Any, mask: Any) -> Any:
    """exp(log(exp(a) + exp(b))), of which either may be left out, or both."""
    return np.exp(np.logaddexp(np.where(mask, X, -np.inf), np.where(X > 0, X, -np.inf)))


def test_logarithms_of_sums() -> None:
    assert_proved(either, "X: n, m[bool]: n -> n", "S(n)")
    late: Any = lambda X, m: either(X, m[::-1])  # noqa: E731
    assert_refuted(late, "X: n, m[bool]: n -> n", "S(n)")


def test_logarithms_of_sums_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    def f(x: Any, mask: Any) -> Any:
        a = torch.where(mask, x, torch.full_like(x, float("-inf")))
        return torch.exp(torch.logaddexp(a[:, None], a[None]))

    assert_proved(f, "x: n, m[bool]: n -> n n", "S(n)")
    assert_refuted(lambda x, m: f(x, m.flip(0)), "x: n, m[bool]: n -> n n", "S(n)")
