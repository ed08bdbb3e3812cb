"""200 orders and chunkings of the rows, in every way of summing them: one bit pattern."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import pool
from eqvproof.deepsets.phi import read_formula
from eqvproof.deepsets.pooling import compiled, host, loops
from eqvproof.deepsets.pooling.cuda import THREADS, write_kernels
from eqvproof.deepsets.pooling.device import sums_of_blocks
from eqvproof.deepsets.pooling.host import add_sums
from eqvproof.deepsets.sums.exact import ExactSum
from tests.deepsets.emulated import built_or_skipped

pytestmark = pytest.mark.filterwarnings("ignore")  # of sockets and ports: distributed's own
x, y = sp.symbols("x y")
PHI = (x, x * y, sp.sqrt(1 + x**2), 1 / (1 + y * y))
ROWS = 6 * loops.TILE + 77
CASES = 200


def chunks(X: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """The rows in some order, cut at some places; of some chunks the columns are contiguous."""
    ends = np.sort(rng.integers(0, len(X) + 1, rng.integers(0, 6)))
    parts = np.split(X[rng.permutation(len(X))], ends)
    return [np.asfortranarray(p) if rng.random() < 0.3 else p for p in parts]


def in_numpy(parts: list[np.ndarray], monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as without:
        without.setattr(compiled, "llvm", lambda: None)
        return pool(PHI, np.concatenate(parts))


def on_a_device(parts: list[np.ndarray], run: Any, rng: np.random.Generator) -> Any:
    """The kernel's blocks of each chunk added as integers; what it leaves in doubt exactly, as in `pool`."""
    formula, dtype = read_formula(PHI, 2), parts[0].dtype.name
    total = [ExactSum() for _ in PHI]
    for part in (p for p in parts if len(p)):
        blocks = int(rng.integers(1, 3))
        results = run(part, blocks)
        total = add_sums(total, sums_of_blocks(results, len(part), -(-len(part) // (blocks * THREADS))))
    found = [p.result(dtype) for p in total]
    exact = [p.result(dtype) for p in host.exact_partial_sums(formula, np.concatenate(parts), dtype)]
    return np.array([e if f is None else f for f, e in zip(found, exact, strict=True)], dtype=dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_every_order_chunking_and_way_of_summing(
    dtype: str, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    da = pytest.importorskip("dask.array")
    rng = np.random.default_rng(0)
    scales = rng.integers(-30, 30, size=(ROWS, 2))
    X = np.ldexp(rng.normal(size=(ROWS, 2)), scales).astype(dtype)
    (kernel,) = write_kernels(read_formula(PHI, 2), single=dtype == "float32")
    run = built_or_skipped(kernel, dtype == "float32")
    ways = {
        "NumPy alone": lambda parts: in_numpy(parts, monkeypatch),
        "loops, one thread": lambda parts: pool(PHI, np.concatenate(parts), threads=1),
        "loops, two threads": lambda parts: pool(PHI, np.concatenate(parts), threads=2),
        "chunks on two processes": lambda parts: pool(
            PHI, da.concatenate([da.from_array(p, chunks=-1) for p in parts]), executor=client
        ),
        "CUDA code on the CPU": lambda parts: on_a_device(parts, run, rng),
    }
    turns = [*list(ways)[:3] * 3, *list(ways)[3:]]  # processes, and a thread for each of CUDA's, take longer
    monkeypatch.setattr(host, "_LEAST_TILES", 1)
    assert len(host._shares(ROWS, 2)) == 2
    found: dict[bytes, set[str]] = {}
    for case in range(CASES // 2):
        name = turns[case % len(turns)]
        found.setdefault(ways[name](chunks(X, rng)).tobytes(), set()).add(name)
    assert list(found.values()) == [set(ways)]
