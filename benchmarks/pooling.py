"""Sums of all monomials over 10^7 rows, beside reading the rows once.

python benchmarks/pooling.py [--out benchmarks/pooling.md] [--repeat 7] [--threads 2]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.ratios import in_turn, read_once, table, write
from eqvproof.deepsets import pool
from eqvproof.deepsets.phi import Tape
from eqvproof.deepsets.phi.rewrite import halved, without_constants
from eqvproof.deepsets.pooling import compiled

ROWS = 10**7


def monomials(d: int, degree: int) -> Any:
    """All monomials of total degree up to ``degree``, as a formula."""
    tape = Tape(d)
    exponents = sorted(
        (e for e in product(range(degree + 1), repeat=d) if sum(e) <= degree), key=lambda e: (sum(e), e)
    )
    return tape.formula(tuple(tape.monomial(e) for e in exponents))


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
    d = X.shape[1]
    exponents = [e for e in product(range(degree + 1), repeat=d) if sum(e) <= degree]
    return lambda: [
        np.prod([X[:, j] ** a for j, a in enumerate(e) if a], axis=0).sum() for e in exponents if any(e)
    ]


def torch_products(X: np.ndarray, degree: int, threads: int) -> Callable[[], Any] | None:
    """torch: products of blocks of monomials of half the degree."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(threads)
    half = [e for e in product(range(degree // 2 + 1), repeat=X.shape[1]) if sum(e) <= degree // 2]
    rows = torch.from_numpy(X)

    def run() -> Any:
        total = 0
        for part in rows.split(1 << 16):
            columns = part.unbind(1)
            block = torch.stack([_power(torch, columns, e) for e in half])
            total = total + block @ block.T
        return total

    return run


def _power(torch: Any, columns: Any, exponents: tuple[int, ...]) -> Any:
    value = torch.ones_like(columns[0])
    for c, a in zip(columns, exponents, strict=True):
        for _ in range(a):
            value = value * c
    return value


def fused_numba(d: int, degree: int, X: np.ndarray, threads: int) -> Callable[[], Any]:
    """One loop as by hand: each monomial is a product with one before it, and has an accumulator."""
    exponents = sorted(
        (e for e in product(range(degree + 1), repeat=d) if 0 < sum(e) <= degree), key=lambda e: (sum(e), e)
    )
    names = {e: f"m{k}" for k, e in enumerate(exponents)}
    lines = []
    for e, name in names.items():
        j = max(k for k in range(d) if e[k])
        before = tuple(a - (k == j) for k, a in enumerate(e))
        lines.append(f"{name} = x[i, {j}]" if not any(before) else f"{name} = {names[before]} * x[i, {j}]")
        lines.append(f"s_{name} += {name}")
    zero = f"{X.dtype.name}(0.0)"
    source = "\n".join(
        [
            "def loop(x):",
            *(f"    s_{name} = {zero}" for name in names.values()),
            "    for i in range(x.shape[0]):",
            *(f"        {line}" for line in lines),
            f"    return ({', '.join(f's_{name}' for name in names.values())})",
        ]
    )
    scope: dict[str, Any] = {X.dtype.name: getattr(numba, X.dtype.name)}
    exec(source, scope)
    loop = numba.njit(nogil=True, fastmath=True)(scope["loop"])
    parts = np.array_split(X, threads)
    executor = ThreadPoolExecutor(threads)
    return lambda: list(executor.map(loop, parts))


def per_row(phi: Any, *, plain: bool, single: bool) -> int:
    """Multiplications, additions, subtractions and conversions that our loop does for one row."""
    formula, _ = without_constants(halved(phi) if plain else phi)
    each = 1 if plain else 2 if single else 4
    return int(formula.operations) + formula.features * each


def product_rate(dtype: str, repeat: int) -> float:
    """Multiplications and additions a second in a matrix product."""
    A = np.random.default_rng(0).random((1500, 1500)).astype(dtype)
    return 2 * 1500**3 / in_turn({"": lambda: A @ A}, repeat)[""]


def case(d: int, degree: int, dtype: str, repeat: int, threads: int) -> str:
    """One table."""
    X = np.random.default_rng(0).random((ROWS, d)).astype(dtype)
    phi = monomials(d, degree)
    quick: dict[str, Callable[[], Any]] = {
        "read once": read_once(X, threads),
        "ours, plain": lambda: pool(phi, X, reproducible=False, threads=threads),
        "ours, correctly rounded": lambda: pool(phi, X, threads=threads),
    }
    quick["one loop as by hand, numba"] = fused_numba(d, degree, X, threads)
    seconds = in_turn(quick, repeat)
    slow = {"ours, plain, NumPy only": numpy_only(lambda: pool(phi, X, reproducible=False))}
    if (torch_run := torch_products(X, degree, threads)) is not None:
        slow["torch, products of monomial blocks"] = torch_run
    slow["NumPy, one pass a monomial"] = one_by_one(X, degree)
    seconds |= in_turn(slow, 1)
    limit = seconds["read once"]
    rate = product_rate(dtype, repeat)
    counts = {
        name: per_row(phi, plain=plain, single=dtype == "float32")
        for name, plain in (("ours, plain", True), ("ours, correctly rounded", False))
    }
    rows: list[tuple[Any, ...]] = []
    for name, t in seconds.items():
        arithmetic = (counts[name], counts[name] * ROWS / t / rate) if name in counts else ("-", "-")
        rows.append((name, 1e3 * t, t / limit, *arithmetic))
    name = f"## d = {d}, degree {degree}, {phi.features} features, {dtype}\n\n"
    heads = ("method", "ms", "x read once", "operations a row", "x the matrix product's rate")
    return name + table(heads, rows)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    cases = [(1, 8, "float64"), (3, 4, "float64"), (3, 4, "float32")]
    head = (
        f"10^7 rows, {a.threads} threads. The last column compares operations a second with those of a "
        "matrix product, which does an addition with each multiplication at once; ours are additions for the "
        "most part, so that half is all there is where no product is fused.\n"
    )
    parts = [head, *(case(*c, a.repeat, a.threads) for c in cases)]
    write(a.out, "Pooled monomials", parts)


if __name__ == "__main__":
    main()
