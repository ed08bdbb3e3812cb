"""Changes of the kernel that files name are still changes of the kernel as it is."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

from benchmarks.fuzz.mutants import key, mutations

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "benchmarks" / "fuzz"
CHANGES = tomllib.loads((FILES / "named.toml").read_text())["change"]
SURVIVORS = [row["change"] for row in tomllib.loads((FILES / "survivors.toml").read_text())["survivor"]]


def test_each_text_stands_once_and_its_change_is_a_program() -> None:
    for change in CHANGES:
        text = (ROOT / change["file"]).read_text()
        assert text.count(change["before"]) == 1, change["name"]
        changed = ast.dump(ast.parse(text.replace(change["before"], change["after"])))
        assert changed != ast.dump(ast.parse(text)), change["name"]


def test_each_reason_is_that_of_a_change() -> None:
    files = {name.split(" | ")[0] for name in SURVIVORS}
    known = {key(file, mutation) for file in files for mutation in mutations(ROOT / file)}
    assert [name for name in SURVIVORS if name not in known] == []
