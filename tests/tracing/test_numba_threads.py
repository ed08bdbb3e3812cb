"""Parallel loops of numba on GNU OpenMP, whose threads end a copy of their process."""

from __future__ import annotations

import subprocess
import sys

import pytest

TARGET = """
import sys, zlib, numba, numpy as np, eqvproof as ep
numba.config.THREADING_LAYER = "omp"

@numba.vectorize(["float64(float64)"], target="parallel")
def square(x):
    return x * x

try:
    square(np.ones(3))  # its threads run from now on
except ValueError as absent:
    sys.exit(str(absent))

def target(x):
    zlib.crc32(b"")  # what runs compiled code is judged in a copy of the process, where there can be one
    return square(np.array([float(v) for v in x]))

for group in ("S(n)", "T(n)"):
    print(ep.check(target, "x: n -> n", group, budget=8).outcome)
"""


def test_a_target_with_threads_is_judged_where_they_are() -> None:
    pytest.importorskip("numba")
    done = subprocess.run([sys.executable, "-c", TARGET], capture_output=True, text=True, check=False)
    if "threading layer" in done.stderr and done.returncode:
        pytest.skip("numba has no GNU OpenMP here")
    assert done.stdout.split() == ["HOLDS", "FAILS"], done.stderr
