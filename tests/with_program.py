"""Proofs by types of the nodes of a Program, from which the certificates in forms are written."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import eqvproof as ep
from eqvproof.engines import certify
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.programs.sealing import seal


def proof_with_program(*claim: Any, **options: Any) -> Any:
    """The claim, the Program and the types of the nodes of a proved claim."""
    real, found = certify._certify_in_forms, list[Any]()

    def kept(by_nodes: Any, *rest: Any) -> Any:
        found.append(by_nodes)
        return real(by_nodes, *rest)

    in_this_process = patch("eqvproof.engines.guards._may_leave", lambda _: False)
    with patch("eqvproof.engines.certify._certify_in_forms", kept), in_this_process:
        verdict = ep.check(*claim, **options)
    assert verdict.grade == "PROVED", str(verdict)
    return found[-1]


def sealed_proof(claim: Any, program: Any, evidence: Any) -> Any:
    """The certificate of a proof by types of the nodes of a Program, in forms."""
    return seal("proof", **elaborate({"claim": claim, "program": program, "evidence": evidence})[1])
