# ruff: noqa: E501
"""Outcomes follow the mathematics: one sign, index or transpose changed, and the answer changes with it."""

from __future__ import annotations

import pytest

from tests.papers.library.flips import flipped, judged

#: id, file, text, what takes its place, shared file, outcome then.
FLIPS = [
    ("tangent.chain-rule", "tangent_chain_rule", '"ij,j->i"', '"ji,j->i"', "", "FAILS"),
    ("tangent.chain-rule", "tangent_chain_rule", "+ (J @ e + r(v, s) / xi)", "+ (J @ e - r(v, s) / xi)", "", "FAILS"),
    ("tangent.penalty", "tangent_penalty", "J[: tau.shape[0]] @ tau", "J @ tau", "", "HOLDS"),
    ("action.inverse", "action_inverse", "x(g[1](u))", "x(g[0](u))", "", "FAILS"),
    ("action.inverse", "action_inverse", "h[1](g[1](u))", "g[1](h[1](u))", "", "FAILS"),
    ("action.no-inverse", "action_no_inverse", "return G.T @ x", "return G @ x", "", "FAILS"),
    ("action.no-inverse", "action_no_inverse", "LARGEST = 3", "LARGEST = 2", "", "FAILS"),
    ("def.invariant", "def_invariant", "lambda x: x.sum(0)", "lambda x: x[-1]", "", "UNDECIDED"),
    ("def.invariant", "def_invariant", '"star(inv(g), x) = comp(x, g)"', '"star(g, x) = comp(x, g)"', "", "UNDECIDED"),
    ("def.equivariant", "def_equivariant", "violated_by=lambda x: x[::-1]", "violated_by=lambda x: 2 * x", "", "UNDECIDED"),
    ("compose.equivariant", "compose_equivariant", "A(star1(g, y)) = star2(g, A(y))", "A(star3(g, y)) = star2(g, A(y))", "", "UNDECIDED"),
    ("compose.equivariant", "compose_equivariant", "A(B(x)), ", "A(B(x)) + x[0], ", "", "FAILS"),
    ("compose.invariant", "compose_invariant", "A(star1(g, y)) = A(y)", "A(star1(g, y)) = star2(g, A(y))", "", "UNDECIDED"),
    ("stability.fourier-invariant", "stability_fourier_invariant", "S * p + C * q", "S * p - C * q", "", "FAILS"),
    ("stability.fourier-invariant", "stability_fourier_invariant", "circulant(x) @ circulant(x).T", "circulant(x) @ circulant(x)", "", "FAILS"),
    ("stability.fourier-unstable", "stability_fourier_unstable", "(frequency(eps) + 1)", "(frequency(eps) - 1)", "", "FAILS"),
    ("stability.fourier-unstable", "stability_fourier_unstable", "return (1 - eps) / eps", "return (1 - eps) / (2 * eps)", "bands", "FAILS"),
    ("stability.wavelet", "stability_wavelet", "[np.zeros(2), x, np.zeros(1)]", "[np.zeros(1), x, np.zeros(2)]", "haar", "UNDECIDED"),
    ("linear-invariant", "linear_invariant", "(P @ x @ W.T).mean(0)", "(P @ x @ W.T).sum(0)", "", "FAILS"),
    ("linear-invariant", "linear_invariant", "each(orbit(x)) = constant(f(x))", "each(orbit(x)) = other(f(x))", "", "UNDECIDED"),
    ("pointwise-lift", "pointwise_lift", "A(x) @ U", "A(x).cumsum(0) @ U", "", "FAILS"),
    ("pointwise-lift", "pointwise_lift", "star2(g, y) = comp(y, inv(g))", "star2(g, y) = comp(y, g)", "", "UNDECIDED"),
    ("groupconv.typing", "groupconv_typing", "} -> g c", "} -> g 1", "", "HOLDS"),
    ("groupconv.equivariant", "groupconv_equivariant", "group_convolution(H.T @ P,", "group_convolution(H @ P,", "", "FAILS"),
    ("groupconv.equivariant", "groupconv_equivariant", "T(P(h)) = P(inv(h))", "T(P(h)) = P(h)", "", "UNDECIDED"),
    ("groupconv.iff", "groupconv_iff", '"u", "g") + " -> g c"', '"u", "g") + " -> g 1"', "", "HOLDS"),
    ("groupconv.iff", "groupconv_iff", "product(g, a) == u", "product(a, g) == u", "", "FAILS"),
    ("cnn.correlation", "cnn_correlation", "theta[(a - u) % h, (b - v) % w]", "theta[(u - a) % h, (v - b) % w]", "convolution", "FAILS"),
    ("cnn.correlation", "cnn_correlation", "x[i : i + h, j : j + w]", "x[i - 1 : i - 1 + h, j : j + w]", "", "FAILS"),
    ("cnn.stride", "cnn_stride", "(v - k * u)", "(v - u)", "convolution", "FAILS"),
    ("cnn.stride", "cnn_stride", '"theta": np.arange(k * m)', '"theta": np.ones(k * m, dtype=int)', "", "FAILS"),
    ("cnn.channels", "cnn_channels", "correlation(np.roll(x, 1, axis=axis), W)", "correlation(x[::-1], W)", "", "FAILS"),
    ("gnn.equivariant", "gnn_equivariant", "np.tanh(X @ R) +", "np.tanh(X @ R)[:1] +", "", "FAILS"),
    ("gnn.equivariant", "gnn_equivariant", "A[:, :, None] != 0, terms, 0).sum(1)", "A[:, :, None] != 0, terms, 0).cumsum(1)[:, 0]", "", "FAILS"),
    ("gnn.phi-must-be-invariant", "gnn_phi_must_be_invariant", "neighbours * places", "neighbours", "", "FAILS"),
    ("transformer.layer", "transformer_layer", "return X + np.einsum", "return X - np.einsum", "", "FAILS"),
    ("transformer.layer", "transformer_layer", '"hij,hef,jf->hie"', '"hij,hef,if->hie"', "", "FAILS"),
    ("transformer.pairwise", "transformer_pairwise", "x, z, w: psi_of_second(Q, K, V, Out, w, x)", "x, z, w: psi_of_second(Q, K, V, Out, z, x)", "", "HOLDS"),
    ("transformer.causal.permuted", "transformer_causal_permuted", "Equivariance(layer, ", "Equivariance(lambda *a: layer(*a[:-1], a[-1].cumsum(0)), ", "", "FAILS"),
    ("transformer.causal.fixed", "transformer_causal_fixed", "Out, X, causal(X))", "Out, X, 1 + 0 * (X @ X.T))", "", "HOLDS"),
    ("transformer.rank", "transformer_rank", '"kd,k->d"', '"dk,k->d"', "", "FAILS"),
    ("rnn.update", "rnn_update", "(1 - Gamma) * h", "(1 + Gamma) * h", "", "FAILS"),
    ("rnn.update", "rnn_update", "return R(z, h) - h", "return R(z, h)", "", "FAILS"),
    ("rnn.gru", "rnn_gru", "h - g * h + g * candidate", "g * h + (1 - g) * candidate", "", "FAILS"),
    ("rnn.lstm", "rnn_lstm", "gate(Wf, Uf, bf, z, h) * c +", "(1 - gate(W, U, b, z, h)) * c +", "", "HOLDS"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "shared", "outcome"), FLIPS, ids=[f"{f[0]}: {f[3]}" for f in FLIPS]
)
def test_a_flip_changes_the_outcome(name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared, of="sym23")
    assert changed.id == f"sym23.{name}"
    row = judged(changed, outcome)
    assert str(row.outcome) == outcome, row.reason
    assert row.reason or outcome == "HOLDS"


def test_every_statement_but_the_definition_of_attention_is_flipped():
    assert len({f[0] for f in FLIPS}) == 29
