"""Checks constants that a proof reads as other numbers, within four roundings of the stored ones.

Or it reads an array as the one next to it that a group keeps, which `invariants` checks.

A rounding moves a number by at most half a unit in the last place. The unit is that of float32
where all entries of the constant are numbers of float32, else of float64. Whole numbers, ratios of
numbers of 20 bits (up to powers of two) and decimals of twelve digits are exact: they are not
results of rounding, and are read as stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from .exact import three_digits
from .form_functions import Array, Power
from .forms import Contract, Form, Leaf, Map, Scalar, Whole
from .report import Rejected, spend
from .text import fields, integer, one_of, rationals

#: Largest distance between a stored number and the number it is read as, in half units in the last
#: place.
MOST_ROUNDINGS = 4
#: Numbers of at most this many bits, or decimal digits, are exact.
EXACT_BITS, EXACT_DIGITS = 20, 12
#: The bits of float32, its least and greatest exponents, and the bits of float64.
SHORT_BITS, LEAST_EXPONENT, MOST_EXPONENT, LONG_BITS = 24, -126, 127, 53
#: Stands in place of numbers for the array next to the stored one that a group keeps.
INVARIANT = "invariant"
#: By number, the stored numbers and those that they are read as.
Pairs = Mapping[int, tuple[Sequence[Fraction], Sequence[Fraction]]]


@dataclass(frozen=True, slots=True)
class FormReadings:
    """The readings of a proof in forms.

    Attributes:
        arrays: the functions that are arrays each use of which stands for one that a group keeps.
        numbers: by the line of a constant, the stored numbers and those that it is read as.
        exponents: by the number of a function that is a power, the stored exponent and the read one.
    """

    arrays: frozenset[int]
    numbers: Pairs
    exponents: Pairs

    def require(self, constants: Constants, path: str) -> Fraction:
        """Requires that readings are of constants; returns the greatest distance between entries.

        Raises:
            Rejected: a line does not hold the numbers it is said to be read as; or they are the
                stored ones, or too far from them; or there is no such array.
        """
        farthest = Fraction(0)
        if not self.arrays <= constants.arrays.keys():
            raise Rejected(f"{path}: a function that is no array of numbers")
        for number, (stored, read) in self.exponents.items():
            if constants.exponents.get(number) != [*read]:
                raise Rejected(f"{path}: function {number} is not the power with this exponent")
            farthest = max(farthest, _distance(stored, read, f"{path}, function {number}"))
        for line, (stored, read) in self.numbers.items():
            spend(4 * len(read))
            held = constants.numbers(line)
            if held is None or [*read] not in (held, held * len(read)):
                raise Rejected(f"{path}: line {line} does not hold these numbers")
            farthest = max(farthest, _distance(stored, read, f"{path}, line {line}"))
        return farthest

    def words(self, farthest: Fraction, squares: Mapping[int, Fraction]) -> str:
        """Returns the words of a statement about constants that are read as other ones.

        Args:
            farthest: the greatest distance between stored numbers and read ones.
            squares: by array bounds of the squared distances to those that a group keeps.
        """
        return self._words_of_numbers(farthest) + _words_of_tables(squares)

    def _words_of_numbers(self, farthest: Fraction) -> str:
        """Returns words for constants that are read as numbers near the stored ones."""
        listed = []
        if self.numbers:
            listed.append(f"its constants on the lines {', '.join(map(str, self.numbers))}")
        if self.exponents:
            listed.append(f"the exponents of its functions {', '.join(map(str, self.exponents))}")
        if not listed:
            return ""
        return (
            f"; with {' and '.join(listed)} read as the numbers of the claim, each entry at most"
            f" {MOST_ROUNDINGS} roundings of the stored one, and at most"
            f" {three_digits(farthest, up=True)}, away"
        )


def _words_of_tables(squares: Mapping[int, Fraction]) -> str:
    """Returns words for tables that are read as those next to them that the group keeps.

    Args:
        squares: by table bounds of the squared distances between both.
    """
    if not squares:
        return ""
    far = isqrt(int(max(squares.values()) * 10**80)) + 1
    return (
        f"; each use of its constant tables {', '.join(map(str, sorted(squares)))} stands for the"
        f" table next to it that the group keeps, at most"
        f" {three_digits(Fraction(far, 10**40), up=True)} away"
    )


def readings_of_forms(listed: Sequence[Any], path: str) -> FormReadings:
    """Reads which constants of a program in forms are read as others, in ascending order."""
    arrays, pairs = list[int](), {"line": dict[int, Any](), "function": dict[int, Any]()}
    for i, entry in enumerate(listed):
        where = f"{path}[{i}]"
        if isinstance(entry, dict) and "array" in entry:
            array, read = fields(entry, where, "array", "read")
            arrays.append(integer(array, where, max(arrays, default=-1) + 1))
            one_of(read, where, (INVARIANT,))
            continue
        key = "function" if isinstance(entry, dict) and "function" in entry else "line"
        place, stored, read = fields(entry, where, key, "stored", "read")
        number = integer(place, where, max(pairs[key], default=-1) + 1)
        pairs[key][number] = rationals(stored, where), rationals(read, where)
    return FormReadings(frozenset(arrays), pairs["line"], pairs["function"])


@dataclass(frozen=True, slots=True)
class Constants:
    """The numbers in a program in forms.

    Attributes:
        lines: the program.
        leaves: the numbers of leaves that are arrays of numbers.
        arrays: those of functions that are such arrays.
        exponents: those of functions that are powers.
        reciprocal: the number of the function 1 / x, or None.
    """

    lines: Sequence[Form]
    leaves: Mapping[int, Sequence[Fraction]]
    arrays: Mapping[int, Sequence[Fraction]]
    exponents: Mapping[int, Sequence[Fraction]]
    reciprocal: int | None

    def numbers(self, line: int) -> list[Fraction] | None:
        """Returns the numbers of a line that is a constant: row-major, or one number; else None.

        It is an array of numbers, an integer, 1 over one, or a product of such numbers.
        """
        spend(1)
        if line >= len(self.lines):
            return None
        match self.lines[line]:
            case Scalar(value):
                return [Fraction(value)]
            case Leaf(number):
                return [*self.leaves[number]] if number in self.leaves else None
            case Whole(number, 0, ()):
                return [*self.arrays[number]] if number in self.arrays else None
            case Map(function, (argument,)) if function == self.reciprocal:
                below = self._number(argument)
                return [1 / below] if below else None
            case Contract(((first, ()), (second, ())), (), ()):
                one, other = self._number(first), self._number(second)
                if one is not None and other is not None:
                    return [one * other]
        return None

    def _number(self, line: int) -> Fraction | None:
        """Returns the number of a line that is an integer, or 1 over one."""
        form = self.lines[line]
        if isinstance(form, Scalar | Map):
            found = self.numbers(line)
            if found is not None:
                return found[0]
        return None


def constants_of(
    lines: Sequence[Form], leaves: Mapping[int, Sequence[Fraction]], functions: Sequence[Any]
) -> Constants:
    """Returns the numbers in a program in forms."""
    arrays = {
        number: function.numbers
        for number, function in enumerate(functions)
        if isinstance(function, Array) and function.form is None
    }
    reciprocal = next((k for k, name in enumerate(functions) if name == "recip"), None)
    exponents = {
        number: [function.exponent]
        for number, function in enumerate(functions)
        if isinstance(function, Power)
    }
    return Constants(lines, leaves, arrays, exponents, reciprocal)


def distances(kept: Sequence[Mapping[int, Fraction]], *, alone: bool) -> dict[int, Fraction]:
    """Returns the squared distances of arrays to those that a factor of the group keeps.

    Args:
        kept: for each factor, those of the arrays that it keeps.
        alone: whether all of the proof is of the factors.

    Raises:
        Rejected: the values of such an array are used in the proof for another factor, or may be
            elsewhere.
    """
    far = dict[int, Fraction]()
    for i, own in enumerate(kept):
        others = {number for k, other in enumerate(kept) if k != i for number in other}
        found = {number: square for number, square in own.items() if square}
        if others & found.keys():
            raise Rejected("the values of an array are used that another factor of the group reads")
        far |= found
    if far and not alone:
        raise Rejected(
            "$.evidence: eigenvectors, or normal forms, beside arrays of which others are read"
        )
    return far


def _distance(stored: Sequence[Fraction], read: Sequence[Fraction], path: str) -> Fraction:
    """Returns the greatest distance between stored numbers and those that they are read as.

    Raises:
        Rejected: the arrays are equal or of different lengths, or entries are too far apart.
    """
    if len(read) != len(stored) or list(read) == list(stored):
        raise Rejected(f"{path}: read as itself, or as an array of another shape")
    bits, farthest = float_precision(stored), Fraction(0)
    for place, (value, other) in enumerate(zip(stored, read, strict=True)):
        distance = abs(other - value)
        if distance and distance > MOST_ROUNDINGS * half_unit(value, bits):
            raise Rejected(f"{path}: entry {place} is more than {MOST_ROUNDINGS} roundings away")
        farthest = max(farthest, distance)
    return farthest


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
