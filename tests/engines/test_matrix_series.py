"""Exponentials of matrices and their like: proved under changes of basis, and slips that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted

linalg = pytest.importorskip("scipy.linalg")


def polar(A: Any) -> Any:
    """A rotation, from the antisymmetric part."""
    return linalg.expm(A - A.T)


RIGHT = {
    "flow": (lambda A, X: linalg.expm(A) @ X, "A: d d*, X: d c -> d c", "GL(d)"),
    "diffusion on a graph": (lambda A, X: linalg.expm(A) @ X, "A: n n, X: n c -> n c", "S(n)"),
    "heat": (lambda X, H: linalg.expm(-X @ X.T) @ H, "X: n d, H: n c -> n c", "O(d) x S(n)"),
    "rotation": (lambda A, X: polar(A) @ X, "A: d d, X: d -> d", "O(d)"),
    "wave": (lambda A, X: linalg.cosm(A) @ X + linalg.sinm(A) @ X, "A: d d*, X: d -> d", "GL(d)"),
    "trace": (lambda A: np.trace(linalg.sinhm(A) @ linalg.coshm(A)), "A: d d* -> ()", "GL(d)"),
    "determinant": (lambda A: np.linalg.det(linalg.expm(A)) ** 2, "A: d d* -> ()", "SL(d)"),
    "of differences": (lambda A, X: X + linalg.expm(A) @ (X - X.mean(0)), "A: m m, X: m d -> m d", "T(d)"),
}
WRONG = {
    "transposed": (lambda A, X: linalg.expm(A.T) @ X, "A: d d*, X: d c -> d c", "GL(d)"),
    "entry by entry before": (lambda A, X: linalg.expm(np.abs(A)) @ X, "A: d d, X: d c -> d c", "O(d)"),
    "entry by entry": (lambda A, X: np.exp(A) @ X, "A: d d, X: d c -> d c", "O(d)"),
    "of a form": (lambda A, X: linalg.expm(A) @ X, "A: d d, X: d c -> d c", "GL(d)"),
    "rows alone": (lambda A: linalg.expm(A), "A: d d! -> d d!", "O(d)"),
    "scaled": (lambda A, X: linalg.expm(A) @ X, "A: d d!, X: d -> d", "Scale(d)"),
    "moved points": (lambda A, X: linalg.expm(A) @ X, "A: m m, X: m d -> m d", "T(d)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    assert_proved(*RIGHT[name])


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    assert_refuted(*WRONG[name])


def test_torch_too() -> None:
    torch = pytest.importorskip("torch")
    assert_proved(lambda A, X: torch.linalg.matrix_exp(A) @ X, "A: n n, X: n c -> n c", "S(n)")
