"""Output files of commands: checked before the work starts, and written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import say, write_whole

STANDARD = "-"


def require_writable(**options: str | None) -> None:
    """Checks the files named by options before the work starts.

    Raises:
        EqvproofError: a folder is missing or not a folder, a file is a folder, or two options share
            ``-``.
    """
    given = {f"--{name}": path for name, path in options.items() if path is not None}
    on_standard = [name for name, path in given.items() if path == STANDARD]
    if len(on_standard) > 1:
        raise EqvproofError(
            f"{' and '.join(on_standard)} cannot both be standard output",
            given="'-' twice",
            expected="'-' at most once",
            hint="name a file for one of them",
            code="cli.output",
        )
    for name, path in given.items():
        if path != STANDARD:
            _require_writable(name, path)


def _require_writable(option: str, path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    problem, hint = "", "create the folder first, or name another file"
    over = next((p for p in Path(path).absolute().parents if p.exists()), None)
    if not path:
        problem, expected = "no file is named", "the name of a file, or '-'"
    elif os.path.isdir(path):
        problem, expected = "it is a folder", "a file, or '-' for standard output"
        hint = f"{option} {os.path.join(path, 'result.json')}"
    elif over is not None and not over.is_dir():
        problem, expected = f"{over.name} is a file, and not a folder", "a file in a folder"
        hint = f"{option} {os.path.basename(path)}"
    elif not os.path.isdir(folder):
        problem, expected = f"there is no folder {folder}", "a file in a folder that exists"
    elif not os.access(folder, os.W_OK):
        problem = f"the folder {folder} cannot be written to"
        expected = "a folder that can be written to"
    if problem:
        raise EqvproofError(
            f"{option} cannot be written: {problem}",
            given=f"{option} {path}",
            expected=expected,
            hint=hint,
            code="cli.output",
        )


def write_text(path: str, text: str) -> None:
    """Writes a file whole or not at all; ``-`` is standard output.

    Devices are written to directly.
    """
    if path == STANDARD:
        say(text, end="")
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    write_whole(target, text)


def make_folder(folder: str, option: str = "--certificates") -> None:
    """Creates the folder named by an option if it does not exist.

    Raises:
        EqvproofError: it cannot be created, or cannot be written to.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        problem = "" if os.access(folder, os.W_OK) else "it cannot be written to"
    except OSError as error:
        problem = error.strerror or str(error)
    if problem:
        raise EqvproofError(
            f"{option}: the folder cannot be used ({problem})",
            given=folder,
            expected="a folder, or a path at which one can be created",
            hint="name another folder",
            code="cli.output",
        )


def standard_is_taken(*paths: str | None) -> bool:
    """Checks whether one of the files is standard output."""
    return STANDARD in paths and sys.stdout is not None
