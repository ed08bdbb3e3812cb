"""Results that NumPy returns as named tuples, and those of the user."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import eqvproof as ep


class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.mark.parametrize(
    "f",
    [
        lambda X: np.linalg.slogdet(X)[1],
        lambda X: np.linalg.slogdet(X).logabsdet,
        lambda X: Pair(X, np.log(np.abs(np.linalg.det(X)))).second,
    ],
)
def test_a_field_of_a_named_tuple_is_proved(f: Any) -> None:
    verdict = ep.check(f, "X: d! d -> ()", under="O(d)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)


def test_the_sign_is_not_invariant() -> None:
    assert ep.check(lambda X: np.linalg.slogdet(X)[0], "X: d! d -> ()", under="O(d)").fails
