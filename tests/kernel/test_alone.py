"""The kernel's folder, copied alone; hostile files; what it imports."""

from __future__ import annotations

import ast
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import eqvproof.kernel
from tests.hostile.test_texts import second
from tests.kernel.corpus import accepted
from tests.kernel.encoding import encoded
from tests.kernel.hostile import HOSTILE
from tests.kernel.rejected import REJECTED

FOLDER = Path(eqvproof.kernel.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The folder under another name, without compiled files."""
    return Path(
        shutil.copytree(FOLDER, tmp_path / "some copy-1.0", ignore=shutil.ignore_patterns("__pycache__"))
    )


def run(copy: Path, *files: Path | str) -> subprocess.CompletedProcess[str]:
    """The kernel as a program, isolated."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-W", "error", str(copy), *map(str, files)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=copy.parent,
    )


def write(folder: Path, name: str, content: object) -> Path:
    """A file."""
    path = folder / name
    data = content if isinstance(content, bytes) else json.dumps(encoded(content)).encode()
    path.write_bytes(data)
    return path


def test_the_copy_accepts_and_writes_nothing(alone: Path, tmp_path: Path) -> None:
    files = [write(tmp_path, f"{name}.json", data) for name, data in accepted().items()]
    before = sorted(tmp_path.rglob("*"))
    done = run(alone, *files)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.count("accepted  ") == len(files) and "sha256:" in done.stdout
    assert sorted(tmp_path.rglob("*")) == before
    # without -B, Python itself keeps the compiled form of the file that it was told to run, and no other
    subprocess.run([sys.executable, "-I", "-S", str(alone), str(files[0])], check=True, capture_output=True)
    assert {p.name.split(".")[0] for p in alone.rglob("*.pyc")} <= {"__main__"}


def test_the_copy_rejects(alone: Path, tmp_path: Path) -> None:
    good = write(tmp_path, "good.json", accepted()["gram"])
    bad = write(tmp_path, "bad.json", REJECTED["not orthogonal"]())
    broken = write(tmp_path, "broken.json", b'{"format": ')
    assert run(alone, good).returncode == 0
    assert run(alone, bad).returncode == 1
    assert run(alone, good, bad).returncode == run(alone, bad, good).returncode == 1
    assert run(alone, broken).returncode == 2
    assert run(alone, broken, bad, good).returncode == 2


def test_what_cannot_be_read_is_status_2(alone: Path, tmp_path: Path) -> None:
    missing, folder = tmp_path / "missing.json", tmp_path / "folder"
    folder.mkdir()
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in (missing, folder, loop, pipe, "/dev/zero", "/dev/null", "-", "", "x" * 5000):
        done = run(alone, name)
        assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr, name
        assert done.stderr.startswith("unreadable  "), name
    assert run(alone).returncode == 2


def test_no_code_of_the_current_folder_runs(alone: Path, tmp_path: Path) -> None:
    for name in ("json", "fractions", "decode", "os", "eqvproof_kernel", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(77)")
    assert run(alone, write(tmp_path, "good.json", accepted()["gram"])).returncode == 0


DRIVER = (
    f"import time\n{inspect.getsource(second)}"
    + """
import importlib, os, resource, runpy, sys, time
folder, names = sys.argv[1], sys.argv[2:]
kernel = runpy.run_path(folder + "/__main__.py", run_name="kernel")
check = kernel["load"]()
for file in os.listdir(folder):  # some are loaded when they are needed
    if file.endswith(".py") and not file.startswith("__"):
        importlib.import_module("eqvproof_kernel." + file[:-3])
RUNS = ("compile", "exec", "import", "os.system", "subprocess.Popen", "os.fork", "os.exec", "socket.connect")
def hook(event, given):
    flags = given[2] if event == "open" and isinstance(given[2], int) else 0
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or event in RUNS:
        print(ascii("did something else: " + event), 0, ascii(given)[:200], sep="\\t", flush=True)
sys.addaudithook(hook)
resource.setrlimit(resource.RLIMIT_AS, (200 * 2**20, 200 * 2**20))
for name in names:
    data = kernel["read_certificate"](name)
    least = 1e9
    for _ in range(3):
        start = time.process_time()
        try:
            report = check.check_certificate(data)
            outcome = "accepted" if report.accepted else "rejected: " + report.reason
        except check.Unreadable as error:
            outcome = "unreadable: " + str(error)
        took = time.process_time() - start
        least = min(least, took if took < 0.1 else took / second())  # none is ten times as quick
        if least < 1:
            break
    print(ascii(outcome[:200]), round(least, 3), name, sep="\\t")
"""
)


@pytest.mark.slow
def test_hostile_files_are_refused_quickly_in_little_memory(
    alone: Path, tmp_path: Path, some: Any
) -> None:
    assert len(HOSTILE) > 150
    names = some(HOSTILE, 12)
    files = [write(tmp_path, f"{number}.json", HOSTILE[name]()) for number, name in enumerate(names)]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", DRIVER, str(alone), *map(str, files)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == len(names), [line for line in lines if "something else" in line[0]]
    for (outcome, seconds, _), name in zip(lines, names, strict=True):
        assert "accepted" not in outcome and "internal" not in outcome and "Memory" not in outcome, (
            name,
            outcome,
        )
        assert float(seconds) < 1, (name, seconds)


# -- the source ------------------------------------------------------------------------------------------

ALLOWED = {
    "__future__",
    "collections",
    "collections.abc",
    "contextvars",
    "dataclasses",
    "decimal",
    "fractions",
    "functools",
    "gc",
    "hashlib",
    "importlib",
    "importlib.util",
    "itertools",
    "json",
    "math",
    "os",
    "pathlib",
    "re",
    "stat",
    "sys",
    "types",
    "typing",
}
FORBIDDEN = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "open",
    "input",
    "getattr",
    "setattr",
    "globals",
    "vars",
    "breakpoint",
}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(FOLDER)))
def test_standard_library_only_and_no_code_from_text(path: Path) -> None:
    depth = len(path.relative_to(FOLDER).parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert {a.name for a in node.names} <= ALLOWED, path
        elif isinstance(node, ast.ImportFrom):
            inside = 1 <= node.level <= depth
            assert inside or (node.level == 0 and node.module in ALLOWED), (path, node.module)
        elif isinstance(node, ast.Name):
            assert node.id not in FORBIDDEN or path.name == "__main__.py", (path, node.id)
        else:
            assert not isinstance(node, ast.Assert), path


def test_names_of_files_hide_no_module_of_the_standard_library() -> None:
    assert not {p.stem for p in FILES if p.parent == FOLDER} & set(sys.stdlib_module_names)


def test_the_kernel_loads_nothing_else(tmp_path: Path) -> None:
    code = "import sys, eqvproof.kernel; print(*sorted(m for m in sys.modules if m.startswith('eqvproof')))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=FOLDER.parents[1]
    )
    extra = [m for m in done.stdout.split() if not m.startswith("eqvproof.kernel")]
    assert not any("numpy" in module for module in extra)
    assert all(module == "eqvproof" or module.startswith("eqvproof.support") for module in extra), extra


LOADED = """
import runpy, sys
kernel = runpy.run_path(sys.argv[1] + "/__main__.py", run_name="kernel")
check = kernel["load"]()
for name in sys.argv[2:]:
    assert check.check_certificate(kernel["read_certificate"](name)).accepted
print(*(m.partition(".")[2] for m in sys.modules if m.startswith("eqvproof_kernel.")))
"""
#: What evaluates, encloses, translates, looks at constants or compares normal forms.
MOVED = {"motions", "claimed_motions"}
APART = {"form_values", "interval", "series", "elements", "points", "normal", "flips", "assumptions", *MOVED}


@pytest.mark.parametrize(("name", "more"), [("gram", set()), ("centred", MOVED)])
def test_a_proof_loads_what_it_rests_on(alone: Path, tmp_path: Path, name: str, more: set[str]) -> None:
    file = write(tmp_path, "proof.json", accepted()[name])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", LOADED, str(alone), str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert {"form_proof", "checker", "form_shapes"} <= loaded and loaded & APART == more
