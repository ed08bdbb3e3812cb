"""User code called with exact numbers: right to 1e-12 of floats, rational where it can be, or refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from eqvproof.numbers import Inexact, exact_array, is_rational, precision, recording, to_floats
from tests.numbers.targets import EXACT, REFUSED, UNSUPPORTED, Target

X = np.array([[1, 2.5, -3], [0.5, -1, 4]])


@pytest.mark.parametrize("name", EXACT)
def test_agrees_with_floats(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.asarray(EXACT[name](X.copy()), dtype=float)
    with precision(128), recording() as signals:
        result = to_floats(EXACT[name](exact_array(X)))
    assert signals == []
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-6 if "as_floats" in name else 1e-12, atol=1e-12)


RATIONAL = (
    "relu relu_by_mask leaky_relu outer kron trace einsum einsum_ellipsis tensordot dot median inverse solve "
    "determinant pseudo_inverse matrix_power cumsum sort clip polynomial_features rounding min_max_scale "
    "accumulate_number accumulate_array in_place cross average scatter_add norm_1 largest_by_loop"
).split()


@pytest.mark.parametrize("name", RATIONAL)
def test_rational_code_stays_rational(name: str) -> None:
    assert is_rational(EXACT[name](exact_array(X)))


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_rather_than_rounds(name: str) -> None:
    with recording() as signals:
        try:
            REFUSED[name](exact_array(X))
        except Inexact:
            pass
        else:
            assert name == "swallowed"
    assert any(isinstance(s, Inexact) for s in signals)


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_unsupported_raises(name: str) -> None:
    kind, target = UNSUPPORTED[name]
    with pytest.raises(kind):
        target(exact_array(X))


def test_corpus_is_large_enough() -> None:
    assert len(EXACT) >= 100 and len(REFUSED) >= 12


def test_a_wrong_function_is_seen() -> None:
    """Positive control of the comparison above."""
    wrong: Target = lambda x: x * (1 + 1e-9)  # noqa: E731
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(to_floats(wrong(exact_array(X))), X, rtol=1e-12)
