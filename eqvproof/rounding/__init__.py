"""Bounds of rounding: how far a computed result can be from the real one, before it is run."""

from eqvproof.rounding.bound import rounding_bound
from eqvproof.rounding.compared import deviation
from eqvproof.rounding.enough import Precision, precision
from eqvproof.rounding.result import Flip, RoundingBound
from eqvproof.rounding.sides import Deviation

__all__ = [
    "Deviation",
    "Flip",
    "Precision",
    "RoundingBound",
    "deviation",
    "precision",
    "rounding_bound",
]
