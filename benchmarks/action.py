"""The steps of `action.yml` in a scratch repository: a first run, a second one, and one after a change.

    python benchmarks/action.py            runs the steps and rewrites action.md

The shell of each step is the one of the file; what GitHub's own actions do (cache, artefacts) is done by
copying folders. The step that installs is left out: this checkout is used. Seconds are those of the processor
(user and system), of the step that checks; Python's start is measured and taken off.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
MODELS = '''"""Layers, as somebody writes them."""
import numpy as np
import eqvproof as ep

W = np.linspace(-1.0, 1.0, 12).reshape(4, 3)


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


@ep.claim("X: d n -> d n", under="O(d) x S(n)")
def attention(X):
    return X @ softmax(X.T @ X)


@ep.claim("X: d n -> d n", under="O(d)")
def gram_layer(X):
    return X @ (X.T @ X)


@ep.claim("X: n 3 -> n 4", under="S(n)")
def rowwise(X):
    return np.tanh(X @ W.T)


@ep.claim("X: n d -> d", under="S(n)")
def pooled(X):
    return X.mean(axis=0)


@ep.claim("X: n d -> n d", under="O(d) x S(n)")
def centred(X):
    return X - X.mean(axis=0)


@ep.claim("X: n c, A: n n -> n c", under="S(n)")
def messages(X, A):
    return np.tanh(A @ X / (1 + A.sum(axis=1, keepdims=True)))


@ep.claim("X: d n, Z: d k -> d n", under="O(d)")
def with_knowledge(X, Z):
    return X @ softmax(X.T @ X) + Z @ softmax(Z.T @ X)


@ep.claim("X: n d -> n n", under="E(d) x S(n)")
def distances(X):
    return ((X[:, None] - X[None]) ** 2).sum(axis=-1)
'''
CHANGED = ("return X @ (X.T @ X)", "return X @ np.abs(X.T @ X) + np.abs(X)")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the steps: the status of the check, what it printed, its summary, its seconds."""

    status: int
    printed: str
    summary: str
    seconds: float


def steps() -> list[dict[str, Any]]:
    """The steps of the action."""
    return list(yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"])


def defaults() -> dict[str, str]:
    """The inputs of the action, with their default values."""
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    return {name: str(item.get("default", "")) for name, item in inputs.items()}


def run(repository: Path, storage: Path, given: dict[str, str]) -> Run:
    """The steps in a fresh copy of a repository; the cache lies in storage.

    Args:
        repository: the files that a checkout brings.
        storage: where GitHub would keep the cache and the artefacts.
        given: the inputs of the action.
    """
    inputs = {**defaults(), **given}
    found = Run(0, "", "", 0.0)
    with tempfile.TemporaryDirectory() as folder:
        work, report = Path(folder, "work"), Path(folder, "summary.md")
        shutil.copytree(repository, work)
        kept = work / inputs["kept"]
        for step in steps():
            if step["name"] == "install":
                continue
            if step["name"] == "restore" and (storage / "cache").is_dir():
                shutil.copytree(storage / "cache", kept)
            elif step["name"] in ("save", "certificates") and kept.is_dir():
                place = storage / ("cache" if step["name"] == "save" else "artefacts")
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(kept, place)
            elif "run" in step:
                found = _shell(step, work, report, inputs)
    return found


def _shell(step: dict[str, Any], work: Path, report: Path, inputs: dict[str, str]) -> Run:
    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], text)

    environment = {
        **os.environ, **{name: filled(value) for name, value in step.get("env", {}).items()},
        "GITHUB_STEP_SUMMARY": str(report), "PYTHONPATH": str(ROOT), "GITHUB_ACTION_PATH": str(ROOT),
    }  # fmt: skip
    script = filled(step["run"]).replace("python ", f"{sys.executable} ")
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    before = _seconds()
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    summary = report.read_text(encoding="utf-8") if report.is_file() else ""
    return Run(done.returncode, done.stdout + done.stderr, summary, _seconds() - before)


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def python_start() -> float:
    """Seconds that Python takes to start and end; the least of some."""
    found = []
    for _ in range(5):
        before = _seconds()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        found.append(_seconds() - before)
    return min(found)


def scratch(folder: Path) -> tuple[Path, Path]:
    """A repository with some layers, and an empty place for what is kept."""
    repository, storage = folder / "repository", folder / "storage"
    repository.mkdir()
    storage.mkdir()
    (repository / "models.py").write_text(MODELS, encoding="utf-8")
    return repository, storage


def main() -> int:
    """Three runs, and the page."""
    with tempfile.TemporaryDirectory() as folder:
        repository, storage = scratch(Path(folder))
        start = python_start()
        first = run(repository, storage, {"claims": "models"})
        again = [run(repository, storage, {"claims": "models"}) for _ in range(3)]
        second = min(again, key=lambda one: one.seconds)
        (repository / "models.py").write_text(MODELS.replace(*CHANGED), encoding="utf-8")
        third = run(repository, storage, {"claims": "models"})
    times = (first.seconds - start, second.seconds - start)
    lines = [
        "# The Action, twice", "",
        "Written by `benchmarks/action.py`: the steps of `action.yml` in a scratch repository, eight claims.",
        f"Seconds of the processor without Python's start ({start:.2f} s): first run {times[0]:.2f},",
        f"second run {times[1]:.2f}, {times[0] / times[1]:.1f} times faster.",
    ]  # fmt: skip
    for name, one in (("First run", first), ("Second run", second), ("After a change", third)):
        lines += ["", f"## {name}: status {one.status}", "", "````text", one.summary.strip(), "````"]
    (ROOT / "benchmarks" / "action.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    return 0 if (first.status, second.status, third.status) == (0, 0, 1) else 1


if __name__ == "__main__":
    sys.exit(main())
