"""The checker of translations: the rules of `rocq/Motions.v` in Python, under its names.

Types are inferred, line by line: the vector is added to a value, so many times, along one axis; or
the value stays, and of some values that stay it is known what their entries sum to. That the
inferred type of the last line is the claimed one shows that the program is equivariant under
translations, as `sound_shifts` in `rocq/Shifts.v` proves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import gcd, prod
from types import MappingProxyType
from typing import TypeVar

from .forms import (
    Add,
    Choose,
    Contract,
    Fold,
    Form,
    Input,
    Join,
    Lab,
    Map,
    Minus,
    Modulo,
    Num,
    Over,
    Place,
    Plus,
    Program,
    Row,
    Scalar,
    SizePlace,
    Sort,
    Times,
    View,
    arguments_of,
    labels_of,
    view_places,
    view_sizes,
)
from .report import spend
from .sizes import ONE, ZERO, Size, is_nonnegative

T = TypeVar("T")
Sizes = tuple[Size, ...]
#: A function, and whether it is 1/x, or adds what is added to all entries along an axis.
Law = tuple[int, bool]
#: An integer times sizes over sizes.
Ratio = tuple[int, Sizes, Sizes]
ONCE: Ratio = (1, (), ())
#: Summed labels with their sizes.
Summed = tuple[tuple[int, Size], ...]


@dataclass(frozen=True, slots=True)
class Still:
    """The value stays."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The value stays, and is everywhere an integer times sizes over sizes."""

    count: int
    sizes: Sizes
    divisors: Sizes


@dataclass(frozen=True, slots=True)
class Share:
    """The value stays, and along an axis of a size its entries sum to 1."""

    axis: int
    size: Size


@dataclass(frozen=True, slots=True)
class SumOf:
    """The sums of an earlier line along an axis of a size.

    Attributes:
        line: the earlier line.
        axis: the axis; None for sums of equal terms, as many as the size says.
        size: the size.
        rank: the number of axes of the sums.
    """

    line: int
    axis: int | None
    size: Size
    rank: int


@dataclass(frozen=True, slots=True)
class OneOver:
    """1 over such sums, with the same fields as `SumOf`."""

    line: int
    axis: int | None
    size: Size
    rank: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The vector is added along an axis, an integer times sizes over sizes as often."""

    axis: int
    count: int
    sizes: Sizes
    divisors: Sizes


@dataclass(frozen=True, slots=True)
class Loaded:
    """The vector is added along an axis, times the sums of an earlier line along one of its axes."""

    axis: int
    line: int
    summed: int
    size: Size
    rank: int


Motion = Still | Amount | Share | SumOf | OneOver | Moved | Loaded
STILL = Still()


def stays(motion: Motion) -> bool:
    """Checks whether a value stays."""
    return not isinstance(motion, Moved | Loaded)


def is_motion(inferred: Motion, claimed: Motion) -> bool:
    """Checks whether what was inferred is what is claimed; whatever stays is `Still`."""
    match inferred, claimed:
        case _, Still():
            return stays(inferred)
        case Share(), Share():
            return inferred == claimed
        case Moved(axis, count, sizes, divisors), Moved():
            same = (axis, count) == (claimed.axis, claimed.count)
            return same and are_same(sizes, claimed.sizes) and are_same(divisors, claimed.divisors)
    return False


# -- sizes
# ------------------------------------------------------------------------------------------------


def are_same(sizes: Sizes, others: Sizes) -> bool:
    """Checks whether two products have the same factors in some order, `perm_eq` in Rocq."""
    return Counter(sizes) == Counter(others)


def as_factors(count: int) -> Sizes:
    """Returns a number as a product of sizes."""
    if count == 1:
        return ()
    return (Size.of(count),)


def factors(size: Size) -> Sizes:
    """Returns a size as a product.

    Where it is copies of one product of variables, the factors are these and the number of copies.
    """
    if len(size.terms) != 1:
        return (size,)
    ((names, copies),) = size.terms
    return (*map(Size.of, names), *as_factors(copies))


def is_positive(size: Size, lows: Mapping[str, int] = MappingProxyType({})) -> bool:
    """Checks whether a size is positive for sure: names of axes are, so sums of their products are.

    A difference may be 0, such as n - 1; then no term of a sum is read, and none need be defined.
    In Rocq it is a variable of its own, which is one of those that are supposed to be positive only
    where the least size of n, in `lows`, is above 1.
    """
    if size != ZERO and all(count > 0 for _, count in size.terms):
        return True
    return is_nonnegative(size - ONE, lows)


def is_number(size: Size) -> bool:
    """Checks whether a size is a number."""
    return size.constant is not None


def number_in(sizes: Sizes) -> int:
    """Returns the product of those of some sizes that are numbers."""
    return prod(size.constant for size in sizes if size.constant is not None)


def variables_in(sizes: Sizes) -> Sizes:
    """Returns those of some sizes that are not numbers."""
    return tuple(size for size in sizes if not is_number(size))


def without_common(sizes: Sizes, divisors: Sizes) -> tuple[Sizes, Sizes]:
    """Returns sizes and divisors without those that are in both."""
    left = list[Size]()
    spend(len(sizes) * len(divisors))
    for size in divisors:
        if size in sizes:
            sizes = removed(size, sizes)
        else:
            left.append(size)
    return sizes, tuple(left)


def lowest(count: int, sizes: Sizes, divisors: Sizes) -> Ratio:
    """Returns an integer times sizes over sizes in lowest terms.

    What is divided out is numbers and variables; other sizes are compared as a whole.
    """
    above, below = without_common(variables_in(sizes), variables_in(divisors))
    n, d = abs(count) * number_in(sizes), number_in(divisors)
    common = gcd(n, d) or 1
    return signum(count) * (n // common), above, (*as_factors(d // common), *below)


def added(ratio: Ratio, other: Ratio) -> Ratio | None:
    """Adds two ratios of the same sizes but for numbers, or returns None."""
    (k, sizes, divisors), (k2, sizes2, divisors2) = ratio, other
    if k2 == 0:
        return ratio
    below, below2 = variables_in(divisors), variables_in(divisors2)
    if not are_same(sizes, sizes2) or not are_same(below, below2):
        return None
    d, d2 = number_in(divisors), number_in(divisors2)
    return lowest(k * d2 + k2 * d, sizes, (*as_factors(d * d2), *below))


def free(label: int, rows: Sequence[Row]) -> bool:
    """Checks whether a label occurs in no place."""
    return not any(label in labels_of(place) for _, places in rows for place in places)


def at_zero(label: int, place: Place) -> Place:
    """Returns a place with a label replaced by 0."""
    match place:
        case Lab(own):
            if own == label:
                return Num(0)
            return place
        case Num() | SizePlace():
            return place
        case Plus(a, b) | Minus(a, b) | Times(a, b) | Over(a, b) | Modulo(a, b):
            return type(place)(at_zero(label, a), at_zero(label, b))


def without(number: int, values: Sequence[T]) -> tuple[T, ...]:
    """Returns a list without one of its entries."""
    return (*values[:number], *values[number + 1 :])


def removed(value: T, values: Sequence[T]) -> tuple[T, ...]:
    """Returns a list without the first entry that is a value, `rem` in Rocq."""
    if value in values:
        return without(values.index(value), values)
    return tuple(values)


def insert(number: int, value: T, values: Sequence[T]) -> tuple[T, ...]:
    """Returns a list with one more entry, before the entry of that number."""
    return (*values[:number], value, *values[number:])


def signum(count: int) -> int:
    """Returns 1, 0 or -1, as a number is positive, 0 or negative."""
    return (count > 0) - (count < 0)


def find(found: Iterable[bool]) -> int:
    """Returns the number of the first that is true, or how many there are."""
    count = 0
    for each in found:
        if each:
            return count
        count += 1
    return count


def entry(rows: Sequence[Row], number: int) -> Row:
    """Returns a factor of a product; where there is none, the one that Rocq takes in its place."""
    if number < len(rows):
        return rows[number]
    return 0, ()


class Motions:
    """The inferred motions of the lines so far, and the rules by which the next one follows.

    Attributes:
        laws: the functions that are 1/x, each with True; those along an axis to whose value is
            added what is added to all entries, each with False.
        given: the motions of the arguments.
        lows: the least sizes of names of axes; others are >= 1.
        context: the motions of the lines so far.
    """

    def __init__(
        self,
        laws: Sequence[Law],
        given: Sequence[Motion],
        lows: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.laws = laws
        self.given = given
        self.lows = lows
        self.context: list[Motion] = []

    def motion_at(self, line: int) -> Motion:
        """Returns the motion of a line."""
        if line < len(self.context):
            return self.context[line]
        return STILL

    def steady(self, line: int) -> bool:
        """Checks whether an earlier line stays."""
        return line < len(self.context) and stays(self.context[line])

    # -- sums of products over one label after another, as sizes times a product of some factors

    def shares(self, label: int, size: Size, row: Row) -> bool:
        """Checks whether a factor has the label once, and its entries sum to 1 there."""
        motion, (line, places) = self.motion_at(row[0]), row
        if not isinstance(motion, Share) or motion.size != size or motion.axis >= len(places):
            return False
        alone = without(motion.axis, places)
        return places[motion.axis] == Lab(label) and free(label, [(line, alone)])

    def inverts(self, label: int, size: Size, summed: Row, row: Row) -> bool:
        """Checks whether a factor is 1 over the sums of another one along the label."""
        motion, (_, places) = self.motion_at(row[0]), row
        if not isinstance(motion, OneOver) or motion.axis is None:
            return False
        return (
            (motion.size, motion.line, motion.rank) == (size, summed[0], len(places))
            and summed[1] == insert(motion.axis, Lab(label), places)
            and free(label, [row])
        )

    def summed_out(
        self, label: int, size: Size, rows: Sequence[Row]
    ) -> tuple[Sizes, tuple[Row, ...]] | None:
        """Sums a product over a label: sizes times the factors that are left, or None."""
        spend(1 + sum(1 + len(places) for _, places in rows))
        if not is_positive(size, self.lows):
            return None
        if free(label, rows):
            return factors(size), tuple(rows)
        if size == ONE:
            return (), tuple((a, tuple(at_zero(label, p) for p in places)) for a, places in rows)
        i = find(not free(label, [row]) for row in rows)
        first, rest = entry(rows, i), without(i, rows)
        if self.shares(label, size, first) and free(label, rest):
            return (), rest
        j = find(self.inverts(label, size, first, row) for row in rest)
        if j < len(rest) and free(label, without(j, rest)):
            return (), without(j, rest)
        return None

    def reduced(self, summed: Summed, rows: Sequence[Row]) -> tuple[Sizes, tuple[Row, ...]] | None:
        """Sums a product over labels, the last one first."""
        sizes, left = list[Sizes](), tuple(rows)
        for label, size in reversed(summed):
            found = self.summed_out(label, size, left)
            if found is None:
                return None
            sizes.append(found[0])
            left = found[1]
        return tuple(chain.from_iterable(reversed(sizes))), left

    def collected(self, rows: Sequence[Row]) -> Ratio | None:
        """Multiplies factors that are integers times sizes over sizes, or returns None."""
        count, sizes, divisors = ONCE
        for line, _ in reversed(rows):
            motion = self.motion_at(line)
            if not isinstance(motion, Amount):
                return None
            count *= motion.count
            sizes, divisors = (*motion.sizes, *sizes), (*motion.divisors, *divisors)
        return count, sizes, divisors

    def cancels(self, rows: Sequence[Row], row: Row) -> bool:
        """Checks whether a factor is 1 / (n e) beside the factor e."""
        motion, (_, places) = self.motion_at(row[0]), row
        if not isinstance(motion, OneOver) or motion.axis is not None:
            return False
        return len(places) == motion.rank and (motion.line, places) in rows

    def cancelled(self, rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], Sizes]:
        """Leaves out pairs of e and 1 / (n e); returns the rest, and the sizes n."""
        found = list[Size]()
        for _ in range(len(rows)):
            i = find(self.cancels(rows, row) for row in rows)
            row, rest = entry(rows, i), without(i, rows)
            motion = self.motion_at(row[0])
            if not isinstance(motion, OneOver) or i >= len(rows):
                break
            if (motion.line, row[1]) not in rest:
                break
            rows = removed((motion.line, row[1]), rest)
            found += factors(motion.size)
        return rows, tuple(found)

    def number_of(self, rows: Sequence[Row], summed: Summed, ratio: Ratio) -> Ratio | None:
        """Multiplies a ratio by a sum of products, or returns None."""
        reduced = self.reduced(summed, rows)
        if reduced is None:
            return None
        kept, below = self.cancelled(reduced[1])
        found = self.collected(kept)
        if found is None:
            return None
        (k, sizes, divisors), (k2, sizes2, divisors2) = ratio, found
        return lowest(k * k2, (*sizes2, *reduced[0], *sizes), (*divisors2, *below, *divisors))

    def sizes_known(self, rows: Sequence[Row]) -> Sizes:
        """Returns the sizes of axes along which something is known."""
        motions = (self.motion_at(line) for line, _ in rows)
        return tuple(m.size for m in motions if isinstance(m, Share | OneOver))

    def still_product(self, form: Contract) -> Motion:
        """Returns what is known of a sum of products of values that stay."""
        rows, summed, out = form.rows, form.summed, form.out
        amount = self.number_of(rows, summed, ONCE)
        if amount is not None:
            return Amount(*amount)
        sizes = self.sizes_known(rows)
        if len({*out}) == len(out):
            for axis, label in enumerate(out):
                if label in [other for other, _ in summed]:
                    continue
                for size in sizes:
                    if self.number_of(rows, ((label, size), *summed), ONCE) == ONCE:
                        return Share(axis, size)
        return sum_of(rows, summed, out)

    # -- points

    def divides(self, axis: int, row: Row, summed: SumOf, other: Row) -> bool:
        """Checks whether a factor is 1 over the sums by which points are moved."""
        motion = self.motion_at(other[0])
        if not isinstance(motion, OneOver) or motion.axis is None or summed.axis is None:
            return False
        same = (motion.line, motion.axis, motion.size, motion.rank) == (
            summed.line, summed.axis, summed.size, summed.rank,
        )  # fmt: skip
        return same and len(row[1]) == summed.rank + 1 and other[1] == without(axis, row[1])

    def alone(self, row: Row, rest: Sequence[Row], form: Contract, axis: int) -> bool:
        """Checks that only these points move, and that their axis is one of the result."""
        line, places = row
        if line >= len(self.context) or not all(self.steady(other) for other, _ in rest):
            return False
        own = own_label(row, form.out, axis)
        return (
            axis < len(places)
            and own < len(form.out)
            and len({*form.out}) == len(form.out)
            and form.out[own] not in [label for label, _ in form.summed]
        )

    def moved_product(self, form: Contract) -> Motion | None:
        """Returns how a product of points and of values that stay moves, or None."""
        rows, summed, out = form.rows, form.summed, form.out
        i = find(not self.steady(line) for line, _ in rows)
        row, rest = entry(rows, i), without(i, rows)
        match self.motion_at(row[0]):
            case Moved(axis, count, sizes, divisors):
                if not self.alone(row, rest, form, axis):
                    return None
                own = own_label(row, out, axis)
                times = self.number_of(rest, summed, (count, sizes, divisors))
                if times is not None:
                    return Moved(own, *times)
                if (count, sizes, divisors) != ONCE:
                    return None
                found = sum_of(rest, summed, without(own, out))
                if isinstance(found, SumOf) and found.axis is not None:
                    return Loaded(own, found.line, found.axis, found.size, found.rank)
            case Loaded(axis, line, along, size, rank):
                weights = SumOf(line, along, size, rank)
                j = find(self.divides(axis, row, weights, other) for other in rest)
                if self.alone(row, rest, form, axis) and j < len(rest):
                    times = self.number_of(without(j, rest), summed, ONCE)
                    if times is not None:
                        return Moved(own_label(row, out, axis), *times)
        return None

    def sum_moved(self, axis: int, arguments: Sequence[int]) -> Ratio | None:
        """Returns how often the vector is added to a sum, or None."""
        if any(argument >= len(self.context) for argument in arguments):
            return None
        total: Ratio | None = (0, (), ())
        for argument in reversed(arguments):
            match self.context[argument]:
                case Moved(own, count, sizes, divisors) if own == axis and total is not None:
                    total = added((count, sizes, divisors), total)
                case Moved() | Loaded():
                    return None
        return total

    def motion_of(self, form: Form) -> Motion | None:
        """Returns the motion of a line of a form, or None where no rule gives one.

        A maximum of no entries is undefined, in both runs, and a sorted list of none has no entry,
        so that `Fold` and `Sort` may go along an axis of which the size may be 0.
        """
        if isinstance(form, Input):
            if form.number < len(self.given):
                return self.given[form.number]
            return None
        if all(map(self.steady, arguments_of(form))):
            return self.still_motion(form)
        match form:
            case Contract():
                return self.moved_product(form)
            case Add(arguments):
                i = find(not self.steady(a) for a in arguments)
                first = self.motion_at(arguments[i])
                if not isinstance(first, Moved):
                    return None
                total = self.sum_moved(first.axis, arguments)
                if total is None:
                    return None
                if total[0] == 0:
                    return STILL
                return Moved(first.axis, *total)
            case Choose(condition, _, chosen, other):
                known = chosen < len(self.context) and other < len(self.context)
                if not self.steady(condition) or not known:
                    return None
                moved = self.motion_at(chosen)
                if isinstance(moved, Moved) and is_motion(self.motion_at(other), moved):
                    return moved
            case Fold(function, argument, 0) | Sort(function, argument, 0):
                moved = self.motion_at(argument)
                lawful = (function, False) in self.laws
                if not lawful or not isinstance(moved, Moved) or moved.axis == 0:
                    return None
                if isinstance(form, Sort):
                    return moved
                return replace(moved, axis=moved.axis - 1)
            case Join(((first, _), *_) as rows, joined):
                moved = self.motion_at(first)
                if not isinstance(moved, Moved) or moved.axis == joined:
                    return None
                if all(
                    a < len(self.context) and is_motion(self.context[a], moved) for a, _ in rows
                ):
                    return moved
            case View(argument=line):
                moved = self.motion_at(line)
                if line >= len(self.context) or not isinstance(moved, Moved):
                    return None
                axis = axis_of_view(form, moved.axis)
                if axis is not None:
                    return replace(moved, axis=axis)
        return None

    def still_motion(self, form: Form) -> Motion:
        """Returns what is known of a line whose arguments all stay."""
        match form:
            case Scalar(value):
                return Amount(value, (), ())
            case Contract():
                return self.still_product(form)
            case Map(function, (argument,)) if (function, True) in self.laws:
                match self.motion_at(argument):
                    case SumOf(line, axis, size, rank):
                        return OneOver(line, axis, size, rank)
                    case Amount(count, sizes, divisors):
                        below = (*as_factors(abs(count)), *sizes)
                        return Amount(*lowest(signum(count), divisors, below))
            case Join(((first, _), *_) as rows, joined):
                share = self.motion_at(first)
                if not isinstance(share, Share) or share.axis == joined:
                    return STILL
                if all(is_motion(self.motion_at(a), share) for a, _ in rows):
                    return share
            case View(argument=line):
                share = self.motion_at(line)
                if isinstance(share, Share):
                    axis = axis_of_view(form, share.axis)
                    if axis is not None:
                        return replace(share, axis=axis)
        return STILL


def axis_of_view(form: View, axis: int) -> int | None:
    """Returns the axis of a view that is an axis of its argument, or None where it is seen anew."""
    seen = len(view_places(form.view, form.first, form.second))
    own = len(view_sizes(form.view, form.first, form.second))
    if axis < form.axis:
        return axis
    if axis < form.axis + seen:
        return None
    return axis - seen + own


def sum_of(rows: Sequence[Row], summed: Summed, out: tuple[int, ...]) -> Motion:
    """Returns the sums of a value along one of its axes, or `Still` for other products."""
    if len(rows) != 1 or len(summed) != 1:
        return STILL
    ((line, places),), ((label, size),) = rows, summed
    if label in out or len({*out}) != len(out):
        return STILL
    plain = tuple(map(Lab, out))
    if places == plain:
        return SumOf(line, None, size, len(out))
    axis = find(place == Lab(label) for place in places)
    if places == insert(axis, Lab(label), plain) and axis <= len(out):
        return SumOf(line, axis, size, len(out))
    return STILL


def own_label(row: Row, out: Sequence[int], axis: int) -> int:
    """Returns the axis of the result that is an axis of a factor."""
    if axis >= len(row[1]):
        return len(out)
    return find(row[1][axis] == Lab(label) for label in out)


def check_shifts(
    laws: Sequence[Law],
    given: Sequence[Motion],
    program: Program,
    claimed: Motion,
    lows: Mapping[str, int] = MappingProxyType({}),
) -> bool:
    """Checks that the motion of the last line follows, and is the claimed one."""
    motions = Motions(laws, given, lows)
    for form in program:
        spend(1)
        found = motions.motion_of(form)
        if found is None:
            return False
        motions.context.append(found)
    return bool(motions.context) and is_motion(motions.context[-1], claimed)
