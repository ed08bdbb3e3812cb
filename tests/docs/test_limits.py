"""docs/limits.md is what the code says, and no limit stands without a reason."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("make_limits", ROOT / "docs" / "make_limits.py")
assert spec is not None and spec.loader is not None
make_limits = importlib.util.module_from_spec(spec)
sys.modules["make_limits"] = make_limits
spec.loader.exec_module(make_limits)


def test_the_page_is_what_the_script_writes() -> None:
    assert make_limits.PAGE.read_text() == make_limits.page(), "run python docs/make_limits.py"


def test_every_limit_has_a_reason(tmp_path: Path) -> None:
    found = {
        (file.name, name): reason
        for folder in make_limits.FOLDERS
        for file in (ROOT / "eqvproof" / folder).rglob("*.py")
        for name, _, reason in make_limits.limits(file)
    }
    assert len(found) > 80
    assert not [where for where, reason in found.items() if len(reason) < 10]
    bare = tmp_path / "bare.py"
    bare.write_text("MOST_STEPS = 3\n\n#: Why.\nLARGEST, LONGEST = 4, 5\nMOST = 6\nother = 7\n")
    assert list(make_limits.limits(bare)) == [
        ("MOST_STEPS", "3", ""), ("LARGEST, LONGEST", "4, 5", "Why."), ("MOST", "6", "Why."),
    ]  # fmt: skip
