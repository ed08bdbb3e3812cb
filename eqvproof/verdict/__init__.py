"""Verdicts, counterexamples and certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of
from eqvproof.verdict.counterexample import Counterexample
from eqvproof.verdict.verdict import FAILS_GRADES, HOLDS_GRADES, Grade, Outcome, Verdict

if TYPE_CHECKING:
    from eqvproof.verdict.certificate import recheck, rejection, seal, seal_proof

__all__ = [
    "FAILS_GRADES",
    "HOLDS_GRADES",
    "Counterexample",
    "Grade",
    "Outcome",
    "Verdict",
    "recheck",
    "rejection",
    "seal",
    "seal_proof",
]

if not TYPE_CHECKING:  # verdicts are read without what certificates need
    _LATER = modules_of({"eqvproof.verdict.certificate": "recheck rejection seal seal_proof"})
    __getattr__ = loader(__name__, _LATER)
