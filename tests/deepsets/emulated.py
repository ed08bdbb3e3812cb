"""CUDA sources on the CPU: a block's threads are threads, its barrier a barrier; for tests only."""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from eqvproof.deepsets.pooling.cuda import THREADS, Kernel

_SHIM = """
#include <barrier>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>
#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static
struct Three { unsigned x; };
static thread_local Three threadIdx, blockIdx;
static Three blockDim, gridDim;
static std::barrier<>* gate;
static void __syncthreads() { gate->arrive_and_wait(); }
template <class A, class B> static A bits(B b) { A a; std::memcpy(&a, &b, sizeof a); return a; }
static double __longlong_as_double(long long v) { return bits<double>(v); }
static long long __double_as_longlong(double v) { return bits<long long>(v); }
static float __uint_as_float(unsigned v) { return bits<float>(v); }
#define TWO(name, op) \\
  static double __d##name##_rn(double a, double b) { return a op b; } \\
  static float __f##name##_rn(float a, float b) { return a op b; }
TWO(add, +) TWO(sub, -) TWO(mul, *) TWO(div, /)
static double __dsqrt_rn(double a) { return std::sqrt(a); }
static float __fsqrt_rn(float a) { return std::sqrt(a); }
using std::fabs;
"""
_LAUNCH = """
extern "C" void launch(const void* x, long long rows, long long rs, long long cs, double* out, int blocks) {
    gridDim.x = blocks; blockDim.x = 256;
    std::barrier<> barrier(256); gate = &barrier;
    std::vector<std::thread> threads;
    for (int t = 0; t < 256; ++t) threads.emplace_back([=] {
        for (int b = 0; b < blocks; ++b) {
            blockIdx.x = b; threadIdx.x = t;
            pool((const REAL*)x, rows, rs, cs, out);
            __syncthreads();
        }
    });
    for (auto& t : threads) t.join();
}
"""


@functools.cache
def _folder() -> Path:
    """A folder for what is compiled, which stays until the process ends."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


@functools.cache
def _header(compiler: str) -> Path:
    """What all sources begin with, compiled once: reading it takes longer than a kernel."""
    header = _folder() / "shim.h"
    header.write_text(_SHIM, encoding="utf-8")
    _run(compiler, "-x", "c++-header", str(header), "-o", f"{header}.gch")
    return header


def _run(compiler: str, *arguments: str) -> None:
    options = ["-std=c++20", "-O1", "-ffp-contract=off", "-fPIC", "-pthread"]
    subprocess.run([compiler, *options, *arguments], check=True, capture_output=True, text=True)


@functools.cache
def _launcher(source: str, real: str, compiler: str):
    """The compiled code of a kernel; a source is compiled once a process."""
    name = hashlib.sha256(f"{real} {source}".encode()).hexdigest()
    code, made = _folder() / f"{name}.cpp", _folder() / f"{name}.so"
    code.write_text(source + _LAUNCH.replace("REAL", real), encoding="utf-8")
    _run(compiler, "-include", str(_header(compiler)), "-shared", str(code), "-o", str(made))
    launch = ctypes.CDLL(str(made)).launch
    launch.argtypes = [ctypes.c_void_p, *[ctypes.c_longlong] * 3, ctypes.c_void_p, ctypes.c_int]
    return launch


def built(kernel, single: bool, compiler: str):
    """A function of rows and a number of blocks: what a kernel leaves, (blocks, features, 3)."""
    launch = _launcher(kernel.source, "float" if single else "double", compiler)

    def run(X: np.ndarray, blocks: int) -> np.ndarray:
        out = np.zeros((blocks, kernel.features, 3))
        strides = [s // X.itemsize for s in X.strides]
        launch(X.ctypes.data, len(X), *strides, out.ctypes.data, blocks)
        return out

    return run


def built_or_skipped(kernel, single: bool):
    """The same, where there is a compiler that can."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++")
    try:
        return built(kernel, single, compiler)
    except subprocess.CalledProcessError as error:
        if "barrier" in error.stderr:
            pytest.skip("g++ knows no C++20 barriers")
        raise


def stand_in():
    """What pooling takes of CuPy, on the CPU: arrays that come to the host, kernels that are run as C++."""

    class Array(np.ndarray):
        def get(self):
            return np.array(self)

    Array.__module__ = "cupy"

    def there(a):
        return np.asarray(a).view(Array)

    class RawKernel:
        def __init__(self, source, name, options):
            assert (name, options) == ("pool", ("--fmad=false",))
            features = source.count("merge(h")
            self.run = built_or_skipped(Kernel(source, name, features), "const float*" in source)

        def __call__(self, grid, block, arguments):
            rows, count, row_stride, column_stride, out = arguments
            assert (block, count) == ((THREADS,), len(rows))
            assert (row_stride, column_stride) == tuple(s // rows.itemsize for s in rows.strides)
            out[...] = self.run(rows, *grid)

    runtime = SimpleNamespace(
        getDeviceCount=lambda: 1, memGetInfo=lambda: (2**16, 2**16), CUDARuntimeError=RuntimeError
    )
    one = SimpleNamespace(attributes={"MultiProcessorCount": 1})
    return SimpleNamespace(
        Array=Array, RawKernel=RawKernel, asarray=there, zeros=lambda shape: there(np.zeros(shape)),
        column_stack=lambda parts: there(np.column_stack(parts)),
        cuda=SimpleNamespace(runtime=runtime, Device=lambda: one),
    )  # fmt: skip
