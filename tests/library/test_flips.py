# ruff: noqa: E501
"""Outcomes follow the mathematics: one sign, index or transpose changed, and the answer changes with it."""

from __future__ import annotations

import pytest

from eqvproof.library import review, statement
from tests.library.flips import flipped

#: id, file, text, what takes its place, shared file, outcome then, outcome of its repaired form then.
FLIPS = [
    ("perm-subgroup", "perm_subgroup", "np.eye(X.shape[0])", "np.tri(X.shape[0])", "", "FAILS"),
    ("perm-subgroup", "perm_subgroup", 'lambda X: X.T @ X, "X: d n -> n n"', 'lambda X: X, "X: d n -> d! n"', "", "FAILS"),
    ("attn.logits", "attn_logits", "(WQ @ X).T @ (WK @ X)", "(WK @ X).T @ (WQ @ X)", "", "FAILS"),
    ("attn.logits", "attn_logits", "(WQ @ X).T @ (WK @ X)", "(WQ @ X) @ (WK @ X).T", "", "FAILS"),
    ("attn.single", "attn_single", "WV: d d", "WV: e d", "", "FAILS"),
    ("attn.single", "attn_single", "return X + WV", "return X.T + WV", "notation", "FAILS"),
    ("attn.permutation", "attn_permutation", "attention, ", "lambda *a: attention(*a) + a[-1][:, :1], ", "", "FAILS"),
    ("attn.permutation", "attn_permutation", "sum(-1, keepdims=True)", "cumsum(-1)", "notation", "FAILS"),
    ("attn.multihead", "attn_multihead", "return X + ((WO @ WV)", "return X - ((WO @ WV)", "", "FAILS"),
    ("attn.multihead", "attn_multihead", "((WO @ WV) @ X @ weights(WQ, WK, X))", "((WO @ WV) @ X @ weights(WK, WQ, X))", "", "FAILS"),
    ("attn.orthogonal-fixed-weights", "attn_orthogonal_fixed_weights", "WQ: e d!, WK: e d!, WV: d! d!", "WQ: e d, WK: e d, WV: d d", "", "HOLDS"),
    ("remark2.1", "remark2_1", "columns(Y.T).T", "columns(Y.T)", "", "FAILS"),
    ("def3.1", "def3_1", "violated_by=lambda X: X * X", "violated_by=lambda X: X - 2 * X", "", "UNDECIDED"),
    ("def3.1", "def3_1", "satisfied_by=lambda X: X @ X.T @ X", "satisfied_by=lambda X: X * X", "", "UNDECIDED"),
    ("def3.1", "def3_1", "lambda Q, X: Q @ X,", "lambda Q, X: X @ Q,", "", "FAILS"),
    ("prop3.1.householder-orthogonal", "householder_orthogonal", "- 2 * np.outer", "+ 2 * np.outer", "notation", "FAILS"),
    ("prop3.1.householder-orthogonal", "householder_orthogonal", "- 2 * np.outer", "- 3 * np.outer", "notation", "FAILS"),
    ("prop3.1.householder-action", "householder_action", "lambda u: -u,", "lambda u: u,", "", "FAILS"),
    ("prop3.1.householder-action", "householder_action", "* vectors - np.outer", "* vectors + np.outer", "notation", "FAILS"),
    ("prop3.1.span", "span", "(v + u) - (v - u)", "(v + u) + (v - u)", "", "FAILS"),
    ("prop3.1.gram-orbit", "gram_orbit", "(b @ b - a @ a)", "(a @ a - b @ b)", "", "FAILS"),
    ("prop3.1.every-g-invariant", "every_g_invariant", "X @ ((B - B.T)", "X @ ((B + B.T)", "", "UNDECIDED"),
    ("prop3.1.continuous-g", "continuous_g", "return (X[:, 0] @ X[:, 1]) *", "return denominator(X) *", "halved", "UNDECIDED"),
    ("sec3.2.arithmetic", "sec3_2_arithmetic", "[1, 0, *range(2, 12)]", "[0, 1, *range(2, 12)]", "", "FAILS"),
    ("sec3.2.arithmetic", "sec3_2_arithmetic", "lambda X: UNIT[:, 3]", "lambda X: UNIT[:, 5]", "", "FAILS"),
    ("def3.2", "def3_2", "violated_by=lambda X, Z: X * Z.sum()", "violated_by=lambda X, Z: X", "", "UNDECIDED"),
    ("prop3.2.block", "prop3_2_block", "X @ g1 + Z @ g2", "X @ g1 - Z @ g2", "", "FAILS"),
    ("prop3.2.block", "prop3_2_block", "cross.T", "2 * cross.T", "", "FAILS"),
    ("sec3.2.attention-form", "sec3_2_attention_form", "np.sqrt(WQ.shape[0])).T", "np.sqrt(WQ.shape[0]))", "", "HOLDS"),
    ("sec3.2.attention-form", "sec3_2_attention_form", "[zero, np.eye(e)]", "[np.eye(e), zero]", "", "FAILS"),
    ("sec3.2.onehot-gram", "sec3_2_onehot_gram", "product(range(d), repeat=n)", "(t for t in product(range(d), repeat=n) if len(set(t)) == n)", "tokens", "HOLDS"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "shared", "outcome"), FLIPS, ids=[f"{f[0]}: {f[3]}" for f in FLIPS]
)
def test_a_flip_changes_the_outcome(name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared)
    assert changed.id == f"my23.{name}"
    found = review(changed, budget=2)
    assert str(found[changed.id].outcome) == outcome, found[changed.id].reason
    assert found[changed.id].reason or outcome == "HOLDS"


def test_at_least_twelve_statements_are_flipped():
    assert len({f[0] for f in FLIPS}) >= 12


def test_a_repair_that_is_flipped_repairs_nothing():
    changed = flipped("sec3_2_attention_form", "WQ.shape[0]).T, SIGNATURE)", "WQ.shape[0]), SIGNATURE)")
    found = review(changed, budget=2)
    assert [str(row.outcome) for row in found] == ["FAILS", "FAILS"]
    assert found[changed.id].repaired_by is None


def test_a_text_that_is_not_there_is_no_flip():
    with pytest.raises(ValueError, match="occurs 0 times"):
        flipped("def3_1", "no such text", "")


def test_the_original_is_left_alone():
    before = statement("my23.def3.1")
    flipped("def3_1", "X @ X.T @ X", "X")
    assert statement("my23.def3.1") is before
