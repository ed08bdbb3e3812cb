"""Streams: one paragraph for errors, no ANSI codes in pipes, progress on terminals only."""

from __future__ import annotations

import ast
import io
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import IO, Any

from eqvproof.support.errors import EqvproofError, error_text
from eqvproof.support.progress import claimed_line
from eqvproof.support.progress_lines import CLEAR_LINE
from eqvproof.support.writing import in_line, say

#: Status of a command whose reader went away, as a shell reports it (128 + SIGPIPE).
BROKEN_PIPE = 141
#: Status of a command that was interrupted from the keyboard (128 + SIGINT).
INTERRUPTED = 130
#: Largest number of lines of output of the user's code that are shown, and of characters of each.
MOST_LINES, LONGEST = 100, 1000


def complain(text: str) -> None:
    """Prints one paragraph on the error stream."""
    say(f"eqvproof: {text}", sys.stderr)


def run_cleanly(command: Callable[[], int]) -> int:
    """Runs a command and returns its status; an exception becomes one paragraph and a status.

    The status of an exception is 2, 130 or 141, which is no result of a command.
    """
    for stream in (sys.stdout, sys.stderr):
        # A stream that cannot print a character prints its code instead of failing.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return command()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # Python would report the error again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        complain("interrupted; nothing was decided")
        return INTERRUPTED
    except EqvproofError as error:
        complain(with_options(error.paragraph()))
        return 2
    except OSError as error:
        complain(os_error(error))
        return 2
    except Exception as error:
        if os.environ.get("EQVPROOF_TRACEBACK"):
            raise
        complain(
            f"a defect of eqvproof itself, not of your input: {error_text(error)}\n"
            "  try: report it, with the output under EQVPROOF_TRACEBACK=1 in the environment"
        )
        return 2


def with_options(text: str) -> str:
    """Returns a text in which arguments of calls are written as options of the command line."""

    def size_options(found: re.Match[str]) -> str:
        try:
            sizes = ast.literal_eval(found[1])
            return " ".join(f"--size {axis}={_size_text(size)}" for axis, size in sizes.items())
        except (ValueError, SyntaxError, TypeError, AttributeError):
            return found[0]

    text = re.sub(r"\bsizes=(\{[^{}]*\})", size_options, text)
    return re.sub(r"\bbackend='(\w+)'", r"--backend \1", text)


def _size_text(size: object) -> str:
    if isinstance(size, tuple):
        low, high = size
        return f"{low}:{'' if high is None else high}"
    return str(size)


def os_error(error: OSError) -> str:
    """Returns the system's message for an error, without Python's error numbers."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{in_line(str(error.filename))}: {reason}"
    return reason


def is_terminal(stream: IO[str] | None) -> bool:
    """Checks whether the stream is a terminal that understands control codes."""
    return (
        stream is not None
        and not stream.closed
        and stream.isatty()
        and os.environ.get("TERM", "") != "dumb"
    )


class PrintOnce(io.TextIOBase):
    """A stream that prints the output of the user's code to the error stream, each line once.

    The code is called many times, and would repeat its output.
    """

    encoding = "utf-8"

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._partial_line = ""
        self._hidden_lines = 0

    def write(self, text: str) -> int:
        """Prints the complete lines that have not been printed."""
        *lines, self._partial_line = (self._partial_line + text).split("\n")
        for line in lines:
            shown = line[:LONGEST]
            if os.environ.get("EQVPROOF_TRACEBACK") or (
                shown not in self._seen and len(self._seen) < MOST_LINES
            ):
                self._seen.add(shown)
                if is_terminal(sys.stderr):
                    shown = CLEAR_LINE + shown
                say(shown, sys.stderr)
            elif shown not in self._seen:
                self._hidden_lines += 1
        return len(text)

    @property
    def buffer(self) -> Any:
        """The buffer of the error stream."""
        return sys.stderr.buffer

    def fileno(self) -> int:
        """Returns the descriptor of the error stream."""
        return sys.stderr.fileno()

    def close(self) -> None:
        """Prints the rest, and the number of lines that were not shown."""
        if not self.closed:
            if self._partial_line:
                self.write("\n")
            if self._hidden_lines:
                say(f"({self._hidden_lines} more lines of the target's output)", sys.stderr)
        super().close()


def relay(stream: IO[str]) -> None:
    """Prints the lines of another process's stream, each once."""
    with PrintOnce() as once:
        for line in stream:
            once.write(line)


class Progress:
    """A progress line on the error stream: the current work and its seconds.

    It appears on terminals only, after `delay` seconds.
    """

    def __init__(self, text: str, *, delay: float = 1.0) -> None:
        self.text = text
        self._delay = delay
        self._stop = threading.Event()
        self._shown = False
        self._thread: threading.Thread | None = None
        self._claim = claimed_line(text)

    def __enter__(self) -> Progress:
        self._claim.__enter__()
        if is_terminal(sys.stderr):
            self._thread = threading.Thread(target=self._tick, args=(sys.stderr,), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._claim.__exit__(None, None, None)

    def _tick(self, stream: IO[str]) -> None:
        started = time.monotonic()
        wait = self._delay
        while not self._stop.wait(wait):
            seconds = f"{time.monotonic() - started:.0f} s"
            stream.write(f"{CLEAR_LINE}{in_line(self.text)}  {seconds}")
            stream.flush()
            self._shown, wait = True, 0.25
        if self._shown:
            stream.write(CLEAR_LINE)
            stream.flush()
