"""Rocq as a second checker of certificates that the kernel accepts."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eqvproof.export.rocq.compile import Rocq


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
