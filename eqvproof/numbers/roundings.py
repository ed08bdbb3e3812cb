"""Roundings of stored numbers: units in the last place, and numbers that are exact."""

from __future__ import annotations

from fractions import Fraction

#: Numbers of at most this many bits, or decimal digits, are exact: they are no roundings.
EXACT_BITS, EXACT_DIGITS = 20, 12
#: The bits of float32 and its exponents, and the bits of float64.
SHORT_BITS, SHORT_EXPONENTS, LONG_BITS = 24, range(-126, 128), 53


def half_unit(number: Fraction, bits: int) -> Fraction:
    """Returns half a unit in the last place at precision `bits`; 0 where the number is exact."""
    if is_exact(number):
        return Fraction(0)
    return Fraction(2) ** (_binary_exponent(number) - bits)


def is_exact(number: Fraction) -> bool:
    """Checks whether a number is no rounding of another one.

    It is none if it is whole, or has few bits or decimal digits.
    """
    top, bottom = number.numerator, number.denominator
    if bottom == 1 or max(odd_bits(top), odd_bits(bottom)) <= EXACT_BITS:
        return True
    places = bottom.bit_length() - 1
    if bottom != 1 << places or places > 2 * EXACT_DIGITS:
        return False
    return len(str(abs(top) * 5**places)) <= EXACT_DIGITS


def is_short(number: Fraction) -> bool:
    """Checks whether a number is one of float32."""
    if not number:
        return True
    is_binary = number.denominator & (number.denominator - 1) == 0
    return (
        is_binary
        and odd_bits(number.numerator) <= SHORT_BITS
        and _binary_exponent(number) in SHORT_EXPONENTS
    )


def odd_bits(n: int) -> int:
    """Returns the number of bits of an integer without its factors 2."""
    if n:
        return (abs(n) // (n & -n)).bit_length()
    return 0


def _binary_exponent(number: Fraction) -> int:
    """Returns the k with 2^k <= |number| < 2^(k + 1), for a number that is not 0."""
    k = abs(number.numerator).bit_length() - number.denominator.bit_length()
    if abs(number) >= Fraction(2) ** k:
        return k
    return k - 1
