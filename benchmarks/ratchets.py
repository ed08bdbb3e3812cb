"""How large the package is, and how tied together: figures that may not get worse without a reason.

    python benchmarks/ratchets.py [--json] [--write]

Prints code lines (without docstrings, comments and blank lines), lines of the kernel and of what the check of
a typing proof imports, circles of imports, uses of ``Any`` where arrays of others are met, and in how many
files each operation and each group family is named. The run ends with 1 where a figure is worse than the one
kept in `ratchets.json`; ``--write`` keeps the figures there, and the message of the commit says why.
They are a mirror and no aim: lines packed full and files merged are worse than what they replace.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent / "eqvproof"
KEPT = HERE / "ratchets.json"
LAYOUT = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
#: The family names that stand for a group and nothing else.
FAMILIES = ("SO", "GL", "SL", "Signs", "Scale", "SE")


class Package:
    """The files of the package, parsed once."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.files = sorted(root.rglob("*.py"))
        self.text = {f: f.read_text(encoding="utf-8") for f in self.files}
        self.trees = {f: ast.parse(text) for f, text in self.text.items()}
        self.modules = {self.name(f): f for f in self.files}
        self.imports = {name: self._imports(f) for name, f in self.modules.items()}

    def name(self, file: Path) -> str:
        """The dotted name of a file."""
        parts = ("eqvproof", *file.relative_to(self.root).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def code_lines(self, file: Path) -> int:
        """Lines that hold code: no blank lines, comments, docstrings."""
        documented: set[int] = set()
        for node in ast.walk(self.trees[file]):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                first = node.body[0] if node.body else None
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    if isinstance(first.value.value, str):
                        documented |= set(range(first.lineno, (first.end_lineno or 0) + 1))
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text[file]).readline):
            if token.type not in LAYOUT:
                lines |= set(range(token.start[0], token.end[0] + 1))
        return len(lines - documented)

    def _imports(self, file: Path) -> set[str]:
        """Modules of the package that a file imports, inside functions too, not for type checking alone."""
        skipped = {
            id(inner)
            for node in ast.walk(self.trees[file])
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            for part in node.body
            for inner in ast.walk(part)
        }
        found: set[str] = set()
        for node in ast.walk(self.trees[file]):
            if id(node) in skipped:
                continue
            if isinstance(node, ast.Import):
                found |= {a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = self._base(file, node)
                found |= {base} | {f"{base}.{a.name}" for a in node.names}
        return {m for m in found if m in self.modules and self.modules[m] != file}

    def _base(self, file: Path, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        here = self.name(file).split(".")
        here = here if file.name == "__init__.py" else here[:-1]
        return ".".join([*here[: len(here) - node.level + 1], *([node.module] if node.module else [])])

    def closure(self, start: str) -> set[str]:
        """A module and all that it imports."""
        todo, seen = [start], set[str]()
        while todo:
            module = todo.pop()
            if module not in seen:
                seen.add(module)
                todo += self.imports[module]
        return seen

    def circles(self) -> list[list[str]]:
        """Modules that import each other in a circle; a package that imports its own parts is none."""
        ties = {
            v: {
                w
                for w in self.imports[v]
                if self.modules[w].name != "__init__.py" or not v.startswith(w + ".")
            }
            for v in self.imports
        }
        reached: dict[str, set[str]] = {}
        for v in ties:
            todo, reached[v] = list(ties[v]), set()
            while todo:
                if (w := todo.pop()) not in reached[v]:
                    reached[v].add(w)
                    todo += ties[w]
        return sorted(
            map(sorted, {frozenset(w for w in reached[v] if v in reached[w]) for v in ties} - {frozenset()})
        )

    def files_with(self, words: Iterable[str], *, kernel: bool) -> int:
        """The number of files, of the kernel or of the rest, that hold one of these words."""
        pattern = re.compile("|".join(words), re.M)
        inside = self.root / "kernel"
        return sum(
            bool(pattern.search(text)) and (inside in f.parents) is kernel for f, text in self.text.items()
        )


def operations(package: Package) -> dict[str, list[int]]:
    """For each operation: the files of the package and of the kernel that name it."""
    records: dict[str, str] = {}
    record = re.compile(r'^class (\w+)\(Operation\):.*?op: [^\n]* = "(\w+)"', re.M | re.S)
    for text in package.text.values():
        records |= {name: cls for cls, name in record.findall(text)}
    return {
        name: [
            package.files_with(
                [rf"\bops\.{cls}\b", rf"^from eqvproof\.operations\.?\w* import .*\b{cls}\b"], kernel=False
            ),
            package.files_with([rf'"{name}"'], kernel=True),
        ]
        for name, cls in records.items()
    }


def families(package: Package) -> dict[str, list[int]]:
    """For some families of groups: the files of the package and of the kernel that name them."""
    return {
        name: [package.files_with([rf'"{name}"'], kernel=kernel) for kernel in (False, True)]
        for name in FAMILIES
    }


def figures(package: Package) -> dict[str, Any]:
    """All figures."""
    lines = {f: text.count("\n") for f, text in package.text.items()}
    code = {f: package.code_lines(f) for f in package.files}
    kernel = [f for f in package.files if package.root / "kernel" in f.parents]
    typing = package.closure("eqvproof.kernel.proof")
    doors = [f for f in package.files if f.relative_to(package.root).parts[0] in ("frontends", "arrays")]
    return {
        "code": sum(code.values()),
        "lines": sum(lines.values()),
        "files": len(lines),
        "longest file": max(lines.values()),
        "kernel": sum(lines[f] for f in kernel),
        "typing proof": sum(lines[package.modules[m]] for m in typing),
        "frontends": sum(lines[f] for f in doors),
        "circles": len(package.circles()),
        "any": sum(package.text[f].count("Any") for f in doors),
        "operations": operations(package),
        "families": families(package),
    }


def worse(now: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """Which figures grew."""
    found = [
        f"{key}: {before[key]} -> {value}"
        for key, value in now.items()
        if isinstance(value, int) and key not in ("lines", "files") and value > before.get(key, value)
    ]
    for key in ("operations", "families"):
        for name, counts in now[key].items():
            old = before.get(key, {}).get(name, counts)
            if any(a > b for a, b in zip(counts, old, strict=True)):
                found.append(f"{name}: named in {old} -> {counts} files of package and kernel")
    return found


def main() -> int:
    """Print the figures, keep or compare them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    now = figures(Package())
    print(json.dumps(now) if options.json else "\n".join(f"{k}: {v}" for k, v in now.items()))
    if options.write:
        KEPT.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    found = worse(now, json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else []
    for line in found:
        print(f"worse: {line}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
