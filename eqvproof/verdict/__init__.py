"""Verdicts, counterexamples and certificates."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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

#: Verdicts are read without what certificates need.
LATER = ("recheck", "rejection", "seal", "seal_proof")


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(importlib.import_module("eqvproof.verdict.certificate"), name)
    raise AttributeError(f"module 'eqvproof.verdict' has no attribute {name!r}")
