"""``eqvproof verify``: checks certificates with the kernel; user code with ``--target`` only."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from eqvproof.interface.cli.files import require_writable, standard_is_taken, write_text
from eqvproof.interface.cli.terminal import complain, os_error
from eqvproof.support.writing import in_line, say

#: Bytes of the largest file that the kernel reads.
LARGEST = 4_000_000

ACCEPTED, REJECTED, UNREADABLE = 0, 1, 2
STATUS = {"accepted": ACCEPTED, "rejected": REJECTED, "unreadable": UNREADABLE}


def run(arguments: argparse.Namespace) -> int:
    """Runs ``verify``; returns 0 if all are accepted, 1 if some are rejected, 2 if some unreadable.

    If some are rejected and others unreadable, the status is 2.
    """
    require_writable(json=arguments.json)
    quiet = standard_is_taken(arguments.json)
    found = []
    for result in verify_files(arguments.files, arguments.target, arguments.checker):
        found.append(result)
        if not quiet or found[-1]["outcome"] == "unreadable":
            print_result(found[-1])
    if arguments.json is not None:
        from eqvproof import __version__

        checked_by = {
            "eqvproof": __version__,
            "kernel": kernel_digest(),
            "python": platform.python_version(),
        }
        data = {"certificates": found, "checked_by": checked_by}
        write_text(arguments.json, json.dumps(data, indent=2) + "\n")
    return max(STATUS[f["outcome"]] for f in found)


def verify_files(
    names: Sequence[str], target: str | None, checker: str | None
) -> Iterator[dict[str, Any]]:
    """Checks files with the kernel, and those that it accepts with a second checker, once for all.

    Yields the result for each file and its assumptions as JSON data.

    Args:
        names: the files, and folders of files; ``-`` is standard input.
        target: a function ``pkg.mod:f`` that is compared with the accepted Programs.
        checker: a second checker: "rocq", or "verified", the checker extracted from it.
    """
    results = (verify_file(file, target) for name in names for file in certificate_files(name))
    if checker is None:
        for found, _ in results:
            yield found
        return
    from eqvproof.interface.cli.rocq import check_by_rocq

    checked = [(found, data if found["outcome"] == "accepted" else None) for found, data in results]
    answers = iter(check_by_rocq([data for _, data in checked if data is not None], checker))
    for found, data in checked:
        if data is None:
            yield found
            continue
        reason, theorem = next(answers)
        if reason:
            yield {"file": found["file"], "outcome": "rejected", "reason": reason}
        else:
            yield found | {"checked_by": checker, "theorem": theorem}


def certificate_files(name: str) -> list[str]:
    """Returns the files that a name stands for: of a folder, those whose names end in ``.json``."""
    if not os.path.isdir(name):
        return [name]
    return sorted(str(path) for path in Path(name).glob("*.json")) or [name]


def verify_file(name: str, target: str | None = None) -> tuple[dict[str, Any], bytes | None]:
    """Checks one file with the kernel.

    Returns the result and its assumptions as JSON data, and the content if it could be read.
    """
    from eqvproof.kernel import Unreadable, check_certificate

    found: dict[str, Any] = {"file": name, "outcome": "unreadable"}
    if os.path.isdir(name):
        return {**found, "reason": f"{name} is a folder without certificates (*.json)"}, None
    try:
        data = _read_file(name)
        report = check_certificate(data)
    except OSError as error:
        found["reason"] = f"{name} cannot be read: {error.strerror or os_error(error)}"
        return found, None
    except (Unreadable, _TooLarge) as error:
        reason = f"{name} is not a certificate: {error}"
        if isinstance(error, Unreadable) and _is_verdict(data):
            reason = (
                f"{name} is a verdict, as --json writes it, and not a certificate; write one by"
            )
            reason += " --certificate FILE"
        return {**found, "reason": reason}, None
    found["outcome"] = "rejected"
    if not report.accepted:
        found["reason"] = report.reason
        if report.limited:
            found["reason"] = f"not checked: {report.reason}"
        return found, data
    if target is not None:
        from eqvproof.interface.cli.program_difference import program_difference

        if reason := program_difference(data, target):
            return {**found, "reason": reason}, data
    found |= {
        "outcome": "accepted",
        "grade": report.grade,
        "statement": report.statement,
        "rests_on": list(report.rests_on),
        "digests": digests(data),
    }
    if target is not None:
        found["target"] = target
    return found, data


def digests(data: bytes) -> dict[str, str]:
    """Returns the SHA-256 of an accepted certificate, of its claim and of its programs.

    They are those of JSON in canonical form.
    """
    from eqvproof.kernel.text import digest

    parts = json.loads(data)
    found = {"certificate": parts["digest"]}
    return found | {
        name: digest(parts[name])
        for name in ("claim", "program", "forms", "other")
        if name in parts
    }


def kernel_digest() -> str:
    """Returns the SHA-256 over the names and contents of the kernel's files.

    It identifies the checker.
    """
    import eqvproof.kernel

    whole = hashlib.sha256()
    folder = Path(eqvproof.kernel.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        name = file.relative_to(folder).as_posix()
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{name} {digest}\n".encode())
    return "sha256:" + whole.hexdigest()


def print_result(found: dict[str, Any]) -> None:
    """Prints the result of one file."""
    if found["outcome"] == "unreadable":
        complain(
            f"{in_line(found['reason'])}\n  given: {in_line(found['file'])}\n"
            "  expected: a file of `eqvproof check --certificate` or `eqvproof review"
            " --certificates`\n"
            "  try: eqvproof check pkg.mod:f 'X: d n -> d n' --under 'O(d)' --certificate f.json"
        )
        return
    if found["outcome"] == "rejected":
        say(f"rejected  {in_line(found['file'])}: {in_line(found['reason'])}")
        return
    say(f"accepted  {in_line(found['file'])}: {found['grade']}: {in_line(found['statement'])}")
    for assumption in found["rests_on"]:
        say(f"          rests on: {in_line(assumption)}")
    say(f"          certificate: {found['digests']['certificate']}")
    if "checked_by" in found:
        from eqvproof.interface.cli.rocq import CHECKERS

        say(f"          accepted by {CHECKERS[found['checked_by']]}: {in_line(found['theorem'])}")
    if "target" in found:
        say(f"          the Program is that of {in_line(found['target'])}")


def _is_verdict(data: bytes) -> bool:
    """Checks whether a text is the JSON form of a verdict."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {"outcome", "grade", "target"} <= found.keys()


class _TooLarge(Exception):
    """A file that is too large to be a certificate."""


def _read_file(name: str) -> bytes:
    """Reads the bytes of a regular file.

    Raises:
        OSError: it cannot be read, or is not a regular file: reading from a device, or a pipe that
            nobody writes to, might never end.
    """
    if name == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(name, flags), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(
                    f"it is {_file_kind(mode)} and not a regular file ('-' is standard input)"
                )
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _TooLarge(f"it is longer than {LARGEST} bytes")
    return data


def _file_kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a device or a socket"
