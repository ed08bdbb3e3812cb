"""The command line: ``eqvproof review``, ``eqvproof check``, ``eqvproof verify``.

The exit status is the result, so nothing else may set it by accident: an exception that would end
Python with status 1 (which means FAILS, or rejected) becomes one paragraph on the error stream and
status 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (``sys.argv[1:]`` by default) and returns the exit status."""
    from eqvproof.interface.cli.parser import build_parser
    from eqvproof.interface.cli.terminal import run_cleanly

    def command() -> int:
        arguments = build_parser().parse_args(argv)
        status: int = import_module(f"eqvproof.interface.cli.{arguments.command}").run(arguments)
        return status

    return run_cleanly(command)
