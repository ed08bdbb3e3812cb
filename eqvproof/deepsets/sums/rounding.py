"""Rounds integer multiples of 2^-1074 to machine numbers."""

from __future__ import annotations

import math
import operator

import numpy as np

#: exponent of the unit 2^-1074: every finite float64 is an integer multiple of it
UNIT = -1074
#: dtype -> bits of the significand, exponent of the smallest number, least k for which all finite
#: numbers are below 2^k
FORMATS = {"float64": (53, -1074, 1024), "float32": (24, -149, 128)}


def round_units(total: int, dtype: str = "float64") -> np.floating:
    """Rounds `total 2^-1074` to the nearest machine number, ties to even; infinite on overflow.

    Exactness: correctly rounded, subnormal results included.
    """
    bits, smallest, largest = FORMATS[dtype]
    size = abs(total)
    drop = max(size.bit_length() - bits, smallest - UNIT, 0)
    significand, twice = size >> drop, 2 * (size & ((1 << drop) - 1))
    significand += twice > 1 << drop or (twice == 1 << drop and significand & 1)
    if significand.bit_length() + drop + UNIT > largest:
        value = math.inf
    else:
        value = math.ldexp(significand, drop + UNIT)
    if total < 0:
        value = -value
    rounded: np.floating = np.dtype(dtype).type(value)
    return rounded


def round_between(low: int, high: int, dtype: str = "float64") -> np.floating | None:
    """Returns the number to which `low 2^-1074` and `high 2^-1074` both round.

    Every number between them rounds to it too, since rounding is monotone. The result is None if
    they round to different numbers, or to 0.
    """
    rounded = round_units(low, dtype)
    if rounded == round_units(high, dtype) and rounded:
        return rounded
    return None


def units(value: float) -> int:
    """Converts a finite float64 to an integer multiple of 2^-1074."""
    numerator, denominator = value.as_integer_ratio()
    return numerator << -UNIT + 1 - denominator.bit_length()


def sums_of_units(values: np.ndarray) -> list[int]:
    """Computes the exact sums of the rows of a table of finite float64, in units."""
    mantissas, exponents = np.frexp(values)
    whole = (mantissas * 2.0**53).astype(np.int64).tolist()
    least = exponents.min(axis=1)
    shifts = (exponents - least[:, None]).tolist()
    sums = []
    for row, by, last in zip(whole, shifts, (least - (53 + UNIT)).tolist(), strict=True):
        total = sum(map(operator.lshift, row, by))
        if last >= 0:
            sums.append(total << last)
        else:
            sums.append(total >> -last)
    return sums


def power_units(exponent: int) -> int:
    """Returns 2^exponent in units, at least one unit."""
    return 1 << max(exponent - UNIT, 0)
