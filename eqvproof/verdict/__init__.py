"""Verdicts, counterexamples and certificates."""

from eqvproof.verdict.certificate import recheck, seal, seal_proof
from eqvproof.verdict.counterexample import Counterexample
from eqvproof.verdict.verdict import FAILS_GRADES, HOLDS_GRADES, Grade, Outcome, Verdict

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
