"""Rounding as a theorem: how far a computed result can be from the real one, before it is run."""

from eqvproof.rounding.bound import rounding_bound
from eqvproof.rounding.result import Flip, RoundingBound

__all__ = ["Flip", "RoundingBound", "rounding_bound"]
