"""Verdicts and counterexamples as data and in words; certificates, sealed and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.engines.verdict.verdict import (
    FAILS_GRADES,
    HOLDS_GRADES,
    Grade,
    NearestVerdict,
    Outcome,
    Verdict,
)
from eqvproof.support.lazy import loader, modules_of

if TYPE_CHECKING:
    from eqvproof.engines.verdict.certificate import proof_by_nodes, recheck, rejection, seal
    from eqvproof.engines.verdict.counterexample import Counterexample

__all__ = [
    "FAILS_GRADES",
    "HOLDS_GRADES",
    "Counterexample",
    "Grade",
    "NearestVerdict",
    "Outcome",
    "Verdict",
    "proof_by_nodes",
    "recheck",
    "rejection",
    "seal",
]

if not TYPE_CHECKING:  # loaded when first used
    _LATER = modules_of(
        {
            "eqvproof.engines.verdict.certificate": "proof_by_nodes recheck rejection seal",
            "eqvproof.engines.verdict.counterexample": "Counterexample",
        }
    )
    __getattr__ = loader(__name__, _LATER)
