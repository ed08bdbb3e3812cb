"""``eqvproof export``: a certificate as a theorem of a proof assistant."""

from __future__ import annotations

import argparse
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from eqvproof.cli.files import require_writable, write_text
from eqvproof.cli.terminal import complain
from eqvproof.cli.verify import ACCEPTED, REJECTED, STATUS, tell, verified_data

if TYPE_CHECKING:
    from eqvproof.export.rocq.compile import Rocq


def run(arguments: argparse.Namespace) -> int:
    """The exit status of ``export``: 0 written, 1 rejected or not exported, 2 unreadable."""
    require_writable(output=arguments.output)
    found, data = verified_data(arguments.file)
    if found["outcome"] != "accepted" or data is None:
        tell(found)
        return STATUS[found["outcome"]]
    text, reason = exported(data)
    if text is None:
        complain(f"{arguments.file} is {reason}")
        return REJECTED
    write_text(arguments.output, text)
    return ACCEPTED


def exported(data: bytes) -> tuple[str | None, str]:
    """The file for Rocq of a certificate that the kernel accepts, or None and why there is none."""
    from eqvproof.errors import ExportError
    from eqvproof.export.rocq import rocq_text

    certificate: Any = json.loads(data)
    try:
        return rocq_text(certificate), ""
    except ExportError as error:
        return None, str(error)


def judged(data: bytes) -> str:
    """Why Rocq does not accept the theorem of a certificate; empty where it does."""
    text, reason = exported(data)
    if text is None:
        return f"not checked by Rocq: {reason}"
    found = _rocq().judge(text)
    return "" if found.accepted else f"Rocq does not accept the theorem: {found.reason}"


@cache
def _rocq() -> Rocq:
    """Rocq with the rules, which it compiles once."""
    from eqvproof.export.rocq.compile import Rocq

    return Rocq()
