"""What is told of arrays with infinite entries, where the numbers beside these may be none."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.evaluate import evaluate_float
from eqvproof.frontends import trace_all_sizes
from eqvproof.signature import parse_signature


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
