"""A folder with modules to check, and the command line run in it.

Most tests run it in copies of the process of the tests; a test of each command starts the program
that a user starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.forked import Done, command

ROOT = Path(__file__).resolve().parents[3]

MODELS = """\
import numpy as np

print("a word at import")

def gram(X):
    return X @ (X.T @ X)

def centre(X):
    return X.mean(axis=1)

def spread(X):
    return (X**2).sum(0) * X.shape[0] - X.sum(0) ** 2


def relu(X):
    return np.maximum(X, 0)

def column_mean(X):
    return X - X.mean(axis=1, keepdims=True)

def noisy(X):
    return X + np.random.rand()

def returns_none(X):
    return None

def returns_pair(X):
    return X, X

def raises(X):
    raise ValueError("no such luck")

def leaves(X):
    raise SystemExit(0)

def leaves_at_large_sizes(X):
    if X.shape[1] > 2:
        raise SystemExit(0)
    return X

def wrong_shape(X):
    return X.T @ X

def nan(X):
    return X * np.nan

def two(X, Z):
    return X

class Layer:
    @staticmethod
    def forward(X):
        return 2 * X

number = 3
"""


def filled(folder: Path) -> Path:
    """The folder with its modules."""
    (folder / "models.py").write_text(MODELS)
    (folder / "broken.py").write_text("x = (1,\n")
    (folder / "crashes.py").write_text("x = 1 / 0\n")
    (folder / "leaves.py").write_text("import sys\nsys.exit(0)\n")
    (folder / "needs.py").write_text("import not_installed_anywhere\n")
    return folder


def program(folder: Path, *arguments: str, input: str | None = None, **environment: str) -> Done:
    """Runs the command line in a folder, in a new process, as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", "eqvproof", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        input=input,
        timeout=300,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def folder(tmp_path):
    return filled(tmp_path)


@pytest.fixture
def eqvproof(folder):
    return partial(command, folder)


@pytest.fixture
def eqvproof_program(folder):
    return partial(program, folder)


@pytest.fixture(scope="session")
def certified(tmp_path_factory):
    """The text of the certificate of a function of the folder, written once for each claim."""
    home, known = filled(tmp_path_factory.mktemp("certified")), {}

    def text(function: str, signature: str, under: str) -> str:
        claim = ("check", f"models:{function}", signature, "--under", under)
        if claim not in known:
            assert command(home, *claim, "--certificate", "written.json").status == 0
            known[claim] = (home / "written.json").read_text()
        return known[claim]

    return text
