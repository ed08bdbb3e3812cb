"""Measure the structure and the style of the package: figures that may not get worse without a reason.

    python benchmarks/ratchets.py [--json] [--write]

Prints how many entries the package has at its top, circles of imports (those for type checkers alone
counted), what the check of a typing proof imports, files that compare the kind of a group with a string,
conditional expressions, long lines, docstrings that begin with What or Whether, names that many modules
define, uses of ``Any`` while functions are traced, and in how many files each operation and each group family
is named. The run ends with 1 where a figure is worse than the one kept in `ratchets.json`; ``--write`` keeps
the figures there, and the message of the commit says why. They are a mirror and no aim: how many lines of
code there are is printed, and kept by nobody.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent / "eqvproof"
KEPT = HERE / "ratchets.json"
LAYOUT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
)
#: The family names that stand for a group and nothing else.
FAMILIES = ("SO", "GL", "SL", "Signs", "Scale", "SE")
#: The words for kinds of group elements; longer lines than LONG characters are long.
KINDS, LONG = frozenset("perm orth sign shift rigid scale lin".split()), 100


class Package:
    """The files of the package, each parsed when it is first asked about.

    Args:
        root: its folder.
        counts_types: whether imports for type checkers alone count.
    """

    def __init__(self, root: Path = ROOT, *, counts_types: bool = False) -> None:
        self.root, self.counts_types = root, counts_types
        self.files = sorted(root.rglob("*.py"))
        self.text = {f: f.read_text(encoding="utf-8") for f in self.files}
        self.modules = {self.name(f): f for f in self.files}
        self._trees: dict[Path, ast.Module] = {}

    def tree(self, file: Path) -> ast.Module:
        """The syntax tree of a file."""
        if file not in self._trees:
            self._trees[file] = ast.parse(self.text[file])
        return self._trees[file]

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """The modules of the package that each of them imports."""
        return {name: self._imports(f) for name, f in self.modules.items()}

    def name(self, file: Path) -> str:
        """The dotted name of a file."""
        parts = ("eqvproof", *file.relative_to(self.root).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def code_lines(self, file: Path) -> int:
        """Lines that hold code: no blank lines, comments, docstrings."""
        return len(self._code_lines(file))

    def code_lines_of(self, file: Path, name: str) -> int:
        """Lines that hold code of a function or class of a file.

        Raises:
            KeyError: it has none of that name.
        """
        for node in self.tree(file).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                own = range(node.lineno, (node.end_lineno or 0) + 1)
                return len(self._code_lines(file) & {*own})
        raise KeyError(name)

    def _code_lines(self, file: Path) -> set[int]:
        documented: set[int] = set()
        for node in ast.walk(self.tree(file)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                first = node.body[0] if node.body else None
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    if isinstance(first.value.value, str):
                        documented |= set(range(first.lineno, (first.end_lineno or 0) + 1))
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text[file]).readline):
            if token.type not in LAYOUT:
                lines |= set(range(token.start[0], token.end[0] + 1))
        return lines - documented

    def _imports(self, file: Path) -> set[str]:
        """Modules of the package that a file imports, inside functions and for type checkers too."""
        skipped = set() if self.counts_types else {id(n) for n in self._for_types(file)}
        found: set[str] = set()
        for node in ast.walk(self.tree(file)):
            if id(node) in skipped:
                continue
            if isinstance(node, ast.Import):
                found |= {a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = self._base(file, node)
                found |= {base} | {f"{base}.{a.name}" for a in node.names}
        return {m for m in found if m in self.modules and self.modules[m] != file}

    def _for_types(self, file: Path) -> Iterator[ast.AST]:
        for node in ast.walk(self.tree(file)):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                for part in node.body:
                    yield from ast.walk(part)

    def _base(self, file: Path, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        here = self.name(file).split(".")
        here = here if file.name == "__init__.py" else here[:-1]
        return ".".join(
            [*here[: len(here) - node.level + 1], *([node.module] if node.module else [])]
        )

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
        names = sorted(self.imports)
        number = {name: k for k, name in enumerate(names)}
        ties = [
            (number[v], number[w])
            for v in names
            for w in self.imports[v]
            if self.modules[w].name != "__init__.py" or not v.startswith(w + ".")
        ]
        starts, ends = zip(*ties, strict=True) if ties else ((), ())
        graph = csr_array((np.ones(len(ties)), (starts, ends)), shape=(len(names), len(names)))
        _, labels = connected_components(graph, connection="strong")
        found: dict[int, list[str]] = {}
        for name, label in zip(names, labels.tolist(), strict=True):
            found.setdefault(label, []).append(name)
        return sorted(part for part in found.values() if len(part) > 1)

    def files_with(self, words: Iterable[str], *, kernel: bool) -> int:
        """The number of files, of the kernel or of the rest, that hold one of these words."""
        pattern = re.compile("|".join(words), re.M)
        inside = self.root / "kernel"
        return sum(
            bool(pattern.search(text)) and (inside in f.parents) is kernel
            for f, text in self.text.items()
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
                [
                    rf"\bops\.{cls}\b",
                    rf"^from eqvproof\.programs\.operations\.?\w* import .*\b{cls}\b",
                ],
                kernel=False,
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


def compares_kinds(tree: ast.AST) -> bool:
    """Whether code compares the kind of a group with a text: ``f.kind == "orth"``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(getattr(x, "attr", getattr(x, "id", "")) == "kind" for x in sides) and any(
                isinstance(c, ast.Constant) and c.value in KINDS for x in sides for c in ast.walk(x)
            ):
                return True
    return False


def style(package: Package, code: int) -> dict[str, float]:
    """What the code looks like: per thousand lines of code, per cent of lines, and numbers of docstrings."""
    nodes = [node for file in package.files for node in ast.walk(package.tree(file))]
    functions = [
        node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    openers = [(ast.get_docstring(node) or "-").split(maxsplit=1)[0] for node in functions]
    content = [line for text in package.text.values() for line in text.splitlines() if line.strip()]
    defined: dict[str, set[Path]] = {}
    for file in package.files:
        tree = package.tree(file)
        for node in getattr(tree, "body", ()):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                defined.setdefault(node.name.lstrip("_"), set()).add(file)
    return {
        "conditional expressions": round(
            1000 * sum(isinstance(n, ast.IfExp) for n in nodes) / code, 1
        ),
        "long lines": round(100 * sum(len(line) > LONG for line in content) / len(content), 1),
        "docstrings of What or Whether": sum(word in ("What", "Whether") for word in openers),
        "names in six modules": sum(len(files) >= 6 for files in defined.values()),
    }


def figures(package: Package) -> dict[str, Any]:
    """All figures."""
    code = {f: package.code_lines(f) for f in package.files}
    room = {f: f.relative_to(package.root).parts[0] for f in package.files}
    run = Package(package.root)
    typing = run.closure("eqvproof.kernel.form_proof")
    return {
        "code": sum(code.values()),
        "files": len(code),
        "entries at the top": len(
            {p.name for p in package.root.iterdir() if p.name != "__pycache__"}
        ),
        "longest file": max(code.values()),
        "kernel": sum(code[f] for f in package.files if room[f] == "kernel"),
        "typing proof": sum(code[package.modules[m]] for m in typing),
        "circles": sum(map(len, package.circles())),
        "circles at run time": sum(map(len, run.circles())),
        "files that compare kinds": sum(
            room[f] != "kernel" and compares_kinds(package.tree(f)) for f in package.files
        ),
        **style(package, sum(code.values())),
        "any": sum(
            len(re.findall(r"\bAny\b", package.text[f]))
            for f in package.files
            if room[f] == "tracing"
        ),
        "operations": operations(package),
        "families": families(package),
    }


def worse(now: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """Which figures grew."""
    found = [
        f"{key}: {before[key]} -> {value}"
        for key, value in now.items()
        if isinstance(value, (int, float))
        and key not in ("code", "files")
        and value > before.get(key, value)
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
    now = figures(Package(counts_types=True))
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
