"""Calls show their progress to somebody who watches, and nothing elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import eqvproof as ep
from eqvproof.support import progress, progress_lines

pty = pytest.importorskip("pty", reason="no terminals here")

#: A check of a function that takes longer than the delay, the verdict on standard output.
SCRIPT = """
import time
import numpy as np
import eqvproof as ep
def slow(X):
    time.sleep(1.3)
    return np.maximum(X, 0)
verdict = ep.check(slow, "X: d n -> d n", under="O(d)", budget=3)
print(verdict.outcome)
"""


def run(*, on_terminal: bool, **variables: str) -> tuple[str, str]:
    """Runs the script; returns its output and what it writes on the error stream."""
    environment = {**os.environ, "TERM": "xterm", "EQVPROOF_PROGRESS": "1", **variables}
    main, other = pty.openpty()
    stream = other if on_terminal else subprocess.PIPE
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=stream, env=environment, check=True
    )
    os.close(other)
    written = done.stderr or b""
    try:
        while on_terminal and (part := os.read(main, 4096)):
            written += part
    except OSError:  # the other end is closed
        pass
    os.close(main)
    return done.stdout.decode(), written.decode()


def test_a_terminal_shows_a_line_that_is_cleared_and_a_pipe_nothing() -> None:
    verdict, line = run(on_terminal=True)
    assert "eqvproof: checking slow (at most 3 s): 1 s" in line
    assert line.endswith(progress_lines.CLEAR_LINE)
    assert run(on_terminal=False) == (verdict, "")
    assert verdict


@pytest.mark.parametrize("variables", [{"EQVPROOF_PROGRESS": "0"}, {"TERM": "dumb"}])
def test_progress_is_off_where_it_is_unwanted(variables: dict[str, str]) -> None:
    assert run(on_terminal=True, **variables)[1] == ""


class _Handle:
    def __init__(self, shown: list[str]) -> None:
        self.shown = shown

    def update(self, content: str) -> None:
        self.shown.append(content)


def test_a_notebook_shows_a_line_that_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Display:
        @staticmethod
        def HTML(text: str) -> str:
            return text

        @staticmethod
        def display(content: str, *, display_id: bool) -> _Handle:
            shown.append(content)
            return _Handle(shown)

    monkeypatch.setattr(progress_lines, "DELAY", 0.0)
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(progress, "is_notebook", lambda: True)
    monkeypatch.setitem(sys.modules, "IPython.display", Display)
    line = progress.progress_line("checking <f>")
    with line:
        while not shown:
            pass
    assert shown[0] == "<small>checking &lt;f&gt;: 0 s</small>" and shown[-1] == "<small></small>"


def test_of_lines_inside_others_only_the_outermost_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    class Line:
        def close(self) -> None:
            drawn.append("closed")

    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(progress_lines, "drawn_line", lambda text, in_notebook: drawn.append(text) or Line())
    with progress.progress_line("all groups"):
        assert ep.check(lambda x: x, "x: d -> d", under="O(d)").grade == "PROVED"
    assert drawn == ["all groups", "closed"]
