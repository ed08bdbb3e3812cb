"""Command line of the kernel: ``python -I -S <this folder> certificate.json ...``.

Exit status 0: all accepted; 1: some rejected; 2: some unreadable, or no file given.
"""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
from pathlib import Path
from types import ModuleType

NAME = "eqvproof_kernel"
#: Length limit of certificates, in bytes; one byte more than that is read of a file.
MOST_BYTES = 4_000_000


def load() -> ModuleType:
    """Loads this folder as a package, whatever its name and location."""
    folder = Path(__file__).resolve().parent
    sys.dont_write_bytecode = True
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != folder]
    spec = importlib.util.spec_from_file_location(
        NAME, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package in {folder}")
    module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_certificate(name: str) -> bytes:
    """Reads a regular file, up to one byte more than a certificate may have."""
    descriptor = os.open(
        name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return file.read(MOST_BYTES + 1)


def main(names: list[str]) -> int:
    """Checks the given files, prints one outcome each, and returns the exit status.

    The exit status is 2 when no files are given.
    """
    kernel = load()
    status = 0 if names else 2
    if not names:
        print("usage: python -I -S <folder of the kernel> certificate.json [...]", file=sys.stderr)
    for name in names:
        shown = name.encode("ascii", "backslashreplace").decode("ascii")
        try:
            report = kernel.check_certificate(read_certificate(name))
        except (OSError, ValueError, kernel.Unreadable) as error:
            print(f"unreadable  {shown}: {str(error)!a}", file=sys.stderr)
            status = 2
            continue
        if report.accepted is True:
            print(f"accepted  {shown}: {report.grade}: {report.statement}")
            for assumption in report.rests_on:
                print(f"          rests on: {assumption}")
        else:
            print(f"rejected  {shown}: {report.reason}")
            status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
