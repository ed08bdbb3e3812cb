"""Writes the exponential of vectors of numbers: without branches, within one unit in the last place.

    x = k ln 2 + r,   |r| <= (ln 2) / 2,   exp(x) = 2^k exp(r)

`k ln 2` is subtracted in two parts, the first without rounding. exp(r) is computed as a polynomial
of degree 6 (float32) or 11 (float64): its Taylor series to degree 20, whose highest terms are
replaced by polynomials of lower degree, after Chebyshev. Below the smallest number the result is 0,
above the largest it is infinite; NaN stays NaN. This exp is fast; the exp that is the same on every
machine is in `eqvproof.deepsets.phi.expand`.

Source: C. Lanczos, Trigonometric interpolation of empirical and analytical functions (1938), for
    the economization of a series; W. Cody and W. Waite, Software Manual for the Elementary
    Functions (1980), for the reduction.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

from numpy.polynomial.chebyshev import cheb2poly

from eqvproof.deepsets.phi.expand import LN2_HIGH, LN2_LOW

#: degree of the polynomial; keys: whether numbers are float32
DEGREE = {True: 6, False: 11}
#: arguments beyond these give 0 and infinity; ln 2 in two parts, the first with trailing zeros;
#: 3/2 2^(bits - 1), by which a number is rounded to an integer
_LOWEST = {True: -104.0, False: -745.2}
_HIGHEST = {True: 89.0, False: 710.0}
_LN2 = {
    True: (float.fromhex("0x1.62e4p-1"), float.fromhex("0x1.7f7d1cp-20")),
    False: (LN2_HIGH, LN2_LOW),
}
_ROUNDER = {True: 1.5 * 2.0**23, False: 1.5 * 2.0**52}


@functools.cache
def exponential_coefficients(degree: int) -> tuple[float, ...]:
    """Computes the coefficients of a polynomial near exp for `|r| <= 0.3466`, lowest power first.

    The coefficients of 1 and r are 1.

    Exactness: the Taylor series of degree 20 differs from exp by at most 2^-80 there; subtracting a
        Chebyshev polynomial of degree m with coefficient c from `(exp r - 1 - r) / r^2` changes it
        by at most `c 0.3466^m / 2^(m-1)`.
    """
    a = Fraction(3466, 10000)
    rest = [Fraction(1, math.factorial(j + 2)) for j in range(19)]
    while len(rest) > degree - 1:
        m = len(rest) - 1
        scale = rest[m] * a**m / 2 ** (m - 1)
        for j, t in enumerate(cheb2poly([0] * m + [1])):  # whole numbers that float64 holds
            rest[j] -= scale * int(t) / a**j
        rest.pop()
    return 1.0, 1.0, *map(float, rest)


def exponential(code: Any, x: Any) -> Any:
    """Writes exp of L numbers of a `Code` under construction."""
    single = code.lanes.single
    low, high, rounder = (code.const(table[single]) for table in (_LOWEST, _HIGHEST, _ROUNDER))
    inside = code.where(low > x, low, x)  # NaN stays
    inside = code.where(high < inside, high, inside)
    shifted = code.fma(inside, code.const(1 / math.log(2.0)), rounder)
    k = shifted - rounder
    r = inside
    for part in _LN2[single]:
        r = code.fma(k, code.const(-part), r)
    series = exponential_coefficients(DEGREE[single])
    value = code.const(series[-1])
    for c in reversed(series[:-1]):
        value = code.fma(value, r, code.const(c))
    if code.has_scaling:
        return code.scale_by_power(value, k)
    # the low bits of `shifted` are k as an integer; for NaN, any integer
    bits, bias = (23, 127) if single else (52, 1023)
    whole = code.integers(shifted) - code.integers(rounder)
    half = code.halve(whole)
    for power in (half, whole - half):
        value = value * code.floats((power + bias) << bits)
    return value
