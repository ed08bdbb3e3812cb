"""Work in a copy of this process, which has imported the package: starting another takes longer."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Done:
    """The exit status of a process, and what it has printed."""

    status: int
    text: str


def forked(work: Callable[[], int], folder: Path, **environment: str) -> Done:
    """Runs work in a folder, as a program there would, and returns its status and output."""
    with tempfile.TemporaryFile() as printed:
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that this process has threads
            child = os.fork()
        if child == 0:
            _run(work, folder, printed.fileno(), environment)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        printed.seek(0)
        return Done(status, printed.read().decode())


def _run(
    work: Callable[[], int], folder: Path, output: int, environment: dict[str, str]
) -> None:
    status = 70
    try:
        for stream in (1, 2):
            os.dup2(output, stream)
        sys.stdin = open(os.devnull, encoding="utf-8")
        sys.stdout = sys.stderr = os.fdopen(output, "w", encoding="utf-8", closefd=False)
        os.chdir(folder)
        os.environ.update(environment)
        sys.path.insert(0, str(folder))
        warnings.resetwarnings()
        status = work()
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    finally:
        sys.stdout.flush()
        os._exit(status)
