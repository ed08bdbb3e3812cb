"""Fragments become a section of the changelog, and are removed with a release."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("towncrier")
ROOT = Path(__file__).resolve().parents[2]


def towncrier(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "towncrier", "build", *options],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n<!-- releases -->\n\n## 0.1.0 (2026-01-01)\n")
    (tmp_path / "changelog.d" / "README.md").write_text("how to\n")
    (tmp_path / "changelog.d" / "7.fixed.md").write_text("A cold\nis cured.\n")
    (tmp_path / "changelog.d" / "+new.added.md").write_text("Something new.\n")
    return tmp_path


def test_the_fragments_of_this_checkout_have_known_kinds():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    kinds = {kind["directory"] for kind in settings["type"]}
    for path in (ROOT / "changelog.d").glob("*.md"):
        found = re.fullmatch(r".+\.(\w+)\.md", path.name)
        assert path.name == "README.md" or (found is not None and found[1] in kinds), path.name
    assert "<!-- releases -->\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_release_takes_the_fragments(repository):
    done = towncrier(repository, "--yes", "--version", "0.2.0", "--date", "2026-02-03")
    assert done.returncode == 0, done.stderr
    text = re.sub(r"\n+", "\n", (repository / "CHANGELOG.md").read_text())
    assert text == (
        "# Changes\n<!-- releases -->\n## 0.2.0 (2026-02-03)\n### Added\n- Something new.\n"
        "### Fixed\n- A cold\n  is cured. (#7)\n## 0.1.0 (2026-01-01)\n"
    )
    assert [p.name for p in (repository / "changelog.d").iterdir()] == ["README.md"]
