"""Programs run in a copy of this process, which has imported the package: a new one takes longer."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn

from eqvproof.api import check
from eqvproof.interface.cli import supervised
from eqvproof.papers.statements import isolated


@dataclass(frozen=True, slots=True)
class Done:
    """The exit status of a process, and what it has printed."""

    status: int
    out: str
    err: str


def command(
    folder: Path, *arguments: str | Path, input: str | None = None, **environment: str
) -> Done:
    """Runs the command line in a folder, as ``python -m eqvproof`` does, in copies of this process."""
    process = started_command(folder, *arguments, stdin=subprocess.PIPE, **PIPES, **environment)
    return _done(process, input)


def started_command(
    folder: Path,
    *arguments: str | Path,
    stdin: Any = None,
    stdout: Any = subprocess.DEVNULL,
    stderr: Any = subprocess.DEVNULL,
    **environment: str,
) -> subprocess.Popen[str]:
    """Starts the command line in a folder; what it starts are copies of this process too."""

    def run() -> int:
        from eqvproof.interface.cli import main

        assert supervised.start_module is isolated.start_module
        for starting in (supervised, isolated):
            starting.start_module = started_module  # type: ignore[attr-defined]
        return main()

    argv = ["eqvproof", *map(str, arguments)]
    return _copy(run, argv, environment, cwd=folder, stdin=stdin, stdout=stdout, stderr=stderr)


def forked(work: Callable[[], int], folder: Path, **environment: str) -> Done:
    """Runs work in a folder, as a program there would, and returns its status and output."""
    process = _copy(work, [""], environment, cwd=folder, stdin=subprocess.DEVNULL, **PIPES)
    return _done(process, None)


PIPES: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def _done(process: subprocess.Popen[str], input: str | None) -> Done:
    out, err = process.communicate(input, timeout=300)
    return Done(process.returncode, out, err)


def started_module(module: str, **streams: Any) -> subprocess.Popen[str]:
    """Starts a copy that runs a module of the package, in place of `child_process.start_module`."""
    main = importlib.import_module(module).main
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **streams}
    return _copy(main, [module], {}, errors="replace", start_new_session=True, **streams)


def _copy(
    work: Callable[[], int], argv: Sequence[str], environment: Mapping[str, str], **options: Any
) -> subprocess.Popen[str]:
    """Starts a copy of this process that ends with the status of some work.

    What ``Popen`` calls between the fork and the start of a program does not return here.
    """
    _import_engines()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this process has threads
        return subprocess.Popen(
            [sys.executable], preexec_fn=partial(_run, work, argv, environment),
            encoding="utf-8", **options,
        )  # fmt: skip


@cache
def _import_engines() -> None:
    """Imports what judging imports when it is needed, once, so that no copy does."""
    for function in (lambda X: 2 * X, lambda X: X * X[0]):
        check(function, "X: n -> n", "S(n)").certificate


def _run(work: Callable[[], int], argv: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    status = 70
    try:
        os.closerange(3, 4096)
        sys.stdin = sys.__stdin__ = _opened(0, "r")
        sys.stdout = sys.__stdout__ = _opened(1, "w")
        sys.stderr = sys.__stderr__ = _opened(2, "w")
        sys.argv[:] = argv
        os.environ.update(environment)
        sys.path.insert(0, os.getcwd())
        _default_warnings()
        status = work()
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(status)


def _opened(descriptor: int, mode: str) -> io.TextIOWrapper:
    """Opens a stream as Python does when it starts: lines of errors are printed at once."""
    stream: Any = open(descriptor, mode, encoding="utf-8", closefd=False)
    if descriptor == 2:
        stream.reconfigure(errors="backslashreplace", line_buffering=True)
    return stream


def _default_warnings() -> None:
    """Shows the warnings that Python shows by default."""
    warnings.resetwarnings()
    for category in (ResourceWarning, ImportWarning, PendingDeprecationWarning, DeprecationWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
