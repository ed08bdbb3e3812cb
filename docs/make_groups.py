"""Writes the table of families in docs/groups.md from their records.

python docs/make_groups.py           rewrites it
python docs/make_groups.py --check   exits 1 if it is out of date
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "groups.md"
sys.path.insert(0, str(ROOT))

from docs.generated import keep  # noqa: E402
from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES, above  # noqa: E402
from eqvproof.claims.groups.family import Family, FiniteFamily, LieFamily  # noqa: E402

FIRST, AFTER = "## The families\n", "\n## Forms\n"
#: O(p,q) and SO(p,q) have a record for all p and q; the table shows those of one.
SHOWN: tuple[Family, ...] = (*FAMILIES.values(), *(EVERY_FAMILY[k] for k in ("Sp2", "O(1,3)", "SO(1,3)")))


def given_by(family: Family) -> str:
    """How it is decided at a size: by parts, generators, or a Lie algebra."""
    if family.parts:
        return "its parts " + " and ".join(part.letter for part in family.parts)
    if isinstance(family, FiniteFamily) or family.integral:
        return "generators"
    if not isinstance(family, LieFamily):
        return "one flow"
    if family.components(family.size or 4):
        return "a Lie algebra, one element of each other component"
    return "a Lie algebra"


def written(family: Family) -> str:
    """As a claim names it."""
    return family.written(family.default_axis)


def row(family: Family) -> str:
    """One line of the table."""
    file = Path(inspect.getfile(family.why_not)).name
    inside = ", ".join(f.letter for f in above(family)) or "-"
    dual = "yes" if family.kind.has_dual else "-"
    form = "-" if not family.keeps_form else "skew" if family.form(2) == [[0, 1], [-1, 0]] else "symmetric"
    cells = (f"`{written(family)}`", family.meaning, given_by(family), inside, dual, form, f"`{file}`")
    return f"| {' | '.join(cells)} |"


def section() -> str:
    """The table."""
    head = "| family | elements | known by | inside | duals `d*` | form | file |\n" + "|---" * 7 + "|\n"
    return f"{FIRST}\n{head}" + "\n".join(map(row, SHOWN)) + "\n"


def page() -> str:
    """The page with the table of today."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(FIRST)
    return before + section() + AFTER + rest.split(AFTER)[1]


if __name__ == "__main__":
    sys.exit(keep(PAGE, page()))
