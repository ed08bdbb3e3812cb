"""The exact multiset sketch beside the limit of the memory and np.unique, and trials at capacity.

    python benchmarks/sketch.py [--out benchmarks/sketch.md] [--repeat 5] [--largest 7] [--trials 4000]

The limit: to add to one word of three random rows a key, in a table of 1.3 rows of 32 bytes a key, the rows
found by a generator that costs next to nothing. It is measured between the runs that it is compared with.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.deepsets.sketches import CapacityExceeded
from eqvproof.deepsets.sketches import sketch as module

WORD = np.uint64
A, B, C = WORD(0x9E3779B97F4A7C15), WORD(0xD6E8FEB86659FD93), WORD(0x2545F4914F6CDD1D)
HALF, LOW, ONE = WORD(32), WORD(0xFFFFFFFF), WORD(1)


@numba.njit(nogil=True)
def random_access(count, table, start):
    """Add 1 to three random rows, count times."""
    size = WORD(table.shape[0] // 3)
    x = start
    for _ in range(count):
        x += A
        z = (x ^ (x >> HALF)) * B
        y = z * C
        table[((z >> HALF) * size) >> HALF, 0] += ONE
        table[size + (((z & LOW) * size) >> HALF), 0] += ONE
        table[size + size + (((y >> HALF) * size) >> HALF), 0] += ONE


def aligned(rows: int) -> Any:
    """Zeros, two rows to a cache line."""
    room = np.zeros(rows * 4 + 8, WORD)
    begin = (-room.ctypes.data % 64) // 8
    return room[begin : begin + rows * 4].reshape(rows, 4)


def clock(run: Callable[[], object], timer: Callable[[], float] = time.thread_time) -> float:
    """Seconds of one run: of this thread's processor, so that other work does not count."""
    start = timer()
    run()
    return timer() - start


def timer_of(name: str) -> Callable[[], float]:
    """The clock on the wall for two threads."""
    return time.perf_counter if name.endswith("2") else time.thread_time


def same_bits(x: Any, y: Any) -> bool:
    """Whether two arrays hold the same multiset of bit patterns."""
    return np.array_equal(np.sort(x.view(WORD)), np.sort(y.view(WORD)))


def values(n: int, seed: int) -> Any:
    """n floats, a tenth of them copies of others."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(n)
    x[: n // 10] = x[rng.integers(n // 10, n, n // 10)]
    return x


def speed(n: int, repeat: int) -> str:
    """One line of the table; every decoded multiset is compared."""
    x = values(n, n)
    sketch = ep.deepsets.Sketch(n)
    table = aligned(3 * int(1.3 * n / 3) + 3)
    pool = ThreadPoolExecutor(2)

    def in_two() -> None:
        list(pool.map(lambda k: random_access(n // 2, table, WORD(k)), (1, 2)))

    z = sketch.encode(x)
    if not same_bits(sketch.decode(z).elements(), x):
        raise RuntimeError(f"a wrong multiset at n = {n}")
    into = np.zeros_like(z)
    jobs: dict[str, Callable[[], object]] = {
        "limit": lambda: random_access(n, table, WORD(1)),
        "encode": lambda: sketch.encode(x, into=into),
        "decode": lambda: sketch.decode(z),
        "limit2": in_two,
        "encode2": lambda: sketch.encode(x, into=into, threads=2),
    }
    least = {name: clock(run, timer_of(name)) for name, run in jobs.items()}
    for _ in range(repeat if n < 10**7 else 2):
        for name, run in jobs.items():
            least[name] = min(least[name], clock(run, timer_of(name)))
    unique = [
        min(clock(lambda: np.unique(x.view(WORD))) for _ in range(2)),
        min(clock(lambda: np.unique(x)) for _ in range(2)),
    ]
    both = least["encode"] + least["decode"]
    cells = (sketch.shape[0] - 1) / n
    ratios = [
        least[a] / least[b] for a, b in (("encode", "limit"), ("encode2", "limit2"), ("decode", "limit"))
    ]
    shown = " | ".join(f"{r:.2f}" for r in [*ratios, *(both / u for u in unique)])
    return f"| {n:,} | {cells:.2f} | {1e9 * least['limit'] / n:.1f} | {shown} |"


def without_numba(n: int) -> str:
    """The same by NumPy alone."""
    x, sketch, compiled = values(n, n), ep.deepsets.Sketch(n), module._compiled
    try:
        module._compiled = lambda microseconds: None
        z = sketch.encode(x)
        encode, decode = clock(lambda: sketch.encode(x)), clock(lambda: sketch.decode(z))
        if not same_bits(sketch.decode(z).elements(), x):
            raise RuntimeError("a wrong multiset")
    finally:
        module._compiled = compiled
    unique = clock(lambda: np.unique(x))
    return f"{encode / unique:.1f} and {decode / unique:.1f} times np.unique"


def trials(capacity: int, count: int, failure: float) -> str:
    """How many sketches at capacity get stuck, each with its own seed and numbers."""
    rng = np.random.default_rng(capacity)
    stuck = wrong = 0
    rate = 0.0
    for seed in range(count):
        sketch = ep.deepsets.Sketch(capacity, failure=failure, seed=seed)
        rate = sketch.failure_rate
        x = rng.standard_normal(capacity)
        try:
            wrong += not same_bits(sketch.decode(sketch.encode(x)).elements(), x)
        except CapacityExceeded:
            stuck += 1
    cells = (sketch.shape[0] - 1) / capacity
    return f"| {capacity:,} | {cells:.2f} | {count:,} | {rate * count:.1f} | {stuck} | {wrong} |"


def main() -> None:
    """Measures and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(Path(__file__).with_suffix(".md")))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--largest", type=int, default=7, help="10 to this power is the largest set")
    parser.add_argument("--trials", type=int, default=4_000)
    options = parser.parse_args()
    random_access(1, aligned(3), WORD(1))
    lines = [
        "# The exact multiset sketch",
        "",
        f"Written by `benchmarks/sketch.py` (eqvproof {ep.__version__}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, numba {numba.__version__}, {os.cpu_count()} cores). Least of "
        f"{options.repeat + 1} runs (3 at 10^7). Random float64, a tenth of them copies; every set came back "
        "exactly. "
        "Limit: three random rows a key. np.unique looks up integers in a hash table and sorts floats with "
        "vector instructions, where the processor has them: both are shown. One thread: processor time; "
        "two: time on the wall.",
        "",
        "| n | cells a key | limit, ns a key | encode / limit | encode / limit, 2 threads | decode / limit "
        "| both / np.unique of the bits | both / np.unique of the floats |",
        "|---|---|---|---|---|---|---|---|",
        "| aim (10^6) | | | <= 1.5 | <= 1.1 | <= 4 | <= 0.35 | |",
    ]
    for power in range(5, options.largest + 1):
        lines.append(speed(10**power, options.repeat))
        print(lines[-1], flush=True)
    lines += ["", f"Without numba, n = 100,000: encoding and decoding take {without_numba(10**5)}.", ""]
    print(lines[-2], flush=True)
    lines += [
        "Trials at capacity. Stuck: decoding said that it could not finish. Expected: by the rate stated.",
        "",
        "| different numbers | cells a key | trials | expected stuck | stuck | wrong |",
        "|---|---|---|---|---|---|",
    ]
    for capacity, count, failure in [
        (10, options.trials, 1e-2),
        (100, options.trials, 1e-2),
        (1000, options.trials, 1e-2),
        (100, options.trials, 1e-3),
        (10**5, max(1, options.trials // 25), 1e-2),
    ]:
        lines.append(trials(capacity, count, failure))
        print(lines[-1], flush=True)
    Path(options.out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
