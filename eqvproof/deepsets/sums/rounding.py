"""An integer multiple of 2^-1074, rounded once to a machine number."""

from __future__ import annotations

import math

import numpy as np

#: every finite float64 is a whole number of these
UNIT = -1074
#: dtype -> bits of the significand, exponent of the smallest subnormal
FORMATS = {"float64": (53, -1074), "float32": (24, -149)}


def round_units(total: int, dtype: str = "float64") -> np.floating:
    """The machine number nearest to `total 2^-1074`, ties to even; beyond the largest, infinite.

    Exactness: correctly rounded, subnormal results included.
    """
    bits, smallest = FORMATS[dtype]
    kind = np.dtype(dtype).type
    size = abs(total)
    drop = max(size.bit_length() - bits, smallest - UNIT)
    if drop > 0:
        kept, rest = size >> drop, size & ((1 << drop) - 1)
        half = 1 << (drop - 1)
        kept += rest > half or (rest == half and kept & 1)
    else:
        drop, kept = 0, size
    try:
        value = math.ldexp(kept, drop + UNIT)
    except OverflowError:
        value = math.inf
    with np.errstate(over="ignore"):
        rounded: np.floating = kind(-value if total < 0 else value)
        return rounded


def units(value: float) -> int:
    """A finite float64 as a whole number of 2^-1074."""
    mantissa, exponent = math.frexp(value)
    shift = exponent - 53 - UNIT
    whole = int(mantissa * 2.0**53)
    return whole << shift if shift >= 0 else whole >> -shift


def power_units(exponent: int) -> int:
    """2^exponent in units, rounded up to one."""
    return 1 << max(exponent - UNIT, 0)
