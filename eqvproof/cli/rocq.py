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


def judged(data: bytes) -> tuple[str, str]:
    """Why Rocq does not accept the theorem of a certificate, or "" and what it says."""
    from eqvproof.export.rocq import theorem

    text, reason = exported(data)
    if text is None:
        return f"not checked by Rocq: {reason}", ""
    found = _rocq().judge(text)
    if not found.accepted:
        return f"Rocq does not accept the theorem: {found.reason}", ""
    return "", theorem(json.loads(data))


@cache
def _rocq() -> Rocq:
    """Rocq with the checker, which it compiles once."""
    from eqvproof.export.rocq.compile import Rocq

    return Rocq()
