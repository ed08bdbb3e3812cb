"""Lines on a terminal, or in a notebook, that show for how long something has run."""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from eqvproof.support.deadline import watchers
from eqvproof.support.forked_work import LOCKS
from eqvproof.support.writing import in_line

#: Seconds before something is shown, and between two drawings.
DELAY, EVERY = 1.0, 1.0
#: Returns to the start of the line and clears it.
CLEAR_LINE = "\r\x1b[K"

#: Held while a notebook is drawn into: a copy of the process must not find locks of that held.
_drawing = threading.Lock()
LOCKS.append(_drawing)


def drawn_line(text: str, *, in_notebook: bool) -> _NotebookLine | _TerminalLine | None:
    """Returns a line that shows a text, None where none can be drawn."""
    if in_notebook:
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
