"""Where a value is infinite, or no number: known of quotients and of roots."""

from __future__ import annotations

import math
import warnings

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


def test_replacements_that_depend_on_positions_or_on_the_basis_are_refuted():
    by_position = np.arange(3.0)
    assert_refuted(lambda A: np.nan_to_num(A / A.sum(1), nan=by_position), "A: 3 3 -> 3 3", "S(3)")
    assert_refuted(lambda X: np.nan_to_num(X / np.abs(X), nan=1.0), "X: n d -> n d", "O(d)")
    assert_refuted(lambda x: np.where(np.isfinite(1 / x), x, 1.0), "x: d -> d", "O(d)")
    assert_refuted(lambda x: np.nan_to_num(x / np.linalg.norm(x), nan=1.0), "x: d -> d", "O(d)")
    assert_refuted(lambda x: np.nansum(np.log(x)), "x: n -> ()", "Signs(n)")


def unit_rows(X):
    return np.nan_to_num(X / np.linalg.norm(X, axis=1, keepdims=True))


def raised_without_direction(x):
    norm = np.linalg.norm(x)
    if norm > 1e-8:
        return x / norm
    raise ValueError("no direction")


def overlap(a, b):
    share = np.minimum(a, b).sum() / np.maximum(a, b).sum()
    return 1.0 if math.isnan(share) else share


def nan_without_direction(x):
    norm = np.linalg.norm(x)
    return np.where(norm > 0, x / norm, np.nan)


def score(y, p):
    r = 1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return r if np.isfinite(r) else 0.0


def entropy(x):
    p = x / x.sum()
    return -np.nansum(p * np.log(p))


def skewness(x):
    s = x.std()
    if s == 0:
        return np.nan
    return ((x - x.mean()) ** 3).mean() / s**3


def test_replaced_and_returned_nan_move_with_the_entries():
    assert_proved(unit_rows, "X: n d -> n d", "S(n) x O(d)")
    for f in (raised_without_direction, nan_without_direction):
        assert_proved(f, "x: d -> d", "O(d)")
    assert_proved(score, "y: n, p: n -> ()", "S(n)")
    assert_proved(overlap, "a: n, b: n -> ()", "S(n)")
    assert_proved(lambda x, y: np.nanmean(x / y), "x: n, y: n -> ()", "S(n)")
    for f in (entropy, skewness, lambda x: np.nanmax(np.log(x)), lambda x: np.nanstd(np.sqrt(x))):
        assert_proved(f, "x: n -> ()", "S(n)")


def rows_of_numbers_of_torch(A):
    return torch.nan_to_num(A / A.sum(-1, keepdim=True))


def direction_of_torch(x):
    y = x / x.norm()
    if not torch.isfinite(y).all():
        return torch.zeros_like(x)
    return y


def test_replaced_nan_move_with_the_entries_in_torch():
    assert_proved(rows_of_numbers_of_torch, MATRICES, "S(n)", backend="torch")
    assert_proved(direction_of_torch, "x: d -> d", "O(d)", backend="torch")
    assert_refuted(
        lambda x: torch.nan_to_num(x / x.norm(), nan=1.0), "x: d -> d", "O(d)", backend="torch"
    )


VALUES = {
    "1 / y": lambda x, y: 1 / y, "x / y": lambda x, y: x / y, "1 / root": lambda x, y: 1 / np.sqrt(y),
    "root of 1 / y": lambda x, y: np.sqrt(1 / y), "x root": lambda x, y: x * np.sqrt(y),
    "x / root": lambda x, y: x / np.sqrt(y), "x + y": lambda x, y: x + y,
    "x log x": lambda x, y: x * np.log(x),
    "log of x / y": lambda x, y: np.log(x / y), "log - log": lambda x, y: np.log(x) - np.log(y),
    "log + root": lambda x, y: np.log(x) + np.sqrt(y), "1/x - 1/y": lambda x, y: 1 / x - 1 / y,
    "x / y x": lambda x, y: x / y * x, "x / y / x": lambda x, y: x / y / x, "|x/y|": lambda x, y: abs(x / y),
    "-x/y": lambda x, y: -(x / y), "sin": lambda x, y: np.sin(x / y),
    "arcsin": lambda x, y: np.arcsin(y / x) * x,
    "exp": lambda x, y: np.exp(np.sqrt(x)) / y, "x / |x|": lambda x, y: x / abs(x),
    "1 / -x": lambda x, y: 1 / (-x),
    "sum / y": lambda x, y: x.sum() / y, "sum of quotients": lambda x, y: (x / y).sum() + 0 * x,
    "sum of logs": lambda x, y: np.log(x).sum() + 0 * x, "largest": lambda x, y: (1 / abs(x)).max() + y,
    "nan": lambda x, y: np.where(x > 0, 1 / y, np.nan),
    "chosen": lambda x, y: np.where(x > 0, np.log(y), x / y),
    "norm": lambda x, y: x / np.linalg.norm(x), "norm of 0": lambda x, y: (y - y) / np.linalg.norm(y - y),
    "one size": lambda x, y: (x[:, None] / y[None]).sum(0), "matrix": lambda x, y: np.outer(x, y) @ (1 / y),
    "joined": lambda x, y: np.concatenate([x / y, np.log(y)])[: len(x)], "log2": lambda x, y: np.log2(x),
    "sum / sum": lambda x, y: x.sum() / y.sum() + 0 * x, "1 / (-|x|)": lambda x, y: 1 / (-abs(x)),
}  # fmt: skip
QUESTIONS = {
    "isinf": np.isinf, "isnan": np.isnan, "isfinite": np.isfinite, "isneginf": np.isneginf,
    "isposinf": np.isposinf, "nan_to_num": np.nan_to_num, "not itself": lambda v: v != v,
    "given": lambda v: np.nan_to_num(v, nan=3, posinf=7, neginf=8), "fmax": lambda v: np.fmax(v, 1.5),
    "nansum": lambda v: np.nansum(v) + 0 * np.nan_to_num(v, posinf=0, neginf=0),
    "nanmin": lambda v: np.nanmin(v) + 0 * np.nan_to_num(v, posinf=0, neginf=0),
    "nanstd": lambda v: np.nanstd(v) + 0 * np.nan_to_num(v, posinf=0, neginf=0),
}  # fmt: skip
POINTS = [
    tuple(map(np.ravel, np.meshgrid([1.0, 0.0, -2.0, 4.0], [4.0, 0.0, -1.0, 1.0]))),
    (np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 5.0])), (np.zeros(3), np.zeros(3)),
    (np.array([1.0, -1.0, 0.0]), np.zeros(3)), (np.array([0.5, 0.0, 0.0]), np.array([0.0, 1.0, 1.0])),
    (np.ones(3), np.array([1.0, 2.0, 1.0])),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_the_answers_are_those_of_floats(value):
    """The Programs at numbers that meet every case, beside NumPy; a question may be refused."""
    signature, told = parse_signature("x: n, y: n -> n"), 0
    for question in QUESTIONS.values():

        def asked(x, y, question=question):
            return question(VALUES[value](x, y)) * 1.0

        try:
            program = trace_all_sizes(asked, signature).program
        except ep.EqvproofError:
            continue
        told += 1
        for x, y in POINTS:
            found = evaluate_float(program, {"x": x, "y": y}, {"n": len(x)})
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = asked(x, y)
            numbers = np.isfinite(found)
            assert np.allclose(found[numbers], expected[numbers])
            # an extreme beside an infinity is a number in floats alone
            beside = question in (QUESTIONS["fmax"], QUESTIONS["nanmin"])
            assert beside or not np.isfinite(expected[~numbers]).any()
    assert told >= 3


def harmonic(x):
    mean = len(x) / np.sum(1.0 / x)
    return mean if np.isfinite(mean) else 0.0


def geometric(x):
    return np.nan_to_num(np.exp(np.log(x).mean()))


LEVEL = {
    "1/(1/x)": lambda x: 1 / (1 / x), "tanh": lambda x: np.tanh(1 / x), "exp": lambda x: np.exp(np.log(x)),
    "exp of -1/|x|": lambda x: np.exp(-1 / abs(x)), "product": lambda x: 1 / np.log(x) * x,
    "twice": lambda x: 1 / (1 / (1 / x)), "sum": lambda x: 1 / (1 / x + 1),
    "exp of 1/|x|": lambda x: np.exp(1 / abs(x)),
}  # fmt: skip


@pytest.mark.parametrize("value", LEVEL)
@pytest.mark.parametrize("question", [np.isinf, np.isnan, np.isfinite, np.nan_to_num])
def test_numbers_that_come_of_infinities_are_none_in_a_program_or_those_of_floats(value, question):
    def asked(x):
        return question(LEVEL[value](x)) * 1.0

    try:
        program = trace_all_sizes(asked, parse_signature("x: n -> n")).program
    except ep.EqvproofError:
        return
    x = np.array([1.0, 0.0, -2.0, 2.0, 0.5, -1.0])
    found = evaluate_float(program, {"x": x}, {"n": 6})
    with np.errstate(all="ignore"):
        expected = asked(x)
    numbers = np.isfinite(found)
    assert np.allclose(found[numbers], expected[numbers]) and numbers[[0, 2, 3, 4]].all()


def test_means_of_numbers_that_come_of_infinities_move_with_the_entries():
    for f in (harmonic, geometric):
        assert_proved(f, "x: n -> ()", "S(n)")
        assert_refuted(f, "x: n -> ()", "Signs(n)")


@pytest.mark.parametrize("x", [[1.0, -1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
def test_a_sum_of_quotients_and_the_quotient_of_a_sum_are_not_mixed_up(x):
    """Over the reals both are one value; where y is 0, each is NaN at entries of its own."""

    def each(x, y):
        return np.isnan(x.sum() / y) * 1.0 + 2 * np.isnan((x / y).sum())

    program = trace_all_sizes(each, parse_signature("x: n, y: () -> ()")).program
    x, y = np.array(x), np.float64(0)
    with np.errstate(all="ignore"):
        assert evaluate_float(program, {"x": x, "y": y}, {"n": 2}) == each(x, y)


def test_what_is_not_known_is_refused():
    def asked(x):
        return np.where(np.isnan(np.minimum(1 / x, 2.0)), 0.0, 1.0)

    verdict = ep.check(asked, "x: n -> n", "S(n)", budget=3)
    assert verdict.grade == "TESTED"
    assert "whether a value is finite" in verdict.reason
