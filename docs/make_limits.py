"""Writes docs/limits.md: the limits of work of the engines, each with its reason, as they stand in the code.

python docs/make_limits.py           rewrites the page
python docs/make_limits.py --check   exits 1 if the page is out of date
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "limits.md"
sys.path.insert(0, str(ROOT))

from docs.generated import keep  # noqa: E402

FOLDERS = ("tracing", "programs", "engines", "kernel")
#: Names of limits; the other constants are parts of a method.
LIMIT = re.compile(r"_?(MOST|LARGEST|LONGEST|DEEPEST|LEAST)(_\w+)?$|\w*(SECONDS|_SHARE)$")
INTRODUCTION = """# Limits

At these limits the engines stop and report it: the verdict is then weaker, never wrong. The kernel
rejects certificates that exceed its limits. `docs/make_limits.py` writes this page from the code,
where a comment above each limit gives the reason. The total time is limited by `budget=`; no rule of
inference reads a clock.
"""


def limits(file: Path) -> Iterator[tuple[str, str, str]]:
    """Names, values and reasons of the limits of a file; a reason holds for all lines right below it."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
        if not any(map(LIMIT.match, names)):
            continue
        at, reason = node.lineno - 2, list[str]()
        while at >= 0 and re.match(r"_?[A-Z]", lines[at]):
            at -= 1
        while at >= 0 and lines[at].startswith("#"):
            reason.insert(0, lines[at].lstrip("#: "))
            at -= 1
        yield ", ".join(names), ast.unparse(node.value).strip("()"), " ".join(reason)


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for folder in FOLDERS:
        rows = []
        for file in sorted((ROOT / "eqvproof" / folder).rglob("*.py")):
            where = file.relative_to(ROOT / "eqvproof" / folder).as_posix()
            rows += [f"| `{name}` | `{value}` | {why} | {where} |" for name, value, why in limits(file)]
        if rows:
            head = [f"## {folder}/", "", "| limit | value | reason | in |", "|---|---|---|---|"]
            parts.append("\n".join([*head, *rows, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(keep(PAGE, page()))
