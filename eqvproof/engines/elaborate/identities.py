"""Kinds of proofs that rest on identities which the kernel computes, and are not said in forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eqvproof.support.errors import ExportError

FLIPS, FORMS, SIGNS = (
    "a proof under sign flips by normal forms",
    "a proof under translations by normal forms",
    "a proof that the signs of eigenvectors do not matter",
)
#: Kinds of proofs that are not said in forms, and why.
NOT_IN_FORMS = {
    FORMS: "it is one identity between two programs, which the kernel shows by computation: both"
    " have one normal form; the checkers in Rocq follow types and have no normal forms",
    FLIPS: "some of its lines are such identities, between a value at flipped arguments and the"
    " flipped value",
    SIGNS: "its values depend on a choice of eigenvectors, and programs in forms have no choices;"
    " the lemmas about these are in `rocq/Eigenvectors.v`",
}


def require_no_identities(proofs: Sequence[Mapping[str, Any]], evidence: Mapping[str, Any]) -> None:
    """Checks that a proof is one by types alone.

    Raises:
        ExportError: it is of one of the kinds of `NOT_IN_FORMS`.
    """
    found = {
        FORMS: any("forms" in proof for proof in proofs),
        FLIPS: any("shown" in proof for proof in proofs),
        SIGNS: "signs" in evidence,
    }
    for kind, is_found in found.items():
        if is_found:
            raise ExportError.of(kind, "proofs by types")
