"""Certificates of large Programs and large weights."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.interface.cli.program_difference import program_difference
from eqvproof.programs.program import numbers_text
from tests.kernel.encoding import written

SIGNATURE = "X: n 160 -> n 160"
WEIGHTS = np.random.default_rng(0).normal(size=(160, 160))
BIAS = np.zeros(160)


def layer(X):
    """Weights that are too many to be written, and a constant whose values a proof uses."""
    return np.tanh(X @ WEIGHTS) + BIAS + X.sum(0)


def other(X):
    return np.tanh(X @ (WEIGHTS + 1)) + BIAS + X.sum(0)


def deep(X):
    """A function of very many operations."""
    for _ in range(340):
        X = np.sin(X) + X.sum(0)
    return X


@given(
    st.lists(
        st.one_of(st.fractions(), st.floats(allow_nan=False, allow_infinity=False).map(Fraction))
    )
)
def test_numbers_are_written_exactly(values: list[Fraction]) -> None:
    assert written(numbers_text(values * 2)) == [str(v) for v in values] * 2


def test_large_weights_become_parameters(tmp_path: Path) -> None:
    verdict = ep.prove(layer, SIGNATURE, under="S(n)")
    assert verdict.grade == "PROVED"
    assert [kind for kind, *_ in verdict.certificate["forms"]["leaves"]].count("digest") == 1
    text = json.dumps(verdict.certificate)
    assert len(text) < 20_000
    words = "; whatever real numbers its parameters hold (arrays of them: 1)"
    assert ep.verify(text).statement.endswith(words)
    assert program_difference(text.encode(), f"{__name__}:layer") == ""
    assert "is not the Program of the certificate" in program_difference(text.encode(), f"{__name__}:other")


def test_deep_functions_are_proved() -> None:
    verdict = ep.prove(deep, "X: n c -> n c", under="S(n)")
    assert verdict.grade == "PROVED"
    assert len(verdict.certificate["forms"]["lines"]) > 1000
    assert ep.verify(verdict.certificate).accepted


def test_a_constant_that_varies_along_the_acted_axis_is_no_parameter() -> None:
    assert not ep.prove(lambda X: X + WEIGHTS, "X: 160 160 -> 160 160", under="S(160)").holds
