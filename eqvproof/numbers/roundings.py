"""Roundings of stored numbers: units in the last place, and numbers that are no roundings of others."""

from __future__ import annotations

from fractions import Fraction

#: Numbers of so many bits, or decimal digits, are exact: nobody rounded them.
EXACT_BITS, EXACT_DIGITS = 20, 12
#: The bits of float32 and its exponents, and the bits of float64.
SHORT_BITS, SHORT_EXPONENTS, LONG_BITS = 24, range(-126, 128), 53


def half_unit(number: Fraction, bits: int) -> Fraction:
    """Half a unit in the last place of a number of so many bits; 0 where it is exact."""
    return Fraction(0) if is_exact(number) else Fraction(2) ** (_exponent(number) - bits)


def is_exact(number: Fraction) -> bool:
    """Whether a number is whole, or has so few bits or digits that it is no rounding of another."""
    top, bottom = number.numerator, number.denominator
    if bottom == 1 or max(odd_bits(top), odd_bits(bottom)) <= EXACT_BITS:
        return True
    places = bottom.bit_length() - 1
    if bottom != 1 << places or places > 2 * EXACT_DIGITS:
        return False
    return len(str(abs(top) * 5**places)) <= EXACT_DIGITS


def is_short(number: Fraction) -> bool:
    """Whether it is a number of float32."""
    if not number:
        return True
    is_binary = number.denominator & (number.denominator - 1) == 0
    return (
        is_binary
        and odd_bits(number.numerator) <= SHORT_BITS
        and _exponent(number) in SHORT_EXPONENTS
    )


def odd_bits(n: int) -> int:
    """The bits of a number without its factors 2."""
    return (abs(n) // (n & -n)).bit_length() if n else 0


def _exponent(number: Fraction) -> int:
    """k with 2^k <= |number| < 2^(k + 1); the number is not 0."""
    k = abs(number.numerator).bit_length() - number.denominator.bit_length()
    return k if abs(number) >= Fraction(2) ** k else k - 1
