"""Checks that a result does not depend on what a group changes, for all sizes.

Some arguments are moved by the group, and the result is not: then f(g x) = g f(x) says that f(x) is
the same for all values of these arguments that the group joins. Of each line of a program is
recorded what of this is seen, line by line, from the lines before it.

Some *points* are good, whatever the moved arguments are: the entries p of a mask that is not moved,
where it holds (or where it does not), the indices of an axis below a size m, or those from m on.
Write v' for the value v after the moved arguments are changed.

* `reads`: points at an entry's index such that the entry, in v' as in v, is undefined or one number
  if all of them are good. Without points this is so of every entry; `None` says nothing. Where the
  good points are indices, each of `reads` is some places, and is good if one of these is.
* `defined`: at each index v' is defined where v is (1), or both are everywhere (2).
* `is_zero_fixed`: at each index where both are defined, v' is 0 where v is.
* `sign`: all entries that are defined are >= 0 (1), or > 0 (2).
* `if_nonzero`, `if_zero`: facts that hold at an index where an entry, in v or in v', is not 0, or
  is 0; None if there is no such entry. A fact is that a point is good, that it is not, or that one
  place is at most another. What is below a good point is good, if those below m are, and what is
  above one, if those from m on are.
* `index`: what an entry is, if it is a sum of multiples of indices, and a number; `magnitude`: what
  it is the absolute value of; `unit`: the only number but 0 that entries are, in v and in v'.

**Proof of the rules**, each by what `rocq/Programs.v` says that a form is. An entry of a line is a
function of the entries that it reads, which are given at places; if these agree, it does. A choice
reads its value where its condition holds, where the facts of `if_nonzero` do: a point among these
is good, and so is one that by them is not above a good one (below m), or not below one (from m on);
if a point that is not good by them is good, the value is not read. So one place may stand for
another: where p <= q + c by the facts, p + e is good (below m) if q + c + e is. As m >= 1, a
difference is asked about as if it could be negative (`index_sums`). Of a label that is summed over,
or folded, all values are good if that is which makes a place greatest (below m), or least (from m
on). What is good whatever the labels are, by the sizes that these are below, is left out. So it is
with a product: where a fact of one factor does not hold, that factor is 0 in both, and the product
is 0 if the other factors are defined, and undefined if one is not; so their `defined` is asked for,
and their points need not be good. A sum of numbers >= 0 is 0 where all are. A function that is
defined everywhere is defined where its arguments are; 1/x where x is not 0, the root where x >= 0,
the logarithm where x > 0. Along an axis where values are joined, entry i is entry i - s of the
value that begins at s, if it is one of its entries. If nothing is known of that value, it is enough
that i is none of them: i + m - s is below m just where i < s; and if the value ends at e, i + m - e
is at least m just where i >= e. Where an axis is split in two, of which the second has s indices,
(i s + j) div s is i, and mod s it is j.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import Any

from . import claimed_motions, forms
from .claims import Factor
from .entries import read_at
from .form_program import FormProgram, least_sizes
from .forms import (
    Form,
    Lab,
    Place,
    labels_of,
    view_places,
    view_sizes,
)
from .index_sums import Ranges, Sum, as_place
from .known_entries import (
    BAD,
    EVERYWHERE,
    F0,
    F1,
    GOOD,
    IN_ORDER,
    MOST_PLACES,
    NONNEGATIVE,
    POSITIVE,
    SETTLED,
    Fact,
    Known,
    Point,
    applied,
    at_most,
    common,
    excluded,
    in_order,
    of_number,
    of_still,
    of_sum,
    product_of_indices,
    renamed,
    settled,
    short,
    still,
    union,
    without_digits,
)
from .motions import STILL, is_positive
from .report import Rejected, spend
from .sizes import ONE, ZERO, Size
from .text import boolean, fields, items, read_name, read_size


@dataclass(frozen=True, slots=True)
class Good:
    """Which points are good.

    Attributes:
        mask: the number of the argument at whose entries they are, or None.
        holds: whether it holds at good points, or does not.
        limit: the size m that good points are below, or at least, if they are indices.
        is_below: whether they are below it.
    """

    mask: int | None = None
    holds: bool = True
    limit: Size | None = None
    is_below: bool = True


def check(proof: Any, factor: Factor, evidence: Any, path: str) -> None:
    """Checks that the result does not depend on what a factor of the group moves.

    Args:
        proof: a `form_proof.FormProof`, whose shapes have been checked.
        factor: the factor.
        evidence: which points are good.
        path: where that stands.

    Raises:
        Rejected: it is not seen.
    """
    family, axis, chosen = fields(evidence, path, "family", "axis", "way")
    factor.require_named(family, axis, path)
    what = proof.claim
    if (
        factor.kind != "shift"
        or proof.eigenvectors
        or claimed_motions.claimed_motion(factor, what.output) != STILL
    ):
        raise Rejected(f"{path}: expected translations that do not move the result")
    good = _read_good(chosen, f"{path}.way", [name for name, _ in what.inputs], what.pins)
    if good.limit is not None and not is_positive(good.limit):
        raise Rejected(f"{path}.way: expected a size that is 1 or more")
    moved = moved_arguments(factor, what.inputs, what.indices)
    if good.mask in moved:
        raise Rejected(f"{path}.way: a mask that is moved")
    known = follow(proof.program, moved, good, least_sizes(what))
    if not known[-1].is_still:
        raise Rejected(f"{path}: the result is not seen to be independent of what is moved")


def moved_arguments(factor: Factor, inputs: Sequence[Any], indices: Any) -> frozenset[int]:
    """Returns the numbers of the arguments that a factor moves."""
    return frozenset(
        number
        for number, (name, axes) in enumerate(inputs)
        if claimed_motions.claimed_motion(factor, axes) != STILL or indices.get(name) == factor.axis
    )


def _read_good(value: Any, path: str, names: Sequence[str], pins: Any) -> Good:
    """Reads which points are good, ``[]`` if none are said to be.

    Else ``["mask", name, holds]``, ``["below", size]`` or ``["from", size]``.
    """
    match items(value, path, 3):
        case []:
            return Good()
        case ["mask", name, holds]:
            if read_name(name, path) not in names:
                raise Rejected(f"{path}: expected the name of an argument")
            return Good(mask=names.index(name), holds=boolean(holds, path))
        case [("below" | "from") as side, size]:
            return Good(limit=read_size(size, path, pins), is_below=side == "below")
    raise Rejected(f"{path}: expected which points are good")


def follow(
    program: FormProgram, moved: frozenset[int], good: Good, lows: Mapping[str, int]
) -> list[Known]:
    """Returns what is seen of each line of a program.

    Args:
        program: the program.
        moved: the numbers of the arguments that are changed.
        good: which points are good.
        lows: the least sizes of names.
    """
    following = _Following(program, moved, good, lows)
    for form, shape in zip(program.lines, program.shapes, strict=True):
        spend(4 + len(forms.arguments_of(form)))
        found = following.of(form, shape)
        ranges = Ranges(dict(enumerate(shape)), lows)
        reads = following.without(found.reads, frozenset(), lambda _: True, ranges)
        following.known.append(settled(replace(found, reads=reads)))
    return following.known


class _Following:
    """The rules, form by form, for one program."""

    def __init__(
        self, program: FormProgram, moved: frozenset[int], good: Good, lows: Mapping[str, int]
    ) -> None:
        self.program = program
        self.moved = moved
        self.good = good
        self.lows = lows
        self.known: list[Known] = []

    def of(self, form: Form, shape: Sequence[Size]) -> Known:
        """Returns what is seen of the next line, which has this shape."""
        rank = len(shape)
        match form:
            case forms.Input(number):
                return self._argument(number, rank)
            case forms.Scalar(value):
                return of_number(value)
            case forms.Leaf(number):
                return self._constant(number)
            case forms.Delta():
                return still(NONNEGATIVE, in_order((Lab(0), Lab(1)), (Lab(1), Lab(0))))
            case forms.Contract():
                return self._product(form, shape)
            case forms.Add(arguments):
                return of_sum([self.known[a] for a in arguments])
            case forms.Map(function, arguments):
                return applied(self.program.functions[function], [self.known[a] for a in arguments])
            case forms.Choose(condition, axes, chosen, other):
                at = dict(enumerate(map(Lab, axes)))
                own = self._at(self.known[condition], at)
                return self._choice(own, self.known[chosen], self.known[other], shape)
            case forms.Join(rows, axis):
                return self._join(rows, axis, rank)
            case forms.View(view, argument, axis, first, second):
                return self._view(view, argument, axis, (first, second), rank)
            case forms.Fold(function, argument, axis, size):
                return self._fold(function, self.known[argument], axis, size, rank)
        return of_still([self.known[a] for a in forms.arguments_of(form)])

    def _at(self, known: Known, places: Mapping[int, Place]) -> Known:
        """Returns what is seen of the entries of a line at places, over the labels of these."""
        return renamed(known, places, one_is_enough=self.good.limit is not None)

    # -- arguments and constants
    # ------------------------------------------------------------------------------------------
    def _argument(self, number: int, rank: int) -> Known:
        if number in self.moved:
            return Known(None, EVERYWHERE)
        if number != self.good.mask:
            return still()
        point = tuple(map(Lab, range(rank)))
        is_good, is_bad = frozenset([(GOOD, point)]), frozenset([(BAD, point)])
        if self.good.holds:
            return still(if_nonzero=is_good, if_zero=is_bad)
        return still(if_nonzero=is_bad, if_zero=is_good)

    def _constant(self, number: int) -> Known:
        numbers = self.program.stored.get(number)
        if numbers:
            sign = NONNEGATIVE * (min(numbers) >= 0) + (min(numbers) > 0)
            if 0 in numbers:
                return still(sign)
            return still(sign, if_zero=None)
        match self.program.leaves[number]:
            case ["triangle", offset]:
                below = at_most(Lab(1), Lab(0), offset)  # j <= i + offset where it is 1
                above = at_most(Lab(0), Lab(1), -offset - 1)  # j > i + offset where it is 0
                return still(NONNEGATIVE, below, above, unit=F1)
            case ["counter"]:
                return still(NONNEGATIVE, index=(((Lab(0), F1),), F0))
        return still()

    # -- entry by entry
    # ------------------------------------------------------------------------------------------
    def _choice(
        self, condition: Known, chosen: Known, other: Known, shape: Sequence[Size]
    ) -> Known:
        def is_own(place: Place) -> bool:
            return all(label < len(shape) for label in labels_of(place))

        ranges = Ranges(dict(enumerate(shape)), self.lows)
        chosen_reads = self.without(chosen.reads, condition.if_nonzero, is_own, ranges)
        other_reads = self.without(other.reads, condition.if_zero, is_own, ranges)
        reads = union([condition.reads, chosen_reads, other_reads])
        defined = 0
        if condition.defined:
            defined = min(condition.defined, chosen.defined, other.defined)
            if not condition.is_zero_fixed and min(chosen.defined, other.defined) < EVERYWHERE:
                defined = 0
        fixed = [condition, chosen, other]
        return Known(
            reads,
            defined,
            all(k.is_zero_fixed for k in fixed) and condition.defined > 0,
            min(chosen.sign, other.sign),
            common(
                [
                    union([condition.if_nonzero, chosen.if_nonzero]),
                    union([condition.if_zero, other.if_nonzero]),
                ]
            ),
            common(
                [
                    union([condition.if_nonzero, chosen.if_zero]),
                    union([condition.if_zero, other.if_zero]),
                ]
            ),
        )

    def without(
        self,
        reads: frozenset[Point] | None,
        facts: frozenset[Fact] | None,
        is_own: Callable[[Place], bool],
        ranges: Ranges,
    ) -> frozenset[Point] | None:
        """Returns points that are good only if some others are, where facts hold.

        Args:
            reads: the others.
            facts: the facts; None if there is no such entry.
            is_own: whether a place has only labels that may stay.
            ranges: what labels may be.
        """
        if facts is None:
            return frozenset()
        if reads is None:
            return excluded(facts, is_own)
        if self.good.limit is None:
            return frozenset(point for point in reads if (GOOD, point) not in facts)
        in_order = [pair for kind, pair in facts if kind == IN_ORDER]
        found = [
            own
            for point in reads
            if (own := self._in_place_of(point, in_order, is_own, ranges)) is not None
        ]
        spend(len(found) ** 2)
        return frozenset(p for p in found if not any({*other} < {*p} for other in found))

    def _in_place_of(
        self,
        point: Point,
        in_order: Sequence[Point],
        is_own: Callable[[Place], bool],
        ranges: Ranges,
    ) -> Point | None:
        """Returns places of which one is good only if one of some others is; None if one is for sure.

        If no place can be written with the labels that may stay, the others are returned.
        """
        below = self.good.is_below
        pairs = [(ranges.sum_of(low), ranges.sum_of(high)) for low, high in in_order]
        if not below:
            pairs = [(high, low) for low, high in pairs]
        pairs += [(far.times(-1), near.times(-1)) for near, far in pairs]
        sums = [*map(ranges.opened, point)]
        for one in sums:
            if self._is_good(one, ranges):
                return None
            spend(1 + len(pairs))
            for near, far in pairs:  # what is not beyond the near one is not beyond the far one
                step = one - near
                more = far.shifted(step.size)
                if not step.terms and all(more.terms != other.terms for other in sums):
                    sums.append(more)
        written = [*point, *map(as_place, sums[len(point) :])]
        own = [place for place in written if place is not None and is_own(place)]
        if not own:
            ends = [ranges.over(one, is_own, is_highest=below) for one in sums]
            if any(end is not None and self._is_good(end, ranges) for end in ends):
                return None
            written = [as_place(end) for end in ends if end is not None]
            own = [place for place in written if place is not None]
        return tuple(dict.fromkeys(own or point))[:MOST_PLACES]

    def _is_good(self, one: Sum, ranges: Ranges) -> bool:
        """Checks whether a sum is good whatever the labels are."""
        limit, below = self.good.limit, self.good.is_below
        end = ranges.extreme(one, is_highest=below)
        if limit is None or end is None:
            return False
        if below:
            return ranges.is_nonnegative(limit - end - ONE)
        return ranges.is_nonnegative(end - limit)

    # -- sums of products
    # ------------------------------------------------------------------------------------------
    def _product(self, form: forms.Contract, shape: Sequence[Size]) -> Known:
        rows = [self._at(self.known[line], dict(enumerate(places))) for line, places in form.rows]
        facts = union([row.if_nonzero for row in rows])

        def is_own(place: Place) -> bool:
            return all(label in form.out for label in labels_of(place))

        extents = dict([*zip(form.out, shape, strict=True), *form.summed])
        ranges = Ranges(extents, self.lows)
        reads, settled = frozenset[Point](), all(row.defined for row in rows)
        lost = False
        for row in rows:
            known = facts
            if not row.defined:
                known = frozenset()
            left = self.without(row.reads, known, is_own, ranges)
            if left is None or not all(is_own(p) for point in left for p in point):
                lost = True
            else:
                reads |= left
        pairs = [(line, places) for line, places in form.rows]
        odd = [k for k, row in enumerate(form.rows) if pairs.count(row) % 2]
        sign = min((rows[k].sign for k in odd), default=NONNEGATIVE)
        if form.summed or len(odd) < len(rows):
            sign = min(sign, NONNEGATIVE)
        zeros = all(row.is_zero_fixed for row in rows) and (sign > 0 or not form.summed)
        nonzero = facts
        if facts is not None:
            nonzero = frozenset(f for f in facts if all(map(is_own, f[1])))
        known_reads: frozenset[Point] | None = reads
        if lost:
            known_reads = None
        zero: frozenset[Fact] | None = frozenset()
        if not form.summed:
            zero = common([row.if_zero for row in rows])
            if zero is not None:
                zero = frozenset(f for f in zero if all(map(is_own, f[1])))
        index = product_of_indices([row.index for row in rows])
        if form.summed or (index is not None and not all(is_own(p) for p, _ in index[0])):
            index = None
        units = [row.unit for row in rows]
        unit = None
        if not form.summed and None not in units:
            unit = short(prod((one for one in units if one is not None), start=F1))
        found = Known(
            known_reads,
            settled and min((row.defined for row in rows), default=EVERYWHERE),
            zeros and settled,
            sign,
            nonzero,
            zero,
            index,
            unit=unit,
        )
        axes: dict[int, Place] = {label: Lab(axis) for axis, label in enumerate(form.out)}
        return self._at(found, axes)

    # -- along axes
    # ------------------------------------------------------------------------------------------
    def _fold(self, number: int, arg: Known, axis: int, size: Size, rank: int) -> Known:
        name = self.program.functions[number]
        if name not in ("max", "min"):
            return of_still([arg])
        rest: dict[int, Place] = {k: Lab(k - (k > axis)) for k in range(rank + 1) if k != axis}
        defined = arg.defined
        if not is_positive(size):
            defined = min(defined, SETTLED)
        ranges = Ranges({axis: size}, self.lows)
        kept = self.without(
            arg.reads, frozenset(), lambda place: axis not in labels_of(place), ranges
        )
        found = self._at(replace(arg, reads=kept), rest)
        return replace(
            found, defined=defined, is_zero_fixed=arg.sign == POSITIVE, index=None, magnitude=None
        )

    def _join(self, rows: Sequence[tuple[int, Size]], axis: int, rank: int) -> Known:
        known = [self.known[line] for line, _ in rows]
        starts = accumulate((size for _, size in rows), initial=ZERO)
        reads = [
            self._joined(self.known[line].reads, axis, start, size)
            for (line, size), start in zip(rows, starts, strict=False)
        ]
        return Known(
            union(reads),
            min((k.defined for k in known), default=EVERYWHERE),
            all(k.is_zero_fixed for k in known),
            min((k.sign for k in known), default=0),
        )

    def _joined(
        self, reads: frozenset[Point] | None, axis: int, start: Size, size: Size
    ) -> frozenset[Point] | None:
        """Returns the points of a part as points of what it is joined to along an axis.

        Args:
            reads: the points of the part.
            axis: the axis.
            start: the index at which the part begins.
            size: the number of its indices.
        """
        limit, index = self.good.limit, Sum(frozenset([(Lab(axis), 1)]), ZERO)
        ranges = Ranges({}, self.lows)
        if reads is None:
            if limit is None:
                return None
            end = start
            if not self.good.is_below:
                end = start + size
            outside = as_place(index.shifted(limit - end))
            if outside is None:
                return None
            return frozenset([(outside,)])
        if limit is None:
            if any(axis in labels_of(place) for point in reads for place in point):
                return None
            return reads
        found = set[Point]()
        for point in reads:
            sums = [
                own.shifted(start * Size.of(-dict(own.terms).get(Lab(axis), 0)))
                for own in map(ranges.opened, point)
                if not any(axis in labels_of(p) for p, _ in own.terms if p != Lab(axis))
            ]
            places = [place for one in sums if (place := as_place(one)) is not None]
            if not places:
                return None
            found.add(tuple(places))
        return frozenset(found)

    def _view(
        self, view: str, argument: int, axis: int, sizes: tuple[Size, Size], rank: int
    ) -> Known:
        known, count = self.known[argument], len(view_sizes(view, *sizes))
        own = tuple(map(Lab, range(axis, axis + count)))
        seen = tuple(read_at(own, place) for place in view_places(view, *sizes))
        if view == "Cut" and sizes[0] == ZERO:
            seen = own
        places = (*map(Lab, range(axis)), *seen, *map(Lab, range(axis + count, rank)))
        found = self._at(known, dict(enumerate(places)))
        if view == "Split":
            return without_digits(found, seen[0], sizes[1], axis)
        return found
