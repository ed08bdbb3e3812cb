"""What is told of arrays with infinite entries, where the numbers beside these may be none."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.numpy.trace import trace_all_sizes


@pytest.mark.parametrize("question", [np.isinf, np.isnan, np.isfinite])
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
@pytest.mark.parametrize("value", [lambda x: 1 / x, np.sqrt, lambda x: 1 / np.sqrt(x), lambda x: x])
def test_the_answers_beside_infinite_entries_are_those_of_floats(value, infinity, question):
    x, y = map(np.ravel, np.meshgrid([4.0, 0.0, -1.0], [1.0, -1.0]))

    def asked(x, y):
        return question(np.where(y > 0, value(x), infinity)) * 1.0

    program = trace_all_sizes(asked, parse_signature("x: n, y: n -> n")).program
    found = evaluate_float(program, {"x": x, "y": y}, {"n": 6})
    with np.errstate(all="ignore"):
        assert (found == asked(x, y)).all()


COMPARED = [np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal]


@pytest.mark.parametrize("ufunc", COMPARED)
@pytest.mark.parametrize("first", [np.inf, -np.inf, 0.0])
@pytest.mark.parametrize("second", [np.inf, -np.inf, 0.0])
def test_infinite_entries_are_compared_as_floats_are(ufunc, first, second):
    x, y, z = map(np.ravel, np.meshgrid([4.0, 0.0, -1.0], [1.0, -1.0], [1.0, -1.0]))

    def compared(x, y, z):
        return ufunc(np.where(y > 0, x, first), np.where(z > 0, x, second)) * 1.0

    program = trace_all_sizes(compared, parse_signature("x: n, y: n, z: n -> n")).program
    found = evaluate_float(program, {"x": x, "y": y, "z": z}, {"n": 12})
    assert (found == compared(x, y, z)).all()


OPERATIONS = [
    np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.power, np.hypot, np.arctan2,
    np.copysign, np.logaddexp, np.fmax, np.logical_or, np.mod, np.allclose, np.isclose, np.outer, np.append,
    lambda a, b: np.where(a > b, a, b), lambda a, b: np.stack([a, b]).max(0), lambda a, b: np.clip(a, b, 1),
    lambda a, b: np.sort(np.concatenate([a, b]))[: len(a)], lambda a, b: np.exp(a - b), lambda a, b: a @ b,
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_both_infinities_are_told_as_floats_or_refused(operation):
    x, y, z = map(np.ravel, np.meshgrid([4.0, 0.5, -1.0], [1.0, -1.0], [1.0, -1.0]))

    def both(x, y, z):
        return operation(np.where(y > 0, x, np.inf), np.where(z > 0, x, -np.inf)) * 1.0

    try:
        program = trace_all_sizes(both, parse_signature("x: n, y: n, z: n -> m")).program
    except ep.EqvproofError as error:
        assert "Recursion" not in str(error)
        return
    found = evaluate_float(program, {"x": x, "y": y, "z": z}, {"n": 12})
    with np.errstate(all="ignore"):
        expected = both(x, y, z)
    numbers = np.isfinite(expected)
    assert np.allclose(found[numbers], expected[numbers]) and not np.isfinite(found[~numbers]).any()


@pytest.mark.parametrize(
    "f",
    [
        lambda x, m: np.isfinite(np.where(m, 1 / (x**3 - 7), -np.inf)),
        lambda x, m: np.isinf(np.where(m, 1 / (x**3 - 7), np.inf)),
        lambda x, m: np.isneginf(np.where(m, 1 / (x**3 - 7), -np.inf)),
        lambda x, m: np.where(m, 1 / (x**3 - 7), -np.inf) == -np.inf,
        lambda x, m: np.where(m, 1 / (x**3 - 7), np.inf) > 1e300,
        lambda x, m: np.inf > np.where(m, np.sqrt(x**3 - 7), -np.inf),
        lambda x, m: 0 / (x**3 - 7) / np.where(m, 1.0, np.inf),
    ],
)
def test_no_question_about_infinite_entries_hides_a_value_that_is_none(f):
    """No float is the root of 7: where a value is none there, only the Program tells."""
    verdict = ep.check(lambda x, y: f(x, y > 0) * 1.0, "x: n, y: n! -> n!", "T(n)", budget=2)
    assert not verdict.holds or verdict.grade == "TESTED", str(verdict)
