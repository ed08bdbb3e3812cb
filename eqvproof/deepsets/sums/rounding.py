"""An integer multiple of 2^-1074, rounded once to a machine number."""

from __future__ import annotations

import math
import operator

import numpy as np

#: every finite float64 is a whole number of these
UNIT = -1074
#: dtype -> bits of the significand, exponent of the smallest number, k where all finite ones are
#: below 2^k
FORMATS = {"float64": (53, -1074, 1024), "float32": (24, -149, 128)}


def round_units(total: int, dtype: str = "float64") -> np.floating:
    """The machine number nearest to `total 2^-1074`, ties to even; beyond the largest, infinite.

    Exactness: correctly rounded, subnormal results included.
    """
    bits, smallest, largest = FORMATS[dtype]
    size = abs(total)
    drop = max(size.bit_length() - bits, smallest - UNIT, 0)
    kept, twice = size >> drop, 2 * (size & ((1 << drop) - 1))
    kept += twice > 1 << drop or (twice == 1 << drop and kept & 1)
    beyond = kept.bit_length() + drop + UNIT > largest
    value = math.inf if beyond else math.ldexp(kept, drop + UNIT)
    rounded: np.floating = np.dtype(dtype).type(-value if total < 0 else value)
    return rounded


def round_between(low: int, high: int, dtype: str = "float64") -> np.floating | None:
    """What every number from `low 2^-1074` to `high 2^-1074` rounds to; None where that is 0, or not one.

    Rounding is monotone: all between two numbers that round to one round to it.
    """
    rounded = round_units(low, dtype)
    return rounded if rounded == round_units(high, dtype) and rounded else None


def units(value: float) -> int:
    """A finite float64 as a whole number of 2^-1074."""
    numerator, denominator = value.as_integer_ratio()
    return numerator << -UNIT + 1 - denominator.bit_length()


def sums_of_units(values: np.ndarray) -> list[int]:
    """The exact sums of the rows of a table of finite float64."""
    mantissas, exponents = np.frexp(values)
    whole = (mantissas * 2.0**53).astype(np.int64).tolist()
    least = exponents.min(axis=1)
    by, rows = (
        (exponents - least[:, None]).tolist(),
        zip(whole, (least - (53 + UNIT)).tolist(), strict=True),
    )
    sums = (
        (sum(map(operator.lshift, row, s)), last) for (row, last), s in zip(rows, by, strict=True)
    )
    return [found << last if last >= 0 else found >> -last for found, last in sums]


def power_units(exponent: int) -> int:
    """2^exponent in units, rounded up to one."""
    return 1 << max(exponent - UNIT, 0)
