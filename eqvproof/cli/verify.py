"""``eqvproof verify``: certificates to the kernel, and nothing else; user code with ``--target`` only."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eqvproof.cli.terminal import complain, os_error

#: Bytes of the largest file that the kernel reads.
LARGEST = 4_000_000

ACCEPTED, REJECTED, UNREADABLE = 0, 1, 2


def run(arguments: argparse.Namespace) -> int:
    """The exit status of ``verify``: 0 all accepted, 1 some rejected, 2 some unreadable (or both)."""
    return max(verify_file(name, arguments.target) for name in arguments.files)


def verify_file(name: str, target: str | None = None) -> int:
    """Checks one file and prints what the kernel says; a target is compared with the Program accepted."""
    from eqvproof.kernel import Unreadable, check_certificate

    try:
        data = _read(name)
        report = check_certificate(data)
    except OSError as error:
        complain(f"{name} cannot be read: {error.strerror or os_error(error)}")
        return UNREADABLE
    except (Unreadable, _TooLarge) as error:
        return _unreadable(name, str(error))
    if not report.accepted:
        print(f"rejected  {name}: {report.reason}")
        return REJECTED
    if target is not None:
        from eqvproof.cli.replay import difference

        if reason := difference(data, target):
            print(f"rejected  {name}: {reason}")
            return REJECTED
    print(f"accepted  {name}: {report.grade}: {report.statement}")
    for assumption in report.rests_on:
        print(f"          rests on: {assumption}")
    if target is not None:
        print(f"          the Program is the one that {target} gives today")
    return ACCEPTED


class _TooLarge(Exception):
    """A file that is too large to be a certificate."""


def _read(name: str) -> bytes:
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _TooLarge(f"it is longer than {LARGEST} bytes")
    return data


def _unreadable(name: str, reason: str) -> int:
    complain(
        f"{name} is no certificate: {reason}\n"
        "  expected: a file of `eqvproof check --certificate` or `eqvproof review --certificates`"
    )
    return UNREADABLE
