"""Writes the rooms of docs/architecture.md from the folders, their first lines and their imports.

python docs/make_architecture.py           rewrites them
python docs/make_architecture.py --check   exits 1 if they are out of date
"""

from __future__ import annotations

import ast
import sys
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = ROOT / "eqvproof"
sys.path.insert(0, str(ROOT))

from benchmarks.ratchets import Package  # noqa: E402
from docs.generated import keep  # noqa: E402

FIRST, AFTER = "## Rooms\n", "\n## Public names\n"


@cache
def checkout() -> Package:
    """Returns the files of the package, parsed once."""
    return Package(PACKAGE, counts_types=True)


def floors() -> list[list[str]]:
    """Returns the rooms, top floor first, as the contract of import-linter has them, without the kernel."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    (layers,) = (
        contract["layers"]
        for contract in tools["importlinter"]["contracts"]
        if contract.get("containers") == ["eqvproof"]
    )
    return [[name.strip() for name in line.replace("|", ":").split(":")] for line in layers]


def files_of(room: str) -> list[Path]:
    """Returns the files of a room, or of a module beside the rooms."""
    folder = PACKAGE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{room}.py"]


def says(file: Path) -> str:
    """Returns the first line of a file's docstring."""
    return (ast.get_docstring(checkout().tree(file)) or "").splitlines()[0]


def row(room: str) -> str:
    """Returns the line of a room: what it holds, and which rooms it imports."""
    files = files_of(room)
    first = PACKAGE / room / "__init__.py" if (PACKAGE / room).is_dir() else files[0]
    modules = {module for file in files for module in checkout().imports[checkout().name(file)]}
    below = {module.split(".")[1] for module in modules if "." in module}
    below.discard(room)
    known = [name for floor in floors() for name in floor] + ["kernel"]
    name = f"`{room}/`" if (PACKAGE / room).is_dir() else f"`{room}.py`"
    return f"| {name} | {says(first)} | {', '.join(n for n in known if n in below) or '-'} |"


def drawing() -> str:
    """Returns the floors as a drawing in text, the kernel beside them."""
    lines = ["  ".join(floor) for floor in floors()]
    width = max(map(len, lines)) + 4
    edge = "+" + "-" * width + "+"
    kernel = ["+----------+", "|  kernel  |", "+----------+"]
    drawn = [edge]
    for line in lines:
        drawn += ["|" + line.center(width) + "|", edge]
    middle = len(drawn) // 2 - 1
    beside = {middle + k: part for k, part in enumerate(kernel)}
    return "\n".join(line + (f"    {beside[k]}" if k in beside else "") for k, line in enumerate(drawn))


def section() -> str:
    """Returns the drawing and the table."""
    rooms = [name for floor in floors() for name in floor] + ["kernel"]
    head = "| room | holds | imports |\n|---|---|---|\n"
    return (
        f"{FIRST}\nImports go down only; a new module must find its room, and `import-linter` enforces"
        " both. The kernel imports\nnothing but the standard library.\n\n"
        f"```text\n{drawing()}\n```\n\n{head}"
        + "\n".join(map(row, rooms))
        + "\n"
    )


def page() -> str:
    """Returns the page with its rooms written anew."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(FIRST)
    return before + section() + AFTER + rest.partition(AFTER)[2]


if __name__ == "__main__":
    sys.exit(keep(PAGE, page()))
