"""Right functions, ill-conditioned ones among them, are never refuted: not exactly, not by noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.engines.search.asking import ask, floats_only


def softmax(x: Any, axis: int) -> Any:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def in_order(x: Any) -> Any:
    total = 0.1
    for v in x:
        total = total + v / 3
    return total - 0.1


def shuffled_constants(x: Any) -> Any:
    """A sum of fixed numbers in an order that x decides: constant over the reals."""
    order = np.argsort(np.array([float(v) for v in x]))
    return np.array([1e8 + 0.1, -1e8, 0.7])[order].sum()


def angle(x: Any, y: Any) -> Any:
    """No clipping: rounding leaves [-1, 1] where x and y are parallel."""
    return np.arccos((x * y).sum() / (np.sqrt((x * x).sum()) * np.sqrt((y * y).sum())))


def shift_polynomial(X: Any) -> Any:
    """(g + 1e6)^3 - g^3 - 3e6 g^2 - 3e12 g - 1e18 = 0 for every entry g of the Gram matrix."""
    g = X.T @ X
    return (g + 1e6) ** 3 - g**3 - 3e6 * g**2 - 3e12 * g - 1e18


def newton_root(x: Any) -> Any:
    """The norm, by Newton's method; each step doubles the length of a rational."""
    a = (x * x).sum() + 1
    r = a
    for _ in STEPS:
        r = (r + a / r) / 2
    return r


def eliminated(x: Any) -> Any:
    """The inverse of a matrix of rank 1, which is defined nowhere: NaNs, and numbers in rows left alone."""
    A, B = np.outer(x, x), np.eye(len(x))
    for i in range(len(x)):
        A[i], B[i] = A[i] / A[i, i], B[i] / A[i, i]
        for j in range(len(x)):
            if j < i or (j > i and A[j, i] != 0):
                A[j], B[j] = A[j] - A[j, i] * A[i], B[j] - A[j, i] * B[i]
    return B


STEPS = range(40)


def stopped_root(x: Any) -> Any:
    a, r = float((x * x).sum()) + 1, 1.0
    while abs(r * r - a) > 1e-6 * a:
        r = (r + a / r) / 2
    return np.asarray(r)


def in_float32(X: Any) -> Any:
    return (X.astype(np.float32) * np.float32(1 / 3)).sum(axis=1).astype(np.float64)


def small_difference(x: Any) -> Any:
    s = (x * x).sum()
    return np.sqrt(s + 1e16) - 1e8


RIGHT: dict[str, tuple[Any, str, str]] = {
    "identity": (lambda x: x, "x: d -> d", "O(d)"),
    "norm times x": (lambda x: 1e6 * x * np.sqrt((x * x).sum()), "x: d -> d", "O(d)"),
    "x over norm": (lambda x: x / np.sqrt((x * x).sum()), "x: d -> d", "O(d)"),
    "attention": (lambda X: X @ softmax(X.T @ X, 0), "X: d n -> d n", "O(d) x S(n)"),
    "mean pooling": (lambda X: X.mean(axis=1), "X: d n -> d", "O(d) x S(n)"),
    "sum in order": (in_order, "x: n -> ()", "S(n)"),
    "sum after 1e16": (lambda x: ((x + 1e16) - 1e16).sum(), "x: n -> ()", "S(n)"),
    "variance by cancellation": (
        lambda x: ((x + 1e8) ** 2).mean() - (x + 1e8).mean() ** 2, "x: n -> ()", "S(n)"
    ),
    "cubic that cancels": (shift_polynomial, "X: d n -> n n", "O(d)"),
    "log sum exp": (lambda x: np.log(np.exp(x).sum()), "x: n -> ()", "S(n)"),
    "huge factors": (lambda x: (x * 1e300) / 1e300, "x: d -> d", "O(d)"),
    "overflowing norm": (lambda x: np.sqrt(((x * 1e200) ** 2).sum()), "x: d -> ()", "O(d)"),
    "denormals": (lambda x: ((x * 1e-160) ** 2).sum() * 1e300, "x: d -> ()", "O(d)"),
    "denormal factors": (lambda x: (x * 1e-310) / 1e-310, "x: d -> d", "O(d)"),
    "small difference of roots": (small_difference, "x: d -> ()", "O(d)"),
    "angle without clipping": (angle, "x: d, y: d -> ()", "O(d)"),
    "Newton's method": (newton_root, "x: d -> ()", "O(d)"),
    "Gram determinant": (lambda X: np.linalg.det(X.T @ X), "X: d n -> ()", "O(d)"),
    "projection on a span": (
        lambda X, y: X @ np.linalg.solve(X.T @ X, X.T @ y), "X: d n, y: d -> d", "O(d)"
    ),
    "inverse": (np.linalg.inv, "A: n n -> n n", "S(n)"),
    "condition 1e12": (
        lambda A: np.linalg.inv(np.eye(A.shape[0]) * 1e-12 + np.ones(A.shape) + A * 0),
        "A: n n -> n n",
        "S(n)",
    ),
    "sorted": (np.sort, "x: n -> n!", "S(n)"),
    "median": (np.median, "x: n -> ()", "S(n)"),
    "maximum": (lambda X: X.max(axis=0), "X: n d -> d", "S(n)"),
    "floor of the squared norm": (lambda x: np.floor((x * x).sum() / 3), "x: d -> ()", "O(d)"),
    "floor of the norm": (lambda x: np.floor(np.sqrt((x * x).sum())), "x: d -> ()", "O(d)"),
    "rounded norm": (lambda x: np.rint(np.sqrt((x * x).sum()) * 1000) / 1000, "x: d -> ()", "O(d)"),
    "step at norm 1": (lambda x: np.where((x * x).sum() > 1, 1.0, 0.0), "x: d -> ()", "O(d)"),
    "cross product under SO(3)": (np.cross, "a: 3, b: 3 -> 3", "SO(3)"),
    "Vandermonde product under A(n)": (
        lambda x: np.prod([x[i] - x[j] for i in range(len(x)) for j in range(i)]), "x: n -> ()", "A(n)"
    ),
    "cyclic shift": (lambda x: np.roll(x, 1) - 3 * np.roll(x, -2), "x: n -> n", "C(n)"),
    "odd function under Signs(d)": (lambda x: np.sinh(x) ** 3, "x: d -> d", "Signs(d)"),
    "even function under Signs(d)": (lambda x: np.cos(x).prod(), "x: d -> ()", "Signs(d)"),
    "logarithm of a denormal": (lambda x: np.log(np.exp(-((x * x).sum()) * 80)), "x: d -> ()", "O(d)"),
    "block after block": (lambda X: np.concatenate([X, 2 * X]), "X: d n -> 2d n", "O(d)"),
    "undefined everywhere": (lambda x: x / 0.0, "x: n -> n", "S(n)"),
    "power mean": (lambda x: (np.abs(x) ** 20).sum() ** 0.05, "x: n -> ()", "S(n)"),
    "saturated exponentials": (lambda x: np.exp(-np.exp((x * x).sum())), "x: d -> ()", "O(d)"),
}  # fmt: skip

ON_FLOATS: dict[str, tuple[Any, str, str]] = {
    **RIGHT,
    "constants in another order": (shuffled_constants, "x: 3 -> ()", "S(3)"),
    "eigenvalues": (lambda X: np.linalg.eigvalsh(X.T @ X), "X: d n -> n!", "O(d) x S(n)"),
    "singular values": (
        lambda X: np.linalg.svd(X, compute_uv=False)[0], "X: d n -> ()", "O(d) x S(n)"
    ),
    "float32 inside": (in_float32, "X: d n -> d", "S(n)"),
    "condition number": (np.linalg.cond, "X: d n -> ()", "O(d) x S(n)"),
    "float16 inside": (lambda x: x.astype(np.float16).sum().astype(float), "x: n -> ()", "S(n)"),
    "1 - cos": (
        lambda x: (1 - np.cos(np.sqrt((x * x).sum()) * 1e-7)) * 1e14, "x: d -> ()", "O(d)"
    ),
    "exp - 1": (lambda x: (np.exp((x * x).sum() * 1e-12) - 1) * 1e12, "x: d -> ()", "O(d)"),
    "projector": (lambda X: np.linalg.pinv(X) @ X, "X: d n -> n! n!", "O(d)"),
    "standardised": (lambda x: (x - x.mean()) / x.std(), "x: n -> n", "S(n)"),
    "stopped iteration": (stopped_root, "x: d -> ()", "O(d)"),
    "defined nowhere": (eliminated, "x: n -> n n", "C(n)"),
    "fsum": (lambda x: math.fsum(v / 7 for v in x), "x: n -> ()", "S(n)"),
    "autocorrelation by FFT": (
        lambda x: np.real(np.fft.ifft(np.abs(np.fft.fft(x)) ** 2)), "x: n -> n!", "C(n)"
    ),
}  # fmt: skip
POINTS = 400


@pytest.mark.parametrize("name", RIGHT)
def test_no_exact_refutation(name: str) -> None:
    function, signature, under = RIGHT[name]
    result = ask(function, signature, under, max_points=POINTS)
    assert result.found is None
    assert not result.nondeterministic


@pytest.mark.parametrize("name", ON_FLOATS)
def test_no_refutation_by_rounding(name: str) -> None:
    function, signature, under = ON_FLOATS[name]
    result = ask(floats_only(function), signature, under, max_points=POINTS)
    assert result.found is None
    assert not result.nondeterministic


def test_something_is_compared() -> None:
    function, signature, under = RIGHT["attention"]
    assert ask(function, signature, under, max_points=POINTS).tried > 300
    function, signature, under = RIGHT["undefined everywhere"]
    result = ask(function, signature, under, max_points=POINTS)
    assert result.tried == 0 and result.undefined > 0


def of_positive_numbers(X: Any) -> Any:
    if (X < 0).any():
        raise ValueError("positive numbers are expected")
    return np.abs(X[:, None] - X[None]).sum(-1)


def test_sizes_are_tried_at_numbers_that_the_target_takes() -> None:
    """A wrong claim about a function that raises at others is found wrong, and a right one is not."""
    assert ask(floats_only(of_positive_numbers), "X: n d -> n n", "Scale(d)").found is not None
    assert ask(floats_only(of_positive_numbers), "X: n d -> n n", "S(n)", max_points=POINTS).found is None


def test_there_are_enough_of_them() -> None:
    assert len(RIGHT) >= 30
