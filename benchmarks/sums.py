"""Sums that no order changes, beside np.sum and math.fsum; one bit pattern on every backend.

    python benchmarks/sums.py [--out benchmarks/sums.md] [--repeat 9] [--trials 200] [--workers 2]

Ours is correctly rounded; the table says how many results each gives over permutations of the same numbers.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sympy.abc import x, y

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.ratios import in_turn, table, write
from eqvproof.deepsets import pool
from eqvproof.deepsets.pooling import compiled

#: of one bit pattern; enough for two threads
ROWS = 150_000


def numpy_only(values: np.ndarray) -> Any:
    """Ours without compiled loops."""
    kept = compiled.can_compile
    compiled.can_compile = lambda formula: False
    try:
        return pool(x, values)
    finally:
        compiled.can_compile = kept


def speed(repeat: int) -> str:
    """10^7 numbers."""
    rng = np.random.default_rng(0)
    parts = []
    for name, values in (("uniform", rng.random(10**7)), ("normal", rng.normal(size=10**7))):
        runs = {
            "np.sum": lambda v=values: v.sum(),
            "ours, correctly rounded, 1 thread": lambda v=values: pool(x, v, threads=1),
            "ours, correctly rounded, 2 threads": lambda v=values: pool(x, v, threads=2),
            "ours, plain, 1 thread": lambda v=values: pool(x, v, threads=1, reproducible=False),
            "ours, correctly rounded, NumPy only": lambda v=values: numpy_only(v),
            "sort, then np.sum": lambda v=values: np.sort(v).sum(),
        }
        seconds = in_turn(runs, repeat)
        seconds["math.fsum"] = in_turn({"f": lambda v=values: math.fsum(v)}, 1, warm=False)["f"]
        orders = [rng.permutation(10**5) for _ in range(30)]
        few = values[: 10**5]
        functions = {
            "np.sum": np.sum,
            "math.fsum": math.fsum,
            "sort, then np.sum": lambda v: np.sort(v).sum(),
            "ours, plain, 1 thread": lambda v: pool(x, v, threads=1, reproducible=False),
            "ours, correctly rounded, NumPy only": numpy_only,
        }
        exact = math.fsum(values)
        rows = []
        for method, t in seconds.items():
            function = functions.get(method, lambda v: pool(x, v))
            different = len({float(function(few[p])) for p in orders})
            error = abs(float(function(values)) - exact) / abs(exact)
            rows.append((method, 1e3 * t, t / seconds["np.sum"], different, error))
        head = ("method", "ms", "x np.sum", "results over 30 orders of 10^5", "relative error")
        parts.append(f"## 10^7 {name} numbers\n\n" + table(head, rows))
    return "\n".join(parts)


def one_bit_pattern(trials: int, workers: int) -> str:
    """Rows over the whole exponent range: permuted, chunked, on every backend that is here."""
    import dask
    import dask.array as da
    from distributed import Client, LocalCluster

    rng = np.random.default_rng(1)
    wide = np.ldexp(rng.normal(size=(ROWS, 2)), rng.integers(-1074, 1000, size=(ROWS, 2)))
    near = rng.normal(size=(ROWS, 2))
    phi, seen = (x, y, x - y, x * y), {}
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        with Client(cluster) as client:
            for name, X in (("whole exponent range", wide), ("normal", near)):
                for trial in range(trials):
                    moved = X[rng.permutation(len(X))]
                    way = ("numba, 1 thread", "numba, 2 threads", "NumPy", f"Dask, {workers} processes")[
                        trial % 4
                    ]
                    if trial % 4 == 3:
                        chunk = int(rng.integers(ROWS // 20, ROWS // 2))
                        result = pool(phi, da.from_array(moved, chunks=(chunk, 2)), executor=client)
                    elif trial % 4 == 2:
                        kept, compiled.can_compile = compiled.can_compile, lambda formula: False
                        result = pool(phi, moved)
                        compiled.can_compile = kept
                    else:
                        result = pool(phi, moved, threads=1 + trial % 4)
                    seen.setdefault(name, {}).setdefault(way, []).append(result.tobytes())
    rows = []
    for name, ways in seen.items():
        for way, results in ways.items():
            rows.append((name, way, len(results), len(set(results))))
        rows.append((name, "all together", trials, len({r for results in ways.values() for r in results})))
    head = (f"{ROWS:,} rows", "backend", "permutations and chunkings", "bit patterns")
    return f"## One bit pattern\n\nDask {dask.__version__}, distributed.\n\n" + table(head, rows)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    a = parser.parse_args()
    write(a.out, "Sums that no order changes", [speed(a.repeat), one_bit_pattern(a.trials, a.workers)])


if __name__ == "__main__":
    main()
