"""A bar for long runs: on terminals and in notebooks, after a second; nowhere else."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import Any

#: seconds without a bar
DELAY = 1.0


class Progress:
    """Counts what is done of a whole: `with Progress("pairs", n) as bar: ...; bar.advance(k)`."""

    __slots__ = ("_bar", "_done", "_started", "_task", "_text", "_total", "_watched")

    def __init__(self, text: str, total: int) -> None:
        self._text, self._total, self._done = text, total, 0
        self._bar: Any = None
        self._task: Any = None
        self._started, self._watched = time.monotonic(), is_watched()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, done: int) -> None:
        """So much more is done."""
        self._done += done
        if self._watched and self._bar is None and time.monotonic() - self._started >= DELAY:
            self._bar, self._task = _bar(self._text, self._total)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)


def is_watched() -> bool:
    """Whether somebody sees the error stream, a terminal or a notebook; other threads show none."""
    if threading.current_thread() is not threading.main_thread():
        return False
    stream = sys.stderr
    if stream is not None and not stream.closed and stream.isatty():
        return os.environ.get("TERM", "") != "dumb"
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def _bar(text: str, total: int) -> tuple[Any, Any]:
    """A bar of rich, and its task; one that was cut short is cleared."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=total)
    bar.start()
    return bar, task
