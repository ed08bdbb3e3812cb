"""Checks constants that a proof reads as other numbers, within four roundings of the stored ones.

A rounding moves a number by at most half a unit in the last place. The unit is that of float32
where all entries of the constant are numbers of float32, else of float64. Whole numbers, ratios of
numbers of 20 bits (up to powers of two) and decimals of twelve digits are exact: they are not
results of rounding, and are read as stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from .exact import three_digits
from .program import Program
from .report import Rejected, spend
from .rules.const import CONST

#: Largest distance between a stored number and the number it is read as, in half units in the last
#: place.
MOST_ROUNDINGS = 4
#: Numbers of at most this many bits, or decimal digits, are exact.
EXACT_BITS, EXACT_DIGITS = 20, 12
#: The bits of float32, its least and greatest exponents, and the bits of float64.
SHORT_BITS, LEAST_EXPONENT, MOST_EXPONENT, LONG_BITS = 24, -126, 127, 53
#: For each node the numbers it is read as; None stands for the invariant table next to it.
Readings = Mapping[int, Sequence[Fraction] | None]


def with_readings(program: Program, readings: Readings, path: str) -> tuple[Program, Fraction]:
    """Replaces stored numbers by the read ones; returns the program and the greatest distance.

    The distance is that between entries.

    Raises:
        Rejected: a node is no constant of that size, or is read as itself, or as numbers too far
            away.
    """
    nodes, farthest = list(program.nodes), Fraction(0)
    kinds = max(node.kind for node in nodes)
    for number, read in readings.items():
        if number >= len(nodes) or nodes[number].op != CONST:
            raise Rejected(f"{path}: node {number} is no constant")
        if read is None:
            continue
        stored = nodes[number].at["values"]
        if len(read) != len(stored) or list(read) == list(stored):
            raise Rejected(
                f"{path}: node {number} is read as itself, or as an array of another shape"
            )
        spend(4 * len(read))
        bits = float_precision(stored)
        for place, (value, other) in enumerate(zip(stored, read, strict=True)):
            distance = abs(other - value)
            if distance and distance > MOST_ROUNDINGS * half_unit(value, bits):
                raise Rejected(
                    f"{path}: entry {place} of node {number} is more than {MOST_ROUNDINGS}"
                    f" roundings away"
                )
            farthest = max(farthest, distance)
        kinds += 1
        nodes[number] = replace(nodes[number], at={"values": list(read)}, kind=kinds)
    return replace(program, nodes=tuple(nodes)), farthest


def readings_words(readings: Readings, farthest: Fraction) -> str:
    """Returns the words of a statement about constants that are read as other numbers."""
    listed = ", ".join(str(number) for number, read in readings.items() if read is not None)
    if not listed:
        return ""
    return (
        f"; with its constants {listed} read as the numbers of the claim, each entry at most"
        f" {MOST_ROUNDINGS}"
        f" roundings of the stored one, and at most {three_digits(farthest, up=True)}, away"
    )


def float_precision(values: Sequence[Fraction]) -> int:
    """Returns the bits of the shorter of float32 and float64 that holds all values."""
    if all(map(_fits_short, values)):
        return SHORT_BITS
    return LONG_BITS


def half_unit(value: Fraction, bits: int) -> Fraction:
    """Returns half a unit in the last place at precision `bits`; 0 where the number is exact."""
    if is_exact(value):
        return Fraction(0)
    return Fraction(2) ** (_binary_exponent(value) - bits)


def is_exact(value: Fraction) -> bool:
    """Checks whether a number is no rounding of others.

    It is none if it is whole, or has few bits or decimal digits.
    """
    top, bottom = value.numerator, value.denominator
    if bottom == 1 or max(odd(top).bit_length(), odd(bottom).bit_length()) <= EXACT_BITS:
        return True
    places = bottom.bit_length() - 1
    if places > 2 * EXACT_DIGITS or bottom != 1 << places:  # 5^24 has more digits
        return False
    return len(str(abs(top) * 5**places)) <= EXACT_DIGITS


def _binary_exponent(value: Fraction) -> int:
    """Returns the k with 2^k <= |value| < 2^(k + 1), for a value that is not 0."""
    top, bottom = abs(value.numerator), value.denominator
    k = top.bit_length() - bottom.bit_length()
    if top << max(-k, 0) >= bottom << max(k, 0):
        return k
    return k - 1


def _fits_short(value: Fraction) -> bool:
    if not value:
        return True
    is_binary = value.denominator & (value.denominator - 1) == 0
    return (
        is_binary
        and odd(value.numerator).bit_length() <= SHORT_BITS
        and LEAST_EXPONENT <= _binary_exponent(value) <= MOST_EXPONENT
    )


def odd(n: int) -> int:
    """Returns the absolute value of n without its factors 2."""
    if n:
        return abs(n) // (n & -n)
    return 0
