"""The wheel in a repository of a user's: what it weighs, what a suite of claims shows, what is used again."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = {"torch", "jax", "jaxlib", "tensorflow", "cupy", "numba", "dask", "scipy", "matplotlib"}
#: Megabytes on disk, byte code included, of the wheel and all that it needs.
MOST = 250
PARTS = """\
import numpy as np


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


def scaled(scores):
    return scores / 2
"""
MODEL = """\
import numpy as np
from layers.parts import scaled, softmax


def gram_layer(X):
    return X @ (X.T @ X)


def attention(X):
    return X @ softmax(scaled(X.T @ X))


def pooled(X):
    return np.linalg.norm(X, axis=0).sum()


def distances(X):
    gaps = X[:, None, :] - X[None, :, :]
    return (gaps**2).sum(axis=-1)


def clipped(X):
    return np.maximum(X, 0)
"""
SUITE = """\
from eqvproof.interface.testing import assert_equivariant, assert_invariant
from layers import model


def test_gram_layer():
    assert_equivariant(model.gram_layer, "X: d n -> d n", "O(d)", at_least="PROVED")


def test_attention():
    assert_equivariant(model.attention, "X: d n -> d n", "O(d) x S(n)", at_least="PROVED")


def test_pooled():
    assert_invariant(model.pooled, "X: d n -> ()", "O(d) x S(n)")


def test_distances():
    assert_equivariant(model.distances, "X: n d -> n n", "E(d) x S(n)")


def test_clipped():
    assert_equivariant(model.clipped, "X: d n -> d n", "O(d)")
"""
DRAWN = """\
from hypothesis import given, strategies


@given(strategies.just(1))
def test_drawn(x):
    assert x == 1
"""
CONFTEST = """\
import sys


def pytest_unconfigure():
    print("Hypothesis was imported:", "hypothesis" in sys.modules)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel: for one of pure Python, what an installation is."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "layers").mkdir()
    (tmp_path / "tests").mkdir()
    for name, text in {"__init__": "", "parts": PARTS, "model": MODEL}.items():
        (tmp_path / "layers" / f"{name}.py").write_text(text)
    (tmp_path / "tests" / "test_claims.py").write_text(SUITE)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


def run(repository: Path, installed: Path, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--eqvproof-certificates", "certificates",
         *options],
        cwd=repository, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": ""},
    )  # fmt: skip
    assert not done.stderr and done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def needed(installed: Path) -> dict[str, importlib.metadata.Distribution]:
    """The wheel and everything that it needs, in turn."""
    (own,) = importlib.metadata.distributions(path=[str(installed)])
    found, queue = {"eqvproof": own}, [own]
    while queue:
        for text in queue.pop().requires or ():
            requirement = Requirement(text)
            name = requirement.name.lower()
            if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
                continue
            found[name] = importlib.metadata.distribution(name)
            queue.append(found[name])
    return found


def test_the_wheel_pulls_in_no_framework_and_little_weight(installed: Path) -> None:
    found = needed(installed)
    assert {"numpy", "sympy", "mpmath"} <= found.keys() and not found.keys() & FRAMEWORKS
    files = [Path(str(f.locate())) for d in found.values() for f in d.files or ()]
    weight = sum(f.stat().st_size for f in files if f.exists()) / 1e6
    assert 50 < weight < MOST, f"{weight:.0f} MB"


@pytest.mark.slow
def test_five_claims_in_a_repository(installed: Path, repository: Path) -> None:
    first = run(repository, installed)
    assert "5 claims: 4 PROVED, 1 FAILS EXACT\n" in first and "1 failed, 4 passed" in first
    assert "FAILS EXACT: [X: d n -> d n] under O(d)  tests/test_claims.py::test_clipped" in first
    for line in ("X = [[1]]", "g = reflect coordinate 0", "f(g x) = [[0]]", "g f(x) = [[-1]]"):
        assert f"E         {line}" in first

    # nobody waits for a library that no test uses
    assert "Hypothesis was imported: False" in first

    second = run(repository, installed)
    assert "5 claims: 4 PROVED, 1 FAILS EXACT (5 re-checked from their certificates)" in second
    assert "g = reflect coordinate 0" in second

    (repository / "tests" / "test_drawn.py").write_text(DRAWN)
    assert "1 passing" in run(repository, installed, "-k", "drawn", "--hypothesis-show-statistics")
    (repository / "tests" / "test_drawn.py").unlink()

    helpers = repository / "layers" / "parts.py"
    helpers.write_text(PARTS.replace("/ 2", "/ 3"))
    os.utime(helpers, (2e9, 2e9))  # Python goes by the second in which a file was changed
    assert "(4 re-checked from their certificates)" in run(repository, installed)


def test_the_unpacked_wheel_is_what_runs(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import eqvproof; print(eqvproof.__file__)"],
        cwd=installed.parent, env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(done.stdout.strip()).is_relative_to(installed)
