"""Pooling and pair forms on a GPU, each beside the device's ceilings in the same run; or that none was there.

python benchmarks/gpu.py [--out benchmarks/gpu.md] [--repeat 10]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.ratios import table, write
from eqvproof.deepsets import pool
from eqvproof.deepsets.pair_forms import attention, gaussian_kernel, rational_kernel
from eqvproof.deepsets.phi import Tape
from eqvproof.deepsets.pooling.device import cupy_module
from eqvproof.support.errors import BackendError


def clock(cupy: Any, run: Callable[[], Any], repeat: int) -> float:
    """Best seconds; the device is waited for."""
    run()
    best = float("inf")
    for _ in range(repeat):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        run()
        cupy.cuda.Device().synchronize()
        best = min(best, time.perf_counter() - start)
    return best


def ceilings(cupy: Any, repeat: int) -> tuple[float, float]:
    """Bytes a second of a device copy (reads and writes), and the rate of a float32 matrix product."""
    a = cupy.ones(1 << 28, dtype=cupy.float32)
    b = cupy.empty_like(a)
    copied = 2 * a.nbytes / clock(cupy, lambda: cupy.copyto(b, a), repeat)
    m = cupy.random.random((8192, 8192), dtype=cupy.float32)
    return copied, 2 * 8192**3 / clock(cupy, lambda: m @ m, repeat)


def monomials(d: int, degree: int) -> Any:
    """All monomials up to a degree."""
    tape = Tape(d)
    exponents = [e for e in product(range(degree + 1), repeat=d) if sum(e) <= degree]
    return tape.formula(tuple(tape.monomial(e) for e in exponents))


def pooling(cupy: Any, copied: float, repeat: int) -> str:
    """Sums of monomials over 10^8 numbers."""
    rows = []
    for d, degree, dtype in ((1, 8, "float64"), (3, 4, "float64"), (3, 4, "float32")):
        X = cupy.random.random((10**8 // d, d)).astype(dtype)
        phi = monomials(d, degree)
        for reproducible in (False, True):
            t = clock(cupy, lambda: pool(phi, X, reproducible=reproducible), repeat)  # noqa: B023
            how = "correctly rounded" if reproducible else "plain"
            share = f"{100 * X.nbytes / t / copied:.0f} %"
            rows.append((f"d = {d}, degree {degree}, {dtype}", how, 1e3 * t, X.nbytes / t / 1e9, share))
        small = X[: 10**6]
        same = pool(phi, small).get().tobytes() == pool(phi, small.get()).tobytes()
        rows.append((f"d = {d}, degree {degree}, {dtype}", "same bits as the CPU", str(same), "", ""))
    return "## Pooling\n\n" + table(("rows", "how", "ms", "GB/s", "share of the copy's rate"), rows)


def pairs(cupy: Any, rate: float, repeat: int) -> str:
    """Pair forms in float32."""
    rng, rows = np.random.default_rng(0), []
    for n in (30_000, 100_000):
        X = cupy.asarray(rng.normal(size=(16, n)), dtype=cupy.float32)
        Z = cupy.asarray(rng.normal(size=(16, 8)) / 4, dtype=cupy.float32)
        forms = {
            "attention": attention(columns=True),
            "Gaussian": gaussian_kernel(),
            "rational": rational_kernel(),
        }
        for name, form in forms.items():
            t = clock(cupy, lambda: form(X, Z), max(1, repeat // 3))  # noqa: B023
            rows.append((name, n, 1e3 * t, f"{100 * 2 * n * n * 24 / t / rate:.1f} %"))
    return "## Pair forms, float32, k = 8, d = 16\n\n" + table(
        ("form", "n", "ms", "share of the matrix product's rate"), rows
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--repeat", type=int, default=10)
    a = parser.parse_args()
    try:
        cupy = cupy_module()
    except BackendError as error:
        write(a.out, "On a GPU", [f"No GPU was there when this was written: {error.message}.\n"])
        return
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    copied, rate = ceilings(cupy, a.repeat)
    limits = f"{device}: copy {copied / 1e12:.2f} TB/s, float32 matrix product {rate / 1e12:.1f} TFLOP/s.\n"
    write(a.out, "On a GPU", [limits, pooling(cupy, copied, a.repeat), pairs(cupy, rate, a.repeat)])


if __name__ == "__main__":
    main()
