"""Shows how long a call has taken, on a terminal or in a notebook, after a second.

Nothing is shown in a pipe, in other threads than the main one, or with EQVPROOF_PROGRESS=0. On a
terminal the line is drawn between two instructions of the main thread, when the timer of deadlines
ticks: another thread would change what a function can see. A notebook has other threads anyway.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

#: The lines that are open: only the first is drawn.
_open: list[str] = []


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
            from eqvproof.support.progress_lines import drawn_line

            line = drawn_line(text, in_notebook=is_notebook())
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
