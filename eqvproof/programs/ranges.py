"""Arithmetic progressions between sizes and rationals: start, start + step, ... before stop."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isfinite
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.builder import Builder

#: A size plus a rational number.
End = tuple[Size, Fraction]


def end_of(value: object) -> End | None:
    """Splits a size or a number into a size and a rational; None for other values."""
    if isinstance(value, Size):
        constant = dict(value.terms).get((), 0)
        return value - constant, Fraction(constant)
    number: Any = value
    if isinstance(value, np.number):
        number = value.item()
    if type(number) in (int, float, Fraction) and isfinite(number):  # nodes are integers, too
        return Size(()), Fraction(number)
    return None


def progression(b: Builder, start: End, stop: End, step: Fraction) -> int | None:
    """Builds start, start + step, ... before stop; None if their number is not a size.

    The number is ceil((stop - start) / step), step not 0. With start = p + a and stop = q + c, p
    and q sizes, it is (q - p) / step + ceil((c - a) / step) where (q - p) / step is a whole number
    at all sizes, as a polynomial with whole coefficients is.
    """
    sizes = ((stop[0] - start[0]) * step.denominator).divide(step.numerator)
    if sizes is None:
        return None
    more = ceil((stop[1] - start[1]) / step)
    count = Size.of(max(more, 0))
    if sizes.terms:
        count = sizes + more
    if not count.is_at_least(0):
        return None
    first: list[int] = []
    if start[0].terms:
        first.append(b.size(start[0]))
    if start[1]:
        first.append(b.const(start[1]))
    if step == 1:
        places = b.iota(count)
    else:
        places = b.mul(b.const(step), b.iota(count))
    if first:
        return b.add([places, *first])
    return places
