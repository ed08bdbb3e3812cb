"""The review of the first source: every row judged, every certificate accepted, every failure checked."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from eqvproof.papers.library import review, statements
from tests.papers.library.rows import (
    BUDGET,
    require_accepted,
    require_found,
    require_repaired,
    require_statements,
    rows_of,
)

#: What the statements are found to be. Nothing of this stands in the library.
FOUND = {
    "perm-subgroup": "HOLDS PROVED",
    "attn.logits": "HOLDS PROVED",
    "attn.single": "HOLDS PROVED",
    "attn.permutation": "HOLDS PROVED",
    "attn.multihead": "HOLDS PROVED",
    "attn.orthogonal-fixed-weights": "FAILS EXACT",
    "attn.orthogonal-fixed-weights.repaired": "HOLDS PROVED",
    "remark2.1": "HOLDS PROVED",
    "def3.1": "HOLDS PROVED",
    "prop3.1.sufficient": "HOLDS PROVED",
    "prop3.1": "HOLDS PROVED",
    "prop3.1.householder-orthogonal": "HOLDS PROVED",
    "prop3.1.householder-action": "HOLDS PROVED",
    "prop3.1.span": "HOLDS PROVED",
    "prop3.1.one-column": "HOLDS PROVED",
    "prop3.1.coefficient-invariance": "HOLDS PROVED",
    "prop3.1.every-g-invariant": "FAILS EXACT",
    "prop3.1.every-g-invariant.repaired": "HOLDS PROVED",
    "prop3.1.fft": "HOLDS PROVED",
    "prop3.1.gram-orbit": "HOLDS PROVED",
    "prop3.1.continuous-g": "FAILS EXACT",
    "prop3.1.continuous-g.repaired": "HOLDS PROVED",
    "sec3.2.arithmetic": "HOLDS DECIDED",
    "sec3.2.orbit-of-functions": "HOLDS PROVED",
    "def3.2": "HOLDS PROVED",
    "prop3.2.sufficient": "HOLDS PROVED",
    "prop3.2": "HOLDS PROVED",
    "prop3.2.block": "HOLDS PROVED",
    "sec3.2.attention-form": "FAILS ENCLOSED",
    "sec3.2.attention-form.repaired": "HOLDS PROVED",
    "sec3.2.onehot-gram": "FAILS EXACT",
    "sec3.2.onehot-gram.repaired": "HOLDS PROVED",
    "sec3.2.simple-form": "HOLDS PROVED",
    "sec3.3.low-order": "HOLDS PROVED",
    "sec3.3.quadratic-term": "FAILS EXACT",
    "sec3.3.quadratic-term.repaired": "HOLDS PROVED",
    "sec3.3.quadratic-form": "HOLDS PROVED",
    "sec3.3.query-key": "HOLDS PROVED",
    "sec3.3.softmax-not-elementwise": "HOLDS DECIDED",
    "sec3.3.inner-product-kernel": "HOLDS PROVED",
    "sec3.3.rbf-kernel": "HOLDS PROVED",
    "sec4.position": "HOLDS DECIDED",
    "def4.1": "HOLDS PROVED",
    "prop4.1.sufficient": "HOLDS PROVED",
    "prop4.1": "HOLDS DECIDED",
    "prop4.1.reynolds": "HOLDS PROVED",
    "prop4.1.swap-diagonal": "HOLDS PROVED",
    "prop4.1.swap-pair": "FAILS EXACT",
    "prop4.1.swap-pair.repaired": "HOLDS PROVED",
    "prop4.1.deep-sets-citation": "FAILS EXACT",
    "prop4.1.deep-sets-citation.repaired": "HOLDS DECIDED",
    "prop4.1.sum-decomposition": "HOLDS DECIDED",
    "prop4.1.sum-limits": "FAILS OBSERVED",
    "prop4.1.sum-limits.repaired": "HOLDS DECIDED",
    "remark4.1.typing": "FAILS EXACT",
    "remark4.1.typing.repaired": "HOLDS PROVED",
    "remark4.1.diagonal": "HOLDS PROVED",
    "remark4.1.off-diagonal": "FAILS EXACT",
    "remark4.1.off-diagonal.repaired": "HOLDS PROVED",
    "sec5.linear-readout": "HOLDS PROVED",
    "sec5.nonlinear-readout": "HOLDS PROVED",
    "sec5.nonlinear-readout-orthogonal": "FAILS EXACT",
    "sec5.nonlinear-readout-orthogonal.repaired": "HOLDS PROVED",
    "sec5.multihead": "HOLDS PROVED",
    "sec5.stack": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("my23", FOUND, request.config, "prop4.1.reynolds")


def test_every_statement_is_listed():
    require_statements("my23", FOUND)


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("my23", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


def test_json_has_a_row_for_every_id():
    data = review("my23.def3.1", "my23.sec3.2.onehot-gram").to_json()["statements"]
    assert [row["id"] for row in data] == [
        "my23.def3.1", "my23.sec3.2.onehot-gram", "my23.sec3.2.onehot-gram.repaired",
    ]  # fmt: skip
    assert data[1]["repaired_by"] == "my23.sec3.2.onehot-gram.repaired"


def test_one_seed_one_answer(rows):
    for name in ("prop4.1.reynolds", "sec3.2.attention-form"):
        again = review(f"my23.{name}", seed=0, budget=BUDGET)[f"my23.{name}"]
        assert (again.outcome, again.grade, again.scope) == (
            rows[name].outcome, rows[name].grade, rows[name].scope,
        )  # fmt: skip
        assert [c for _, c in again.certificates] == [c for _, c in rows[name].certificates]


def test_another_seed_the_same_outcome(rows):
    names = ("my23.prop4.1.reynolds", "my23.sec3.2.onehot-gram")
    for row in review(*names, seed=1, budget=BUDGET):
        assert (row.outcome, row.grade) == (rows[row.id[5:]].outcome, rows[row.id[5:]].grade)


def example(rows, name):
    """Inputs, by name as arrays of floats, of the counterexample of a row; and its element."""
    (found,) = [v.counterexample for v in rows[name].verdicts if v.counterexample is not None]
    return {k: np.array(v, dtype=float) for k, v in found.inputs.items()}, found


# -- each failure, checked by NumPy alone ----------------------------------------------------------------


def softmax_rows(matrix):
    weights = np.exp(matrix - matrix.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def test_attention_with_fixed_weights_is_not_equivariant(rows):
    x, found = example(rows, "attn.orthogonal-fixed-weights")
    q = np.array(found.element["d"], dtype=float)

    def attention(X):
        scores = X.T @ x["WQ"].T @ x["WK"] @ X / np.sqrt(x["WQ"].shape[0])
        return X + x["WV"] @ X @ softmax_rows(scores).T

    assert np.allclose(q.T @ q, np.eye(2))
    assert np.abs(attention(q @ x["X"]) - q @ attention(x["X"])).max() > 0.1
    assert dict(found.sizes) == {"r": 1, "d": 2, "n": 1}  # d = 1: Q = -1 commutes with every weight


def test_coefficients_that_are_not_invariant(rows):
    x, found = example(rows, "prop3.1.every-g-invariant")
    g = lambda X: (x["B"] - x["B"].T) @ X.T  # noqa: E731
    assert np.abs(x["X"] @ g(x["X"])).max() == 0
    assert np.abs(g(-x["X"]) - g(x["X"])).max() > 0
    assert dict(found.sizes)["n"] == 2  # n = 1: X g determines g, or X = 0


def test_a_continuous_function_without_continuous_coefficients(rows):
    x, _ = example(rows, "prop3.1.continuous-g")

    def f(X):
        total = (X * X).sum()
        return (X[:, 0] @ X[:, 1]) * X[:, :1] / total if total else 0 * X[:, :1]

    assert np.abs(f(x["X"] + x["Y"]) - f(x["X"]) - f(x["Y"])).max() > 1e-3
    rng = np.random.default_rng(0)
    for _ in range(100):
        X = rng.normal(size=(3, 2))
        assert np.abs(f(X / 1024) * 1024 - f(X)).max() < 1e-9
        assert np.linalg.norm(f(X)) <= np.linalg.norm(X[:, 0]) / 2


def test_the_attention_form_lacks_a_transpose(rows):
    x, found = example(rows, "sec3.2.attention-form")
    e = x["WQ"].shape[0]
    A = np.block([[np.zeros((e, e)), np.eye(e)], [np.zeros((e, e)), np.zeros((e, e))]])
    Y = np.hstack([x["WQ"].T, x["WK"].T]).T @ x["X"]
    weights = softmax_rows(Y.T @ A @ Y / np.sqrt(e))
    printed = softmax_rows(x["X"].T @ x["WQ"].T @ x["WK"] @ x["X"] / np.sqrt(e)).T
    assert np.abs(x["X"] @ weights - x["X"] @ printed).max() > 1e-3
    assert np.abs(x["X"] @ weights.T - x["X"] @ printed).max() < 1e-12
    assert dict(found.sizes) == {"r": 1, "d": 1, "n": 2}


def test_a_token_that_occurs_twice(rows):
    x, found = example(rows, "sec3.2.onehot-gram")
    assert x["X"].tolist() == [[1, 1]]
    assert (x["X"].T @ x["X"]).tolist() == [[1, 1], [1, 1]]
    assert found.left[0, 1] == Fraction(1)


def test_ends_of_a_product_that_do_not_grow(rows):
    for k in (1, 2, 3):
        for rows_, columns in ((a, b) for a in range(1, 5) for b in range(1, 5)):
            shapes = []
            for n in (1, 2):  # the fewest lengths at which a fixed shape can be wrong
                Y = np.ones((k, n))
                left, inner, right = np.ones((rows_, n)), np.ones((k, k)), np.ones((n, columns))
                shapes.append((left @ Y.T @ inner @ Y @ right).shape)
            assert shapes[0] == shapes[1]
    assert "at n = 1, 2" in rows["sec3.3.quadratic-term"].scope


def test_no_permutation_swaps_two_pairs_that_share_a_place(rows):
    def some(n, i, j):
        return any(p[0] == i and p[i] == 0 and p[1] == j and p[j] == 1 for p in permutations(range(n)))

    assert not some(3, 1, 2)
    assert all(
        some(n, i, j) for n in (2, 3) for i in range(n) for j in range(i + 1, n) if (n, i, j) != (3, 1, 2)
    )
    assert rows["prop4.1.swap-pair"].scope == "at n = 3"
    assert "u = [0, 1, 0], v = [0, 0, 1]" in rows["prop4.1.swap-pair"].reason
    for n in range(2, 6):
        for i, j in permutations(range(n), 2):
            assert any(p[:2] == (i, j) for p in permutations(range(n)))


def test_invariant_functions_see_more_than_the_set(rows):
    x, _ = example(rows, "prop4.1.deep-sets-citation")
    a, b = x["a"], x["b"]
    left, right = [a, a, b], [a, b, b]
    assert {tuple(v) for v in left} == {tuple(v) for v in right}
    assert np.abs(np.sum(left, 0) - np.sum(right, 0)).max() > 0
    # two vectors: equal sets are equal multisets
    pairs = [[u, v] for u in range(4) for v in range(u, 4)]
    assert len({frozenset(p) for p in pairs}) == len(pairs)


def test_a_sum_over_vectors_that_are_not_there(rows):
    X = np.ones((1, 2))
    with pytest.raises(IndexError):
        sum(X[:, k] for k in range(2, 2 + 1))
    assert rows["prop4.1.sum-limits"].scope == "at d = 1, n = 1, p = 1, m = 1"


def test_queries_beside_keys(rows):
    fits = {
        (e, d): np.hstack([np.ones((e, d)), np.ones((e, d))]).shape[0] == d for e in (1, 2) for d in (1, 2)
    }
    assert fits == {(1, 1): True, (1, 2): False, (2, 1): False, (2, 2): True}
    assert rows["remark4.1.typing"].scope == "at r = 1, d = 2"


def test_the_denominator_off_the_diagonal(rows):
    x, found = example(rows, "remark4.1.off-diagonal")
    E = np.exp(x["X"].T @ x["WQ"].T @ x["WK"] @ x["X"])
    n = len(E)
    sums = {(i, j): sum(E[i, k] for k in range(n) if k not in (i, j)) for i, j in permutations(range(n), 2)}
    wrong = [E[i, j] / (E[i, j] + s) - E[i, j] / E[i].sum() for (i, j), s in sums.items()]
    right = [E[i, j] / (E[i, j] + E[i, i] + s) - E[i, j] / E[i].sum() for (i, j), s in sums.items()]
    assert np.abs(wrong).max() > 0.1
    assert np.abs(right).max() < 1e-12
    assert dict(found.sizes) == {"r": 1, "d": 1, "n": 2}  # n = 1 has no entry off the diagonal


def test_a_readout_with_fixed_weights(rows):
    x, found = example(rows, "sec5.nonlinear-readout-orthogonal")

    def f(X, Z):
        Y = Z.T @ X
        return x["V"] @ np.maximum(x["U"] @ X @ Y.T @ Y, 0)

    q = np.array(found.element["d"], dtype=float)
    assert np.abs(f(q @ x["X"], q @ x["Z"]) - q @ f(x["X"], x["Z"])).max() > 0.1
    assert set(found.sizes.values()) == {1}


# -- what holds, by other means --------------------------------------------------------------------------


def test_a_group_average_computed_term_by_term():
    rng = np.random.default_rng(0)
    B, w = rng.integers(-3, 4, (4, 4)), rng.integers(-3, 4, 4)

    def g(Y):
        return Y.T @ Y + np.outer((B - B.T) @ Y[0], w)

    def average(Y):
        total = np.zeros((4, 4))
        for p in permutations(range(4)):
            P = np.eye(4)[:, list(p)]
            total += P @ g(Y @ P) @ P.T
        return total / 24

    Y, P = rng.integers(-3, 4, (1, 4)).astype(float), np.eye(4)[:, [2, 0, 3, 1]]
    assert np.abs(g(Y @ P) - P.T @ g(Y) @ P).max() > 0.5
    assert np.allclose(average(Y @ P), P.T @ average(Y) @ P)
    assert np.allclose(Y @ average(Y), Y @ g(Y))


def test_newton_and_the_multinomial_theorem():
    X, a, t = np.array([[1.0, 2, -1], [3, 0, 2]]), np.array([2.0, -1]), 0.7
    p = [((a @ X) ** m).sum() for m in (1, 2, 3)]
    e = [1, p[0], (p[0] ** 2 - p[1]) / 2, (p[0] ** 3 - 3 * p[0] * p[1] + 2 * p[2]) / 6]
    assert np.isclose(np.prod(t - a @ X), t**3 - e[1] * t**2 + e[2] * t - e[3])


def test_the_whole_library_is_reviewed_without_names():
    assert {s.id for s in statements()} >= {f"my23.{name}" for name in FOUND if "repaired" not in name}
