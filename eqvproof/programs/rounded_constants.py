"""Readings: the numbers of which constants of a Program may be roundings, as 9/10 for 0.9.

1/3 in floats is read as a third, and sums near 1 as 1. A number is read as another only where that
is at most four roundings away: four times half a unit in the last place of the stored number, in
float32 where all entries of its table are numbers of float32, else in float64.

    whole numbers, numbers of 20 bits, decimals of 12 digits that a float holds      read as stored
    a ratio, a decimal of few digits, 1 divided by one, where near                   read as that
    any other number                                                                 free to move

A sum along an axis is read as the whole number next to it where the free entries can move so far,
each in proportion to its unit and within four roundings of its own. The sum of 0.1, 0.2 and
0.7000001 is 1.0000001.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from eqvproof.numbers.roundings import LONG_BITS, SHORT_BITS, half_unit, is_short
from eqvproof.programs.builder import Builder
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import Program

#: Most half units in the last place between a stored number and the one that it is read as.
MOST_ROUNDINGS = 4
#: Most entries of a table that is not read as stored, and of one read as ratios.
MOST_ENTRIES, MOST_RATIOS = 16_384, 64
#: Numbers with a modulus beyond this, or below its inverse, are read as stored.
LARGE = 10**100

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point format, and the numbers that count as written by a person in it.

    Attributes:
        bits: of its numbers.
        digits: most digits of a decimal.
        roundings: most roundings between a stored number and such a decimal.
        denominator: greatest denominator of a ratio.
    """

    bits: int
    digits: int
    roundings: int
    denominator: int


FLOAT32, FLOAT64 = Format(SHORT_BITS, 5, 1, 100), Format(LONG_BITS, 12, MOST_ROUNDINGS, 1000)


@dataclass(frozen=True, slots=True)
class RoundedConstant:
    """A constant as it is read.

    Attributes:
        constant: the operation with the read numbers.
        distance: the greatest distance of an entry from its stored number.
    """

    constant: Operation
    distance: Fraction


@dataclass(frozen=True, slots=True)
class _Table:
    """The entries of a constant as stored and as written, and how far each may still move."""

    stored: Array
    written: Array
    slack: Array


def rounded_constants(
    program: Program, bits: int = SHORT_BITS
) -> Iterator[dict[int, RoundedConstant]]:
    """Yields the constants that may be read as others, by node.

    The first dictionary rounds sums along the last axis to whole numbers, the next one those along
    the axis before it, and so on.

    Args:
        program: with the stored numbers.
        bits: of the shortest floats to which its constants may be rounded.
    """
    tables = {k: op.constant for k, op in enumerate(program.nodes) if op.constant is not None}
    short = {k: table for k, table in tables.items() if 0 < table.size <= MOST_ENTRIES}
    known: dict[int, _Table] = {}
    deepest = max((table.ndim for table in short.values()), default=0)
    for axis in range(-1, -max(deepest, 1) - 1, -1):
        likely = [
            k
            for k, table in short.items()
            if table.size <= MOST_RATIOS or _may_be_whole(table, axis)
        ]
        known |= {k: _table(short[k], bits) for k in likely if k not in known}
        read = {k: _with_whole_sums(known[k], axis) for k in likely}
        yield {k: found for k, found in read.items() if found is not None}


# -- parts
# --------------------------------------------------------------------------------------------------
def _table(array: Array, bits: int) -> _Table:
    stored = np.vectorize(Fraction, otypes=[object])(array)
    if bits <= SHORT_BITS and all(map(is_short, stored.flat)):
        form = FLOAT32
    else:
        form = FLOAT64
    written, slack = stored.copy(), np.zeros_like(stored)
    for place, number in np.ndenumerate(stored):
        found = _nearest_short_number(number, form, with_ratios=stored.size <= MOST_RATIOS)
        written[place], slack[place] = found
    return _Table(stored, written, slack)


def _may_be_whole(array: Array, axis: int) -> bool:
    """Checks in floats whether all sums along an axis are near whole numbers."""
    if -axis > array.ndim:
        return False
    try:
        floats = np.asarray(array, dtype=np.float64)
    except OverflowError:  # rational numbers beyond the floats
        return False
    sums, moduli = floats.sum(axis), np.abs(floats).sum(axis)
    room = (MOST_ROUNDINGS + array.shape[axis]) * np.float64(2.0 ** (1 - SHORT_BITS)) * moduli
    return bool(np.all(np.abs(sums - np.round(sums)) <= room))


def _with_whole_sums(table: _Table, axis: int) -> RoundedConstant | None:
    """Returns the constant with whole sums along an axis if all are near; None if unchanged."""
    read = table.written
    if -axis <= read.ndim:
        sums, room = (part.sum(axis, keepdims=True) for part in (read, table.slack))
        off = np.vectorize(lambda s: s - round(s), otypes=[object])(sums)
        if np.any(off) and np.all(np.abs(off) <= room):
            read = read - table.slack * np.where(room == 0, 0, off / np.where(room == 0, 1, room))
    distance = np.max(np.abs(read - table.stored))
    if not distance:
        return None
    b = Builder()
    return RoundedConstant(b.nodes[b.const(read)], Fraction(distance))


@lru_cache(maxsize=1 << 14)
def _nearest_short_number(
    number: Fraction, form: Format, *, with_ratios: bool
) -> tuple[Fraction, Fraction]:
    """Returns the ratio or decimal near a number, or the number; and how far it may still move."""
    unit = half_unit(number, form.bits)
    if not unit or not 1 / Fraction(LARGE) < abs(number) < LARGE:
        return number, Fraction(0)
    near = MOST_ROUNDINGS * unit
    if with_ratios:
        ratio = number.limit_denominator(form.denominator)
        if abs(ratio - number) <= near:
            return ratio, Fraction(0)
    decimal = _decimal(number, form.digits)
    if abs(decimal - number) <= form.roundings * unit:
        return decimal, Fraction(0)
    if with_ratios:
        inverse = 1 / _decimal(1 / number, form.digits)
        if abs(inverse - number) <= form.roundings * unit:
            return inverse, Fraction(0)
    return number, near


def _decimal(number: Fraction, digits: int) -> Fraction:
    return Fraction(f"{float(number):.{digits}g}")
