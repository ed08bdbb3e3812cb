"""Runs that are killed, and runs that share a folder: no file under its final name is half written."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.interface.cli import files
from tests.forked import started_command

PAPER = """\
import numpy as np
from eqvproof.papers.statements import Equivariance, Proposition

def statement(id, f):
    return Proposition(id=id, place="1", printed="p", claim=Equivariance(f, "X: d n -> d n", under="O(d)"))

gram = statement("paper.gram", lambda X: X @ (X.T @ X))
relu = statement("paper.relu", lambda X: np.maximum(X, 0))
"""


def start(folder: Path) -> subprocess.Popen[str]:
    """A review of two statements that writes everything it can."""
    return begun(
        folder, "--json", "rows.json", "--html", "page.html", "--certificates", "certificates"
    )


def begun(folder: Path, *options: str, **streams: Any) -> subprocess.Popen[str]:
    """A review of paper.py; Ctrl-C ends it, also where these tests run in the background of a shell."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return started_command(folder, "review", "paper.py", *options, **streams)
    finally:
        signal.signal(signal.SIGINT, handler)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(ep.__file__).parent.parent)}


def written(folder: Path) -> list[Any]:
    """What stands under final names, all of it whole."""
    found: list[Any] = []
    if (folder / "rows.json").exists():
        found.append(json.loads((folder / "rows.json").read_text()))
    if (folder / "page.html").exists():
        assert (folder / "page.html").read_text().rstrip().endswith("</html>")
    for file in (folder / "certificates").glob("[!.]*"):
        assert ep.verify(file.read_text()).accepted
    return found


def test_a_killed_review_leaves_no_half_file(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(PAPER)
    begin = time.monotonic()
    assert start(tmp_path).wait() == 0
    whole = time.monotonic() - begin
    assert len(written(tmp_path)) == 1 and len(list((tmp_path / "certificates").iterdir())) == 2
    rng = random.Random(0)
    for _ in range(3):
        process = start(tmp_path)
        time.sleep(rng.uniform(0.7, 1.0) * whole)
        process.kill()
        process.wait()
        written(tmp_path)
    assert start(tmp_path).wait() == 0
    assert written(tmp_path)[0]["statements"][0]["outcome"] == "HOLDS"


def test_two_reviews_into_one_folder(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(PAPER)
    both = [start(tmp_path) for _ in range(2)]
    assert [p.wait() for p in both] == [0, 0]
    assert len(written(tmp_path)) == 1
    assert not [f for f in tmp_path.rglob(".*") if f.is_file()]


SLOW = """
def waits(X):
    import time
    while True:
        time.sleep(0.1)

late = statement("paper.waits", waits)
"""


def test_ctrl_c_keeps_the_rows_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(PAPER + SLOW)
    process = begun(tmp_path, "--json", "rows.json", "--resume", "kept", stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (tmp_path / "kept" / "paper.relu.row.json").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in told and "Traceback" not in told
    assert {f.name for f in tmp_path.iterdir()} - {"__pycache__"} == {"kept", "paper.py"}
    assert {f.name for f in (tmp_path / "kept").iterdir()} == {
        "paper.gram.row.json",
        "paper.relu.row.json",
    }


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="processes are not copied here")
def test_an_interruption_is_not_lost_while_a_process_is_copied() -> None:
    """What arises in a hook of os.fork reaches nobody."""
    text = (
        "import os, signal, time; from eqvproof.support import forked_work\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # jobs in the background ignore it
        "os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "work = lambda: (forked_work.continue_in_copy(), time.sleep(20))\n"
        "try: forked_work.run_until(work, time.monotonic() + 30)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment(), capture_output=True, text=True, check=True,
        timeout=60,
    )  # fmt: skip
    assert done.stdout == "interrupted\n" and not done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files here")
def test_files_that_may_not_grow_are_no_half_files(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(PAPER)
    (tmp_path / "rows.json").write_text("before")
    limited = (
        "import resource, sys; from eqvproof.interface.cli import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200));"
        "sys.exit(main(['review', 'paper.py', '--json', 'rows.json']))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", limited], cwd=tmp_path, env=environment(), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "Traceback" not in done.stderr and "eqvproof: " in done.stderr
    assert (tmp_path / "rows.json").read_text() == "before"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["paper.py", "rows.json"]


def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path, monkeypatch: Any) -> None:
    target = tmp_path / "report.json"
    files.write_text(str(target), "before")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_text(str(target), "after")
    assert target.read_text() == "before"
    assert [f.name for f in tmp_path.iterdir()] == ["report.json"]
