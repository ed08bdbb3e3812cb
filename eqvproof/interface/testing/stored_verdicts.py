"""Verdicts of earlier runs, used again after re-checking their certificates.

A certificate ``NAME.json`` has a record ``NAME.record`` with the fingerprint of the function and
the verdict. A record is used only if the fingerprint (the function is the same to the character)
and the claim are equal and the kernel accepts the certificate.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from eqvproof.api import verify
from eqvproof.engines.verdict import Verdict
from eqvproof.interface.testing.claims import DeclaredClaim
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import write_whole
from eqvproof.tracing.observing.fingerprint import same

FORMAT = "eqvproof-record"
LARGEST = 64 * 2**20
#: The text of an option whose dependencies are unknown: its claim's verdict is not used again.
UNKNOWN = "\x1funknown\x1f"
_RATIONAL = re.compile(r"-?\d+(/\d+)?")


def record_name(name: str, claim: DeclaredClaim) -> str:
    """Returns a file name, without its ending, that is unique to a function and a claim."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.") or "claim"
    key = f"{name}\x1f{claim.signature}\x1f{_under(claim)}\x1f{_options(claim)}"
    return f"{plain[:80]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def read_record(
    folder: Path, name: str, claim: DeclaredClaim, f: Callable[..., Any]
) -> Verdict | None:
    """Returns an earlier verdict on the same function, its certificate re-checked, or None."""
    record, certificate = _read_json(folder / f"{name}.record"), _read_json(folder / f"{name}.json")
    if record is None or certificate is None or UNKNOWN in _options(claim):
        return None
    expected = {"format": FORMAT, "digest": certificate.get("digest"), **_claim(claim)}
    if any(record.get(key) != value for key, value in expected.items()):
        return None
    if not same(f, str(record.get("fingerprint"))):
        return None
    try:
        report = verify(certificate)
        verdict = _verdict(record["verdict"], certificate)
    except (EqvproofError, KeyError, TypeError, ValueError, AttributeError):
        return None
    if report.accepted and report.grade == verdict.grade:
        return verdict
    return None


def write_record(
    folder: Path, name: str, claim: DeclaredClaim, fingerprint: str | None, verdict: Verdict
) -> None:
    """Stores a certificate and its record; stores nothing if the verdict has no certificate.

    Files are written completely or not at all, so that several processes may share the folder.
    """
    if verdict.certificate is None:
        return
    from eqvproof.papers.report import json_text

    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.json", json_text(verdict.certificate))
    if fingerprint is not None and UNKNOWN not in _options(claim):
        record = {
            "format": FORMAT,
            "fingerprint": fingerprint,
            **_claim(claim),
            "digest": verdict.certificate.get("digest"),
            "verdict": verdict.to_json(),
        }
        write_whole(folder / f"{name}.record", json_text(record))


def _claim(claim: DeclaredClaim) -> dict[str, Any]:
    return {"signature": claim.signature, "under": _under(claim), "options": _options(claim)}


def _under(claim: DeclaredClaim) -> str:
    """Returns the group as text; a group object by its full representation."""
    if isinstance(claim.under, str):
        return claim.under
    return repr(claim.under)


def _options(claim: DeclaredClaim) -> str:
    texts = [
        f"{key}={_option_text(claim.options[key])}"
        for key in sorted(claim.options)
        if key != "budget"
    ]
    return ", ".join(["invariant"] * claim.invariant + texts)


def _option_text(value: object) -> str:
    """Returns the text of an option with everything it contains; UNKNOWN if it cannot be read."""
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(_option_text(v) for v in value)})"
    if isinstance(value, dict):
        return (
            f"dict({', '.join(f'{_option_text(k)}: {_option_text(v)}' for k, v in value.items())})"
        )
    from eqvproof.papers.statements.checkpoint import claim_text  # slow, and seldom needed

    return claim_text(value) or UNKNOWN


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if isinstance(data, dict):
        return data
    return None


def _verdict(data: Mapping[str, Any], certificate: dict[str, Any]) -> Verdict:
    note = "the certificate of an earlier run was re-checked; the function is the same"
    return Verdict.from_json({**data, "notes": (*data["notes"], note), "certificate": certificate})
