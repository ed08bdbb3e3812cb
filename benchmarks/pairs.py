"""Pair forms beside others, the share of the matrix product's rate, and the memory at n = 10^5.

Float64 is measured at half as many points as float32.

Work is counted as 2 n^2 (terms of the inner products at a pair + d); functions count nothing, or, where that
is said, exp its products with an addition. "At that rate / torch" is what would be left if ours ran at the
matrix product's own rate, exp counted: no program that visits all pairs takes less of torch's time.

python benchmarks/pairs.py [--out benchmarks/pairs.md] [--repeat 3] [--n 30000] [--threads 2]
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.pair_peers import ATTENTION, GAUSSIAN, PEERS, RATIONAL, WHY
from benchmarks.ratios import in_turn, table, write
from eqvproof.deepsets.emit.exponential import DEGREE
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
    ATTENTION: lambda: attention(columns=True),
    GAUSSIAN: gaussian_kernel,
    RATIONAL: rational_kernel,
    "attention of Remark 4.1": attention,
    "linear attention": linear_attention,
    "mean field": mean_field,
}


def data(n: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Points, and a projection to R^k."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(D, n)).astype(dtype), (rng.normal(size=(D, K)) / 4).astype(dtype)


def inner(name: str) -> int:
    """Terms of the inner products that a form has at a pair of points."""
    return K // 2 if name.startswith("attention") else K


def in_exp(name: str, dtype: str) -> int:
    """Products with an addition in the exp of a pair: two reductions, a rounding, the polynomial."""
    return DEGREE[dtype == "float32"] + 3 if name.startswith(("attention", "Gaussian")) else 0


def peers(name: str, X: np.ndarray, Z: np.ndarray, threads: int, notes: dict[str, str]) -> dict[str, Any]:
    """What is installed and runs; the others go to the notes, with the reason."""
    found: dict[str, Any] = {}
    if name not in (ATTENTION, GAUSSIAN, RATIONAL):
        return found
    Y, V = np.ascontiguousarray((Z.T @ X).T), np.ascontiguousarray(X.T)
    wanted = FORMS[name]()(X, Z).T
    for peer, make in PEERS.items():
        try:
            run = make(name, Y, V, threads)
            if run is None:
                notes[peer] = "leaves out matrices beyond 1 GB"
                continue
            off = np.abs(np.asarray(run()).reshape(wanted.shape) - wanted).max() / np.abs(wanted).max()
        except Exception as error:  # a peer that is absent or fails is reported, and the others run
            notes[peer] = f"did not run ({type(error).__name__}: {str(error).splitlines()[0][:80]})"
            continue
        if not off < 1e-3:
            notes[peer] = f"computes something else ({off:.1g})"
            continue
        found[peer] = run
    return found


def speed(n: int, dtype: str, repeat: int, threads: int, notes: dict[str, str]) -> str:
    """Two tables for each dtype: seconds, and ratios."""
    X, Z = data(n, dtype)
    square = np.random.default_rng(0).normal(size=(2048, 2048)).astype(dtype)
    seconds, ratios = [], []
    for name, make in FORMS.items():
        form = make()
        runs: dict[str, Callable[[], Any]] = {
            "product": lambda s=square: s @ s,
            "ours": lambda f=form: f(X, Z, threads),
        }
        others = peers(name, X, Z, threads, notes)
        quick = runs | {p: others.pop(p) for p in list(PEERS)[:2] if p in others}
        s = in_turn(quick, repeat, most=6)
        rates = {peer: s["ours"] / s[peer] for peer in quick if peer in PEERS}
        if others:
            slow = in_turn(runs | others, 1, warm=False)
            rates |= {peer: slow["ours"] / slow[peer] for peer in others}
            s |= {peer: slow[peer] for peer in others}
        pairs = float(n) * n if form.cost.exponent == 2 else float("nan")
        counts = (inner(name) + D, inner(name) + D + in_exp(name, dtype))
        shares = [pairs * count / s["ours"] / (2048**3 / s["product"]) for count in counts]
        for peer in (p for p, rate in rates.items() if rate < 0.1):
            notes[f"{peer}, {name}, {dtype}"] = (
                f"ours takes {rates[peer]:.2f} of its time, which is {1e9 * s[peer] / n**2:.1f} ns a pair: "
                + WHY[peer]
            )
        row = [f"{s[p]:.3f}" if p in s else "-" for p in ("ours", *PEERS)]
        seconds.append((name, f"n^{form.cost.exponent}", *row))
        least = shares[1] * rates.get("torch", math.nan)
        ratios.append((name, *(f"{100 * share:.0f} %" if share == share else "-" for share in shares),
                       f"{least:.2f}" if least == least else "-",
                       *(f"{rates[p]:.2f}" if p in rates else "-" for p in PEERS)))  # fmt: skip
    head = f"## n = {n}, k = {K}, d = {D}, {dtype}, {threads} threads\n\n"
    first = table(("form", "cost", "ours, s", *(f"{p}, s" for p in PEERS)), seconds)
    second = table(("form", "ours: share of the matrix product's rate", "with what exp takes",
                    "at that rate / torch", *(f"ours / {p}" for p in PEERS)), ratios)  # fmt: skip
    return head + first + "\n" + second


def memory() -> str:
    """Largest memory of a process that does nothing else, n = 10^5."""
    rows: list[tuple[Any, ...]] = []
    for name in FORMS:
        code = [sys.executable, __file__, "--memory-of", name]
        found = json.loads(subprocess.run(code, capture_output=True, text=True, check=True).stdout)
        rows.append((name, found["before"], found["after"], found["seconds"]))
    head = ("form", "MB before", "MB at most", "s")
    return f"## Memory at n = 10^5, k = {K}, d = {D}, float64\n\n" + table(head, rows)


def most_memory() -> float:
    """MB that this process has had at most; what it was before it became this program does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(lines["VmHWM"].split()[0]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def memory_of(name: str) -> None:
    """In a process of its own."""
    X, Z = data(100_000, "float64")
    form = FORMS[name]()
    form(X[:, :10], Z)
    before, start = most_memory(), time.perf_counter()
    form(X, Z)
    print(json.dumps({"before": before, "after": most_memory(), "seconds": time.perf_counter() - start}))


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
    notes: dict[str, str] = {}
    for dtype, n in (("float32", a.n), ("float64", a.n // 2)):
        parts.append(speed(n, dtype, a.repeat, a.threads, notes))
        write(a.out, "Pair forms", parts)  # what is there, should the rest be cut short
    if notes:
        parts.append("\n".join(f"- {peer}: {note}" for peer, note in notes.items()) + "\n")
    write(a.out, "Pair forms", parts if a.no_memory else [*parts, memory()])


if __name__ == "__main__":
    main()
