"""Fragments become a section of the changelog, and are removed with a release."""

from __future__ import annotations

import datetime
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_changelog", ROOT / "docs" / "make_changelog.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_changelog.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_changelog"] = module
    spec.loader.exec_module(module)
    return module


make_changelog = load()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for folder in ("eqvproof", "changelog.d"):
        (tmp_path / folder).mkdir()
    (tmp_path / "eqvproof" / "__init__.py").write_text('__version__ = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n<!-- releases -->\n\n## 0.1.0 (2026-01-01)\n")
    (tmp_path / "changelog.d" / "README.md").write_text("how to\n")
    (tmp_path / "changelog.d" / "7.fixed.md").write_text("A cold\nis cured.\n")
    (tmp_path / "changelog.d" / "+new.added.md").write_text("Something new.\n")
    return tmp_path


def test_the_fragments_of_this_checkout_have_known_kinds():
    assert make_changelog.section("Not released yet").startswith("## Not released yet\n")
    assert make_changelog.MARK in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_release_takes_the_fragments(repository):
    make_changelog.release("0.2.0", repository, datetime.date(2026, 2, 3))
    assert (repository / "CHANGELOG.md").read_text() == (
        "# Changes\n\n<!-- releases -->\n\n## 0.2.0 (2026-02-03)\n\n### Added\n\n- Something new.\n\n"
        "### Fixed\n\n- A cold is cured.\n\n## 0.1.0 (2026-01-01)\n"
    )
    assert [p.name for p in (repository / "changelog.d").iterdir()] == ["README.md"]


@pytest.mark.parametrize("version", ["0.3.0", "0.2", "v0.2.0"])
def test_another_version_is_refused(repository, version):
    before = (repository / "CHANGELOG.md").read_text()
    with pytest.raises(ValueError, match="expected the version"):
        make_changelog.release(version, repository)
    assert (repository / "CHANGELOG.md").read_text() == before


def test_a_fragment_of_an_unknown_kind_is_refused(repository):
    (repository / "changelog.d" / "8.improved.md").write_text("Better.\n")
    with pytest.raises(ValueError, match=r"8\.improved\.md"):
        make_changelog.section("Not released yet", repository)
