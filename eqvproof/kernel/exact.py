"""Rational arithmetic whose work counts towards the kernel's limit, and numbers in three digits."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import lcm
from typing import TypeVar

from .report import spend

N = TypeVar("N", int, Fraction)


def paid(x: N) -> N:
    """Returns a sum or product of others, after accounting for its work.

    The work is the square of the number of digits, when there are many.

    A file may hold thousands of rationals with long denominators, and a sum has the digits of all
    of them.
    """
    bits = x.numerator.bit_length() + x.denominator.bit_length()
    spend(1 + (bits >> 7) + (bits * bits >> 20))
    return x


def bits_of(x: Fraction) -> int:
    """Returns the length of a rational in bits."""
    return x.numerator.bit_length() + x.denominator.bit_length()


def down(x: Fraction, bits: int) -> Fraction:
    """Returns a number <= x with about `bits` significant bits."""
    if bits_of(x) <= bits:
        return x
    shift = bits - x.numerator.bit_length() + x.denominator.bit_length()
    if shift >= 0:
        return Fraction((x.numerator << shift) // x.denominator, 1 << shift)
    return Fraction((x.numerator // (x.denominator << -shift)) << -shift)


def sum_of_products(pairs: Iterable[tuple[Fraction | int, Fraction | int]]) -> Fraction:
    """Returns the sum of the products of pairs."""
    total = Fraction(0)
    for x, y in pairs:
        if x and y:
            total = paid(total + x * y)
    return total


def common(denominators: Iterable[int]) -> int:
    """Returns the least common multiple of denominators."""
    found = 1
    for n in set(denominators):
        found = paid(lcm(found, n))
    return found


def three_digits(number: Fraction, *, up: bool) -> str:
    """Returns three digits that are not below the number (`up`), or not above it."""
    context = Context(prec=3, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize(context):g}"
