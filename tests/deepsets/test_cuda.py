"""CUDA sources compile for current devices; without a GPU the error says what is missing."""

from __future__ import annotations

import importlib.util
import re
import sys

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import PowerSums, pool
from eqvproof.deepsets.phi import read_formula
from eqvproof.deepsets.phi.formula import ARITY, Tape
from eqvproof.deepsets.pooling import device
from eqvproof.deepsets.pooling.cuda import FEATURES, THREADS, write_kernels
from eqvproof.deepsets.pooling.device import sums_of_blocks
from eqvproof.deepsets.pooling.host import exact_partial_sums
from eqvproof.support.errors import BackendError, ShapeError
from tests.conftest import has_gpu
from tests.deepsets.emulated import built_or_skipped, stand_in
from tests.deepsets.nvrtc import compile_source, library

x, y, z = sp.symbols("x y z")


def every_operation():
    """Every operation that a formula has, at least once."""
    tape = Tape(3)
    columns = [tape.column(j) for j in range(3)] + [tape.const(0.1)]
    outputs = [tape.put(op, *columns[:n]) for op, n in ARITY.items() if n]
    return tape.formula(tuple(outputs))


FORMULAS = {
    "power sums": read_formula(PowerSums(3, 3), 3),
    "functions": read_formula(
        (x, sp.exp(-x * y), sp.log(z), sp.Piecewise((x, x > y), (sp.tanh(z), True))), 3
    ),
    "every operation": every_operation(),
}


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
@pytest.mark.parametrize("name", FORMULAS)
def test_sources_compile(name, architecture):
    nvrtc = library()
    if nvrtc is None:
        pytest.skip("NVRTC is not installed (pip install nvidia-cuda-nvrtc-cu12)")
    formula = FORMULAS[name]
    for single in (False, True):
        if single and formula.needs_float64:
            continue
        made = write_kernels(formula, single=single) + write_kernels(formula, single=single, plain=True)
        for kernel in {made[0], made[-1]}:
            assert "warning" not in compile_source(nvrtc, kernel.source, architecture)


def test_a_source_with_a_mistake_does_not_compile():
    nvrtc = library()
    if nvrtc is None:
        pytest.skip("NVRTC is not installed (pip install nvidia-cuda-nvrtc-cu12)")
    with pytest.raises(RuntimeError, match="undefined"):
        kernel = write_kernels(FORMULAS["power sums"], single=False)[0]
        compile_source(nvrtc, kernel.source.replace("v0", "w0", 1), "sm_90")


@pytest.mark.parametrize("name", FORMULAS)
def test_no_operation_can_be_fused_or_reordered(name):
    """Sums and products of the formula are intrinsics; no bare + or * of numbers is left."""
    for kernel in write_kernels(FORMULAS[name], single=False):
        lines = [line for line in kernel.source.splitlines() if re.match(r"\s+const \w+ v\d+ = ", line)]
        assert lines
        for line in lines:
            value = line.split("=", 1)[1]
            bare = re.sub(r"row\[.*?\]|<< 52|\+ 1023ll|0x\w+", "", value)
            assert not re.search(r"v\d+ [-+*/] v\d+", bare), line


def test_every_feature_is_in_one_kernel():
    formula = read_formula(tuple(x**k for k in range(45)), 1)
    sizes = [kernel.features for kernel in write_kernels(formula, single=False)]
    assert sizes == [FEATURES, FEATURES, 45 - 2 * FEATURES]


@pytest.mark.skipif(has_gpu(), reason="a GPU is here")
def test_without_a_gpu_the_error_says_what_is_missing():
    missing = "needs cupy" if importlib.util.find_spec("cupy") is None else "no GPU"
    with pytest.raises(BackendError, match=missing):
        pool(x, np.ones(3), device="cuda")
    with pytest.raises(BackendError, match="device"):
        pool(x, np.ones(3), device="abacus")


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_a_device_whose_kernels_run_on_the_cpu(dtype, monkeypatch):
    """All of the way of CuPy arrays, with kernels as C++: the bits of NumPy, with weights and sets too."""
    cupy = stand_in()
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    device._load_kernel.cache_clear()
    phi, rng = (1, x, y * z, x**2 * y, sp.sqrt(x**2 + 1)), np.random.default_rng(0)
    X, w, ids = rng.normal(size=(700, 3)).astype(dtype), rng.normal(size=700), rng.integers(0, 7, 700)
    ways = (
        {},
        {"weights": w},
        {"weights": w.astype("float32")},
        {"weights": ids - 2},
        {"ids": ids, "segments": 9},
        {"weights": w, "offsets": np.array([0, 9, 700])},
    )
    for beside in ways if dtype == "float64" else ways[::2]:
        moved = {k: cupy.asarray(v) if isinstance(v, np.ndarray) else v for k, v in beside.items()}
        found = pool(phi, cupy.asarray(X), **moved)
        assert type(found) is cupy.Array
        assert found.get().tobytes() == pool(phi, X, **beside).tobytes()
    X[7, 0] = np.nan
    for reproducible in (True, False):
        there = pool(phi, cupy.asarray(X), weights=cupy.asarray(w), reproducible=reproducible)
        np.testing.assert_allclose(there.get(), pool(phi, X, weights=w), rtol=1e-4, atol=1e-3)
    assert pool(phi, X, device="cuda").tobytes() == pool(phi, X).tobytes()
    with pytest.raises(ShapeError, match="one value per row"):
        pool(phi, cupy.asarray(X), weights=cupy.asarray(w[1:]))
    with pytest.raises(BackendError, match="different backends"):
        pool(phi, cupy.asarray(X), weights=w)
    device._load_kernel.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("single", [False, True])
def test_kernels_run_as_cpp_give_the_sums_of_numpy(single):
    """The source is C++: its threads and barriers are run on the CPU, and its certificate holds."""
    phi = (
        (x, x * y, sp.sqrt(1 + z**2), sp.Max(x, y))
        if single
        else (x, x * y, sp.exp(-x * x), sp.log(1 + z**2), 1)
    )
    X = np.random.default_rng(0).normal(size=(3001, 3)).astype(np.float32 if single else np.float64)
    formula = read_formula(phi, 3)
    (kernel,) = write_kernels(formula, single=single)
    blocks = built_or_skipped(kernel, single)(X, 3)
    partials = sums_of_blocks(blocks, len(X), -(-len(X) // (3 * THREADS)))
    exact = exact_partial_sums(formula, X, X.dtype.name)
    for found, wanted in zip(partials, exact, strict=True):
        assert 0 < found.lost
        assert abs(found.total - wanted.total) <= found.lost
        assert found.result(X.dtype.name) == wanted.result(X.dtype.name)
