"""Shows how long a call has taken, on a terminal or in a notebook, after a second.

Nothing is shown in a pipe, in other threads than the main one, or with EQVPROOF_PROGRESS=0. On a
terminal the line is drawn between two instructions of the main thread, when the timer of deadlines
ticks: another thread would change what a function can see. A notebook has other threads anyway.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

from eqvproof.support.deadline import watchers
from eqvproof.support.forked_work import LOCKS
from eqvproof.support.writing import in_line

#: Seconds before something is shown, and between two drawings.
DELAY, EVERY = 1.0, 1.0
#: Returns to the start of the line and clears it.
CLEAR_LINE = "\r\x1b[K"
_P = ParamSpec("_P")
_R = TypeVar("_R")

#: The lines that are open: only the first is drawn.
_open: list[str] = []
#: Held while a notebook is drawn into: a copy of the process must not find locks of that held.
_drawing = threading.Lock()
LOCKS.append(_drawing)


def is_watched() -> bool:
    """Checks whether the error stream is a terminal or a notebook, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if os.environ.get("EQVPROOF_PROGRESS") == "0":
        return False
    stream = sys.stderr
    if stream is not None and not stream.closed and stream.isatty():
        return os.environ.get("TERM", "") != "dumb"
    return is_notebook()


def is_notebook() -> bool:
    """Checks whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


@contextmanager
def claimed_line(text: str) -> Iterator[bool]:
    """Opens a line for the time of a block; yields whether it is the only one and may be drawn."""
    _open.append(text)
    try:
        yield len(_open) == 1
    finally:
        _open.remove(text)


@contextmanager
def progress_line(text: str) -> Iterator[None]:
    """Shows a text and the seconds that the block has taken so far, if somebody watches."""
    with claimed_line(text) as is_first:
        line = None
        if is_first and is_watched():
            line = _line(text)
        try:
            yield
        finally:
            if line is not None:
                line.close()


def shows_progress(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorates a public call about functions so that it shows its progress."""
    budget = inspect.signature(function).parameters["budget"].default

    @functools.wraps(function)
    def call(*args: _P.args, **options: _P.kwargs) -> _R:
        names = [name_of(f) for f in args if callable(f)]
        text = f"eqvproof: checking {' and '.join(names) or 'a claim'}"
        seconds = options.get("budget", budget)
        if isinstance(seconds, (int, float)) and math.isfinite(seconds):
            text += f" (at most {seconds:g} s)"
        with progress_line(text):
            return function(*args, **options)

    return call


def name_of(function: object) -> str:
    """Returns the name of a function, or that of the class of a module."""
    return str(getattr(function, "__name__", type(function).__name__))


def _line(text: str) -> _NotebookLine | _TerminalLine | None:
    if is_notebook():
        return _NotebookLine(text)
    try:
        return _TerminalLine(text)
    except (OSError, ValueError):  # the stream has no descriptor
        return None


class _TerminalLine:
    """A line at the bottom of a terminal, drawn when the timer ticks and cleared at the end."""

    def __init__(self, text: str) -> None:
        self._file = sys.stderr.fileno()
        self._width = os.get_terminal_size(self._file).columns or 80
        self._text, self._process = in_line(text), os.getpid()
        self._start = time.monotonic()
        self._due, self._is_drawn = self._start + DELAY, False
        watchers.append(self._tick)

    def _tick(self) -> None:
        now = time.monotonic()
        if now < self._due or os.getpid() != self._process:
            return
        self._due, self._is_drawn = now + EVERY, True
        self._write(f"{self._text}: {now - self._start:.0f} s"[: self._width - 1])

    def close(self) -> None:
        """Clears the line."""
        watchers.remove(self._tick)
        if self._is_drawn:
            self._write("")

    def _write(self, line: str) -> None:
        with suppress(OSError):  # unbuffered: what it interrupts may be writing
            os.write(self._file, (CLEAR_LINE + line).encode())


class _NotebookLine:
    """A line of HTML below the cell, which a thread redraws and empties at the end."""

    def __init__(self, text: str) -> None:
        display = importlib.import_module("IPython.display")
        self._html, self._display = display.HTML, display.display
        self._handle: Any = None
        self._text, self._start = text, time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._redraw, daemon=True)
        self._thread.start()

    def _redraw(self) -> None:
        wait = DELAY
        while not self._over.wait(wait):
            wait = EVERY
            self._draw(f"{self._text}: {time.monotonic() - self._start:.0f} s")
        if self._handle is not None:
            self._draw("")

    def _draw(self, line: str) -> None:
        from html import escape

        content: Any = self._html(f"<small>{escape(line)}</small>")
        with _drawing, suppress(Exception):
            if self._handle is None:
                self._handle = self._display(content, display_id=True)
            else:
                self._handle.update(content)

    def close(self) -> None:
        """Empties the line."""
        self._over.set()
        self._thread.join()
