"""Shared by benchmarks: runs take turns, the best of each counts, tables are written by the scripts."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import os
import platform
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, fastmath=True)
def _read(x: Any) -> Any:
    s = x[0]
    for i in range(1, x.size):
        s += x[i]
    return s


def read_once(x: np.ndarray, threads: int) -> Callable[[], Any]:
    """Reads an array once, on some threads: the limit."""
    flat = x.reshape(-1)
    parts = np.array_split(flat, threads)
    _read(flat[:8])
    if threads == 1:
        return lambda: _read(flat)
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(_read, parts))


@functools.cache
def keep_freed_memory() -> None:
    """Freed blocks of up to 32 MB stay with the process: page faults of fresh ones are nobody's work."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # where the C library is not glibc
        allocator = ctypes.CDLL(None)
        for threshold, most in ((-3, 1 << 25), (-1, 1 << 30)):  # of mmap, of giving back
            allocator.mallopt(threshold, most)


def in_turn(
    runs: dict[str, Callable[[], Any]],
    repeat: int,
    *,
    most: float = 10.0,
    warm: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The best seconds of each; every round runs all of them, after one round to warm up.

    Args:
        runs: what is timed.
        repeat: how many rounds; no round begins after the first where ``most`` seconds have passed.
        most: see there.
        warm: False where all have run before.
        clock: in what seconds; `time.process_time` where other work disturbs.
    """
    keep_freed_memory()
    best, begin = dict.fromkeys(runs, float("inf")), time.perf_counter()
    gc.collect()
    gc.disable()  # as timeit does: tens of thousands of SymPy's objects are no part of what is timed
    try:
        for turn in range(1 - warm, repeat + 1):
            if turn > 1 and time.perf_counter() - begin > most:
                break
            for name, run in runs.items():
                start = clock()
                run()
                if turn:
                    best[name] = min(best[name], clock() - start)
    finally:
        gc.enable()
    return best


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table; numbers in three digits."""

    def cell(value: Any) -> str:
        return f"{value:.3g}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write(path: Path, title: str, parts: Sequence[str]) -> None:
    """The file of a benchmark, with the machine in words."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    machine = (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores ({platform.machine()}), load {load:.1f}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, numba {numba.__version__}. "
        "Best of several rounds in which all take turns; only ratios carry over."
    )
    text = f"# {title}\n\n{machine}\n\n" + "\n".join(parts)
    path.write_text(text, encoding="utf-8")
    print(text)
