"""Compares two arrays of exact numbers, entry by entry: equal, different or undecided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from eqvproof.engines.search.result import (
    Arithmetic,
    Array,
    Doubt,
)
from eqvproof.engines.search.violation_size import is_number, middle, relative_size
from eqvproof.numbers import UNDECIDED_ENTRY, UNDEFINED, Real, precision
from eqvproof.numbers.scalar import to_ball
from eqvproof.numbers.tensor import map_entries
from eqvproof.programs.evaluate.exact import ENOUGH
from eqvproof.programs.evaluate.exact_system import is_narrow

#: Largest number of bits of a number in a counterexample.
_SHORT = 1 << 14
#: Largest number of bits of numerator and denominator together; longer rationals are enclosed, as
#: in the kernel.
_MOST_EXACT = 8_000
#: Precisions of these enclosures, tried until those of two different numbers are disjoint.
_PRECISIONS = (256, 1024, 4096)


class Relation(Enum):
    """The relations between two sides that a comparison can find."""

    DIFFERENT = auto()
    #: Wherever defined, up to narrow enclosures that overlap.
    EQUAL = auto()
    #: Nowhere defined, on both sides.
    UNDEFINED = auto()
    UNDECIDED = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The result of a comparison of two sides.

    Attributes:
        relation: how the sides are related.
        entry: if they differ, the index of an entry that differs.
        one_sided: whether that entry is defined on one side only.
        arithmetic: the arithmetic of the comparison, if they differ.
        left: the left side, if they differ.
        right: the right side, if they differ.
        at: f(x), if they differ.
        noise: the measured noise of the residual, if floats are compared.
        remark: the reason why a difference does not count.
        doubt: the kind of that reason, if it leaves the claim undecided.
        is_long: whether rationals were enclosed because they are too long.
    """

    relation: Relation
    entry: tuple[int, ...] = ()
    one_sided: bool = False
    arithmetic: Arithmetic = "rational"
    left: Array | None = None
    right: Array | None = None
    at: Array | None = None
    noise: float = 0.0
    remark: str = ""
    doubt: Doubt | None = None
    is_long: bool = False

    @property
    def differs(self) -> bool:
        """Checks whether the two sides differ."""
        return self.relation is Relation.DIFFERENT

    @property
    def rank(self) -> tuple[bool, bool]:
        """Returns a sort key; smaller is better: both sides defined first, then exact ones."""
        return self.one_sided, self.arithmetic != "rational"


def compare_exact(left: Array, right: Array, at: Array) -> Comparison:
    """Compares f(g x) with g f(x).

    Args:
        left: entries are `Real`, UNDEFINED or UNDECIDED_ENTRY.
        right: the same, of the same shape.
        at: f(x), kept for the record.

    Exactness: a difference is certain: unequal rationals, disjoint balls, or one side undefined.
        Rationals that are too long for a certificate are enclosed.
    """
    if left.shape != right.shape:
        return Comparison(Relation.UNDECIDED)
    if any(map(_is_too_long, (*left.flat, *right.flat))):
        return _compare_long(left, right, at)
    return _compare(left, right, at)


def _is_short(x: Real) -> bool:
    """Checks whether a number is short enough to be shown to a reader."""
    value = x.scalar
    if isinstance(value, fmpq):
        return bool(value.height_bits() <= _SHORT)
    return all(abs(int(part.man_exp()[1])) <= _SHORT for part in (value.mid(), value.rad()))


def _compare_long(left: Array, right: Array, at: Array) -> Comparison:
    """Compares sides with rationals that are too long, by enclosures of these."""
    if not _compare(left, right, at, is_short=lambda _: True).differs:
        return _compare(left, right, at)
    for bits in _PRECISIONS:
        with precision(bits):
            found = _compare(
                map_entries(_enclosed, left),
                map_entries(_enclosed, right),
                map_entries(_enclosed, at),
            )
        if found.differs:
            return replace(found, arithmetic="ball", is_long=True)
    return Comparison(Relation.UNDECIDED)


def _is_too_long(value: Any) -> bool:
    """Checks whether a value is a rational that is too long for a certificate."""
    if not isinstance(value, Real) or not value.is_rational:
        return False
    rational: Any = value.scalar
    return int(rational.p.bit_length() + rational.q.bit_length()) > _MOST_EXACT


def _enclosed(value: Any) -> Any:
    """Returns a ball around a rational that is too long; other values unchanged."""
    if _is_too_long(value):
        return Real(to_ball(value.scalar))
    return value


def _compare(
    left: Array, right: Array, at: Array, is_short: Callable[[Real], bool] = _is_short
) -> Comparison:
    """Compares two sides of one shape; a difference of numbers that are too long is undecided."""
    one_sided: tuple[int, ...] | None = None
    undecided = defined = False
    for index in np.ndindex(left.shape):
        a: Any = left[index]
        b: Any = right[index]
        if isinstance(a, Real) and isinstance(b, Real):
            relation = _relation(a, b)
            if relation is Relation.DIFFERENT and not (is_short(a) and is_short(b)):
                return Comparison(Relation.UNDECIDED)
            if relation is Relation.DIFFERENT:
                return _different(left, right, at, index, one_sided=False)
            undecided = undecided or relation is Relation.UNDECIDED
            defined = True
        elif a is UNDECIDED_ENTRY or b is UNDECIDED_ENTRY:
            undecided = True
        elif (a is UNDEFINED) != (b is UNDEFINED) and one_sided is None:
            one_sided = index
    if one_sided is not None:
        return _different(left, right, at, one_sided, one_sided=True)
    if undecided:
        return Comparison(Relation.UNDECIDED)
    if defined:
        return Comparison(Relation.EQUAL)
    return Comparison(Relation.UNDEFINED)


def at_large_entry(comparison: Comparison, least: float) -> Comparison | None:
    """Returns the difference in an entry in which it is at least a part of the largest entry.

    Its present entry stays if it is such an entry, else the one with the largest difference is
    taken. None if there is no such entry.
    """
    left, right = comparison.left, comparison.right
    if comparison.one_sided or left is None or right is None or left.shape != right.shape:
        return comparison
    scale = max((abs(middle(v)) for side in (left, right) for v in side.flat), default=Fraction(0))

    def size(entry: tuple[int, ...]) -> float:
        return relative_size(left[entry], right[entry], scale)

    if size(comparison.entry) >= least:
        return comparison
    both = [i for i in np.ndindex(left.shape) if is_number(left[i]) and is_number(right[i])]
    entry = max(both, key=size)
    if size(entry) >= least:
        return replace(comparison, entry=entry)
    return None


def _relation(a: Real, b: Real) -> Relation:
    x, y = a.scalar, b.scalar
    if x < y or x > y:
        return Relation.DIFFERENT
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return Relation.EQUAL
    if is_narrow(x, ENOUGH) and is_narrow(y, ENOUGH):
        return Relation.EQUAL
    return Relation.UNDECIDED


def _different(
    left: Array, right: Array, at: Array, index: tuple[int, ...], *, one_sided: bool
) -> Comparison:
    rational = all(
        x is UNDEFINED or (isinstance(x, Real) and x.is_rational)
        for side in (left, right)
        for x in side.flat
    )
    arithmetic: Arithmetic = "rational" if rational else "ball"
    return Comparison(Relation.DIFFERENT, tuple(index), one_sided, arithmetic, left, right, at)


def plain_entries(array: Array) -> Array:
    """Returns fractions, and balls as `Real`; None for entries that are not numbers."""

    def plain_entry(value: Any) -> Any:
        if not isinstance(value, Real):
            return None
        if value.is_rational:
            return value.to_fraction()
        return value

    return map_entries(plain_entry, array)


def same_values(first: Array, second: Array) -> bool:
    """Checks whether two results of equal calls are equal bit for bit (NaN equals NaN)."""
    if first.shape != second.shape:
        return False
    if first.dtype != object:
        return bool(np.array_equal(first, second, equal_nan=True))
    return all(_token(a) == _token(b) for a, b in zip(first.flat, second.flat, strict=True))


def _token(value: Any) -> Any:
    if isinstance(value, Real):
        if value.is_rational:
            return value.scalar
        return repr(value.scalar)
    return id(value)
