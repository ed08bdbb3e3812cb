"""Functions that run with other roundings: what they compute is what NumPy computes, up to rounding."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from eqvproof.engines.search.noise import measured_noise
from eqvproof.engines.search.perturbed_rounding import call_function, perturbed_rounding

X = np.array([0.3, -1.25, 2.0, 0.7])

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "where of a reduction": lambda x: np.sum(x, where=x > 0),
    "where of a mean": lambda x: x.mean(where=x > 0),
    "where of an elementwise function": lambda x: np.add(x, x, where=x > 0, out=np.zeros(len(x))),
    "a mask alone is perturbed": lambda x: np.multiply.reduce(np.arange(1.0, 5.0), where=x > 0),
    "initial": lambda x: np.add.reduce(x, initial=x[0]),
    "infinities of infinities": lambda x: np.exp(-(x + np.full(4, np.inf))) + x,
    "sums of infinities": lambda x: (np.full(4, np.inf) + x).sum() + x,
    "masked arrays": lambda x: (np.ma.masked_array(x, x > 0) + x).sum(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("seed", [None, 0, 1, 2, 3])
def test_the_value_is_numpys(name: str, seed: int | None) -> None:
    function = FUNCTIONS[name]
    with perturbed_rounding(seed), np.errstate(over="ignore", invalid="ignore"):  # hashes of 64 bits
        found = call_function(function, [X])
    np.testing.assert_allclose(np.asarray(found), np.asarray(function(X)), rtol=1e-12, atol=1e-300)


def test_known_noise_counts_and_points_next_to_it_are_looked_at_again() -> None:
    """What a difference is confirmed by: it is none where it is gone in the last bit."""
    x, residual, both = {"x": np.array([1.0])}, np.array([2.0]), np.array([True])

    def smooth(at: Any) -> Any:
        return 2 * at["x"], 0 * at["x"], at["x"]

    def gone_beside(at: Any) -> Any:
        return np.where(at["x"] == 1.0, 2.0, 0.0), 0 * at["x"], at["x"]

    def noise(sides: Any, known: float) -> float:
        return measured_noise(sides, x, residual, both, random.Random(0), known)

    assert noise(smooth, 0.0) < 1e-12 and noise(smooth, 5.0) == 5.0
    assert noise(gone_beside, 0.0) == 2.0
