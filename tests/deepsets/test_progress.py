"""Long runs show a bar where somebody watches, and nothing anywhere else."""

from __future__ import annotations

import io
import threading

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import pool, progress
from eqvproof.deepsets.pair_forms import attention, rational_kernel
from eqvproof.deepsets.pair_forms.compiled import run
from eqvproof.deepsets.pooling import compiled
from eqvproof.papers.library import statements
from eqvproof.papers.statements.review import review_statements

x = sp.Symbol("x")


class Stream(io.StringIO):
    """The error stream, a terminal or not."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def shown(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(compiled, "llvm", lambda: None)
    monkeypatch.setenv("TERM", "xterm")

    def show(job, *, terminal: bool) -> str:
        stream = Stream(terminal=terminal)
        monkeypatch.setattr("sys.stderr", stream)
        job()
        return stream.getvalue()

    return show


def rows():
    pool(x, np.ones(20000))


def pairs():
    rational_kernel()(np.ones((2, 600)))


def in_a_thread():
    thread = threading.Thread(target=rows)
    thread.start()
    thread.join()


@pytest.mark.parametrize(("job", "text"), [(rows, "rows"), (pairs, "pairs of points")])
def test_terminals_show_a_bar_and_files_none(job, text, shown):
    assert text in shown(job, terminal=True)
    assert shown(job, terminal=False) == ""
    assert shown(in_a_thread, terminal=True) == ""


def test_loops_show_a_bar(shown, monkeypatch):
    if run.llvm() is None:
        pytest.skip("numba (llvmlite) is not installed")
    monkeypatch.setattr(run, "FEWEST", 0)
    assert "pairs of points" in shown(lambda: attention()(np.ones((2, 100))), terminal=True)


def test_short_runs_show_nothing(shown, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 1e9)
    assert shown(rows, terminal=True) == ""


def test_notebooks_are_watched(monkeypatch):
    shell = type("ZMQInteractiveShell", (), {})()
    there = type("IPython", (), {"get_ipython": staticmethod(lambda: shell)})
    monkeypatch.setattr("sys.stderr", Stream(terminal=False))
    assert not progress.is_watched()
    monkeypatch.setitem(__import__("sys").modules, "IPython", there)
    assert progress.is_watched()


def test_notebooks_show_a_bar_without_widgets_and_clear_it(monkeypatch):
    seen = []
    handle = type("Handle", (), {"update": staticmethod(seen.append)})
    parts = {"HTML": str, "display": staticmethod(lambda text, display_id: seen.append(text) or handle)}
    shell = type("ZMQInteractiveShell", (), {})()
    modules = __import__("sys").modules
    monkeypatch.setitem(modules, "IPython", type("IPython", (), {"get_ipython": staticmethod(lambda: shell)}))
    monkeypatch.setitem(modules, "IPython.display", type("display", (), parts))
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setattr("sys.stderr", Stream(terminal=False))
    with progress.Progress("rows < 5", 3) as bar:
        for _ in range(3):
            bar.advance(1)
    assert [text.partition("</progress>")[2] for text in seen[:-1]] == [
        " 0 of 3 rows &lt; 5", *(f" {k} of 3 rows &lt; 5" for k in (1, 2, 3)),
    ]  # fmt: skip
    assert seen[-1] == ""


def test_a_review_on_a_terminal_shows_a_bar(shown):
    first = [s for s in statements() if s.id == "my23.prop3.1.householder-orthogonal"]
    assert "statements" in shown(lambda: review_statements(first), terminal=True)
    assert shown(lambda: review_statements(first), terminal=False) == ""
    assert shown(lambda: review_statements(first, progress=lambda *_: None), terminal=True) == ""
