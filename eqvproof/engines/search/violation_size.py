"""Sizes of values and of differences, as rationals."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any

from eqvproof.numbers import Real, Undecided


def relative_size(left: Any, right: Any, scale: Fraction = Fraction(0)) -> float:
    """Returns the size of a difference relative to the greater side, or to a greater scale.

    It is 1 if one side is not a number.
    """
    if not (is_number(left) and is_number(right)):
        return 1.0
    a, b = middle(left), middle(right)
    greatest = max(abs(a), abs(b), scale)
    if greatest:
        return float(abs(a - b) / greatest)
    return 1.0


def middle(value: Any) -> Fraction:
    """Returns a number, or the middle of its enclosure; 0 if there is none, or it is too long."""
    if not is_number(value):
        return Fraction(0)
    try:
        if isinstance(value, Real):
            return value.middle()
        return Fraction(value)
    except Undecided:
        return Fraction(0)


def is_number(value: Any) -> bool:
    """Checks whether a value is a finite number, or an enclosure of one."""
    if isinstance(value, Real):
        return value.is_finite
    return isinstance(value, (Fraction, float)) and isfinite(value)
