"""Where no continuous g exists: blow-ups and jumps at Gram matrices of lower rank."""

import numpy as np
import pytest

from eqvproof.invariants.selection import continuous_selection
from eqvproof.support.errors import DomainError


def test_blow_up():
    found = continuous_selection(lambda x: x / ((x**2).sum() ** 0.25), "x: d -> d")
    (place,) = found.singularities
    assert place.kind == "blows up" and place.exponent == pytest.approx(0.5)
    assert not found.found_none and "t^-0.5" in str(found)
    assert (
        continuous_selection(lambda X: X / np.sqrt(np.sqrt((X**2).sum()))).singularities[0].kind == "blows up"
    )


def test_jump():
    def f(x):
        return x @ (x.T @ x) / (x**2).sum()

    (place,) = continuous_selection(f).singularities
    assert place.kind == "jumps" and len(place.directions) == 2
    for direction, limit in zip(place.directions, place.limits, strict=True):
        x = place.start.astype(float) + 1e-3 * direction.astype(float)
        assert np.allclose(f(x), x @ limit)


@pytest.mark.parametrize(
    "f", [lambda X: X @ (X.T @ X), lambda X: X * np.sqrt((X**2).sum()), lambda X: 0 * X, lambda X: X[:, ::-1]]
)
def test_continuous_ones_raise_no_alarm(f):
    found = continuous_selection(f)
    assert found.found_none and found.families > 3 and "proves nothing" in str(found)


def test_what_is_not_equivariant_is_refused():
    with pytest.raises(DomainError, match="outside the span"):
        continuous_selection(lambda X: X + 1)
