"""Processes that run a module of this package, each in a session of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from eqvproof.support import PACKAGE


def start_module(module: str, **streams: Any) -> subprocess.Popen[str]:
    """Starts a process in a session of its own that runs a module of this package."""
    paths = [str(Path(PACKAGE).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        encoding="utf-8", errors="replace", start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, **streams,
    )  # fmt: skip


def end_process(process: subprocess.Popen[str]) -> None:
    """Ends a process that leads a session of its own, and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
