# ruff: noqa: E501
"""Outcomes follow the mathematics: one sign, index or transpose changed, and the answer changes with it."""

from __future__ import annotations

import pytest

from eqvproof.papers.library import review, statement
from tests.papers.library.flips import flipped, judged

#: id, file, text, what takes its place, shared file, outcome then, outcome of its repaired form then.
FLIPS = [
    ("perm-subgroup", "perm_subgroup", "np.eye(X.shape[0])", "np.tri(X.shape[0])", "", "FAILS"),
    ("perm-subgroup", "perm_subgroup", 'lambda X: X.T @ X, "X: d n -> n n"', 'lambda X: X, "X: d n -> d! n"', "", "FAILS"),
    ("attn.logits", "attn_logits", "(WQ @ X).T @ (WK @ X)", "(WK @ X).T @ (WQ @ X)", "", "FAILS"),
    ("attn.logits", "attn_logits", "(WQ @ X).T @ (WK @ X)", "(WQ @ X) @ (WK @ X).T", "", "FAILS"),
    ("attn.single", "attn_single", "WV: d d", "WV: r d", "", "FAILS"),
    ("attn.single", "attn_single", "return X + WV", "return X.T + WV", "notation", "FAILS"),
    ("attn.permutation", "attn_permutation", "attention, ", "lambda *a: attention(*a) + a[-1][:, :1], ", "", "FAILS"),
    ("attn.permutation", "attn_permutation", "sum(-1, keepdims=True)", "cumsum(-1)", "notation", "FAILS"),
    ("attn.multihead", "attn_multihead", "return X + ((WO @ WV)", "return X - ((WO @ WV)", "", "FAILS"),
    ("attn.multihead", "attn_multihead", "((WO @ WV) @ X @ weights(WQ, WK, X))", "((WO @ WV) @ X @ weights(WK, WQ, X))", "", "FAILS"),
    ("attn.orthogonal-fixed-weights", "attn_orthogonal_fixed_weights", "WQ: r d!, WK: r d!, WV: d! d!", "WQ: r d, WK: r d, WV: d d", "", "HOLDS"),
    ("remark2.1", "remark2_1", "columns(Y.T).T", "columns(Y.T)", "", "FAILS"),
    ("def3.1", "def3_1", "violated_by=lambda X: X * X", "violated_by=lambda X: X - 2 * X", "", "UNDECIDED"),
    ("def3.1", "def3_1", "satisfied_by=lambda X: X @ X.T @ X", "satisfied_by=lambda X: X * X", "", "UNDECIDED"),
    ("def3.1", "def3_1", "lambda Q, X: Q @ X,", "lambda Q, X: X @ Q,", "", "FAILS"),
    ("prop3.1.householder-orthogonal", "householder_orthogonal", "- 2 * np.outer", "+ 2 * np.outer", "notation", "FAILS"),
    ("prop3.1.householder-orthogonal", "householder_orthogonal", "- 2 * np.outer", "- 3 * np.outer", "notation", "FAILS"),
    ("prop3.1.householder-action", "householder_action", "lambda u: -u,", "lambda u: u,", "", "FAILS"),
    ("prop3.1.householder-action", "householder_action", "* vectors - np.outer", "* vectors + np.outer", "notation", "FAILS"),
    ("prop3.1.span", "span", "(v + u) - (v - u)", "(v + u) + (v - u)", "", "FAILS"),
    ("prop3.1.gram-orbit", "gram_orbit", "(b @ b - a @ a)", "(a @ a - b @ b)", "orbits", "FAILS"),
    ("prop3.1.every-g-invariant", "every_g_invariant", "X @ ((B - B.T)", "X @ ((B + B.T)", "", "UNDECIDED"),
    ("prop3.1.continuous-g", "continuous_g", "return (X[:, 0] @ X[:, 1]) *", "return denominator(X) *", "homogeneous_quotient", "UNDECIDED"),
    ("sec3.2.arithmetic", "sec3_2_arithmetic", "[1, 0, *range(2, 12)]", "[0, 1, *range(2, 12)]", "", "FAILS"),
    ("sec3.2.arithmetic", "sec3_2_arithmetic", "lambda X: UNIT[:, 3]", "lambda X: UNIT[:, 5]", "", "FAILS"),
    ("def3.2", "def3_2", "violated_by=lambda X, Z: X * Z.sum()", "violated_by=lambda X, Z: X", "", "UNDECIDED"),
    ("prop3.2.block", "prop3_2_block", "X @ g1 + Z @ g2", "X @ g1 - Z @ g2", "", "FAILS"),
    ("prop3.2.block", "prop3_2_block", "cross.T", "2 * cross.T", "", "FAILS"),
    ("sec3.2.attention-form", "sec3_2_attention_form", "np.sqrt(WQ.shape[0])).T", "np.sqrt(WQ.shape[0]))", "", "HOLDS"),
    ("sec3.2.attention-form", "sec3_2_attention_form", "[zero, np.eye(e)]", "[np.eye(e), zero]", "", "FAILS"),
    ("sec3.2.onehot-gram", "sec3_2_onehot_gram", "product(range(d), repeat=n)", "(t for t in product(range(d), repeat=n) if len(set(t)) == n)", "tokens", "HOLDS"),
    ("sec3.3.low-order", "sec3_3_low_order", '"W0: a b, Y^T: n k, W1: c r"', '"Y^T: n k, W1: c r"', "", "HOLDS"),
    ("sec3.3.low-order", "sec3_3_low_order", '"W0: a b, Y: k n, W1: c r"', '"Y^T: n k, W0: a b, Y: k n"', "", "FAILS"),
    ("sec3.3.quadratic-term", "sec3_3_quadratic_term", ", W2: f g\"", '"', "", "FAILS"),
    ("sec3.3.quadratic-term", "sec3_3_quadratic_term", 'f"W0: a b, {y}: {FACTORS[y]}, W1: c e, {z}: {FACTORS[z]}, W2: f g"', 'f"{y}: {FACTORS[y]}, W1: c e, {z}: {FACTORS[z]}"', "", "HOLDS"),
    ("sec3.3.quadratic-form", "sec3_3_quadratic_form", "sigma(Y.T @ W @ Y)", "sigma(Y @ W @ Y.T)", "", "FAILS"),
    ("sec3.3.query-key", "sec3_3_query_key", "knowledge(WQ, WK).T @ X", "knowledge(WK, WQ).T @ X", "", "FAILS"),
    ("sec3.3.softmax-not-elementwise", "sec3_3_softmax_not_elementwise", "return softmax_rows(np.stack([a, b])[None, :])[0, 0]", "return softmax_rows(np.stack([a, b])[:, None])[0, 0]", "", "FAILS"),
    ("sec3.3.inner-product-kernel", "sec3_3_inner_product_kernel", "Y[:, :, None] * Y[:, None, :]", "Y[:, :, None] + Y[:, None, :]", "", "FAILS"),
    ("sec3.3.rbf-kernel", "sec3_3_rbf_kernel", "Y[:, :, None] - Y[:, None, :]", "Y[:, :, None] * Y[:, None, :]", "", "FAILS"),
    ("sec4.position", "sec4_position", "lambda X: X + encoding(X)", "lambda X: X + 0 * encoding(X)", "", "FAILS"),
    ("def4.1", "def4_1", "lambda X, P: X @ P", "lambda X, P: P @ X", "", "FAILS"),
    ("def4.1", "def4_1", "satisfied_by=lambda X, Z: X @ X.T @ Z @ Z.T @ X", "satisfied_by=lambda X, Z: X[:, ::-1]", "", "UNDECIDED"),
    ("prop4.1.sufficient", "prop4_1_sufficient", "X @ coefficients(Z.T @ X, s)", "X @ coefficients(Z.T @ X, s).cumsum(1)", "", "FAILS"),
    ("prop4.1.sufficient", "prop4_1_sufficient", "from eqvproof.papers.library.my23.notation import others", "others = np.tri", "pair_entries", "FAILS"),
    ("prop4.1", "prop4_1", '"head(swap(y, i)) = column(y, i)"', '"head(swap(y, i)) = column(y, one)"', "entry_formulas", "UNDECIDED"),
    ("prop4.1", "prop4_1", "rho1(column(Y, I), others(Y, I))", "rho1(column(Y, J), others(Y, I))", "entry_formulas", "UNDECIDED"),
    ("prop4.1.reynolds", "prop4_1_reynolds", '"back(act(a, p), p) = a"', '"back(act(a, p), p) = act(a, p)"', "", "UNDECIDED"),
    ("prop4.1.reynolds", "prop4_1_reynolds", "lambda X, P, M: ((X @ P) @ M) @ P.T", "lambda X, P, M: ((X @ P) @ M) @ P", "", "FAILS"),
    ("prop4.1.reynolds", "prop4_1_reynolds", "built[0][np.ix_(order, order)]", "built[0][order]", "averages", "UNDECIDED"),
    ("prop4.1.swap-diagonal", "prop4_1_swap_diagonal", "np.diagonal(tilde(X, Z))", "tilde(X, Z)[0]", "", "FAILS"),
    ("prop4.1.swap-pair", "prop4_1_swap_pair", "exchange_exists(ordered=True)", "front_exists(ordered=True)", "", "HOLDS"),
    ("prop4.1.swap-pair", "prop4_1_swap_pair", "LARGEST = 5", "LARGEST = 2", "swaps", "HOLDS"),
    ("prop4.1.deep-sets-citation", "prop4_1_deep_sets_citation", "np.stack([a, b, b], axis=1)", "np.stack([b, a, a], axis=1)", "", "HOLDS"),
    ("prop4.1.sum-decomposition", "prop4_1_sum_decomposition", "return sum((-1) ** j * e[j]", "return sum(e[j]", "power_sums", "FAILS"),
    ("prop4.1.sum-decomposition", "prop4_1_sum_decomposition", "for m in range(1, n + 1)]", "for m in range(2, n + 2)]", "power_sums", "FAILS"),
    ("prop4.1.sum-limits", "prop4_1_sum_limits", "X.shape[1] - 2 + more.shape[0]", "X.shape[1] - 2", "", "HOLDS"),
    ("remark4.1.typing", "remark4_1_typing", "np.concatenate([WQ, WK], axis=1)", "np.concatenate([WQ.T, WK.T], axis=1)", "", "HOLDS"),
    ("remark4.1.diagonal", "remark4_1_diagonal", "own / (own + sum_psi1(WQ, WK, X))", "own / sum_psi1(WQ, WK, X)", "", "FAILS"),
    ("remark4.1.diagonal", "remark4_1_diagonal", "\"ik,ki->i\"", "\"ki,ki->i\"", "remark4_1_entries", "FAILS"),
    ("remark4.1.off-diagonal", "remark4_1_off_diagonal", '"ik,ki,kj->ij", exponentials(WQ, WK, X), is_other, is_other', '"ik,kj->ij", exponentials(WQ, WK, X), is_other', "remark4_1_entries", "HOLDS"),
    ("sec5.linear-readout", "sec5_linear_readout", "W @ X @ g(Z.T @ X)", "W @ X @ g(Z.T @ X) + X", "", "FAILS"),
    ("sec5.linear-readout", "sec5_linear_readout", "W @ f(X, Z)", "W @ f(X, Z)[:, ::-1]", "", "FAILS"),
    ("sec5.nonlinear-readout", "sec5_nonlinear_readout", "V @ np.tanh(U @ f(X, Z))", "V @ np.tanh(U @ f(X, Z)).cumsum(1)", "", "FAILS"),
    ("sec5.nonlinear-readout-orthogonal", "sec5_nonlinear_readout_orthogonal", '"X: d n, Z: d k, U: p d!, V: d! p -> d n"', '"X: d n, Z: d k, U: p d, V: d p -> d n"', "", "HOLDS"),
    ("sec5.multihead", "sec5_multihead", "@ np.eye(X.shape[1]) + (", "@ np.eye(X.shape[1]) - (", "", "FAILS"),
    ("sec5.multihead", "sec5_multihead", "(W @ heads(X, Z)).sum(0)", "(W @ heads(X, Z)).sum(0)[:, ::-1]", "", "FAILS"),
    ("sec5.stack", "sec5_stack", "layer(before(X, Z), Z)", "layer(before(X, Z), Z)[:, ::-1]", "", "FAILS"),
    ("sec5.stack", "sec5_stack", '"h(act(x, p)) = act(h(x), p)"', '"h(act(x, p)) = h(x)"', "", "UNDECIDED"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "shared", "outcome"), FLIPS, ids=[f"{f[0]}: {f[3]}" for f in FLIPS]
)
def test_a_flip_changes_the_outcome(name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared)
    assert changed.id == f"my23.{name}"
    row = judged(changed, outcome)
    assert str(row.outcome) == outcome, row.reason
    assert row.reason or outcome == "HOLDS"


def test_at_least_twelve_statements_are_flipped():
    assert len({f[0] for f in FLIPS}) >= 12


def test_a_repair_that_is_flipped_repairs_nothing():
    changed = flipped("sec3_2_attention_form", "WQ.shape[0]).T, SIGNATURE", "WQ.shape[0]), SIGNATURE")
    found = review(changed, budget=20)
    assert [str(row.outcome) for row in found] == ["FAILS", "FAILS"]
    assert found[changed.id].repaired_by is None


def test_a_text_that_is_not_there_is_no_flip():
    with pytest.raises(ValueError, match="occurs 0 times"):
        flipped("def3_1", "no such text", "")


def test_the_original_is_left_alone():
    before = statement("my23.def3.1")
    flipped("def3_1", "X @ X.T @ X", "X")
    assert statement("my23.def3.1") is before
