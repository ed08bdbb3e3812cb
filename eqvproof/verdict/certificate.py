"""Certificates as JSON data: sealing, and asking the kernel. Reading and checking are the kernel's."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from eqvproof.verdict import packing

FORMAT = "eqvproof-certificate"
VERSION = 1


def canonical_json(data: Any) -> str:
    """JSON text that depends on the data alone."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def seal(kind: str, **parts: Any) -> dict[str, Any]:
    """A certificate of a kind, with the digest of its content.

    The digest guards against accidents only; the kernel re-checks the content itself.
    """
    body: dict[str, Any] = {"format": FORMAT, "version": VERSION, "kind": kind, **parts}
    return {**body, "digest": digest(body)}


def seal_proof(*, claim: Any, program: dict[str, Any], evidence: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a proof of equivariance; `Stored` numbers are written, or named by their digest."""
    whole = packing.written(program, packing.parameters(program, evidence))
    return seal("proof", claim=claim, program=whole, evidence=evidence)


def digest(body: dict[str, Any]) -> str:
    """The digest of a certificate without its digest."""
    content = {k: v for k, v in body.items() if k != "digest"}
    return "sha256:" + hashlib.sha256(canonical_json(content).encode("ascii")).hexdigest()


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
