"""Floats of the code as the numbers that they round: 0.9 as 9/10, 1/3 as a third, weights whose sum is 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.operations import Operation
from eqvproof.program.builder import Builder
from eqvproof.program.program import Program
from eqvproof.rules.tables import MOST_ENTRIES, precision

#: A ratio has no greater denominator, a decimal no more digits; a float is within so much of its value,
#: and its modulus between 1 / LARGE and LARGE.
MOST_DENOMINATOR, MOST_DIGITS, NEAR, LARGE = 1000, 12, Fraction(1, 2**50), 10**100
#: Tables of more entries are not read as ratios.
MOST_RATIOS = 64
#: A sum is within so many units in the last place of a whole number, in units of the sum of moduli.
MOST_ULPS = 4


def nearby(program: Program) -> Iterator[dict[int, tuple[Operation, str]]]:
    """Constants, by node, with the next ones that somebody may have meant, and the two in words."""
    tables = {k: op.constant for k, op in enumerate(program.nodes) if op.constant is not None}
    short = {k: table for k, table in tables.items() if 0 < table.size <= MOST_ENTRIES}
    deepest = max((table.ndim for table in short.values()), default=0)
    for axis in range(-1, -max(deepest, 1) - 1, -1):
        read = {k: _read(table, axis) for k, table in short.items()}
        yield {k: found for k, found in read.items() if found is not None}


def with_constants(program: Program, constants: Mapping[int, Operation]) -> Program:
    """The Program with these in place of those at the same nodes."""
    return replace(program, nodes=tuple(constants.get(k, op) for k, op in enumerate(program.nodes)))


# -- parts --------------------------------------------------------------------------------------------------
def _read(table: np.ndarray[Any, Any], axis: int) -> tuple[Operation, str] | None:
    """The constant read as ratios, and its sums along an axis as whole numbers where they are near."""
    stored = np.vectorize(Fraction, otypes=[object])(table)
    meant = np.vectorize(_ratio, otypes=[object])(stored) if stored.size <= MOST_RATIOS else stored.copy()
    if -axis <= stored.ndim:
        off = _off(meant, axis)
        if any(off.flat):
            places = np.expand_dims(np.abs(meant).argmax(axis), axis)
            np.put_along_axis(meant, places, np.take_along_axis(meant, places, axis) - off, axis)
    b, gap = Builder(), np.max(np.abs(meant - stored))
    if not gap:
        return None
    words = f"{float(stored.flat[0]):.17g} as {meant.flat[0]}"
    words = words if stored.size == 1 else f"within {float(gap):.2g}: a table of {stored.size}"
    return b.nodes[b.const(meant)], words


def _off(table: np.ndarray[Any, Any], axis: int) -> np.ndarray[Any, Any]:
    """How far sums are from whole numbers, where all are near one; else 0."""
    sums = table.sum(axis, keepdims=True)
    off = np.vectorize(lambda s: s - round(s), otypes=[object])(sums)
    near = MOST_ULPS * precision(table) * np.abs(table).sum(axis, keepdims=True)
    return off if bool((np.abs(off) <= near).all()) else np.zeros_like(off)


def _ratio(number: Fraction) -> Fraction:
    """A ratio of small whole numbers, a short decimal or 1 divided by one, where near; else the float."""
    if not 1 / Fraction(LARGE) < abs(number) < LARGE:
        return number
    decimal, inverse = (Fraction(f"{float(x):.{MOST_DIGITS}g}") for x in (number, 1 / number))
    for meant in (number.limit_denominator(MOST_DENOMINATOR), decimal, 1 / inverse):
        if abs(meant - number) <= NEAR * abs(number):
            return meant
    return number
