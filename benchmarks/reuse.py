"""Kept certificates: a suite of five claims run once, and once more.

    python benchmarks/reuse.py [--python PYTHON] [--repeat 5] [--out benchmarks/reuse.md]

PYTHON is an interpreter with the built wheel and pytest, best in an environment with nothing else. The suites
are written to a folder of their own. Four clocks: of the claims' tests; of the run as pytest prints it; this
less the start, which is the same for a suite that only imports NumPy; of the whole command, from the start of
Python on.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

LAYERS = """\
import numpy as np


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


def gram_layer(X):
    return X @ (X.T @ X)


def attention(X):
    return X @ softmax(X.T @ X)


def pooled(X):
    return np.linalg.norm(X, axis=0).sum()


def distances(X):
    return ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=-1)


def clipped(X):
    return np.maximum(X, 0)


def transformer(X):
    for k in range(40):
        X = X + X @ softmax(X.T @ X / (k + 1))
        X = X / np.sqrt(1 + (X**2).sum(axis=0))
    return X


def messages(X, H):
    for k in range(20):
        M = np.exp(-distances(X) / (k + 1))
        H = np.maximum(M @ H / (1 + M.sum(axis=1, keepdims=True)), 0) + H
        X = X + (((H @ H.T) * M)[:, :, None] * (X[:, None, :] - X[None, :, :])).mean(axis=1)
    return X


W = [(np.arange(48 * 48).reshape(48, 48) * (k + 3) % 7 - 3.0) / 8 for k in range(6)]


def network(X):
    for w in W:
        X = np.maximum(w @ X, 0)
    return X.sum(axis=1)


def cross(X, Y):
    return np.cross(X, Y)


def almost(X):
    return np.sqrt((X**2).sum(axis=0) + 1) * (1 + 1e-9 * np.abs(X).sum())
"""
HEAD = "import layers\nfrom eqvproof.interface.testing import assert_equivariant\n"
SUITES = {
    "five functions of one line": {
        "gram_layer": ("X: d n -> d n", "O(d)"),
        "attention": ("X: d n -> d n", "O(d) x S(n)"),
        "pooled": ("X: d n -> ()", "O(d) x S(n)"),
        "distances": ("X: n d -> n n", "E(d) x S(n)"),
        "clipped": ("X: d n -> d n", "O(d)"),
    },
    "five models of up to 40 layers": {
        "transformer": ("X: d n -> d n", "O(d) x S(n)"),
        "messages": ("X: n d, H: n c -> n d", "E(d) x S(n)"),
        "network": ("X: 48 n -> 48!", "S(n)"),
        "cross": ("X: 3, Y: 3 -> 3", "SO(3)"),
        "almost": ("X: d n -> n", "SO(d)"),
    },
}


def write(folder: Path, claims: dict[str, tuple[str, str]]) -> None:
    """A repository with one test a claim."""
    (folder / "layers.py").write_text(LAYERS)
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    tests = "".join(
        f'\n\ndef test_{name}():\n    assert_equivariant(layers.{name}, "{signature}", "{group}")\n'
        for name, (signature, group) in claims.items()
    )
    (folder / "test_claims.py").write_text(HEAD + tests)
    (folder / "test_nothing.py").write_text("import layers\n\n\ndef test_nothing():\n    pass\n")


def run(python: str, folder: Path, suite: str, kept: str) -> tuple[float, float, float, str]:
    """Seconds of the whole command, of the run as pytest says, of its tests alone, and what it printed."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    started = time.perf_counter()
    done = subprocess.run(
        [python, "-m", "pytest", "-q", suite, "--eqvproof-certificates", kept, "--junitxml", "times.xml"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    whole = time.perf_counter() - started
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    times = ElementTree.parse(folder / "times.xml")
    session = float(next(times.iter("testsuite")).get("time", "nan"))
    cases = times.iter("testcase")
    return whole, session, sum(float(case.get("time", "0")) for case in cases), done.stdout


def main() -> None:
    """Measures, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    rows = [
        "| suite | claims, first run | second | ratio | pytest, first | second | ratio "
        "| less its start, first | second | ratio | whole, first | second | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    empty: list[tuple[float, float]] = []
    for title, claims in SUITES.items():
        first, second = [], []
        for turn in range(options.repeat):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                write(folder, claims)
                empty.append(run(options.python, folder, "test_nothing.py", "kept")[:2])
                first.append(run(options.python, folder, "test_claims.py", "kept")[:3])
                *times, out = run(options.python, folder, "test_claims.py", "kept")
                second.append(tuple(times))
                if "5 re-checked from their certificates" not in out:
                    sys.exit(f"turn {turn}: certificates were not used again\n{out}")
        cells = [title]
        for clock in (2, 1, 0):
            before, after = (statistics.median(times[clock] for times in runs) for runs in (first, second))
            cells += [f"{before:.2f} s", f"{after:.2f} s", f"{before / after:.1f}"]
            if clock == 1:
                start = statistics.median(times[clock] for times in empty)
                before, after = before - start, after - start
                cells += [f"{before:.2f} s", f"{after:.2f} s", f"{before / after:.1f}"]
        rows.append("| " + " | ".join(cells) + " |")
    machine = f"{os.cpu_count()} cores ({platform.machine()}), load {os.getloadavg()[0]:.1f} at the end"
    text = [
        "# Kept certificates", "",
        f"Written by `benchmarks/reuse.py` (medians of {options.repeat} runs; {machine}). Claims: the sum of "
        "the times of the tests. pytest: what it prints as the time of the run. Whole: the command, from its "
        f"start to its end, Python and pytest included; over a suite that only imports NumPy it takes "
        f"{statistics.median(times[0] for times in empty):.2f} s, by pytest's clock "
        f"{statistics.median(times[1] for times in empty):.2f} s, the start.", "", *rows, "",
    ]  # fmt: skip
    options.out.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


if __name__ == "__main__":
    main()
