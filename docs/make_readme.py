"""Regenerates the outputs that README.md and docs/*.md show, so that every one of them is from a real run.

    python docs/make_readme.py            rewrites what is out of date
    python docs/make_readme.py --check    says what is out of date, and ends with 1 if anything is

In a page, the Python blocks run from top to bottom in one namespace; a `text` block that follows one directly
is what it prints. In a `console` block, each line after `$ ` runs in docs/examples, and its output follows.
Seconds differ from run to run and are not compared. A page that begins with `<!-- needs: a, b -->` is left
alone where one of these packages is absent.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import linecache
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"\A<!-- needs: (.*?) -->")
SECONDS = re.compile(r" *\b\d+\.\d+( s\b|(?=  ))")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and where the text stands in the page."""

    language: str
    text: str
    start: int
    end: int


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in FENCE.finditer(page)]


def pages() -> list[Path]:
    """The pages whose blocks run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def missing(page: str) -> list[str]:
    """The packages that the page needs and that are not installed."""
    found = NEEDS.match(page)
    return [name for name in found[1].split(", ") if importlib.util.find_spec(name) is None] if found else []


def refreshed(page: str) -> str:
    """The page with every output replaced by that of a run."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    pieces: list[str] = []
    position = 0
    printed: tuple[int, str] | None = None
    examples = 0
    for block in blocks(page):
        new = block.text
        if block.language == "python":
            examples += 1
            printed = (block.end, run_python(block.text, namespace, f"example{examples}.py"))
        elif block.language == "console":
            new = run_console(block.text)
        elif (
            block.language == "text"
            and printed is not None
            and page[printed[0] : block.start].strip()
            in (
                "```\n\n```text",
                "```\n```text",
            )
        ):
            new = printed[1]
        if SECONDS.sub("", new) == SECONDS.sub("", block.text):
            new = block.text
        pieces += [page[position : block.start], new]
        position = block.end
    return "".join([*pieces, page[position:]])


def run_python(source: str, namespace: dict[str, Any], name: str) -> str:
    """What a block prints; its names stay in the namespace."""
    out = io.StringIO()
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    with contextlib.redirect_stdout(out):
        exec(compile(source, name, "exec"), namespace)
    return out.getvalue()


def run_console(text: str) -> str:
    """The commands of a console block with their outputs (standard and error stream)."""
    return "".join(f"$ {command}\n{run_command(command)}" for command in commands(text))


def commands(text: str) -> Iterator[str]:
    """The commands of a console block."""
    for line in text.splitlines():
        if line.startswith("$ "):
            yield line[2:]


def run_command(command: str) -> str:
    """What a shell command prints, in docs/examples, with the package of this checkout and this Python."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable, "COLUMNS": "100"}
    preamble = 'eqvproof() { "$PYTHON" -m eqvproof "$@"; }; python() { "$PYTHON" "$@"; }; '
    done = subprocess.run(
        ["bash", "-c", preamble + command],
        cwd=ROOT / "docs" / "examples",
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return done.stdout


def main(arguments: list[str]) -> int:
    """Rewrites the pages, or checks them."""
    stale = []
    for path in pages():
        old = path.read_text(encoding="utf-8")
        if absent := missing(old):
            print(f"{path.relative_to(ROOT)}: left alone, needs {', '.join(absent)}")
            continue
        new = refreshed(old)
        if new == old:
            continue
        stale.append(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.write_text(new, encoding="utf-8")
    for page in stale:
        print(f"{page}: {'out of date' if '--check' in arguments else 'rewritten'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
