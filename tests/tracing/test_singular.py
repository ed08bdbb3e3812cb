"""Where every matrix is singular, NumPy raises and the Program is undefined: no difference between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from eqvproof.tracing.rounding import Point, is_undefined


def least_squares(X: Any, y: Any) -> Any:
    return np.linalg.inv(X.T @ X) @ (X.T @ y)


def test_least_squares_is_proved_although_it_raises_for_few_rows() -> None:
    verdict = ep.check(least_squares, "X: n d, y: n -> d*", under="GL(d)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(least_squares, "X: n d, y: n -> d", under="GL(d)").fails


def test_raising_where_the_program_is_defined_is_a_difference() -> None:
    def picky(X: Any) -> Any:
        def refuse() -> Any:
            raise np.linalg.LinAlgError("no")

        return np.linalg.inv(X) if type(X) is not np.ndarray else refuse()

    with pytest.raises(TraceError):
        trace_all_sizes(picky, parse_signature("X: d d -> d d"), {})


def test_undefined_is_told_exactly() -> None:
    program = trace_all_sizes(lambda X: np.linalg.inv(X), parse_signature("X: d d -> d d"), {}).program
    tenth = np.full((2, 2), 0.1)
    assert is_undefined(Point(program, {"d": 2}, {"X": tenth}))
    assert not is_undefined(Point(program, {"d": 2}, {"X": tenth + np.diag([2.0**-40, 0])}))
