"""Sums of all monomials over 10^7 rows, beside reading the rows once.

python benchmarks/pooling.py [--out benchmarks/pooling.md] [--repeat 7] [--threads 2]
"""

from __future__ import annotations

import argparse
import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np
import sympy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.ratios import in_turn, read_once, table, write
from eqvproof.deepsets import pool
from eqvproof.deepsets.phi import read_formula
from eqvproof.deepsets.phi.rewrite import halve_monomials
from eqvproof.deepsets.pooling import compiled

ROWS = 10**7


def exponents(d: int, degree: int) -> list[tuple[int, ...]]:
    """All monomials of total degree from 1 to ``degree``, those of lower degree first."""
    found = (e for e in product(range(degree + 1), repeat=d) if 0 < sum(e) <= degree)
    return sorted(found, key=lambda e: (sum(e), e))


def symbolic(d: int, degree: int) -> tuple[Any, ...]:
    """The monomials as SymPy expressions: what the documentation shows."""
    x = sympy.symbols(f"x1:{d + 1}")
    return tuple(sympy.Mul(*(s**a for s, a in zip(x, e, strict=True))) for e in exponents(d, degree))


def numpy_only(run: Callable[[], Any]) -> Callable[[], Any]:
    """Ours without compiled loops."""

    def without() -> Any:
        kept = compiled.can_compile
        compiled.can_compile = lambda formula: False
        try:
            return run()
        finally:
            compiled.can_compile = kept

    return without


def one_by_one(X: np.ndarray, degree: int) -> Callable[[], Any]:
    """NumPy, one pass over the rows a monomial."""
    every = exponents(X.shape[1], degree)
    return lambda: [np.prod([X[:, j] ** a for j, a in enumerate(e) if a], axis=0).sum() for e in every]


def torch_compiled(X: np.ndarray, degree: int, threads: int) -> Callable[[], Any] | None:
    """torch.compile of every monomial's sum, each a product with one before it, on columns."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(threads)
    every = exponents(X.shape[1], degree)
    columns = [torch.from_numpy(np.ascontiguousarray(c)) for c in X.T]

    def sums(*columns: Any) -> Any:
        known: dict[tuple[int, ...], Any] = {}
        for e in every:
            j = max(k for k in range(len(e)) if e[k])
            before = tuple(a - (k == j) for k, a in enumerate(e))
            known[e] = known[before] * columns[j] if any(before) else columns[j]
        return torch.stack([known[e].sum() for e in every])

    fused = torch.compile(sums, dynamic=False)
    return lambda: fused(*columns)


def fused_numba(d: int, degree: int, X: np.ndarray, threads: int) -> Callable[[], Any]:
    """One loop as by hand, on columns: each monomial is a product with one before it, and has a sum."""
    every = exponents(d, degree)
    names = {e: f"m{k}" for k, e in enumerate(every)}
    lines = []
    for e, name in names.items():
        j = max(k for k in range(d) if e[k])
        before = tuple(a - (k == j) for k, a in enumerate(e))
        lines.append(f"{name} = x[{j}, i]" if not any(before) else f"{name} = {names[before]} * x[{j}, i]")
        lines.append(f"s_{name} += {name}")
    zero = f"{X.dtype.name}(0.0)"
    source = "\n".join(
        [
            "def loop(x):",
            *(f"    s_{name} = {zero}" for name in names.values()),
            "    for i in range(x.shape[1]):",
            *(f"        {line}" for line in lines),
            f"    return ({', '.join(f's_{name}' for name in names.values())})",
        ]
    )
    scope: dict[str, Any] = {X.dtype.name: getattr(numba, X.dtype.name)}
    exec(source, scope)
    loop = numba.njit(nogil=True, fastmath=True)(scope["loop"])
    parts = [np.ascontiguousarray(part) for part in np.array_split(X.T, threads, axis=1)]
    executor = ThreadPoolExecutor(threads)
    return lambda: np.sum(list(executor.map(loop, parts)), axis=0)


def per_row(phi: Any, *, plain: bool, single: bool) -> int:
    """Multiplications, additions and subtractions that our loop does for one row."""
    formula = halve_monomials(phi) if plain else phi
    each = 1 if plain else 7 if single else 4
    return int(formula.operations) + formula.features * each


def product_rate(dtype: str, repeat: int) -> float:
    """Multiplications and additions a second in a matrix product."""
    A = np.random.default_rng(0).random((1500, 1500)).astype(dtype)
    return 2 * 1500**3 / in_turn({"": lambda: A @ A}, repeat)[""]


def right(name: str, found: Any, wanted: np.ndarray) -> str:
    """The name of a method; with what it is off by, where it computes something else."""
    off = np.abs(np.asarray(found, dtype=np.float64) - wanted).max() / np.abs(wanted).max()
    return name if off < 1e-3 else f"{name} (off by {off:.1g})"


def case(d: int, degree: int, dtype: str, layout: str, repeat: int, threads: int) -> str:
    """One table."""
    X = np.random.default_rng(0).uniform(-1, 1, (ROWS, d)).astype(dtype)
    X = X if layout == "rows" else np.asfortranarray(X)
    phi = symbolic(d, degree)
    runs: dict[str, Callable[[], Any]] = {
        "read once": read_once(X.T if layout == "columns" else X, threads),
        "ours, plain": lambda: pool(phi, X, reproducible=False, threads=threads),
        "ours, correctly rounded": lambda: pool(phi, X, threads=threads),
    }
    if layout == "columns":
        runs["one loop by hand on columns, numba (fastmath)"] = fused_numba(d, degree, X, threads)
        if (peer := torch_compiled(X, degree, threads)) is not None:
            runs["torch.compile of the sums, on columns"] = peer
    seconds = in_turn(runs, repeat, most=5.0)
    slow = {"ours, plain, NumPy only": numpy_only(lambda: pool(phi, X, reproducible=False))}
    if layout == "columns":
        slow["NumPy, one pass a monomial"] = one_by_one(X[: ROWS // 10], degree)
    seconds |= in_turn(slow, 1, warm=False)
    if "NumPy, one pass a monomial" in seconds:
        seconds["NumPy, one pass a monomial"] *= 10
    wanted, limit = pool(phi, X).astype(np.float64), seconds["read once"]
    rate, formula = product_rate(dtype, repeat), read_formula(phi, d)
    rows: list[tuple[Any, ...]] = []
    for name, t in seconds.items():
        shown, arithmetic = name, ("-", "-")
        if name in ("ours, plain", "ours, correctly rounded"):
            count = per_row(formula, plain=name == "ours, plain", single=dtype == "float32")
            arithmetic = (count, count * ROWS / t / rate)  # type: ignore[assignment]
        elif name in runs and name != "read once":
            shown = right(name, runs[name](), wanted)
        rows.append((shown, 1e3 * t, t / limit, *arithmetic))
    title = f"## d = {d}, degree {degree}, {len(phi)} features, {dtype}, by {layout}\n\n"
    heads = ("method", "ms", "x read once", "operations a row", "x the matrix product's rate")
    return title + table(heads, rows)


def public_and_private(repeat: int, threads: int) -> str:
    """The call of the documentation beside the formula object that it is turned into; all have run once."""
    rows: list[tuple[Any, ...]] = []
    for d, degree in product((1, 3, 8), (2, 4, 8)):
        written = {"SymPy": symbolic(d, degree), "exponents": exponents(d, degree)}
        formula = read_formula(written["SymPy"], d)
        count = min(10**6, max(2048, 10**7 // formula.operations))
        X = np.random.default_rng(0).uniform(-1, 1, (count, d))
        for dtype, layout in product(("float64", "float32"), ("rows", "columns")):
            Z = X.astype(dtype)
            Z = Z if layout == "rows" else np.asfortranarray(Z)
            found = []
            for reproducible in (True, False):
                s = in_turn(
                    {
                        name: (lambda p=phi, r=reproducible, Z=Z: pool(p, Z, reproducible=r, threads=threads))
                        for name, phi in {**written, "formula": formula}.items()
                    },
                    30 * repeat if formula.features < 1000 else repeat,
                    most=1.5 if formula.features < 1000 else 12.0,
                    clock=time.process_time,
                )
                found += [1e3 * s["formula"], s["SymPy"] / s["formula"], s["exponents"] / s["formula"]]
            rows.append((d, degree, formula.features, dtype, layout, count, *found))
    ratios = ("SymPy / formula", "exponents / formula")
    heads = ("d", "degree", "features", "dtype", "layout", "rows", "formula, ms", *ratios,
             "plain: formula, ms", *ratios)  # fmt: skip
    text = (
        "Processor time of both threads together, after a first call, which also reads phi and finds how to "
        "evaluate it: that takes as long again as a plain sum of 2,048 rows for 12,869 features.\n\n"
    )
    return "## The public call beside a formula object\n\n" + text + table(heads, rows)


_FIRST = """
import sys, time
import numpy as np
from eqvproof.deepsets import PowerSums, pool
d, degree = map(int, sys.argv[1:])
phi, X = PowerSums(degree, d), np.random.default_rng(0).random((20_000, d))
start = time.perf_counter()
for _ in range(2):
    pool(phi, X)
    print(time.perf_counter() - start)
    start = time.perf_counter()
"""


def first_calls() -> str:
    """The first call of a process: with nothing kept on disk, then with what the first process kept."""
    rows: list[tuple[Any, ...]] = []
    for d, degree in ((1, 8), (3, 4), (8, 4)):
        with tempfile.TemporaryDirectory() as folder:
            here = Path(__file__).resolve().parent.parent
            env = {**os.environ, "XDG_CACHE_HOME": folder, "PYTHONPATH": str(here)}
            command = [sys.executable, "-c", _FIRST, str(d), str(degree)]
            runs = [subprocess.run(command, env=env, check=True, capture_output=True, text=True)
                    for _ in range(2)]  # fmt: skip
        (first, again), (kept, _) = (map(float, run.stdout.split()) for run in runs)
        rows.append((d, degree, len(exponents(d, degree)), first, kept, again))
    heads = ("d", "degree", "features", "first call, s", "in the next process, s", "second call, s")
    return "## The first call, reproducible, float64, rows\n\n" + table(heads, rows)


def short_sums(repeat: int, threads: int) -> str:
    """What a call costs beside its loop: sums of 4,096 rows, with what they need in the cache and without."""
    rows: list[tuple[Any, ...]] = []
    far = read_once(np.random.default_rng(0).random(ROWS), 1)
    for d, degree in ((1, 8), (3, 4), (8, 4)):
        X, phi = np.random.default_rng(0).uniform(-1, 1, (4096, d)), symbolic(d, degree)
        found = []
        for reproducible in (False, True):
            run = functools.partial(pool, phi, X, reproducible=reproducible, threads=threads)
            cold = float("inf")
            for _ in range(repeat):
                far()
                start = time.perf_counter()
                run()
                cold = min(cold, time.perf_counter() - start)
            found += [1e6 * in_turn({"": run}, 20 * repeat)[""], 1e6 * cold]
        rows.append((d, degree, len(phi), *found))
    heads = ("d", "degree", "features", "plain, us", "after reading 80 MB, us", "reproducible, us",
             "after reading 80 MB, us")  # fmt: skip
    return "## Sums of 4,096 rows, float64, rows\n\n" + table(heads, rows)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    cases = [(*c, layout) for c in ((1, 8, "float64"), (3, 4, "float64"), (3, 4, "float32"))
             for layout in (("rows", "columns") if c[0] > 1 else ("columns",))]  # fmt: skip
    head = (
        f"10^7 rows in [-1, 1]^d, {a.threads} threads, phi as SymPy monomials. Peers stand with the layout "
        "that suits them, columns; each result is compared with ours. The last column compares operations a "
        "second with those of a matrix product, which does an addition with each multiplication at once; "
        "ours are additions for the most part: half is all there is where they have no units of their own.\n"
    )
    parts = [head, *(case(*c, a.repeat, a.threads) for c in cases),
             public_and_private(a.repeat, a.threads), first_calls(),
             short_sums(a.repeat, a.threads)]  # fmt: skip
    write(a.out, "Pooled monomials", parts)


if __name__ == "__main__":
    main()
