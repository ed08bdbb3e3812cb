"""Certificates as JSON data: sealing them, and checking them with the kernel."""

from __future__ import annotations

from typing import Any

from eqvproof.engines.verdict import packing
from eqvproof.programs.sealing import seal

__all__ = ["proof_by_nodes", "recheck", "rejection", "seal"]


def proof_by_nodes(
    *, claim: Any, program: dict[str, Any], evidence: dict[str, Any]
) -> dict[str, Any]:
    """Returns a proof by types of the nodes of a Program as data, for `elaborate`.

    `Stored` numbers are written out, or replaced by their digest if only their shapes matter.
    """
    read = {entry["node"] for entry in claim.get("readings", ())}
    whole = packing.write_numbers(program, packing.free_parameters(program, evidence, read))
    return {"claim": claim, "program": whole, "evidence": evidence}


def recheck(certificate: dict[str, Any]) -> str:
    """Returns the reason why the kernel rejects a certificate; "" if it accepts."""
    return rejection(certificate)[0]


def rejection(certificate: dict[str, Any]) -> tuple[str, bool]:
    """Returns the kernel's reason to reject a certificate, and whether that is a limit of work.

    The reason is "" if the kernel accepts.
    """
    from eqvproof.kernel import Unreadable, check_certificate

    try:
        report = check_certificate(certificate)
    except Unreadable as error:  # it is too long
        return str(error), True
    if report.accepted:
        return "", report.limited
    return report.reason or "rejected", report.limited
