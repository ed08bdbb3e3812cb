"""Pseudo-inverses, least squares and singular values: proved under rotations, and slips that fail."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

pinv = np.linalg.pinv


def least_squares(X: Any, y: Any) -> Any:
    return np.linalg.lstsq(X, y, rcond=None)[0]


RIGHT = {
    "pseudo-inverse": (pinv, "X: d n -> n d", "O(d) x O(n)"),
    "projection": (lambda X: X @ pinv(X), "X: d n -> d d", "O(d) x S(n)"),
    "least squares": (least_squares, "X: n d, y: n -> d", "O(d) x S(n)"),
    "singular values": (lambda X: np.linalg.svd(X.T @ X, compute_uv=False), "X: d n -> n!", "O(d) x S(n)"),
    "of more rows": (lambda X: np.linalg.svd(X, compute_uv=False), "X: 5 3 -> 3!", "O(5) x S(3)"),
    "condition": (lambda X: np.linalg.cond(X @ X.T + np.eye(len(X))), "X: d n -> ()", "O(d) x S(n)"),
}
WRONG = {
    "under all invertible matrices": (lambda X: pinv(X).T, "X: d n -> d n*", "GL(d)"),
    "entry by entry before": (lambda X: pinv(np.maximum(X, 0)), "X: d n -> n d", "O(d)"),
    "reciprocals": (lambda X: (1 / X).T, "X: d n -> n d", "O(d)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    assert_proved(function, signature, under)


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    assert_refuted(function, signature, under)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda X: pinv(X, 0.1), "tolerance"),
        (lambda X: np.linalg.svd(X)[1][0] + X.T, "either size may be the greater"),
        (lambda X: X.T @ np.linalg.svd(np.hstack([X.T, X.T @ X]))[0], "either size"),
        (lambda X: np.linalg.lstsq(X, X, rcond=None)[2] + X.T, "finite number|defined"),
    ],
    ids=["tolerance", "sizes", "vectors", "rank"],
)
def test_what_is_refused(function: Any, words: str) -> None:
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(function, parse_signature("X: d n -> n d"))


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_penrose(dtype: Any, shape: tuple[int, int], rank: int) -> None:
    """The four equations, exactly; floats agree."""
    rng = np.random.default_rng(rank)
    m = rng.integers(-3, 4, (shape[0], rank)) @ rng.integers(-3, 4, (rank, shape[1]))
    b = Builder()
    program = b.program(b.pinv(b.input("X", ["d", "n"])))
    exact = evaluate_exact(program, {"X": m.astype(object)})
    p = np.array([[x.to_fraction() for x in row] for row in exact], dtype=object)
    a = np.array([[Fraction(int(x)) for x in row] for row in m], dtype=object)
    assert (a.dot(p).dot(a) == a).all() and (p.dot(a).dot(p) == p).all()
    assert (a.dot(p) == a.dot(p).T).all() and (p.dot(a) == p.dot(a).T).all()
    floats = evaluate_float(program, {"X": m.astype(object)}, dtype=dtype)
    assert np.allclose(floats.astype(float), p.astype(float), atol=1e-9)
