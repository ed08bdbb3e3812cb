"""Exact numbers: rationals as long as possible, else balls; alone and in NumPy arrays."""

from eqvproof.numbers import functions, ufuncs  # noqa: F401 (they enter themselves in `protocol`)
from eqvproof.numbers.arrays import (
    ExactArray,
    exact_array,
    is_rational,
    result_array,
    to_floats,
    to_fractions,
)
from eqvproof.numbers.number import Real, enclosure, infinity
from eqvproof.numbers.scalar import current_precision, precision
from eqvproof.numbers.signals import ExactSignal, Inexact, Undecided, Undefined, recording
from eqvproof.numbers.undefined import UNDECIDED_ENTRY, UNDEFINED

__all__ = [
    "Real",
    "enclosure",
    "infinity",
    "precision",
    "current_precision",
    "ExactArray",
    "exact_array",
    "result_array",
    "to_fractions",
    "to_floats",
    "is_rational",
    "UNDEFINED",
    "UNDECIDED_ENTRY",
    "Undefined",
    "Undecided",
    "Inexact",
    "ExactSignal",
    "recording",
]
