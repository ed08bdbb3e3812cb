"""Certificates as JSON data: sealing, and asking the kernel. Reading and checking are the kernel's."""

from __future__ import annotations

from typing import Any

from eqvproof.engines.verdict import packing
from eqvproof.programs.sealing import seal

__all__ = ["recheck", "rejection", "seal", "seal_proof"]


def seal_proof(*, claim: Any, program: dict[str, Any], evidence: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a proof of equivariance; `Stored` numbers are written, or named by their digest."""
    read = {entry["node"] for entry in claim.get("readings", ())}
    whole = packing.written(program, packing.parameters(program, evidence, read))
    return seal("proof", claim=claim, program=whole, evidence=evidence)


def recheck(certificate: dict[str, Any]) -> str:
    """Why the kernel rejects a certificate, or "" where it accepts."""
    return rejection(certificate)[0]


def rejection(certificate: dict[str, Any]) -> tuple[str, bool]:
    """The same, and whether it rejects only because it does not undertake so much work."""
    from eqvproof.kernel import Unreadable, check_certificate

    try:
        report = check_certificate(certificate)
    except Unreadable as error:  # it is too long
        return str(error), True
    return "" if report.accepted else report.reason or "rejected", report.limited
