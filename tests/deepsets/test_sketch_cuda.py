"""The CUDA source of the sketch compiles, and gives the words that NumPy gives."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.deepsets.sketches import cuda, layout, plain
from eqvproof.support.errors import EqvproofError
from tests.deepsets.nvrtc import compile_source, library

SHIM = """
#define __global__
#define __device__
#define __forceinline__ inline
struct Three { unsigned x; };
static Three threadIdx, blockIdx, blockDim, gridDim;
static void atomicAdd(unsigned long long* place, unsigned long long value) { *place += value; }
"""
LAUNCH = """
extern "C" void launch(
    const TYPE* keys, word count, word* cells, word length, word starts, word seed, word other
) {
    gridDim.x = 3; blockDim.x = 5;
    for (blockIdx.x = 0; blockIdx.x < 3; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 5; ++threadIdx.x)
            encode(keys, count, cells, length, starts, seed, other);
}
"""


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_the_source_compiles(itemsize, architecture):
    nvrtc = library()
    if nvrtc is None:
        pytest.skip("NVRTC is not installed (pip install nvidia-cuda-nvrtc-cu12)")
    assert "warning" not in compile_source(nvrtc, cuda.source(itemsize), architecture)


@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_the_source_run_as_cpp_gives_the_same_words(itemsize, tmp_path):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    code, made = tmp_path / "sketch.cpp", tmp_path / "sketch.so"
    code.write_text(SHIM + cuda.source(itemsize) + LAUNCH, encoding="utf-8")
    subprocess.run([compiler, "-O1", "-fPIC", "-shared", str(code), "-o", str(made)], check=True)
    launch = ctypes.CDLL(str(made)).launch
    where = layout.Layout(37, 9, (5, 2**64 - 3))
    keys = np.random.default_rng(itemsize).integers(0, 256**itemsize - 1, 1000, dtype=f"u{itemsize}")
    cells, expected = (np.zeros((where.cells + 1, 4), np.uint64) for _ in range(2))
    words = [ctypes.c_uint64(w) for w in (len(keys), where.length, where.starts, *where.seeds)]
    launch(ctypes.c_void_p(keys.ctypes.data), words[0], ctypes.c_void_p(cells.ctypes.data), *words[1:])
    cells[-1:, 0] += np.uint64(len(keys))
    plain.encode(keys.astype(np.uint64), expected, where)
    assert np.array_equal(cells, expected)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i1"])
def test_on_a_gpu(dtype):
    cupy = pytest.importorskip("cupy")
    x = np.random.default_rng(0).integers(0, 256, (4000, np.dtype(dtype).itemsize), dtype=np.uint8)
    x = x.view(dtype).reshape(-1)
    sketch = ep.deepsets.Sketch(4000, dtype)
    z = sketch.encode(cupy.asarray(x))
    assert np.array_equal(z.get(), sketch.encode(x))
    sketch.encode(cupy.asarray(x), into=z)
    assert np.array_equal(z.get(), sketch.encode(x) * np.uint64(2))
    bits = f"u{np.dtype(dtype).itemsize}"
    assert np.array_equal(
        np.sort(sketch.decode(z - cupy.asarray(sketch.encode(x))).elements().view(bits)),
        np.sort(x.view(bits)),
    )
    with pytest.raises(EqvproofError):
        sketch.encode(cupy.asarray(x), into=sketch.encode(x))
    with pytest.raises(EqvproofError):
        sketch.encode(cupy.zeros(3, "c8"))
