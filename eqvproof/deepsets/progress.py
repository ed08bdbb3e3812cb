"""Shows a progress bar for long runs on terminals and in notebooks, after a second."""

from __future__ import annotations

import importlib
import time
from html import escape
from types import TracebackType
from typing import Any

from eqvproof.support.progress import is_notebook, is_watched
from eqvproof.support.progress_lines import DELAY

#: seconds between two drawings in a notebook
EVERY = 0.2


class Progress:
    """A progress bar: `with Progress("pairs", n) as bar: ...; bar.advance(k)`."""

    __slots__ = ("_bar", "_done", "_started", "_task", "_text", "_total", "_watched")

    def __init__(self, text: str, total: int) -> None:
        self._text, self._total, self._done = text, total, 0
        self._bar: Any = None
        self._task: Any = None
        self._started, self._watched = time.monotonic(), is_watched()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, done: int) -> None:
        """Records that ``done`` more items are done."""
        self._done += done
        if self._watched and self._bar is None and time.monotonic() - self._started >= DELAY:
            self._bar, self._task = _bar(self._text, self._total)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)


def _bar(text: str, total: int) -> tuple[Any, Any]:
    """Starts a bar and its task: HTML in a notebook, rich's on a terminal, cleared at the end."""
    if is_notebook():
        return _NotebookBar(text, total), None
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=total)
    bar.start()
    return bar, task


class _NotebookBar:
    """A bar of plain HTML, which needs no widgets."""

    def __init__(self, text: str, total: int) -> None:
        display = importlib.import_module("IPython.display")
        self._html, self._text, self._total = display.HTML, text, total
        self._shown = time.monotonic()
        self._handle = display.display(self._at(0), display_id=True)

    def update(self, _task: Any, *, completed: int) -> None:
        """Redraws the bar, a few times a second."""
        if time.monotonic() - self._shown >= EVERY:
            self._shown = time.monotonic()
            self._handle.update(self._at(completed))

    def stop(self) -> None:
        """Clears the bar."""
        self._handle.update(self._html(""))

    def _at(self, done: int) -> Any:
        words = f"{done} of {self._total} {escape(self._text)}"
        return self._html(f'<progress max="{self._total}" value="{done}"></progress> {words}')
