"""What is imported when, and from where."""

from __future__ import annotations

import ast
import functools
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import eqvproof
from benchmarks.ratchets import Package

ROOT = Path(eqvproof.__file__).parent
PACKAGE = functools.cache(Package)
HEAVY = (
    *("sympy", "scipy", "hypothesis", "torch", "jax", "cupy", "matplotlib", "rich", "dask", "numba"),
    "eqvproof.interface.cli",
)

#: Frameworks whose rooms are entered only where they are installed.
FRAMEWORKS = ("torch", "jax")


def modules_after(code: str) -> list[str]:
    script = f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT.parent
    )
    return json.loads(done.stdout.splitlines()[-1])


def heavy(modules: list[str]) -> list[str]:
    return [m for m in modules if m in HEAVY]


def test_import_is_light():
    assert heavy(modules_after("import eqvproof")) == []


def test_the_test_above_can_fail():
    assert heavy(modules_after("import eqvproof, sympy")) == ["sympy"]


def test_import_is_quick():
    code = "import time; t = time.process_time(); import eqvproof; print(time.process_time() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(times) < 0.3


def all_modules() -> list[str]:
    found = [
        m.name for m in pkgutil.walk_packages([str(ROOT)], "eqvproof.") if not m.name.endswith("__main__")
    ]
    return sorted(found)


def test_every_module_imports():
    """The room of a framework may need that framework, and nothing else may be missing."""
    failed = {}
    for name in all_modules():
        try:
            importlib.import_module(name)
        except Exception as error:
            missing = error.name if isinstance(error, ModuleNotFoundError) else None
            if missing not in FRAMEWORKS or f".tracing.{missing}." not in name:
                failed[name] = repr(error)
    assert failed == {}


def test_no_python_file_is_outside_the_packages():
    """A folder without __init__.py would be left out of the walk above, and of the contracts."""
    for path in ROOT.rglob("*.py"):
        assert (path.parent / "__init__.py").exists(), path


def imports(source: str | ast.Module) -> Iterator[str]:
    for node in ast.walk(ast.parse(source) if isinstance(source, str) else source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def foreign_to_the_kernel(source: str) -> list[str]:
    """What a kernel file imports besides the standard library and its own folder."""
    return [
        name
        for name in imports(source)
        if not name.startswith(".")
        and not name.startswith("eqvproof.kernel")
        and name.split(".")[0] not in sys.stdlib_module_names
    ]


def test_kernel_imports_the_standard_library_only():
    files = sorted((ROOT / "kernel").rglob("*.py"))
    assert len(files) > 20
    for path in files:
        assert foreign_to_the_kernel(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize("line", ["import numpy", "from eqvproof.programs import Size", "import eqvproof"])
def test_a_foreign_import_in_the_kernel_is_seen(line):
    assert foreign_to_the_kernel(line)


def test_no_module_imports_the_front_door():
    """`import eqvproof` inside the package would lead every layer through the top one."""
    free = {"library", "cli"}  # statements are as users write them, and nothing lies above the command line
    named = re.compile(r"import eqvproof\b|from eqvproof import")
    every = (path for path in PACKAGE().files if named.search(PACKAGE().text[path]))
    every = (path for path in every if path != ROOT / "__init__.py")  # names its modules
    below = [path for path in every if not free & set(path.relative_to(ROOT).parts)]
    assert [path for path in below if "eqvproof" in imports(PACKAGE().tree(path))] == []


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle():
    assert PACKAGE().circles() == []


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "from eqvproof import b", "b.py": "from eqvproof import a"},
        {"a.py": "from eqvproof.b import x", "b.py": "def f():\n    from eqvproof.a import y"},
        {"a.py": "import eqvproof.b", "b.py": "import eqvproof.c", "c.py": "import eqvproof.a"},
        {"a.py": "from .b import x", "b.py": "from . import a"},
    ],
)
def test_a_circle_is_seen(files, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert Package(tmp_path).circles() == [sorted(f"eqvproof.{name[:-3]}" for name in files)]
