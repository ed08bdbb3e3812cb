"""The review of the second source: every row judged, every certificate accepted, every failure checked."""

from __future__ import annotations

from itertools import permutations, product

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
    "tangent.chain-rule": "HOLDS PROVED",
    "tangent.penalty": "FAILS EXACT",
    "tangent.penalty.repaired": "HOLDS PROVED",
    "action.inverse": "HOLDS PROVED",
    "action.no-inverse": "HOLDS DECIDED",
    "def.invariant": "HOLDS PROVED",
    "def.equivariant": "HOLDS PROVED",
    "compose.equivariant": "HOLDS PROVED",
    "compose.invariant": "HOLDS PROVED",
    "stability.fourier-invariant": "HOLDS DECIDED",
    "stability.fourier-unstable": "HOLDS DECIDED",
    "stability.wavelet": "FAILS EXACT",
    "stability.wavelet.repaired": "HOLDS DECIDED",
    "linear-invariant": "HOLDS PROVED",
    "pointwise-lift": "HOLDS PROVED",
    "groupconv.typing": "FAILS EXACT",
    "groupconv.typing.repaired": "HOLDS PROVED",
    "groupconv.equivariant": "HOLDS PROVED",
    "groupconv.iff": "FAILS EXACT",
    "groupconv.iff.repaired": "HOLDS DECIDED",
    "cnn.correlation": "HOLDS DECIDED",
    "cnn.stride": "HOLDS DECIDED",
    "cnn.channels": "HOLDS PROVED",
    "gnn.equivariant": "HOLDS PROVED",
    "gnn.phi-must-be-invariant": "HOLDS DECIDED",
    "transformer.layer": "HOLDS PROVED",
    "transformer.pairwise": "FAILS ENCLOSED",
    "transformer.pairwise.repaired": "HOLDS PROVED",
    "transformer.causal.permuted": "HOLDS PROVED",
    "transformer.causal.fixed": "FAILS EXACT",
    "transformer.causal.fixed.repaired": "HOLDS PROVED",
    "transformer.rank": "HOLDS PROVED",
    "rnn.update": "HOLDS PROVED",
    "rnn.gru": "HOLDS PROVED",
    "rnn.lstm": "FAILS ENCLOSED",
    "rnn.lstm.repaired": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("sym23", FOUND, request.config)


def test_every_statement_is_listed():
    require_statements("sym23", FOUND)


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("sym23", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


def test_one_seed_one_answer(rows):
    for row in review("sym23.rnn.lstm", "sym23.stability.wavelet", budget=BUDGET):
        before = rows[row.id.removeprefix("sym23.")]
        assert (row.outcome, row.grade, row.scope) == (before.outcome, before.grade, before.scope)
        assert [c for _, c in row.certificates] == [c for _, c in before.certificates]


def example(rows, name):
    """Inputs, by name as arrays of floats, of the counterexample of a row; and its sizes and element."""
    (found,) = [v.counterexample for v in rows[name].verdicts if v.counterexample is not None]
    return {k: np.array(v, dtype=float) for k, v in found.inputs.items()}, found


# -- each failure, checked by NumPy alone ----------------------------------------------------------------


def test_the_penalty_with_the_wrong_limit(rows):
    x, found = example(rows, "tangent.penalty")
    slopes = x["J"] @ x["tau"]
    assert dict(found.sizes) == {"n": 1, "k": 1}
    assert sum(s**2 for s in slopes) != sum(slopes[i] ** 2 for i in range(len(x["tau"])))


def test_a_translated_signal_has_a_translated_wavelet_transform(rows):
    found = example(rows, "stability.wavelet")[1]
    grid = (np.arange(4096) + 0.5) / 1024 - 1  # [-1, 3)

    def transform(x, u):
        psi = np.where((grid >= u) & (grid < u + 0.5), 1, 0) - np.where(
            (grid >= u + 0.5) & (grid < u + 1), 1, 0
        )
        return (psi * x).sum() / 1024

    x = np.where((grid >= 1) & (grid < 1.5), 1, 0)
    moved = np.where((grid >= 1.5) & (grid < 2), 1, 0)
    values = [[transform(s, u) for u in (0.5, 1, 1.5)] for s in (moved, x)]
    assert np.allclose(values[0], np.array(found.left, dtype=float))
    assert np.allclose(values[1], np.array(found.right, dtype=float))
    assert not np.allclose(*values)


def test_a_group_convolution_has_one_channel(rows):
    for name in ("groupconv.typing", "groupconv.iff"):
        assert rows[name].scope.endswith("c = 2")
    x, theta = np.array([[1.0, 2.0]]), np.array([[3.0, 5.0]])  # the group with one element
    value = [sum(x[u] @ theta[u] for u in range(1))]
    assert np.shape(value) == (1,) != x.shape
    # the identity is linear and equivariant, but the numbers <x, theta> tell only one coordinate of x
    assert np.linalg.matrix_rank(theta) < np.linalg.matrix_rank(np.eye(2))


def attention(x, X, allowed):
    scores = np.exp(X @ x["Q"][0].T @ x["K"][0] @ X.T) * allowed
    return scores / scores.sum(1, keepdims=True)


def test_the_weight_of_a_pair_depends_on_a_third_token(rows):
    x, found = example(rows, "transformer.pairwise")
    causal = np.tri(2)
    weights = [attention(x, np.stack([x[other], x["x"]]), causal)[1, 1] for other in ("z", "w")]
    values = [a * x["Out"][0].T @ x["V"][0] @ x["x"] for a in weights]
    assert abs(values[0] - values[1]).max() > 0.1
    assert set(found.sizes.values()) == {1}


def test_causal_attention_with_fixed_neighbourhoods(rows):
    x, found = example(rows, "transformer.causal.fixed")
    causal, swap = np.tri(2), [1, 0]

    def layer(X):
        return X + attention(x, X, causal) @ X @ x["V"][0].T @ x["Out"][0]

    assert abs(layer(x["X"][swap]) - layer(x["X"])[swap]).max() > 0.1
    assert found.sizes["n"] == 2


def test_separate_gates_are_no_gate(rows):
    x, found = example(rows, "rnn.lstm")

    def gate(w, u, b):
        return 1 / (1 + np.exp(-(x[w] @ x["z"] + x[u] @ x["h"] + x[b])))

    i, f = gate("W", "U", "b"), gate("Wf", "Uf", "bf")
    assert abs(f * x["c"] + i * x["R"] - (i * x["R"] + (1 - i) * x["c"])).max() > 0.1
    assert set(found.sizes.values()) == {1}


# -- what holds, by other means --------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 4])
def test_group_convolution_under_all_permutations(n):
    rng = np.random.default_rng(n)
    group = list(permutations(range(n)))
    x, theta = rng.integers(-5, 6, (2, n, 2))
    back = {g: tuple(np.argsort(g)) for g in group}

    def conv(signal):
        return {g: sum(signal[u] @ theta[back[g][u]] for u in range(n)) for g in group}

    for h in group:
        left, right = conv(x[list(back[h])]), conv(x)
        assert all(left[g] == right[tuple(back[h][g[u]] for u in range(n))] for g in group)


def test_ranks_of_heads():
    rng = np.random.default_rng(0)
    for e, d in product(range(1, 4), range(1, 6)):
        assert np.linalg.matrix_rank(rng.normal(size=(e, d)).T @ rng.normal(size=(e, d))) <= e


@pytest.mark.parametrize("eps", [0.25, 0.05, 0.01])
def test_a_shrunk_band_misses_itself(eps):
    w = (1 - eps) / eps
    grid = np.linspace(0, w + 2, 400_001)
    x = ((grid >= w) & (grid <= w + 1)).astype(float)
    y = ((grid / (1 - eps) >= w) & (grid / (1 - eps) <= w + 1)) / (1 - eps)
    step = grid[1] - grid[0]
    assert abs(((y - x) ** 2).sum() * step - (1 + 1 / (1 - eps))) < 0.01


def test_fourier_modulus_and_circulants():
    x = np.array([1.0, -2, 4, 3, 0])
    circulant = np.stack([np.roll(x, s) for s in range(5)])
    values = np.sort(np.linalg.eigvalsh(circulant @ circulant.T))
    assert np.allclose(values, np.sort(abs(np.fft.fft(x)) ** 2))


def test_a_wavelet_transform_almost_commutes_with_a_dilation():
    rng = np.random.default_rng(0)
    cells, per = 64, 64
    step = 1 / per
    signal = np.repeat(rng.normal(size=cells), per // 4)
    grid = np.arange(4 * len(signal)) * step - 8

    def value(v):
        index = np.floor(v / step).astype(int)
        inside = (index >= 0) & (index < len(signal))
        return np.where(inside, signal[np.clip(index, 0, len(signal) - 1)], 0.0)

    def transform(x):
        kernel = np.repeat([1.0, -1.0], per // 2)
        return np.correlate(np.concatenate([x, np.zeros(per - 1)]), kernel, mode="valid") * step

    for eps in (0.25, 0.1, 0.02):
        left = transform(value((1 - eps) * grid))
        right = np.interp((1 - eps) * grid, grid, transform(value(grid)))
        size = np.sqrt((signal**2).sum())
        assert np.sqrt(((left - right) ** 2).sum()) <= 3.3 * eps * (1 - eps) ** -0.5 * size + 0.02 * size
