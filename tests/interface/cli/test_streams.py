"""Streams, files, statuses: what has nothing to do with a claim."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eqvproof.interface.cli import files, main, terminal
from eqvproof.interface.cli.parser import parse_size_option, seconds
from eqvproof.support.errors import EqvproofError

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("command", [[], ["review"], ["check"], ["verify"]])
def test_help(eqvproof, command):
    done = eqvproof(*command, "--help")
    assert done.status == 0
    assert "usage: eqvproof" in done.out
    assert "status" in done.out


def test_help_is_quick(eqvproof_program):
    times = []
    for _ in range(3):
        before = os.times().children_user
        eqvproof_program("--help")
        times.append(os.times().children_user - before)  # however busy the machine is
    assert min(times) < 0.5


def test_version(eqvproof_program):
    assert eqvproof_program("--version").out.startswith("eqvproof ")


@pytest.mark.parametrize("arguments", [[], ["chek"], ["--nonsense"]])
def test_usage_errors(eqvproof, arguments):
    done = eqvproof(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "\n  try: " in done.err


@pytest.mark.parametrize("buffered", [True, False])
def test_broken_pipe_is_silent(buffered):
    code = (
        "import sys; from eqvproof.interface.cli.terminal import run_cleanly as r; "
        "sys.exit(r(lambda: print() or 0))"
    )
    process = subprocess.Popen(
        [sys.executable, *([] if buffered else ["-u"]), "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == terminal.BROKEN_PIPE
    assert error == b""


def test_a_terminal_without_unicode_gets_codes(eqvproof_program):
    done = eqvproof_program(
        "check", "models:é", "X: d -> d", "--under", "O(d)", PYTHONIOENCODING="ascii"
    )
    assert done.status == 2
    assert "Traceback" not in done.err


def raising(error):
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (EqvproofError("it is wrong", hint="mend it"), 2, "it is wrong"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device", "x.json"), 2, "x.json: No space left on device"),
        (RuntimeError("oh"), 2, "a defect of eqvproof"),
        (RecursionError("deep"), 2, "a defect of eqvproof"),
    ],
)
def test_statuses_of_exceptions(capsys, error, status, says):
    assert terminal.run_cleanly(raising(error)) == status
    assert says in capsys.readouterr().err


def test_defects_show_their_traceback_on_request(monkeypatch):
    monkeypatch.setenv("EQVPROOF_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        terminal.run_cleanly(raising(RuntimeError("oh")))


def test_usage_error_in_process(capsys):
    assert main(["check"]) == 2
    assert "TARGET is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "value"), [("d=3", ("d", 3)), ("n=1:6", ("n", (1, 6))), ("n=4:4", ("n", (4, 4)))]
)
def test_sizes(text, value):
    assert parse_size_option(text) == value


@pytest.mark.parametrize(
    "text", ["", "d", "d=", "=3", "d=0", "d=-1", "d=1.5", "d=3:", "d=:3", "d=2:1", "d=٣", "2=2"]
)
def test_no_sizes(text):
    with pytest.raises(Exception, match="size"):
        parse_size_option(text)


def test_seconds():
    assert seconds("0.5") == 0.5
    for text in ("0", "-1", "nan", "inf", "x", ""):
        with pytest.raises(Exception, match="seconds"):
            seconds(text)


def test_files_are_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    files.write_text(str(path), "old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        files.write_text(str(path), "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_files_keep_their_permissions(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    files.write_text(str(path), "new")
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.read_text() == "new"


def test_links_are_followed(tmp_path):
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    path.write_text("old")
    link.symlink_to(path)
    files.write_text(str(link), "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_devices_are_not_replaced():
    files.write_text(os.devnull, "text")
    assert not Path(os.devnull).is_file()


def test_standard_output(capsys):
    files.write_text("-", "text\n")
    assert capsys.readouterr().out == "text\n"


def test_a_folder_is_made_once(tmp_path):
    files.make_folder(str(tmp_path / "a" / "b"))
    files.make_folder(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", ["file", "file/inside", ""])
def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(EqvproofError, match="cannot be used"):
        files.make_folder(name)


def test_progress_is_silent_in_a_pipe(capfd):
    with terminal.Progress("working", delay=0.0):
        time.sleep(0.05)
    assert capfd.readouterr().err == ""


def test_progress_shows_on_a_terminal(monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        with terminal.Progress("working", delay=0.01):
            shown = os.read(ours, 4096).decode()
        assert "working" in shown
        while not shown.endswith("\r\x1b[K"):  # the line is wiped in the end
            shown += os.read(ours, 4096).decode()
    os.close(ours)


def test_no_progress_on_a_dumb_terminal(monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        monkeypatch.setenv("TERM", "dumb")
        assert not terminal.is_terminal(stream)
    os.close(ours)
