"""Hostile texts, read by the package: refused within a second and 200 MB, no code run, nothing written."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.texts import texts

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES = 200
RUNS = ("exec", "compile", "os.system", "subprocess.Popen", "os.fork", "os.exec", "import")


def readers() -> dict[str, Callable[[Any], bool]]:
    """By kind, whether a text is refused."""
    from eqvproof.claims.groups import parse_group
    from eqvproof.claims.signature import parse_signature
    from eqvproof.interface.cli.parser import parse_size_option
    from eqvproof.interface.testing.claims import DeclaredClaim
    from eqvproof.interface.testing.stored_verdicts import read_record
    from eqvproof.papers.report import read_report
    from eqvproof.papers.statements.checkpoint import _read_row as read_row
    from eqvproof.support.errors import EqvproofError

    wanted = parse_signature("X: d n -> d n")
    claim = DeclaredClaim("X: d n -> d n", "O(d)", {})

    def refused(read: Callable[[Any], Any]) -> Callable[[Any], bool]:
        def attempt(text: Any) -> bool:
            try:
                return read(text) is None
            except (EqvproofError, argparse.ArgumentTypeError) as error:
                return len(str(error)) < 10_000

        return attempt

    def record(path: str) -> Any:
        return read_record(Path(path).parent, Path(path).name, claim, "sha256:0")

    return {
        "signature": refused(parse_signature),
        "group": refused(lambda text: parse_group(text, wanted)),
        "size": refused(parse_size_option),
        "report": refused(read_report),
        "record": refused(record),
        "row": refused(lambda path: read_row(Path(path), "sha256:0")),
    }


def second() -> float:
    """What this processor, as busy as it is now, makes of a second of one that is idle."""
    start, total = time.process_time(), 0
    for i in range(10**6):
        total += i * i % 7
    return 14 * (time.process_time() - start)


def judge() -> None:
    """In a process of its own: reads (kind, name, text or path) from standard input, writes what happened."""
    items = json.load(sys.stdin)
    by_kind = readers()
    harmless = {k: "X: d n -> q@" for k in ("signature", "group", "size")}
    for kind, attempt in by_kind.items():
        attempt(harmless.get(kind, os.devnull))  # what is imported late is imported now
    for group in ("U(d)", "O(d) x S(n)"):
        by_kind["group"](group)
    seen: list[str] = []

    def hook(event: str, given: tuple[Any, ...]) -> None:
        flags = given[2] if event == "open" and isinstance(given[2], int) else 0
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or event in RUNS:
            seen.append(f"{event} {given[0]!r:.100}")

    for line in Path("/proc/self/status").read_text().splitlines() if sys.platform == "linux" else ():
        if line.startswith("VmSize"):
            most = (int(line.split()[1]) << 10) + (MEGABYTES << 20)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    sys.addaudithook(hook)
    found = []
    for kind, name, text in items:
        seen.clear()
        least = float("inf")
        for _ in range(3):
            start = time.process_time()
            try:
                answer = "refused" if by_kind[kind](text) else "taken"
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"[:200]
            took = time.process_time() - start
            least = min(least, took if took < 0.1 else took / second())  # none is ten times as quick
            if least < 1:
                break
        found.append((kind, name, answer, least, list(seen)))
    json.dump(found, sys.stdout)


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="no limits of memory here")
def test_hostile_texts_are_refused_quickly_in_little_memory(tmp_path: Path) -> None:
    items: list[tuple[str, str, str]] = []
    for kind, name, text in texts():
        given = text
        if isinstance(text, bytes):
            file = tmp_path / f"{kind}-{name}"
            file.write_bytes(text)
            if kind == "record":
                for ending in (".record", ".json"):
                    file.with_name(file.name + ending).write_bytes(text)
            given = str(file)
        items.append((kind, name, str(given)))
    before = sorted(tmp_path.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-B", "-c", "from tests.hostile.test_texts import judge; judge()"],
        input=json.dumps(items), capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert len(found) == len(items) > 150
    wrong = [f for f in found if f[2] != "refused" or f[3] >= 1 or f[4]]
    assert not wrong, "\n".join(map(str, wrong))
    assert sorted(tmp_path.rglob("*")) == before


def test_the_temporary_folder_is_not_touched() -> None:
    """A positive control of the audit: writing is seen."""
    code = (
        "import sys, os\nseen = []\n"
        "sys.addaudithook(lambda e, a: seen.append(e) if e == 'open' and a[2] & os.O_CREAT else None)\n"
        f"open({tempfile.gettempdir()!r} + '/eqvproof-control', 'w').close()\nprint(seen)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    Path(tempfile.gettempdir(), "eqvproof-control").unlink()
    assert "open" in done.stdout
