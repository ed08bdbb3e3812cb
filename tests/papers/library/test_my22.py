"""The review of the preprint: every row judged, every certificate accepted, every failure checked."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from eqvproof.papers.library import review
from tests.papers.library.rows import (
    BUDGET,
    require_accepted,
    require_found,
    require_repaired,
    require_statements,
    rows_of,
)

#: Judging all rows takes seconds; a plain run judges those of `test_my23`.
pytestmark = pytest.mark.slow

#: What the statements are found to be. Nothing of this stands in the library.
FOUND = {
    "prop3": "HOLDS DECIDED",
    "prop3.pinv": "HOLDS PROVED",
    "prop3.pinv-without-rank": "FAILS EXACT",
    "prop3.pinv-without-rank.repaired": "HOLDS PROVED",
    "remark3.off-diagonal": "FAILS EXACT",
    "remark3.off-diagonal.repaired": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("my22", FOUND, request.config)


def test_every_statement_is_listed():
    require_statements("my22", FOUND)


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("my22", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


def example(rows, name):
    """Inputs, by name as arrays of floats, of the counterexample of a row; and its sizes and element."""
    found = next(v.counterexample for v in rows[name].verdicts if v.counterexample is not None)
    return {k: np.array(v, dtype=float) for k, v in found.inputs.items()}, found


def test_one_seed_one_answer(rows):
    for row in review("my22.prop3.pinv-without-rank", budget=BUDGET):
        before = rows[row.id.removeprefix("my22.")]
        assert (row.outcome, row.grade, row.scope) == (before.outcome, before.grade, before.scope)
        assert [c for _, c in row.certificates] == [c for _, c in before.certificates]


# -- each failure, checked by NumPy alone ----------------------------------------------------------------


def test_the_pseudo_inverse_of_zero(rows):
    x, found = example(rows, "prop3.pinv-without-rank")
    X = x["X"]
    assert np.abs(np.linalg.pinv(X) @ X - np.eye(X.shape[1])).max() == 1
    assert X.shape == (1, 1)
    assert dict(found.sizes) == {"n": 1}


def test_coefficients_that_dependent_columns_do_not_determine():
    B, w, X = np.array([[0.0, 1], [0, 0]]), np.array([1.0, 0]), np.array([[1.0, 2]])
    g = lambda X: np.outer((B - B.T) @ X[0], w)  # noqa: E731
    P = np.eye(2)[:, [1, 0]]
    assert np.abs(X @ g(X)).max() == 0
    assert np.abs(X @ P @ g(X @ P)).max() == 0
    assert np.abs(g(X @ P) - P.T @ g(X) @ P).max() > 0


def test_the_denominator_off_the_diagonal(rows):
    x, found = example(rows, "remark3.off-diagonal")
    E = np.exp(x["X"].T @ x["WQ"].T @ x["WK"] @ x["X"])
    for i, j in permutations(range(len(E)), 2):
        s = sum(E[i, k] for k in range(len(E)) if k not in (i, j))
        assert abs(E[i, j] / (E[i, j] + s) - E[i, j] / E[i].sum()) > 0.1
    assert dict(found.sizes) == {"r": 1, "d": 1, "n": 2}


# -- what holds, by other means --------------------------------------------------------------------------


def test_the_pseudo_inverse_moves_with_the_columns():
    rng = np.random.default_rng(0)
    for shape in ((3, 2), (4, 4), (2, 4)):
        X, p = rng.normal(size=shape), rng.permutation(shape[1])
        assert np.allclose(np.linalg.pinv(X[:, p]), np.linalg.pinv(X)[p])
        assert np.allclose(np.linalg.pinv(X) @ X, np.eye(shape[1])) == (shape[0] >= shape[1])
