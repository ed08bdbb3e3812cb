"""Certificates of proofs as theorems of Rocq (Coq), over the rules in ``rocq/Rules.v``.

The statement (`claim`, `function`, `naming`) is written from the Program and the claim alone; the proof
(`proof`, `rules`) from the types and lines that the certificate gives. Rocq judges whether the second proves
the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from eqvproof.export.rocq.claim import matrix_claim, statement
from eqvproof.export.rocq.naming import words_of
from eqvproof.export.rocq.proof import proof
from eqvproof.export.rocq.source import read

__all__ = ["rocq_text"]


def rocq_text(certificate: Mapping[str, Any] | None) -> str:
    """The file for a certificate: the function, the claim, the proof.

    Raises:
        ExportError: an operation, a group or an act is not covered; it is named. Or there is no certificate.
    """
    certificate = certificate or {}
    words = words_of(read(certificate))
    theorems = ["equivariant"] + (["equivariant_in_matrices"] if matrix_claim(words) else [])
    asked = "".join(f"Print Assumptions {name}.\n" for name in theorems)
    return f"{_heading(certificate)}{statement(words)}\n{proof(words)}End Claim.\n\n{asked}"


def _heading(certificate: Mapping[str, Any]) -> str:
    digest = str(certificate.get("digest", ""))
    sealed = re.fullmatch(r"sha256:[0-9a-f]{64}", digest)
    origin = f"the certificate {digest}" if sealed else "a certificate"
    return (
        f"(* Written by eqvproof from {origin}.\n"
        "   The function and the claim are written from the Program alone, the proof from the lines given.\n"
        "   Functions are total here: 1/0, the root of a negative number, ... have some value. *)\n\n"
    )
