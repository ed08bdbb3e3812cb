"""Where a value is infinite, or no number: known of quotients and of roots."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

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


def without_nan(A):
    return np.fmax(np.sqrt(A), 0) + np.fmin(-1.0, -np.sqrt(A))


def not_itself(A):
    root = np.sqrt(A)
    return np.where(root != root, -1.0, root)


@pytest.mark.parametrize("f", [kipf, rows_of_numbers, finite_rows, roots, without_nan, not_itself])
def test_places_without_a_number_are_known(f):
    assert_proved(f, MATRICES, "S(n)")


def test_places_without_a_number_are_known_in_torch():
    assert_proved(kipf_of_torch, MATRICES, "S(n)", backend="torch")


SAME = {
    "fmax leaves out what is no number": (lambda x: np.fmax(np.sqrt(x), 0), 0.0),
    "fmin too": (lambda x: np.fmin(2.0, np.sqrt(x)), 2.0),
    "both are none": (lambda x: np.fmax(np.sqrt(x), np.sqrt(x)), np.nan),
    "a value that is not itself": (not_itself, -1.0),
    "equal to itself": (lambda x: np.where(np.sqrt(x) == np.sqrt(x), 3.0, 5.0), 5.0),
    "at most itself": (lambda x: np.where(np.sqrt(x) <= np.sqrt(x), 3.0, 5.0), 5.0),
    "less than itself": (lambda x: np.where(np.sqrt(x) < np.sqrt(x), 3.0, 5.0), 5.0),
}


@pytest.mark.parametrize("name", SAME)
def test_what_asks_for_nan_is_what_it_is_in_floats(name):
    f, at_minus_1 = SAME[name]
    program = trace_all_sizes(f, parse_signature("x: n -> n")).program
    x = np.array([-1.0, 0.0, 4.0])
    found = evaluate_float(program, {"x": x})
    with np.errstate(all="ignore"):
        assert np.array_equal(found, f(x), equal_nan=True)
    assert np.array_equal(found[0], at_minus_1, equal_nan=True)


def test_a_maximum_without_nan_is_another_function_than_one_with_it():
    for f, g in (
        (lambda x: np.fmax(np.sqrt(x), 0), lambda x: np.maximum(np.sqrt(x), 0)),
        (lambda x: np.fmax.reduce(np.sqrt(x)) + 0 * x, lambda x: np.max(np.sqrt(x)) + 0 * x),
        (lambda x: np.fmax.accumulate(np.sqrt(x)), lambda x: np.maximum.accumulate(np.sqrt(x))),
        (lambda x: largest(np.fmax, x), lambda x: largest(np.maximum, x)),
        (not_itself, np.sqrt),
    ):
        assert ep.identical(f, g, "x: n -> n", budget=20).outcome == "FAILS"


def largest(ufunc, x):
    out = np.zeros(1)
    ufunc.at(out, np.zeros(len(x), dtype=int), np.sqrt(x))
    return out[0] + 0 * x


def test_of_numbers_they_are_the_same():
    for f, g in (
        (lambda x: np.fmax(x, 0), lambda x: np.maximum(x, 0)),
        (lambda x: np.fmin.reduce(x) + 0 * x, lambda x: np.min(x) + 0 * x),
        (lambda x: np.fmin(1 / (1 + x * x), 1), lambda x: np.minimum(1 / (1 + x * x), 1)),
    ):
        assert ep.identical(f, g, "x: n -> n", budget=20).grade == "PROVED"


def test_near_misses():
    assert_refuted(lambda A: np.fmax(np.sqrt(A), A[0]), MATRICES, "S(n)")
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
