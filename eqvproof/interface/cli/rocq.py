"""Rocq, and the checker extracted from it, as second checkers after the kernel."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eqvproof.rocq.compile import Extracted, Rocq


#: Descriptions of the checkers.
CHECKERS = {
    "rocq": "Rocq, without axioms",
    "verified": "the checker that Rocq proves sound and extracts",
}


def export_text(data: bytes) -> tuple[str | None, str]:
    """Exports an accepted certificate to Rocq; returns the text and "", or None and the reason."""
    from eqvproof.rocq import rocq_text
    from eqvproof.support.errors import ExportError

    certificate: Any = json.loads(data)
    try:
        return rocq_text(certificate), ""
    except ExportError as error:
        return None, str(error)


def check_by_rocq(data: bytes, checker: str) -> tuple[str, str]:
    """Checks a certificate with Rocq or the checker extracted from it; returns (reason, theorem).

    If it is accepted, the reason is "" and the theorem is stated; otherwise the theorem is "".
    """
    from eqvproof.rocq import theorem

    text, reason = export_text(data)
    if text is None:
        return f"not checked by Rocq: {reason}", ""
    certificate: Any = json.loads(data)
    if checker == "verified":
        if not _extracted().accepts([certificate])[0]:
            return "the verified checker does not accept the types or shapes of the lines", ""
    else:
        found = _rocq().check_file(text)
        if not found.accepted:
            return f"Rocq does not accept the theorem: {found.reason}", ""
    return "", theorem(certificate)


@cache
def _rocq() -> Rocq:
    """Returns Rocq with the checker, which it compiles once."""
    from eqvproof.rocq.compile import Rocq

    return Rocq()


@cache
def _extracted() -> Extracted:
    """Returns the extracted checker, which is compiled once."""
    from eqvproof.rocq.compile import Extracted

    return Extracted()
