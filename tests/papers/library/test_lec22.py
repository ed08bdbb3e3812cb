"""The review of the lecture: every row judged, every certificate accepted, every failure checked."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

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
    "def.invariance": "HOLDS PROVED",
    "def.equivariance": "HOLDS PROVED",
    "circulant.commute": "HOLDS PROVED",
    "shift.orthogonal": "HOLDS PROVED",
    "conv.shift": "HOLDS PROVED",
    "pool.shift": "HOLDS PROVED",
    "perm.example": "HOLDS DECIDED",
    "birkhoff.hull": "HOLDS DECIDED",
    "birkhoff.vertices": "HOLDS DECIDED",
    "deepsets.sufficient": "HOLDS PROVED",
    "deepsets.theorem2": "HOLDS DECIDED",
    "deepsets.code": "HOLDS DECIDED",
    "deepsets.code-multisets": "FAILS EXACT",
    "deepsets.code-multisets.repaired": "HOLDS DECIDED",
    "lemma3": "HOLDS PROVED",
    "lemma3.diagonal": "HOLDS PROVED",
    "lemma3.off-diagonal": "FAILS EXACT",
    "lemma3.off-diagonal.repaired": "HOLDS PROVED",
    "lemma3.constant-sigma": "FAILS EXACT",
    "lemma3.constant-sigma.repaired": "HOLDS PROVED",
    "layer": "HOLDS PROVED",
    "stack": "HOLDS PROVED",
    "softmax.rows": "FAILS EXACT",
    "softmax.rows.repaired": "HOLDS PROVED",
    "softmax.order": "FAILS EXACT",
    "softmax.order.repaired": "HOLDS PROVED",
    "sqrt-scaling": "FAILS EXACT",
    "sqrt-scaling.repaired": "HOLDS PROVED",
    "position": "HOLDS PROVED",
    "mask": "HOLDS PROVED",
    "layernorm.permutation": "HOLDS PROVED",
    "layernorm.scale": "FAILS ENCLOSED",
    "layernorm.scale.repaired": "HOLDS PROVED",
    "swin.window-shift": "HOLDS DECIDED",
    "cost": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("lec22", FOUND, request.config)


def test_every_statement_is_listed():
    require_statements("lec22", FOUND)


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("lec22", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


def example(rows, name):
    """Inputs, by name as arrays of floats, of the counterexample of a row; and its sizes and element."""
    found = next(v.counterexample for v in rows[name].verdicts if v.counterexample is not None)
    return {k: np.array(v, dtype=float) for k, v in found.inputs.items()}, found


def test_one_seed_one_answer(rows):
    for row in review("lec22.softmax.rows", budget=BUDGET):
        before = rows[row.id.removeprefix("lec22.")]
        assert (row.outcome, row.grade, row.scope) == (before.outcome, before.grade, before.scope)
        assert [c for _, c in row.certificates] == [c for _, c in before.certificates]


# -- each failure, checked by NumPy alone ----------------------------------------------------------------


def test_two_multisets_with_one_code(rows):
    def smallest():
        for m in range(1, 9):
            seen = {}
            for X in combinations_with_replacement(range(3), m):
                total = sum(Fraction(1, 4**x) for x in X)
                if total in seen:
                    return m, seen[total], X
                seen[total] = X
        return None

    m, left, right = smallest()
    assert rows["deepsets.code-multisets"].scope == f"at elements = {m}"
    assert all(f"X = {[*X]}" in rows["deepsets.code-multisets"].reason for X in (left, right))


def test_the_printed_conjugation(rows):
    def swap(m, i, j):
        P = np.eye(m)
        P[[i, j]] = P[[j, i]]
        return P

    def fails(m, i, j, i1, j1):
        T = np.arange(m * m).reshape(m, m)
        A = swap(m, j1, j) @ swap(m, i, i1)
        return (A @ T @ np.linalg.inv(A))[i, j] != T[i1, j1]

    indices = [t for t in product(range(2), repeat=4) if t[0] != t[1] and t[2] != t[3]]
    assert next(t for t in indices if fails(2, *t)) == (0, 1, 1, 0)
    x, found = example(rows, "lemma3.off-diagonal")
    assert [x[n].argmax() for n in ("u", "v", "u1", "v1")] == [0, 1, 1, 0]
    assert dict(found.sizes) == {"m": 2}  # M = 1 has no entry off the diagonal


def test_a_constant_layer_has_any_matrix(rows):
    x, found = example(rows, "lemma3.constant-sigma")
    P = np.eye(2)[[1, 0]]
    assert np.abs(P @ x["T"] - x["T"] @ P).max() > 0  # no multiple of I plus one of 1 1^T
    assert np.array_equal(np.ones(2), P @ np.ones(2))
    assert found.sizes["m"] == 2


PRINTED = [[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.3, 0.6, 0.1], [0.1, 0.3, 0.3, 0.3]]
SCORES = [[98, 27, 10, 12], [27, 89, 31, 67], [10, 31, 91, 54], [12, 67, 54, 92]]


def test_a_row_that_sums_to_more_than_one(rows):
    sums = np.array(PRINTED).sum(1)
    assert np.flatnonzero(abs(sums - 1) > 1e-9).tolist() == [2]
    x, _ = example(rows, "softmax.rows")
    assert np.allclose(x["w"], PRINTED[2])


def test_weights_in_another_order_than_scores(rows):
    wrong = [
        (r, i, j) for r in range(4) for i in range(4) for j in range(4)
        if SCORES[r][i] > SCORES[r][j] and PRINTED[r][i] < PRINTED[r][j]
    ]  # fmt: skip
    assert wrong == [(1, 3, 2), (2, 3, 1)]
    x, _ = example(rows, "softmax.order")
    assert np.allclose(x["s"], SCORES[1])


def test_a_variance_with_a_mean(rows):
    x, found = example(rows, "sqrt-scaling")
    assert dict(found.sizes) == {"d": 1}
    q, k = x["a"][0] + np.array([-1, 1]), x["b"][0] + np.array([-1, 1])
    assert q.var() == k.var() == 1
    assert np.outer(q, k).var() == float(found.left) != 1


def test_layer_norm_with_eps(rows):
    x, found = example(rows, "layernorm.scale")

    def norm(v):
        return (v - v.mean()) / np.sqrt(v.var() + x["eps"])

    assert abs(norm(x["t"] * x["x"]) - norm(x["x"])).max() > 0.1
    assert dict(found.sizes) == {"k": 2}  # for k = 1 both are 0


# -- what holds, by other means --------------------------------------------------------------------------


def test_all_images_of_the_printed_conjugation_are_reached_by_another():
    for m in range(2, 5):
        T = np.arange(m * m).reshape(m, m)
        for i, j, i1, j1 in product(range(m), repeat=4):
            if i != j and i1 != j1:
                assert any(T[np.ix_(p, p)][i, j] == T[i1, j1] for p in permutations(range(m)))


def test_random_corners_of_the_birkhoff_polytope():
    from scipy.optimize import linprog

    rng = np.random.default_rng(0)
    for n in (2, 3, 5):
        rows_, columns = np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))
        for _ in range(5):
            best = linprog(rng.normal(size=n * n), A_eq=np.vstack([rows_, columns]), b_eq=np.ones(2 * n))
            assert np.allclose(np.sort(best.x.reshape(n, n), 1), np.eye(n)[[-1] * n], atol=1e-7)


def test_positions_rotate():
    for w in (1.0, 0.01):
        for pos, s in ((3, 5), (0, 7)):
            c, t = np.cos(s * w), np.sin(s * w)
            now = np.array([np.sin(pos * w), np.cos(pos * w)])
            assert np.allclose(
                np.array([[c, t], [-t, c]]) @ now, [np.sin((pos + s) * w), np.cos((pos + s) * w)]
            )


def test_window_attention_in_two_windows():
    def windows(x, m):
        blocks = x.reshape(-1, m)
        weights = np.exp(blocks[:, :, None] * blocks[:, None, :])
        return ((weights / weights.sum(2, keepdims=True)) @ blocks[:, :, None]).ravel()

    x = np.array([0.3, -1, 2, 0.5, 1.5, -0.2])
    same = [np.allclose(windows(np.roll(x, s), 2), np.roll(windows(x, 2), s)) for s in range(6)]
    assert same == [True, False, True, False, True, False]
