"""Computes sums that do not depend on the order of their terms: exact, then rounded once."""

from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import round_units

__all__ = ["ExactSum", "round_units"]
