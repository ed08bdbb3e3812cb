"""Sums of indices, and whether these are among the first of an axis, or beyond them.

A place that is computed from labels by sums, multiples and differences is a sum of multiples of
labels, and of a size. A difference of places is 0 where it would be negative. Where that is of no
importance, as where it is asked whether a place is one of the first m indices, or beyond them, and
m >= 1, a place is a sum, or 0 where the sum is negative: the place is below m just where the sum is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .forms import Lab, Minus, Num, Place, Plus, SizePlace, Times, labels_of
from .report import spend
from .sizes import ONE, ZERO, Size, is_nonnegative

#: The largest number in a sum that is written as a place, and the most parts that its size has.
MOST_NUMBER, MOST_TERMS = 2**64, 16


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of multiples of places, and of a size.

    Attributes:
        terms: the places, no sums themselves, with their multiples, which are not 0.
        size: the size.
    """

    terms: frozenset[tuple[Place, int]]
    size: Size

    def __add__(self, other: Sum) -> Sum:
        spend(1 + len(self.terms) + len(other.terms))
        counts = dict(self.terms)
        for place, count in other.terms:
            counts[place] = counts.get(place, 0) + count
        left = frozenset((place, count) for place, count in counts.items() if count)
        return Sum(left, self.size + other.size)

    def __sub__(self, other: Sum) -> Sum:
        return self + other.times(-1)

    def times(self, count: int) -> Sum:
        """Returns a multiple."""
        if count == 0:
            return Sum(frozenset(), ZERO)
        terms = frozenset((place, count * own) for place, own in self.terms)
        return Sum(terms, self.size * Size.of(count))

    def shifted(self, size: Size) -> Sum:
        """Returns the sum with a size."""
        return Sum(self.terms, self.size + size)

    @property
    def labels(self) -> Iterator[int]:
        """The labels in the places."""
        return (label for place, _ in self.terms for label in labels_of(place))


@dataclass(frozen=True, slots=True)
class Ranges:
    """States what values indices may have.

    Attributes:
        extents: the sizes that labels are below.
        lows: the least sizes of names.
    """

    extents: Mapping[int, Size]
    lows: Mapping[str, int]

    def is_nonnegative(self, size: Size) -> bool:
        """Checks whether a size is not negative; False may mean unknown."""
        spend(1 + len(size.terms))
        return is_nonnegative(size, self.lows)

    def sum_of(self, place: Place) -> Sum:
        """Returns a place as a sum; a difference that may be negative is one of its terms."""
        spend(1)
        match place:
            case Num(number):
                return Sum(frozenset(), Size.of(number))
            case SizePlace(size):
                return Sum(frozenset(), size)
            case Plus(a, b):
                return self.sum_of(a) + self.sum_of(b)
            case Times(a, Num(count)) | Times(Num(count), a) if count <= MOST_NUMBER:
                return self.sum_of(a).times(count)
            case Minus(a, b):
                found = self.sum_of(a) - self.sum_of(b)
                least = self.extreme(found, is_highest=False)
                if least is not None and self.is_nonnegative(least):
                    return found
        return Sum(frozenset([(place, 1)]), ZERO)

    def opened(self, place: Place) -> Sum:
        """Returns a sum such that the place is it, or is 0 where it is negative."""
        match place:
            case Minus(a, b):
                return self.opened(a) - self.sum_of(b)
        return self.sum_of(place)

    def extreme(self, one: Sum, *, is_highest: bool) -> Size | None:
        """Returns a size that a sum is never above, or never below; None if none is known.

        A label is at most its size less 1, and each place is at least 0.
        """
        size = one.size
        for place, count in one.terms:
            if (count > 0) == is_highest:
                if not isinstance(place, Lab) or place.label not in self.extents:
                    return None
                size += (self.extents[place.label] - ONE) * Size.of(count)
        return size

    def over(self, one: Sum, kept: Callable[[Place], bool], *, is_highest: bool) -> Sum | None:
        """Returns a sum of some places that another sum is never above, or never below.

        Args:
            one: the sum.
            kept: the places that may stay.
            is_highest: whether the sum is never above the one that is returned.
        """
        stay = frozenset(term for term in one.terms if kept(term[0]))
        size = self.extreme(Sum(one.terms - stay, one.size), is_highest=is_highest)
        if size is None:
            return None
        return Sum(stay, size)


def as_place(one: Sum) -> Place | None:
    """Returns the place that is a sum, or is 0 where this is negative; None if it is long."""
    numbers = [count for _, count in (*one.terms, *one.size.terms)]
    if len(one.size.terms) > MOST_TERMS or any(abs(count) > MOST_NUMBER for count in numbers):
        return None
    terms = sorted(one.terms, key=repr)
    above = [_multiple(place, count) for place, count in terms if count > 0]
    below = [_multiple(place, -count) for place, count in terms if count < 0]
    for sign, parts in ((1, above), (-1, below)):
        size = Size.collect((names, c * sign) for names, c in one.size.terms if c * sign > 0)
        if size.constant is None:
            parts.append(SizePlace(size))
        elif size != ZERO:
            parts.append(Num(size.number))
    if below:
        return Minus(_total(above), _total(below))
    return _total(above)


def _multiple(place: Place, count: int) -> Place:
    if count == 1:
        return place
    return Times(place, Num(count))


def _total(parts: Iterable[Place]) -> Place:
    first, *rest = [*parts] or [Num(0)]
    for part in rest:
        first = Plus(first, part)
    return first
