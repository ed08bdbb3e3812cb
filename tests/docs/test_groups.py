"""The table of families in docs/groups.md is what docs/make_groups.py writes, and leaves none out."""

from __future__ import annotations

from docs import make_groups
from eqvproof.groups import FAMILIES


def test_the_table_is_what_the_script_writes() -> None:
    assert make_groups.page() == make_groups.PAGE.read_text(encoding="utf-8"), (
        "run python docs/make_groups.py"
    )


def test_every_family_stands_there() -> None:
    assert all(
        f"| `{make_groups.written(family)}` |" in make_groups.section() for family in FAMILIES.values()
    )
