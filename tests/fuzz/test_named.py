"""Changes of the kernel that reviewers named are still changes of the kernel as it is."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHANGES = tomllib.loads((ROOT / "benchmarks" / "fuzz" / "named.toml").read_text())["change"]


@pytest.mark.parametrize("change", CHANGES, ids=[c["name"] for c in CHANGES])
def test_its_text_stands_once_and_gives_a_program(change: dict[str, str]) -> None:
    text = (ROOT / change["file"]).read_text()
    assert text.count(change["before"]) == 1
    changed = ast.dump(ast.parse(text.replace(change["before"], change["after"])))
    assert changed != ast.dump(ast.parse(text))
