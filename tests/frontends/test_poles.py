"""Where a value is infinite, or no number: known of quotients and of roots."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import eqvproof as ep
from eqvproof.evaluate import evaluate_float
from eqvproof.frontends import trace_all_sizes
from eqvproof.signature import parse_signature
from tests.judged import assert_proved, assert_refuted

MATRICES = "A: n n -> n n"


def kipf(A):
    d = np.power(A.sum(1), -0.5).flatten()
    d[np.isinf(d)] = 0.0
    return np.diag(d) @ A @ np.diag(d)


def kipf_of_torch(A):
    d = A.sum(1).pow(-0.5)
    d[torch.isinf(d)] = 0.0
    return d[:, None] * A * d[None]


def rows_of_numbers(A):
    P = A / A.sum(1, keepdims=True)
    P[np.isnan(P)] = 0
    return P


def finite_rows(A):
    P = A / A.sum(1, keepdims=True)
    return np.where(np.isfinite(P), P, 0)


def roots(A):
    return np.where(np.isnan(np.sqrt(A)), -1.0, np.sqrt(A))


@pytest.mark.parametrize("f", [kipf, rows_of_numbers, finite_rows, roots])
def test_places_without_a_number_are_known(f):
    assert_proved(f, MATRICES, "S(n)")


def test_places_without_a_number_are_known_in_torch():
    assert_proved(kipf_of_torch, MATRICES, "S(n)", backend="torch")


def test_near_misses():
    assert_refuted(lambda A: kipf(A) * np.arange(len(A)), MATRICES, "S(n)")
    assert_refuted(lambda x: np.isinf(1 / x) * np.arange(3.0), "x: 3 -> 3", "S(3)")
    assert_refuted(lambda x: np.where(np.isinf(1 / x), x[0], 1 / x), "x: n -> n", "S(n)")
    assert_refuted(lambda x: np.where(np.isnan(np.sqrt(x)), 1.0, 2.0), "x: n -> n", "Signs(n)")


@pytest.mark.parametrize("question", [np.isinf, np.isnan, np.isfinite])
@pytest.mark.parametrize(
    "value",
    [
        lambda x, y: 1 / y, lambda x, y: x / y, lambda x, y: 1 / np.sqrt(y), lambda x, y: np.sqrt(1 / y),
        lambda x, y: x * np.sqrt(y), lambda x, y: x / np.sqrt(y), lambda x, y: x + y,
    ],
)  # fmt: skip
def test_the_answers_are_those_of_floats(value, question):
    """The Program at numbers that meet every case, beside NumPy."""
    x, y = np.meshgrid([1.0, 0.0, -2.0], [4.0, 0.0, -1.0])
    x, y = x.ravel(), y.ravel()
    signature = parse_signature("x: n, y: n -> n")
    trace = trace_all_sizes(lambda x, y: question(value(x, y)) * 1.0, signature)
    found = evaluate_float(trace.program, {"x": x, "y": y}, {"n": 9})
    with np.errstate(all="ignore"):
        assert (found == question(value(x, y))).all()


def test_what_is_not_known_is_refused():
    verdict = ep.check(lambda x: np.where(np.isnan(np.log(x)), 0.0, 1.0), "x: n -> n", "S(n)", budget=30)
    assert verdict.grade == "TESTED"
    assert "whether a value is finite" in verdict.reason
