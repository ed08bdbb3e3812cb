"""Verdicts, counterexamples and certificates."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from eqvproof.verdict.counterexample import Counterexample
from eqvproof.verdict.verdict import FAILS_GRADES, HOLDS_GRADES, Grade, Outcome, Verdict

if TYPE_CHECKING:
    from eqvproof.verdict.certificate import recheck, seal, seal_proof

__all__ = [
    "FAILS_GRADES",
    "HOLDS_GRADES",
    "Counterexample",
    "Grade",
    "Outcome",
    "Verdict",
    "recheck",
    "seal",
    "seal_proof",
]


def __getattr__(name: str) -> Any:
    if name in ("recheck", "seal", "seal_proof"):  # verdicts are read without what certificates need
        return getattr(importlib.import_module("eqvproof.verdict.certificate"), name)
    raise AttributeError(f"module 'eqvproof.verdict' has no attribute {name!r}")
