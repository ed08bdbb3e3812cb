# ruff: noqa: E501
"""Outcomes follow the mathematics: one sign, index or transpose changed, and the answer changes with it."""

from __future__ import annotations

import pytest

from tests.papers.library.flips import flipped, judged

#: source, id, file, text, what takes its place, shared file, outcome then.
FLIPS = [
    ("my22", "prop3", "prop3", "g(act(x, p)) = unconj(p, g(x))", "g(act(x, p)) = unconj(p, g(act(x, p)))", "", "UNDECIDED"),
    ("my22", "prop3.pinv", "prop3_pinv", "np.linalg.inv(X.T @ X) @ X.T", "np.linalg.inv(X.T @ X) @ X.T[::-1]", "pseudo_inverse", "UNDECIDED"),
    ("my22", "prop3.pinv", "prop3_pinv", '"times(inv(a), a) = one"', '"times(a, inv(a)) = one"', "", "UNDECIDED"),
    ("my22", "prop3.pinv", "prop3_pinv", "lambda X: p(X.T @ X) @ X.T,", "lambda X: p(X.T @ X) @ X.T[::-1],", "", "FAILS"),
    ("my22", "prop3.pinv-without-rank", "prop3_pinv_without_rank", 'lambda X: np.eye(X.shape[1])', 'lambda X: row_inverse(X) @ X', "", "FAILS"),
    ("my22", "remark3.off-diagonal", "remark3_off_diagonal", "claim=Identity(printed_entries, attention, SIGNATURE)", "claim=Identity(repaired_entries, attention, SIGNATURE)", "", "HOLDS"),
    ("lec22", "def.invariance", "def_invariance", "violated_by=lambda X: X[0]", "violated_by=lambda X: X.max(0)", "", "UNDECIDED"),
    ("lec22", "def.equivariance", "def_equivariance", "violated_by=lambda X: X[::-1]", "violated_by=lambda X: -X", "", "UNDECIDED"),
    ("lec22", "circulant.commute", "circulant_commute", "return np.stack([np.roll(w, j) for j", "return np.stack([np.roll(w, -j) for j", "circulants", "UNDECIDED"),
    ("lec22", "circulant.commute", "circulant_commute", "lambda N, x: N @ x", "lambda N, x: N.cumsum(0) @ x", "", "FAILS"),
    ("lec22", "shift.orthogonal", "shift_orthogonal", "return np.roll(np.eye(n), 1, 0)", "return np.roll(np.eye(n), 1, 1)", "circulants", "FAILS"),
    ("lec22", "conv.shift", "conv_shift", "lambda C, X: C @ X,", "lambda C, X: C.cumsum(0) @ X,", "", "FAILS"),
    ("lec22", "pool.shift", "pool_shift", "X.max((0, 1))", "X[0, 0]", "", "FAILS"),
    ("lec22", "perm.example", "perm_example", "np.array([2, 5, 3, 1, 4])", "np.array([4, 1, 3, 5, 2])", "", "FAILS"),
    ("lec22", "birkhoff.hull", "birkhoff_hull", "[1] * (2 * n), points)", "[2] * (2 * n), points)", "birkhoff", "FAILS"),
    ("lec22", "birkhoff.hull", "birkhoff_hull", "rest = rest - weight * matrix(p)", "rest = rest - 0 * matrix(p) if len(found) > 2 * len(M) ** 2 else rest * 0", "birkhoff", "UNDECIDED"),
    ("lec22", "birkhoff.vertices", "birkhoff_vertices", "[*rows, *columns]", "[*rows, *rows]", "birkhoff", "FAILS"),
    ("lec22", "deepsets.sufficient", "deepsets_sufficient", "phi(X, s).sum(0)", "phi(X, s)[0]", "", "FAILS"),
    ("lec22", "deepsets.theorem2", "deepsets_theorem2", '"X_from(sum(x)) = x"', '"sum(X_from(x)) = x"', "", "UNDECIDED"),
    ("lec22", "deepsets.code", "deepsets_code", "Fraction(1, base**x)", "Fraction(1, base*(x + 1))", "codes", "FAILS"),
    ("lec22", "deepsets.code", "deepsets_code", "def code(count: Any, base: int = 4)", "def code(count: Any, base: int = 1)", "codes", "FAILS"),
    ("lec22", "deepsets.code-multisets", "deepsets_code_multisets", "claim=Injective(code_of_elements,", "claim=Injective(lambda X: code_of_elements(X, 8),", "", "HOLDS"),
    ("lec22", "lemma3", "lemma3", '"entry(Theta, K, K) = entry(Theta, L, L)",\n                    {', '"entry(Theta, K, L) = entry(Theta, L, L)",\n                    {', "", "UNDECIDED"),
    ("lec22", "lemma3", "lemma3", "np.ones((m, m), dtype=int)]", "np.tri(m, dtype=int)]", "linear", "UNDECIDED"),
    ("lec22", "lemma3", "lemma3", "c * np.outer(np.ones(m), np.ones(m))", "c * np.tri(m)", "linear", "FAILS"),
    ("lec22", "lemma3.diagonal", "lemma3_diagonal", "np.diagonal(T)", "np.diagonal(T[::-1])", "", "FAILS"),
    ("lec22", "lemma3.diagonal", "lemma3_diagonal", "entry(A @ T @ A.T, v, v)", "entry(A @ T @ A.T, u, v)", "", "UNDECIDED"),
    ("lec22", "lemma3.off-diagonal", "lemma3_off_diagonal", "if i != j and i1 != j1:", "if i != j and i1 != j1 and not {i, j} & {i1, j1}:", "linear", "HOLDS"),
    ("lec22", "lemma3.constant-sigma", "lemma3_constant_sigma", "0 * (T @ x) + 1", "(T @ x) + 1", "", "UNDECIDED"),
    ("lec22", "layer", "layer", "np.outer(ones, ones) @ x", "np.outer(ones, np.arange(x.shape[0])) @ x", "", "FAILS"),
    ("lec22", "stack", "stack", '"last(act(g, x)) = last(x)"', '"last(act(g, x)) = act(g, last(x))"', "", "UNDECIDED"),
    ("lec22", "stack", "stack", "lambda x: last(before(x))", "lambda x: last(before(x)) + x[0]", "", "FAILS"),
    ("lec22", "softmax.rows", "softmax_rows", "(1, 3, 6, 1)", "(1, 3, 5, 1)", "scores", "HOLDS"),
    ("lec22", "softmax.order", "softmax_order", "((7, 1, 1, 1), (1, 6, 2, 1), (1, 3, 6, 1), (1, 3, 3, 3))", "((7, 1, 1, 1), (1, 6, 1, 2), (1, 2, 6, 2), (1, 3, 3, 3))", "scores", "HOLDS"),
    ("lec22", "sqrt-scaling", "sqrt_scaling", "np.eye(mean.shape[0]) + np.outer(mean, mean)", "np.eye(mean.shape[0]) + 0 * np.outer(mean, mean)", "moments", "FAILS"),
    ("lec22", "position", "position", "pair(plus(times(c, x),", "pair(minus(times(c, x),", "", "UNDECIDED"),
    ("lec22", "position", "position", "return np.stack([c * x + s * y, c * y - s * x])", "return np.stack([c * x - s * y, c * y + s * x])", "rotations", "UNDECIDED"),
    ("lec22", "mask", "mask", "0 * np.exp(Y @ WK @ q)", "1 * np.exp(Y @ WK @ q)", "", "FAILS"),
    ("lec22", "layernorm.permutation", "layernorm_permutation", "centred = x - x.mean(-1, keepdims=True)", "centred = x - x[:1].mean(-1, keepdims=True)", "layernorm", "FAILS"),
    ("lec22", "layernorm.scale", "layernorm_scale", "layernorm(t * x, eps, 1, 0)", "layernorm(x * t / t, eps, 1, 0)", "", "HOLDS"),
    ("lec22", "swin.window-shift", "swin_window_shift", '{"k": 2, "m": 2}, {"k": 3', '{"k": 1, "m": 2}, {"k": 3', "", "FAILS"),
    ("lec22", "cost", "cost", "memory=2", "memory=1", "", "UNDECIDED"),
    ("lec22", "cost", "cost", "return softmax(scores) @ (X @ WV)", "return softmax(scores @ scores.T) @ (X @ WV)", "attention", "UNDECIDED"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "name", "file", "old", "new", "shared", "outcome"),
    FLIPS,
    ids=[f"{f[0]}.{f[1]}: {f[4]}" for f in FLIPS],
)
def test_a_flip_changes_the_outcome(source, name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared, of=source)
    assert changed.id == f"{source}.{name}"
    row = judged(changed, outcome)
    assert str(row.outcome) == outcome, row.reason
    assert row.reason or outcome == "HOLDS"


def test_every_statement_is_flipped():
    assert len({f[:2] for f in FLIPS}) == 32
