"""On a GPU: the bits of the CPU."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import pool
from eqvproof.deepsets.pair_forms import (
    attention,
    gaussian_kernel,
    linear_attention,
    rational_kernel,
)
from eqvproof.support.errors import BackendError

pytestmark = pytest.mark.gpu
x, y, z = sp.symbols("x y z")
PHI = (1, x, y * z, x**2 * y, sp.sqrt(x**2 + 1), 1 / (1 + y**2), sp.exp(-x * x), sp.Max(x, y), sp.tanh(z))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("kind", ["normal", "wide", "special"])
def test_the_same_bits_as_numpy(kind, dtype):
    import cupy

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_003, 3))
    if kind == "wide":
        X = np.ldexp(X, rng.integers(-1070, 1000, size=X.shape))
    if kind == "special":
        X[5, 0], X[70_000, 1], X[9, 2] = np.nan, np.inf, -0.0
    with np.errstate(over="ignore"):
        X = X.astype(dtype)
    wanted = pool(PHI, X).tobytes()
    there = cupy.asarray(X)
    assert pool(PHI, there).get().tobytes() == wanted
    assert pool(PHI, there[rng.permutation(len(X))]).get().tobytes() == wanted
    assert pool(PHI, X, device="cuda").tobytes() == wanted


def test_zero_and_no_rows():
    import cupy

    v = np.random.default_rng(0).normal(size=4096)
    assert float(pool(x, cupy.asarray(np.concatenate([v, -v])))) == 0.0
    assert pool((x, y), cupy.zeros((0, 2))).get().tolist() == [0.0, 0.0]


def test_weights_and_sets_of_device_arrays():
    import cupy

    rng = np.random.default_rng(0)
    X, w, ids = rng.normal(size=(5000, 3)), rng.normal(size=5000), rng.integers(0, 7, 5000)
    there = cupy.asarray(X)
    for beside in (
        {"weights": w},
        {"ids": ids, "segments": 7},
        {"weights": w, "offsets": np.array([0, 5000])},
    ):
        moved = {k: cupy.asarray(v) if isinstance(v, np.ndarray) else v for k, v in beside.items()}
        assert pool(PHI, there, **moved).get().tobytes() == pool(PHI, X, **beside).tobytes()


def test_arrays_of_two_devices_are_refused():
    import cupy

    with pytest.raises(BackendError):
        pool(x, cupy.ones(3), weights=np.ones(3))
    with pytest.raises(BackendError):
        linear_attention()(cupy.ones((2, 3)), np.ones((2, 2)))


@pytest.mark.parametrize("form", [attention(), attention(columns=True), gaussian_kernel(), rational_kernel(),
                                  linear_attention()])  # fmt: skip
def test_pair_forms_agree_with_the_cpu(form):
    import cupy

    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(5, 700)), rng.normal(size=(5, 4))
    wanted = form(X, Z)
    found = form(cupy.asarray(X), cupy.asarray(Z)).get()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())
