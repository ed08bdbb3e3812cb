"""Tiny entries are lost in the squares of a moved point: what floats show of them there is rounding."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import eqvproof as ep

Array = npt.NDArray[np.float64]


def compiled(x: Array) -> Array:
    """The same numbers, as a function that is not traced gets them."""
    return np.frombuffer(np.asarray(x, dtype=float).tobytes()).reshape(np.shape(x))


def gaps(X: Array) -> Array:
    """The squared distances of points by their squares, as libraries compute them."""
    x = compiled(X)
    squares = (x * x).sum(-1)
    i, j = np.triu_indices(len(x), 1)
    found: Array = np.maximum((squares[:, None] + squares - 2 * x @ x.T)[i, j], 0)
    return found


@pytest.mark.parametrize("constant", [1e-10, 1.0])
@pytest.mark.parametrize("under", ["T(d)", "E(d)"])
def test_logarithms_of_distances_are_not_refuted(constant: float, under: str) -> None:
    verdict = ep.check(
        lambda X: np.log(gaps(X) * (1 + constant)).sum(),
        "X: n d -> ()",
        under=under,
        sizes={"n": 4, "d": 2},
    )
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED"), str(verdict)


def test_reciprocals_of_distances_are_not_refuted() -> None:
    verdict = ep.check(
        lambda X: (1 / gaps(X)).sum(), "X: n d -> ()", under="T(d)", sizes={"n": 3, "d": 2}
    )
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "TESTED"), str(verdict)


@pytest.mark.parametrize(
    "f",
    [
        lambda X: np.log(np.abs(compiled(X)).sum(-1)).sum(),
        lambda X: (1 / compiled(X)[:, 0]).sum(),
        lambda X: np.sqrt(compiled(X)).sum(),
        lambda X: np.where(np.abs(compiled(X)) < 1e-9, 1.0, 0.0).sum(),
    ],
)
def test_functions_that_move_with_the_origin_are(f: object) -> None:
    verdict = ep.check(f, "X: n d -> ()", under="T(d)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "OBSERVED"), str(verdict)
