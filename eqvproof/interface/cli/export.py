"""``eqvproof export``: a certificate as a theorem of a proof assistant."""

from __future__ import annotations

import argparse
import json

from eqvproof.interface.cli.files import require_writable, write_text
from eqvproof.interface.cli.rocq import export_text
from eqvproof.interface.cli.terminal import complain
from eqvproof.interface.cli.verify import ACCEPTED, REJECTED, STATUS, print_result, verify_file


def run(arguments: argparse.Namespace) -> int:
    """Runs ``export``; returns 0 if written, 1 if rejected or not exported, 2 if unreadable."""
    require_writable(output=arguments.output)
    found, data = verify_file(arguments.file)
    if found["outcome"] != "accepted" or data is None:
        print_result(found)
        return STATUS[found["outcome"]]
    text, reason = export_text(json.loads(data))
    if text is None:
        complain(f"{arguments.file} is {reason}")
        return REJECTED
    write_text(arguments.output, text)
    return ACCEPTED
