"""A priori bounds of the distance between a computed result and the real one."""

from eqvproof.rounding.bound import rounding_bound
from eqvproof.rounding.cheapest_dtype import Precision, precision
from eqvproof.rounding.deviations import deviation
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
