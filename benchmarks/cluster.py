"""One, two and four worker processes of a Dask cluster, one of them killed: the same bits, nothing lost.

python benchmarks/cluster.py [--out benchmarks/cluster.md] [--rows 2000000] [--points 6000] [--workers 1 2 4]

Each job runs in this process, then on the workers, then on the workers while one of them is killed; workers
have one thread each. Chunks of Dask are made where they are used, so that nothing but results travels.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sympy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.ratios import table, write
from eqvproof.deepsets.pair_forms import gaussian_kernel
from eqvproof.papers.library import review
from eqvproof.support.errors import EqvproofError

CHUNK = 1 << 19
x, y, z = sympy.symbols("x y z")
PHI = (x, y * z, x**2 * y, sympy.sqrt(1 + x**2), sympy.exp(-x * x), x * y * z)
STATEMENTS = ("lec22",)


def rows(start: int, stop: int) -> np.ndarray:
    """A chunk of rows, the same wherever it is made."""
    return np.random.default_rng(start).normal(size=(stop - start, 3))


def array(count: int) -> Any:
    """A Dask array of so many rows."""
    import dask
    import dask.array as da

    ends = [*range(0, count, CHUNK), count]
    parts = [da.from_delayed(dask.delayed(rows)(a, b), (b - a, 3), dtype=np.float64)
             for a, b in itertools.pairwise(ends)]  # fmt: skip
    return da.concatenate(parts)


def jobs(count: int, points: int) -> dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """name -> (in this process with one thread, on the workers of a client), both as bytes or text."""
    X = np.random.default_rng(0).normal(size=(16, points))
    sketch, form = ep.deepsets.Sketch(count, failure=1e-3), gaussian_kernel()

    def verdicts(executor: Any = None) -> str:
        found = review(*STATEMENTS, executor=executor)
        return "\n".join(f"{r.id} {r.outcome} {r.grade} {r.scope}" for r in found)

    def search(executor: Any = None) -> str:
        f = lambda X: X * (X**2).sum()  # noqa: E731
        return str(ep.decide(f, "X: d n -> d n", under="O(d) x S(n)", sizes={"d": (1, 3), "n": (1, 4)},
                             budget=60, executor=executor))  # fmt: skip

    def whole() -> np.ndarray:
        return np.concatenate([rows(a, min(a + CHUNK, count)) for a in range(0, count, CHUNK)])

    return {
        f"pool, {count:,} rows, 6 features": (
            lambda: ep.deepsets.pool(PHI, whole(), threads=1).tobytes(),
            lambda client: ep.deepsets.pool(PHI, array(count), executor=client).tobytes(),
        ),
        f"pool, an array of {count // 4:,} rows": (
            lambda: ep.deepsets.pool(PHI, rows(0, count // 4), threads=1).tobytes(),
            lambda client: ep.deepsets.pool(PHI, rows(0, count // 4), executor=client).tobytes(),
        ),
        f"sketch, {count:,} numbers": (
            lambda: sketch.encode(whole()[:, 0]).tobytes(),
            lambda client: sketch.encode(array(count)[:, 0], executor=client).tobytes(),
        ),
        f"Gaussian kernel, {points:,} points": (
            lambda: form(X, threads=1).tobytes(),
            lambda client: form(X, executor=client).tobytes(),
        ),
        "exact decision": (search, search),
        "review of " + ", ".join(STATEMENTS): (verdicts, verdicts),
    }


def least(run: Callable[[], Any], times: int = 3) -> tuple[float, set[Any]]:
    """Seconds of the fastest run, and what the runs gave."""
    seconds, results = [], set()
    for _ in range(times):
        start = time.perf_counter()
        results.add(run())
        seconds.append(time.perf_counter() - start)
    return min(seconds), results


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--points", type=int, default=6_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    a = parser.parse_args()
    every = jobs(a.rows, a.points)
    alone: dict[str, tuple[float, set[Any]]] = {}
    for name, (here, _) in every.items():
        alone[name] = least(here)
    found: dict[str, list[Any]] = {name: [name, alone[name][0]] for name in every}
    for workers in a.workers:
        on_workers(workers, every, alone, found)
    heads = ["job", "one process, s"]
    for workers in a.workers:
        heads += [f"{workers} workers, s", "the same", "one killed, s", "the same"]
    text = "Least of three runs, on workers that have imported all; with one killed, one run.\n\n"
    write(a.out, "Workers of a cluster", [text + table(heads, [tuple(row) for row in found.values()])])


def on_workers(workers: int, every: Any, alone: Any, found: dict[str, list[Any]]) -> None:
    """Adds seconds, and whether the result is the one wanted; the same while a worker is killed.

    Each job has a cluster of its own: a worker that is killed may not be started again.
    """
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    for name, (_, spread) in every.items():
        wanted = alone[name][1]
        with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster) as client:
            seconds, result = least(functools.partial(spread, client))
            victim = next(iter(client.run(os.getpid).values()))
            killer = threading.Timer(seconds / 3, os.kill, (victim, signal.SIGKILL))
            killer.start()
            start = time.perf_counter()
            try:
                survived: Any = {spread(client)} == wanted
            except EqvproofError as error:  # what lay on the worker is lost, and no other is started
                survived = error.code
            found[name] += [seconds, result == wanted, time.perf_counter() - start, survived]
            killer.join()
        print(workers, found[name], flush=True)


if __name__ == "__main__":
    main()
