"""Measures how far a function is from a claimed symmetry: its greatest violation, with bounds."""

from eqvproof.engines.violation.measure import read_violation
from eqvproof.engines.violation.result import NoBound, Violation

__all__ = ["NoBound", "Violation", "read_violation"]
