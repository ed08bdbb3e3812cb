"""The review of the first source: every row judged, every certificate accepted, every failure checked."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.library import review, statements

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
    "prop3.1": "HOLDS TESTED",
    "prop3.1.householder-orthogonal": "HOLDS PROVED",
    "prop3.1.householder-action": "HOLDS PROVED",
    "prop3.1.span": "HOLDS TESTED",
    "prop3.1.one-column": "HOLDS PROVED",
    "prop3.1.coefficient-invariance": "HOLDS TESTED",
    "prop3.1.every-g-invariant": "FAILS EXACT",
    "prop3.1.every-g-invariant.repaired": "HOLDS PROVED",
    "prop3.1.fft": "HOLDS TESTED",
    "prop3.1.gram-orbit": "HOLDS TESTED",
    "prop3.1.continuous-g": "FAILS EXACT",
    "prop3.1.continuous-g.repaired": "HOLDS PROVED",
    "sec3.2.arithmetic": "HOLDS DECIDED",
    "sec3.2.orbit-of-functions": "HOLDS PROVED",
    "def3.2": "HOLDS PROVED",
    "prop3.2.sufficient": "HOLDS PROVED",
    "prop3.2": "HOLDS TESTED",
    "prop3.2.block": "HOLDS PROVED",
    "sec3.2.attention-form": "FAILS ENCLOSED",
    "sec3.2.attention-form.repaired": "HOLDS PROVED",
    "sec3.2.onehot-gram": "FAILS EXACT",
    "sec3.2.onehot-gram.repaired": "HOLDS PROVED",
    "sec3.2.simple-form": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows():
    return {row.id.removeprefix("my23."): row for row in review("my23")}


def test_every_statement_has_a_row(rows):
    assert rows.keys() == FOUND.keys()


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(rows, name):
    row = rows[name]
    assert f"{row.outcome} {row.grade}" == FOUND[name], row.reason
    assert row.scope
    assert row.seconds < 60


def test_what_fails_is_repaired(rows):
    for name, row in rows.items():
        expected = f"my23.{name}.repaired" if str(row.outcome) == "FAILS" else None
        assert row.repaired_by == expected


@pytest.mark.parametrize("name", FOUND)
def test_every_certificate_is_accepted(rows, name):
    row = rows[name]
    for label, certificate in row.certificates:
        assert label.startswith(row.id)
        assert ep.verify(json.loads(json.dumps(certificate))).accepted
    names = [label for label, _ in row.certificates]
    assert len(names) == len(set(names))
    if str(row.grade) in ("PROVED", "EXACT", "ENCLOSED"):
        assert row.certificates


def test_names_of_certificates_are_unique(rows):
    names = [label for row in rows.values() for label, _ in row.certificates]
    assert len(names) == len(set(names))


def test_json_has_a_row_for_every_id():
    data = review("my23.def3.1", "my23.sec3.2.onehot-gram").to_json()["statements"]
    assert [row["id"] for row in data] == [
        "my23.def3.1", "my23.sec3.2.onehot-gram", "my23.sec3.2.onehot-gram.repaired",
    ]  # fmt: skip
    assert data[1]["repaired_by"] == "my23.sec3.2.onehot-gram.repaired"


def test_one_seed_one_answer(rows):
    for name in ("attn.orthogonal-fixed-weights", "prop3.1.gram-orbit", "sec3.2.attention-form"):
        again = review(f"my23.{name}", seed=0)[f"my23.{name}"]
        assert (again.outcome, again.grade, again.scope) == (
            rows[name].outcome, rows[name].grade, rows[name].scope,
        )  # fmt: skip
        assert [c for _, c in again.certificates] == [c for _, c in rows[name].certificates]


@pytest.mark.parametrize("seed", [1, 2])
def test_another_seed_the_same_outcome(rows, seed):
    for row in review("my23.prop3.1.gram-orbit", "my23.prop3.1.fft", "my23.sec3.2.onehot-gram", seed=seed):
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
    assert dict(found.sizes) == {"e": 1, "d": 2, "n": 1}  # d = 1: Q = -1 commutes with every weight


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
    assert dict(found.sizes) == {"e": 1, "d": 1, "n": 2}


def test_a_token_that_occurs_twice(rows):
    x, found = example(rows, "sec3.2.onehot-gram")
    assert x["X"].tolist() == [[1, 1]]
    assert (x["X"].T @ x["X"]).tolist() == [[1, 1], [1, 1]]
    assert found.left[0, 1] == Fraction(1)


def test_the_whole_library_is_reviewed_without_names():
    assert {s.id for s in statements()} >= {f"my23.{name}" for name in FOUND if "repaired" not in name}
