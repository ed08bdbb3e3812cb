"""The list of the kernel's files in docs/trust.md is what docs/make_trust.py writes, and leaves none out."""

from __future__ import annotations

import re

import pytest

from docs import make_trust

PAGE = make_trust.PAGE.read_text(encoding="utf-8")
KERNEL = make_trust.ROOT / "eqvproof" / "kernel"


@pytest.fixture(scope="module")
def section() -> str:
    return make_trust.section()


def test_the_list_is_what_the_script_writes(section: str) -> None:
    assert section + make_trust.AFTER in PAGE, "run python docs/make_trust.py"


def test_every_file_stands_there_once_with_its_lines(section: str) -> None:
    rows = re.findall(r"^\| `([\w/]+\.py)` \| (\d+) \|", section, re.MULTILINE)
    listed = {name: int(lines) for name, lines in rows}
    files = {f.relative_to(KERNEL).as_posix(): f for f in KERNEL.rglob("*.py")}
    assert len(rows) == len(listed)
    assert listed == {name: len(f.read_text().splitlines()) for name, f in files.items()}


def test_a_file_comes_after_those_that_it_imports(section: str) -> None:
    rows = re.findall(r"^\| `([\w/]+)\.py` \| \d", section, re.MULTILINE)
    for k, name in enumerate(rows):
        text = (KERNEL / f"{name}.py").read_text()
        used = [m.replace(".", "/") for m in re.findall(r"^from \.+(\w[\w.]*) import", text, re.MULTILINE)]
        own = {f"rules/{m}" if f"rules/{m}" in rows and name.startswith("rules/") else m for m in used}
        assert {m for m in own if m in rows} <= set(rows[:k]), name
