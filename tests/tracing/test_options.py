"""Options of NumPy's functions: those by place and by name are the same, and none is left out in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes

Function = Callable[..., Any]
SIGNATURE = parse_signature("X: n d -> d")

SAME: dict[str, tuple[Function, Function]] = {
    "sum": (lambda X: np.sum(X, 0, None, None, False), lambda X: np.sum(X, axis=0)),
    "mean": (lambda X: np.mean(X, 0, None, None), lambda X: X.mean(axis=0, dtype=None, out=None)),
    "std": (lambda X: np.std(X, 0, None, None, 1), lambda X: X.std(0, ddof=1)),
    "var where all": (lambda X: np.var(X, 0, where=True), lambda X: X.var(0)),
    "quantile": (lambda X: np.quantile(X, 0.25, 0, None, True), lambda X: np.percentile(X, 25, axis=0)),
    "median": (lambda X: np.median(X, 0, overwrite_input=True), lambda X: np.quantile(X, 0.5, axis=0)),
    "cumsum": (lambda X: np.cumsum(X, 0, None)[-1], lambda X: np.cumsum(X, axis=0)[-1]),
    "sort": (lambda X: np.sort(X, 0, "stable")[0], lambda X: np.sort(X, axis=0)[0]),
    "zeros": (lambda X: np.zeros(X.shape[1:], float, "F", device="cpu") + X[0], lambda X: X[0] + 0.0),
    "zeros_like": (lambda X: np.zeros_like(X, None, "K", False)[0] + X[0], lambda X: X[0] + 0.0),
    "concatenate": (lambda X: np.concatenate([X, X], 0, None)[0], lambda X: np.vstack([X, X])[0]),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_options_by_place_are_those_by_name(name: str) -> None:
    by_place, by_name = (trace_all_sizes(f, SIGNATURE).program for f in SAME[name])
    assert by_place == by_name


@pytest.mark.parametrize(
    ("f", "option"),
    [
        (lambda X: np.sum(X, 0, where=X > 0), "where="),
        (lambda X: np.mean(X, axis=0, where=X[:, :1] > 0), "where="),
        (lambda X: np.max(X, 0, X[0]), "out="),
        (lambda X: np.stack([X, X], 0, dtype=np.float32).sum((0, 1)), "dtype="),
        (lambda X: np.quantile(X, 0.5, axis=0, weights=np.ones(3)), "weights="),
        (lambda X: np.fft.fft(X, axis=0, norm="ortho").real[0], "norm="),
        (lambda X: np.average(X, 0, returned=True)[0], "returned="),
    ],
)  # fmt: skip
def test_options_that_change_values_are_refused_by_name(f: Function, option: str) -> None:
    with pytest.raises(TraceError, match=option):
        trace_all_sizes(f, SIGNATURE)


def test_an_option_too_many_is_refused() -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(lambda X: np.ptp(X, 0, None, False, 3), SIGNATURE)


def test_norms_and_diagonals_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    norm = ep.check(lambda X: torch.linalg.vector_norm(X, 3, dim=1), "X: n d -> n", under="S(d)")
    assert norm.grade == "PROVED" and ep.verify(norm.certificate).accepted
    sums = ep.check(lambda X: torch.diagonal(X, 1, 1, 2).sum(-1), "X: n 4 4 -> n", under="S(n)")
    assert sums.grade == "PROVED" and ep.verify(sums.certificate).accepted
    wrong = ep.check(lambda X: torch.diagonal(X, 1).sum(), "X: 4 4 -> ()", under="S(4)")
    assert wrong.grade == "EXACT"


@pytest.mark.parametrize("kind", ["prod", "max", "min"])
def test_running_folds_of_jax(kind: str) -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    folds: dict[str, Function] = {
        "prod": lambda X: jax.lax.cumprod(X, axis=0, reverse=True),
        "max": lambda X: jax.lax.cummax(X, axis=0),
        "min": lambda X: jax.lax.cummin(X, axis=0),
    }
    found = ep.check(folds[kind], "X: n d -> n d", under="S(d)")
    assert found.grade == "PROVED" and ep.verify(found.certificate).accepted
    assert ep.check(folds[kind], "X: n d -> n d", under="S(n)").grade == "EXACT"
