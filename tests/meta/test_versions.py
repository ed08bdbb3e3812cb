"""The oldest and the newest versions that continuous integration runs with."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
requirements = pytest.importorskip("packaging.requirements")
ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: What the oldest versions are tested of.
TESTED = ("test", "frameworks-test", "numba", "dask")


def needed() -> list[str]:
    extras = PROJECT["optional-dependencies"]
    return [*PROJECT["dependencies"], *(line for name in TESTED for line in extras[name])]


def constraints() -> dict[str, str]:
    made = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "oldest")], capture_output=True, text=True, check=True
    )
    pairs = (line.split("==") for line in made.stdout.split())
    return {name: version for name, version in pairs}


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    found = constraints()
    for line in needed():
        requirement = requirements.Requirement(line)
        version = found[requirement.name.lower().replace("_", "-")]
        assert requirement.specifier.contains(version), line
        assert f">={version}" in str(requirement.specifier), line
    assert len(found) == len({requirements.Requirement(line).name for line in needed()})


def test_every_extra_that_users_install_has_lower_bounds() -> None:
    for name, lines in PROJECT["optional-dependencies"].items():
        for line in lines:
            specifiers = requirements.Requirement(line).specifier
            assert any(s.operator in (">=", "==") for s in specifiers), (name, line)


def test_both_ends_are_run() -> None:
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]["frameworks"]
    rows = job["strategy"]["matrix"]["include"]
    assert {row["versions"] for row in rows} == {"newest", "oldest"}
    names = job["steps"][-1]["env"]["CI_FRAMEWORKS"].split()
    assert {"torch", "jax", "e3nn"} <= set(names) and not any(mark in n for n in names for mark in "=<>")
    lowest = min(row["python"] for row in rows if row["versions"] == "oldest")
    assert PROJECT["requires-python"].startswith(f">={lowest}")
