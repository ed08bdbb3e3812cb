"""Derives what is known of the entries of a line, whatever is moved, and what follows from it.

`independence` says what the fields of `Known` mean, and proves the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import TypedDict, TypeVar

from .entries import replaced
from .form_functions import Function
from .forms import Lab, Minus, Modulo, Num, Over, Place, Plus, SizePlace, Times, labels_of
from .functions import TOTAL
from .report import spend
from .sizes import Size

T = TypeVar("T")
#: A point: the places at which its indices are read.
Point = tuple[Place, ...]
#: The fact that a point is good, that it is not, or that the first of two places is at most the
#: second.
Fact = tuple[str, Point]
#: Multiples of places, and a number.
Index = tuple[tuple[tuple[Place, Fraction], ...], Fraction]
GOOD, BAD, IN_ORDER = "good", "not good", "in order"
SETTLED, EVERYWHERE = 1, 2
F0, F1 = Fraction(0), Fraction(1)
NONNEGATIVE, POSITIVE = 1, 2
#: The largest number of points, of facts, and of multiples of places that are recorded of a line;
#: of parts of a place; of bits of a number; and of places of which one is good.
MOST, MOST_PARTS, MOST_BITS, MOST_PLACES = 16, 32, 64, 4
#: Functions f with f(x) = 0 just where x = 0; of these, those whose sign is that of x.
SAME_ZEROS = frozenset("cbrt sign sinh tanh arctan arcsinh erf abs sqrt".split())
#: Functions whose values are all 0 or 1, all >= 0, and all > 0.
TRUTH_VALUES = frozenset("not lt le gt ge eq ne and or".split())
NONNEGATIVE_VALUES = TRUTH_VALUES | {"abs", "sqrt"}
POSITIVE_VALUES = frozenset("exp cosh pi".split())


class _Facts(TypedDict):
    if_nonzero: frozenset[Fact]
    if_zero: frozenset[Fact]


@dataclass(frozen=True, slots=True)
class Known:
    """Holds what is seen of a line; without arguments nothing."""

    reads: frozenset[Point] | None = None
    defined: int = 0
    is_zero_fixed: bool = False
    sign: int = 0
    if_nonzero: frozenset[Fact] | None = frozenset()
    if_zero: frozenset[Fact] | None = frozenset()
    index: Index | None = None
    magnitude: Index | None = None
    unit: Fraction | None = None

    @property
    def is_still(self) -> bool:
        """True where no entry depends on what is moved."""
        return self.reads == frozenset()


def still(
    sign: int = 0,
    if_nonzero: frozenset[Fact] | None = frozenset(),
    if_zero: frozenset[Fact] | None = frozenset(),
    index: Index | None = None,
    unit: Fraction | None = None,
) -> Known:
    """Returns what is seen of a line that is a constant, or an argument that is not moved."""
    return Known(frozenset(), EVERYWHERE, True, sign, if_nonzero, if_zero, index, unit=unit)  # noqa: FBT003


def settled(known: Known) -> Known:
    """Adds what follows where no entry depends on what is moved, or where all are positive."""
    if known.is_still:
        known = replace(known, defined=max(known.defined, SETTLED), is_zero_fixed=True)
    if known.sign == POSITIVE:
        known = replace(known, is_zero_fixed=True, if_zero=None)
    if max(map(len, (known.reads or (), known.if_nonzero or (), known.if_zero or ()))) > MOST:
        return replace(Known(), defined=known.defined, sign=known.sign)
    return known


def applied(name: Function, args: Sequence[Known]) -> Known:
    """Returns what is seen of a function of entries, entry by entry."""
    reads = union(a.reads for a in args)
    if not isinstance(name, str):
        return Known(reads, SETTLED * all(a.is_still for a in args))
    found = Known(reads, _definedness(name, args), sign=_sign_of(name, args))
    if name in SAME_ZEROS or name == "recip":
        (arg,) = args
        found = replace(found, is_zero_fixed=arg.is_zero_fixed)
        if name != "recip":
            found = replace(found, if_nonzero=arg.if_nonzero, if_zero=arg.if_zero)
        if name == "abs":
            found = replace(found, magnitude=arg.index)
    elif name == "not":
        (arg,) = args
        found = replace(
            found, is_zero_fixed=arg.is_zero_fixed, if_nonzero=arg.if_zero,
            if_zero=arg.if_nonzero,
        )  # fmt: skip
    elif name in ("and", "or"):
        both, one = [a.if_nonzero for a in args], [a.if_zero for a in args]
        if name == "and":
            found = replace(found, if_nonzero=union(both), if_zero=common(one))
        else:
            found = replace(found, if_nonzero=common(both), if_zero=union(one))
        found = replace(found, is_zero_fixed=all(a.is_zero_fixed for a in args))
    elif name in ("maximum", "minimum"):  # one of both
        found = replace(
            found, if_nonzero=common([a.if_nonzero for a in args]),
            if_zero=common([a.if_zero for a in args]),
        )  # fmt: skip
    elif name in ("lt", "le", "gt", "ge", "eq", "ne"):
        found = replace(found, **_compared(name, *args))
    if name in TRUTH_VALUES:
        found = replace(found, unit=F1)
    return found


def of_still(args: Sequence[Known]) -> Known:
    """Returns what is seen of any function of values: if none depends on what is moved, it does not."""
    if all(a.is_still for a in args):
        return Known(frozenset(), SETTLED)
    return Known()


def of_number(value: int) -> Known:
    """Returns what is seen of a number."""
    own: Index = ((), Fraction(value))
    if value == 0:
        return still(NONNEGATIVE, if_nonzero=None, index=own)
    return still(POSITIVE * (value > 0), if_zero=None, index=own, unit=Fraction(value))


def _added(indices: Sequence[Index | None]) -> Index | None:
    """Returns the sum of indices; None if one is not known."""
    found, number = dict[Place, Fraction](), F0
    for one in indices:
        if one is None:
            return None
        for place, count in one[0]:
            found[place] = found.get(place, F0) + count
        number += one[1]
    return _bounded((tuple((place, count) for place, count in found.items() if count), number))


def _bounded(index: Index) -> Index | None:
    """Returns what an entry is, or None where that is long to write."""
    terms, number = index
    numbers = [number, *(count for _, count in terms)]
    if len(terms) > MOST or max(_bits(n) for n in numbers) > MOST_BITS:
        return None
    return index


def short(number: Fraction) -> Fraction | None:
    """Returns a number, or None where that is long to write."""
    if _bits(number) > MOST_BITS:
        return None
    return number


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def product_of_indices(indices: Sequence[Index | None]) -> Index | None:
    """Returns the product of indices of which at most one is no number; None for others."""
    factor, found = F1, None
    for one in indices:
        if one is None or (one[0] and found is not None):
            return None
        if one[0]:
            found = one
        else:
            factor *= one[1]
    terms, number = found or ((), F1)
    return _bounded((tuple((place, factor * count) for place, count in terms), factor * number))


def _order(first: Index | None, second: Index | None, *, is_strict: bool) -> frozenset[Fact]:
    """Returns which place is at most another where one sum of indices is at most another.

    a p - a q + e <= 0 with a > 0 says p <= q + c, c the integer part of -e / a; where it is < 0, c is
    the greatest integer below -e / a.
    """
    if first is None or second is None:
        return frozenset()
    difference = _added([first, product_of_indices([second, ((), -F1)])])
    if difference is None or len(difference[0]) != 2:
        return frozenset()
    ((p, one), (q, other)), number = difference
    if one < 0:
        p, q, one, other = q, p, other, one
    if one != -other or one <= 0:
        return frozenset()
    bound = -number / one
    if is_strict:
        return at_most(p, q, ceil(bound) - 1)
    return at_most(p, q, floor(bound))


def of_sum(args: Sequence[Known]) -> Known:
    """Returns what is seen of a sum of values entry by entry.

    A number and 0 or its negative are 0 just where the second is not.
    """
    sign = min((a.sign for a in args), default=NONNEGATIVE)
    if sign and any(a.sign == POSITIVE for a in args):
        sign = POSITIVE
    fixed = all(a.is_zero_fixed for a in args)
    settled = min((a.defined for a in args), default=EVERYWHERE)
    nonzero = common([a.if_nonzero for a in args])
    zero: frozenset[Fact] | None = frozenset()
    unit, others = None, [a for a in args if a.index is None or a.index[0]]
    number = sum((a.index[1] for a in args if a.index is not None and not a.index[0]), F0)
    if len(args) == 1:
        nonzero, zero, unit = args[0].if_nonzero, args[0].if_zero, args[0].unit
    elif len(others) == 1 and number and others[0].unit == -number:
        nonzero, zero, unit = others[0].if_zero, others[0].if_nonzero, number
    return Known(
        union(a.reads for a in args),
        settled,
        fixed and settled > 0 and (sign > 0 or len(args) < 2),
        sign,
        nonzero,
        zero,
        _added([a.index for a in args]),
        unit=unit,
    )


def _definedness(name: str, args: Sequence[Known]) -> int:
    least = min((a.defined for a in args), default=EVERYWHERE)
    if name in TOTAL:
        return least
    if all(a.is_still for a in args):
        return SETTLED
    if not least or len(args) != 1:
        return 0
    (arg,) = args
    if (name in ("recip", "log") and arg.sign == POSITIVE) or (name == "sqrt" and arg.sign):
        return least
    if arg.is_zero_fixed and (name == "recip" or (name == "log" and arg.sign)):
        return SETTLED
    return 0


def _sign_of(name: str, args: Sequence[Known]) -> int:
    if name in POSITIVE_VALUES:
        return POSITIVE
    signs = [a.sign for a in args]
    match name:
        case "recip" | "sqrt" | "cbrt" | "tanh" | "sinh" | "arctan" | "arcsinh" | "erf" | "sign":
            return signs[0] or NONNEGATIVE * (name == "sqrt")
        case "abs":
            return max(signs[0], NONNEGATIVE)
        case "maximum":
            return max(signs)
        case "minimum":
            return min(signs)
    return NONNEGATIVE * (name in NONNEGATIVE_VALUES)


def in_order(*pairs: Point) -> frozenset[Fact]:
    """Returns the facts that first places are at most second ones."""
    return frozenset((IN_ORDER, pair) for pair in pairs)


def at_most(low: Place, high: Place, number: int) -> frozenset[Fact]:
    """Returns the fact that a place is at most the sum of another and a number."""
    if number < 0:
        low = Plus(low, Num(-number))
    elif number > 0:
        high = Plus(high, Num(number))
    return in_order((low, high))


def _compared(name: str, first: Known, second: Known) -> _Facts:
    """Returns what is known where two entries compare so, and where they do not."""
    if name in ("gt", "ge"):
        return _compared({"gt": "lt", "ge": "le"}[name], second, first)
    one, other = first.index, second.index
    below = _order(one, other, is_strict=name == "lt")
    above = _order(other, one, is_strict=name == "le")
    if name in ("lt", "le"):
        for part in (first.magnitude, product_of_indices([first.magnitude, ((), -F1)])):
            below |= _order(part, other, is_strict=name == "lt")
        for part in (second.magnitude, product_of_indices([second.magnitude, ((), -F1)])):
            above |= _order(part, one, is_strict=name == "le")
        return {"if_nonzero": below, "if_zero": above}
    both = below | _order(other, one, is_strict=False)
    if name == "eq":
        return {"if_nonzero": both, "if_zero": frozenset()}
    return {"if_nonzero": frozenset(), "if_zero": both}


# -- sets of points and of facts
# ------------------------------------------------------------------------------------------------


def union(sets: Iterable[frozenset[T] | None]) -> frozenset[T] | None:
    """Returns the union of sets; None if one is.

    Of points None says nothing, of facts that there is no such case: with any others, it stays so.
    """
    found = frozenset[T]()
    for one in sets:
        if one is None:
            return None
        found |= one
    return found


def common(facts: Sequence[frozenset[Fact] | None]) -> frozenset[Fact] | None:
    """Returns the facts where one of some cases is; None if none can be."""
    cases = [one for one in facts if one is not None]
    if not cases:
        return None
    return frozenset.intersection(*cases)


def excluded(facts: frozenset[Fact], is_own: Callable[[Place], bool]) -> frozenset[Point] | None:
    """Returns a point that, if it is good, contradicts the facts where a value is used, or None."""
    found = [point for kind, point in facts if kind == BAD and all(map(is_own, point))]
    if not found:
        return None
    return frozenset(found[:1])


# -- places
# ------------------------------------------------------------------------------------------------


def without_digits(known: Known, whole: Place, size: Size, axis: int) -> Known:
    """Returns what is seen with i for (i s + j) div s, and j for (i s + j) mod s, as 0 <= j < s.

    Args:
        known: what is seen of an axis that is split in two.
        whole: i s + j.
        size: s, the size of the second of these.
        axis: the first of these, i; the second is the next one.
    """
    digits: dict[Place, Place] = {
        Over(whole, SizePlace(size)): Lab(axis),
        Modulo(whole, SizePlace(size)): Lab(axis + 1),
    }

    def simpler(point: Point) -> Point:
        return tuple(digits.get(place, place) for place in point)

    def simpler_facts(facts: frozenset[Fact] | None) -> frozenset[Fact] | None:
        if facts is None:
            return None
        return frozenset((kind, simpler(point)) for kind, point in facts)

    reads = known.reads
    if reads is not None:
        reads = frozenset(map(simpler, reads))
    return replace(
        known, reads=reads, if_nonzero=simpler_facts(known.if_nonzero),
        if_zero=simpler_facts(known.if_zero),
    )  # fmt: skip


def _parts_of(place: Place) -> int:
    """Counts the labels, numbers and operations in a place, up to one more than are recorded."""
    count, left = 0, [place]
    while left and count <= MOST_PARTS:
        count += 1
        match left.pop():
            case Plus(a, b) | Minus(a, b) | Times(a, b) | Over(a, b) | Modulo(a, b):
                left += [a, b]
            case _:
                pass
    return count


def renamed(known: Known, at: Mapping[int, Place], *, one_is_enough: bool) -> Known:
    """Returns what is seen with a place for each label, but not what has other labels, or is long.

    Args:
        known: what is seen.
        at: the places.
        one_is_enough: whether a point is good if one of its places is.
    """
    lengths = {label: _parts_of(place) for label, place in at.items()}

    def has_place(place: Place) -> bool:
        used = [*labels_of(place)]
        if not all(k in at for k in used):
            return False
        return _parts_of(place) + sum(lengths[k] for k in used) <= MOST_PARTS

    def place_at(place: Place) -> Place:
        spend(MOST_PARTS // 4)
        return replaced(place, lambda label: at[label])

    def facts_at(facts: frozenset[Fact] | None) -> frozenset[Fact] | None:
        if facts is None:
            return None
        return frozenset(
            (kind, tuple(map(place_at, point)))
            for kind, point in facts
            if all(map(has_place, point))
        )

    def read_at_places(point: Point) -> Point:
        own = tuple(map(place_at, filter(has_place, point)))
        return own if one_is_enough or len(own) == len(point) else ()

    def index_at(index: Index | None) -> Index | None:
        if index is None or not all(has_place(place) for place, _ in index[0]):
            return None
        return tuple((place_at(place), count) for place, count in index[0]), index[1]

    reads = known.reads
    if reads is not None:
        reads = frozenset(map(read_at_places, reads))
        if () in reads:
            reads = None
    return replace(
        known, reads=reads, if_nonzero=facts_at(known.if_nonzero),
        if_zero=facts_at(known.if_zero), index=index_at(known.index),
        magnitude=index_at(known.magnitude),
    )  # fmt: skip
