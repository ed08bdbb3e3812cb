"""Pair forms beside NumPy and torch, the share of the matrix product's rate, and the memory at n = 10^5.

python benchmarks/pairs.py [--out benchmarks/pairs.md] [--repeat 3] [--n 30000] [--threads 2]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.ratios import in_turn, table, write
from eqvproof.deepsets.pair_forms import (
    PairForm,
    attention,
    gaussian_kernel,
    linear_attention,
    mean_field,
    rational_kernel,
)

D, K = 16, 8
FORMS: dict[str, Callable[[], PairForm]] = {
    "attention (softmax)": lambda: attention(columns=True),
    "Gaussian kernel": gaussian_kernel,
    "rational kernel": rational_kernel,
    "attention of Remark 4.1": attention,
    "linear attention": linear_attention,
    "mean field": mean_field,
}


def data(n: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Points, and a projection to R^k."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(D, n)).astype(dtype), (rng.normal(size=(D, K)) / 4).astype(dtype)


def numpy_blocks(name: str, X: np.ndarray, Z: np.ndarray) -> Callable[[], Any] | None:
    """By blocks of 256 rows."""
    Y = np.ascontiguousarray((Z.T @ X).T)
    V, half = np.ascontiguousarray(X.T), K // 2
    squares = (Y**2).sum(axis=1)

    def run() -> np.ndarray:
        result = np.empty_like(V)
        for start in range(0, len(Y), 256):
            part = slice(start, start + 256)
            if name.startswith("attention (s"):
                scores = Y[part, :half] @ Y[:, half:].T
                scores -= scores.max(axis=1, keepdims=True)
                w = np.exp(scores, out=scores)
                result[part] = (w @ V) / w.sum(axis=1, keepdims=True)
                continue
            far = squares[part, None] + squares - 2 * (Y[part] @ Y.T)
            w = np.exp(-0.5 * far) if name.startswith("Gauss") else 1 / (1 + far)
            result[part] = w @ V
        return result

    return run if name in list(FORMS)[:3] else None


def torch_blocks(name: str, X: np.ndarray, Z: np.ndarray, threads: int) -> Callable[[], Any] | None:
    """Fused attention where there is one, else blocks of rows."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(threads)
    Y = torch.from_numpy(np.ascontiguousarray((Z.T @ X).T))
    V, half = torch.from_numpy(np.ascontiguousarray(X.T)), K // 2
    if name.startswith("attention (s"):
        q, k = Y[:, :half].contiguous(), Y[:, half:].contiguous()
        attend = torch.nn.functional.scaled_dot_product_attention
        return lambda: attend(q[None, None], k[None, None], V[None, None], scale=1.0)
    squares = (Y**2).sum(1)

    def run() -> Any:
        parts = []
        for start in range(0, len(Y), 512):
            far = squares[start : start + 512, None] + squares - 2 * (Y[start : start + 512] @ Y.T)
            w = torch.exp(-0.5 * far) if name.startswith("Gauss") else 1 / (1 + far)
            parts.append(w @ V)
        return torch.cat(parts)

    return run if name in list(FORMS)[:3] else None


def speed(n: int, dtype: str, repeat: int, threads: int) -> str:
    """One table for each dtype."""
    X, Z = data(n, dtype)
    square = np.random.default_rng(0).normal(size=(2048, 2048)).astype(dtype)
    rows = []
    for name, make in FORMS.items():
        form = make()
        runs = {
            "product": lambda s=square: s @ s,
            "ours": lambda f=form: f(X, Z),
        }
        for peer, run in (("numpy", numpy_blocks(name, X, Z)), ("torch", torch_blocks(name, X, Z, threads))):
            if run is not None:
                runs[peer] = run
        s = in_turn(runs, repeat)
        rate = 2 * 2048**3 / s["product"]
        work = 2.0 * n * n * (K + D) if form.cost.exponent == 2 else float("nan")
        found = [f"{s[k]:.3f}" if k in s else "-" for k in ("ours", "numpy", "torch")]
        ratio = [f"{s['ours'] / s[k]:.2f}" if k in s else "-" for k in ("numpy", "torch")]
        share = f"{100 * work / s['ours'] / rate:.0f} %" if work == work else "-"
        rows.append((name, f"n^{form.cost.exponent}", *found, *ratio, share))
    head = ("form", "cost", "ours, s", "NumPy blocks, s", "torch, s", "ours / NumPy", "ours / torch",
            "share of the matrix product's rate")  # fmt: skip
    return f"## n = {n}, k = {K}, d = {D}, {dtype}\n\n" + table(head, rows)


def memory() -> str:
    """Largest memory of a process that does nothing else, n = 10^5."""
    rows = []
    for name in FORMS:
        code = [sys.executable, __file__, "--memory-of", name]
        found = json.loads(subprocess.run(code, capture_output=True, text=True, check=True).stdout)
        rows.append((name, found["before"], found["after"], found["seconds"]))
    head = ("form", "MB before", "MB at most", "s")
    return f"## Memory at n = 10^5, k = {K}, d = {D}, float64\n\n" + table(head, rows)


def memory_of(name: str) -> None:
    """In a process of its own."""

    def used() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

    X, Z = data(100_000, "float64")
    form = FORMS[name]()
    form(X[:, :10], Z)
    before, start = used(), time.perf_counter()
    form(X, Z)
    print(json.dumps({"before": before, "after": used(), "seconds": time.perf_counter() - start}))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--n", type=int, default=30_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-memory", action="store_true", help="leave out the runs at n = 10^5 (minutes)")
    parser.add_argument("--memory-of", choices=list(FORMS), help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.memory_of:
        memory_of(a.memory_of)
        return
    parts: list[str] = []
    for dtype in ("float32", "float64"):
        parts.append(speed(a.n, dtype, a.repeat, a.threads))
        write(a.out, "Pair forms", parts)  # what is there, should the rest be cut short
    if not a.no_memory:
        write(a.out, "Pair forms", [*parts, memory()])


if __name__ == "__main__":
    main()
