"""Rocq, and the checker extracted from it, as a second checker of certificates that the kernel accepts."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eqvproof.rocq.compile import Extracted, Rocq


#: What accepted a certificate, in words.
CHECKERS = {
    "rocq": "Rocq, with no axioms",
    "verified": "the checker that Rocq proves sound and extracts",
}


def exported(data: bytes) -> tuple[str | None, str]:
    """The file for Rocq of a certificate that the kernel accepts, or None and why there is none."""
    from eqvproof.rocq import rocq_text
    from eqvproof.support.errors import ExportError

    certificate: Any = json.loads(data)
    try:
        return rocq_text(certificate), ""
    except ExportError as error:
        return None, str(error)


def judged(data: bytes, checker: str) -> tuple[str, str]:
    """Why Rocq, or the checker extracted from it, does not accept a certificate, or "" and what that says."""
    from eqvproof.rocq import theorem

    text, reason = exported(data)
    if text is None:
        return f"not checked by Rocq: {reason}", ""
    certificate: Any = json.loads(data)
    if checker == "verified":
        accepted = _extracted().accepts([certificate])[0]
        reason = "" if accepted else "the verified checker does not accept the types of the lines"
    else:
        found = _rocq().judge(text)
        reason = "" if found.accepted else f"Rocq does not accept the theorem: {found.reason}"
    return (reason, "") if reason else ("", theorem(certificate))


@cache
def _rocq() -> Rocq:
    """Rocq with the checker, which it compiles once."""
    from eqvproof.rocq.compile import Rocq

    return Rocq()


@cache
def _extracted() -> Extracted:
    """The extracted checker, which is compiled once."""
    from eqvproof.rocq.compile import Extracted

    return Extracted()
