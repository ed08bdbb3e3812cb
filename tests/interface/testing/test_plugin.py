"""The pytest plugin in a repository of a user's: summary, certificates, and when they are used again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from eqvproof.api import verify
from tests.forked import forked

ROOT = Path(__file__).resolve().parents[3]
HELPERS = """\
def twice(X):
    return 2 * X
"""
SUITE = """\
import numpy as np
import helpers
from eqvproof.interface.testing import assert_equivariant, assert_invariant

W = np.array([[1.0, 2.0], [3.0, 4.0]])


def test_gram():
    assert_equivariant(lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d)", at_least="PROVED")

def test_helper():
    assert_equivariant(lambda X: helpers.twice(X), "X: d n -> d n", "O(d)")

def test_weights():
    assert_equivariant(lambda X: W @ X, "X: 2 n -> 2! n", "S(n)")

def test_pooled():
    assert_invariant(lambda X: X.sum(axis=1), "X: d n -> d", "S(n)")

def test_relu():
    assert_equivariant(lambda X: np.maximum(X, 0), "X: d n -> d n", "O(d)")
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "test_claims.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def arguments(*options: str) -> list[str]:
    return ["-p", "eqvproof.interface.testing.plugin", "-q", *options]


def run(folder: Path, *options: str) -> str:
    """Returns what pytest prints of a folder, in a process that has imported the package."""
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = forked(lambda: int(pytest.main(arguments(*options))), folder, **environment)
    return done.out + done.err


def run_afresh(folder: Path, *options: str) -> str:
    """Returns what pytest prints of a folder, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments(*options)],
        cwd=folder,
        env={
            **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), "."]), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "",
        },
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_summary_and_a_counterexample(suite: Path) -> None:
    out = run(suite)
    assert "5 claims: 4 PROVED, 1 FAILS EXACT" in out
    assert "FAILS EXACT: [X: d n -> d n] under O(d)  test_claims.py::test_relu" in out
    assert "X = [[1]]" in out and "g = reflect coordinate 0" in out
    assert "1 failed, 4 passed" in out
    assert not list(suite.glob("**/*.json"))


def test_certificates_are_kept_and_used_again_until_the_function_changes(suite: Path) -> None:
    out = run(suite, "--eqvproof-certificates", "kept")
    assert "re-checked" not in out
    kept = sorted((suite / "kept").glob("*.json"))
    assert len(kept) == 5 and all(verify(path.read_text()).accepted for path in kept)
    assert all(path.stat().st_mode == (suite / "helpers.py").stat().st_mode for path in kept)

    out = run(suite, "--eqvproof-certificates", "kept")
    assert "5 claims: 4 PROVED, 1 FAILS EXACT (5 re-checked from their certificates)" in out
    assert "X = [[1]]" in out and "1 failed, 4 passed" in out

    (suite / "helpers.py").write_text(HELPERS.replace("2", "3"))
    assert "(4 re-checked from their certificates)" in run(suite, "--eqvproof-certificates", "kept")
    (suite / "test_claims.py").write_text(SUITE.replace("4.0", "5.0"))
    assert "(4 re-checked from their certificates)" in run(suite, "--eqvproof-certificates", "kept")


def test_a_file_for_certificates_is_answered_at_the_start(suite: Path) -> None:
    said = run(suite, "--eqvproof-certificates", "helpers.py/kept")
    assert "helpers.py is a file" in said and "try: --eqvproof-certificates certificates" in said
    assert "failed" not in said and "passed" not in said


WHERE = """\
class Where:
    def __repr__(self):
        return "where"
    def __call__(self, inputs):
        return all(v != 7 for x in inputs.values() for v in x.flat)

where = Where()
"""
RESTRICTED = """\
import helpers
from eqvproof.interface.testing import assert_equivariant

def test_restricted():
    assert_equivariant(lambda X: X + (X == 0), "X: n -> n", "Signs(n)", domain=helpers.where, budget=20)
"""


def test_options_count_by_what_they_do_and_not_by_how_they_are_shown(suite: Path) -> None:
    """Of a domain that is another now, though it is shown alike, the old counterexample says nothing."""
    (suite / "helpers.py").write_text(WHERE)
    (suite / "test_claims.py").write_text(RESTRICTED)
    assert "FAILS, EXACT" in run(suite, "--eqvproof-certificates", "kept")
    assert "(1 re-checked from their certificates)" in run(suite, "--eqvproof-certificates", "kept")
    (suite / "helpers.py").write_text(WHERE.replace("7", "0.0"))
    out = run(suite, "--eqvproof-certificates", "kept")
    assert "re-checked" not in out and "1 passed" in out


#: Heavy, and not needed where a certificate is re-checked.
HEAVY = "tracing engines claims.groups claims.signature programs numbers engines.verdict.certificate".split()
#: What reads options, verdicts and fingerprints of functions, in the rooms of heavy modules.
LIGHT = re.compile(
    r"eqvproof\.(engines(\.options|\.verdict(\.(?!certificate)\w+)*)?|tracing(\.observing(\.\w+)?)?)"
)
LOADED = """
import sys

def pytest_sessionfinish(session):
    ours = ("eqvproof", "sympy", "hypothesis", "flint")
    print("LOADED", [name for name in sys.modules if name.startswith(ours)])
"""


def test_a_run_over_kept_certificates_loads_little(suite: Path) -> None:
    (suite / "conftest.py").write_text(LOADED)
    first = run_afresh(suite, "--eqvproof-certificates", "kept")
    assert "eqvproof.tracing" in first and "flint" in first
    second = run_afresh(suite, "--eqvproof-certificates", "kept", "-k", "not relu")  # prints none
    assert "(4 re-checked from their certificates)" in second
    (line,) = [line for line in second.splitlines() if "LOADED" in line]
    loaded = line.partition("LOADED")[2]
    assert "eqvproof.kernel.form_proof" in loaded
    modules = [name for name in re.findall(r"'([\w.]+)'", loaded) if not LIGHT.fullmatch(name)]
    assert not [m for m in modules if any(m.startswith(f"eqvproof.{name}") for name in HEAVY)]
    assert not [name for name in ("sympy", "flint", "hypothesis") if f"'{name}'" in loaded]


MOTION = """\
from eqvproof.interface.testing import assert_equivariant

def test_rigid():
    assert_equivariant(lambda X: X**2, "X: n d -> n d", "E(d)")
"""


def test_a_failure_under_rigid_motions_is_kept_too(suite: Path) -> None:
    (suite / "test_claims.py").write_text(MOTION)
    first = run(suite, "--eqvproof-certificates", "kept")
    second = run(suite, "--eqvproof-certificates", "kept")
    assert "(1 re-checked from their certificates)" in second
    for line in first.splitlines():
        if line.startswith("E         "):
            assert line in second


def test_a_record_that_was_tampered_with_is_not_used(suite: Path) -> None:
    run(suite, "--eqvproof-certificates", "kept", "-k", "gram")
    (path,) = (suite / "kept").glob("*.json")
    original = json.loads(path.read_text())
    original["claim"]["output"], original["forms"]["lines"] = [], original["forms"]["lines"][:1]
    path.write_text(json.dumps(original))
    out = run(suite, "--eqvproof-certificates", "kept", "-k", "gram")
    assert "1 claim: 1 PROVED" in out and "re-checked" not in out


def test_a_run_without_claims_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_none.py").write_text("def test_nothing():\n    pass\n")
    assert "eqvproof" not in run(tmp_path)


def test_the_plugin_is_light() -> None:
    code = (
        "import sys, eqvproof.interface.testing.plugin; "
        "print(sorted({'numpy', 'flint', 'sympy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
