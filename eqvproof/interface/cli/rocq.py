"""Rocq, and the checker extracted from it, as second checkers after the kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eqvproof.rocq.compile import Extracted, Rocq


#: Descriptions of the checkers.
CHECKERS = {
    "rocq": "Rocq, without axioms",
    "verified": "the checker that Rocq proves sound and extracts",
}


def export_text(certificate: Any) -> tuple[str | None, str]:
    """Exports an accepted certificate to Rocq; returns the text and "", or None and the reason."""
    from eqvproof.rocq import rocq_text
    from eqvproof.support.errors import ExportError

    try:
        return rocq_text(certificate), ""
    except ExportError as error:
        return None, str(error)


def check_by_rocq(contents: Sequence[bytes], checker: str) -> list[tuple[str, str]]:
    """Checks certificates with Rocq or the checker extracted from it; lists (reason, theorem).

    For an accepted one the reason is "" and the theorem is stated; otherwise the theorem is "".
    """
    from eqvproof.rocq import theorem

    certificates = [json.loads(content) for content in contents]
    exported = [export_text(certificate) for certificate in certificates]
    covered = [c for c, (text, _) in zip(certificates, exported, strict=True) if text is not None]
    if checker == "verified":
        answers = iter(_refusals_extracted(covered))
    else:
        answers = iter(_refusals(covered))
    found = []
    for certificate, (text, why) in zip(certificates, exported, strict=True):
        if text is None:
            reason = f"not checked by Rocq: {why}"
        else:
            reason = next(answers)
        found.append((reason, "" if reason else theorem(certificate)))
    return found


def _refusals_extracted(certificates: Sequence[Any]) -> list[str]:
    """Lists why the extracted checker does not accept certificates; "" where it does."""
    found = _extracted().accepts(certificates)
    reason = "the verified checker does not accept the types or shapes of the lines"
    return ["" if accepted else reason for accepted in found]


def _refusals(certificates: Sequence[Any]) -> list[str]:
    """Lists why Rocq does not accept the theorems of certificates; "" where it does.

    Rocq reads one file about all of them. If it does not accept that, it is asked about each half.
    """
    if not certificates:
        return []
    from eqvproof.rocq import rocq_file

    found = _rocq().check_file(rocq_file(certificates))
    if found.accepted:
        return [""] * len(certificates)
    if len(certificates) == 1:
        return [f"Rocq does not accept the theorem: {found.reason}"]
    half = len(certificates) // 2
    return _refusals(certificates[:half]) + _refusals(certificates[half:])


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
