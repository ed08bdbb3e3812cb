"""Intervals of real numbers with rational or infinite ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

#: Larger numbers are replaced by infinity.
HUGE = 2**900
INF = math.inf

#: An int or a Fraction, or an infinite float.
Number = Any
Interval = tuple[Number, Number]
EVERYTHING: Interval = (-INF, INF)
UNIT: Interval = (0, 1)


def rounded_to_whole(value: Number, *, up: bool) -> Number:
    """Rounds a finite number down, or up, to a whole one."""
    if isinstance(value, float):
        return value
    if up:
        return math.ceil(value)
    return math.floor(value)


def capped(low: Number, high: Number) -> Interval:
    """Returns an interval with infinity in place of huge numbers."""
    return (-INF if low < -HUGE else low), (INF if high > HUGE else high)


def hull(parts: Sequence[Interval]) -> Interval:
    """Returns the least interval that holds several intervals."""
    return min(p[0] for p in parts), max(p[1] for p in parts)


def reciprocal_end(value: Number) -> Number:
    """Returns 1 / x for the end of an interval without 0."""
    if isinstance(value, float):
        return 0
    return Fraction(1) / value


def product_of(a: Number, b: Number) -> Number:
    """Returns the product of two ends, 0 where one of them is 0."""
    if not a or not b:
        return 0
    if isinstance(a, float) or isinstance(b, float):
        if (a > 0) == (b > 0):
            return INF
        return -INF
    return a * b


def interval_product(x: Interval, y: Interval) -> Interval:
    """Returns the interval of products of numbers of two intervals."""
    ends = [product_of(a, b) for a in x for b in y]
    return capped(min(ends), max(ends))


def interval_power(x: Interval, exponent: int) -> Interval:
    """Returns the interval of whole powers of the numbers of an interval."""
    found: Interval = (1, 1)
    for _ in range(exponent):
        found = interval_product(found, x)
    if exponent % 2 == 0:
        return (max(found[0], 0), found[1])
    return found


def repeated(x: Interval, least: int, most: int) -> Interval:
    """Returns the interval of sums of `least` to `most` numbers of an interval."""
    ends = [product_of(v, count) for v in x for count in (least, most)]
    return capped(min(ends), max(ends))


def raised(base: Number, exponent: Number) -> Number:
    """Returns an upper bound of a number >= 1 to a power >= 0."""
    if base == 1 or not exponent:
        return 1
    whole = rounded_to_whole(exponent, up=True)
    if isinstance(base, float) or isinstance(whole, float) or math.log2(base) * whole > 900:
        return INF
    return base ** int(whole)
