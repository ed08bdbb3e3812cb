"""Checks that a result does not depend on what a group changes, for all sizes.

Some arguments are moved by the group, and the result is not: then f(g x) = g f(x) says that f(x) is
the same for all values of these arguments that the group joins. Of each line of a program is
recorded what of this is seen, line by line, from the lines before it.

Some *points* are good, whatever the moved arguments are: the entries p of a mask that is not moved,
where it holds (or where it does not), or the first m indices of an axis. Write v' for the value v
after the moved arguments are changed.

* `reads`: points at an entry's index such that the entry, in v' as in v, is undefined or one number
  if all of them are good. Without points this is so of every entry; `None` says nothing.
* `defined`: at each index v' is defined where v is (1), or both are everywhere (2).
* `is_zero_fixed`: at each index where both are defined, v' is 0 where v is.
* `sign`: all entries that are defined are >= 0 (1), or > 0 (2).
* `if_nonzero`, `if_zero`: facts that hold at an index where an entry, in v or in v', is not 0, or
  is 0; None if there is no such entry. A fact is that a point is good, that it is not, or that one
  index is at most another. If good points are the first m, what is below one of them is good.
* `index`: what an entry is, if it is a sum of multiples of indices, and a number.

**Proof of the rules**, each by what `rocq/Programs.v` says that a form is. An entry of a line is a
function of the entries that it reads, which are given at places; if these agree, it does. A choice
reads its value where its condition holds, where the facts of `if_nonzero` do: a point among these
is good, and so is a point not above a good one; if a point that is not good by them is good, the
value is not read. So it is with a product: where a fact of one factor does not hold, that factor
is 0 in both, and the product is 0 if the other factors are defined, and undefined if one is not; so
their `defined` is asked for, and their points need not be good. A sum of numbers >= 0 is 0 where all
are. A function that is defined everywhere is defined where its arguments are; 1/x where x is not 0,
the root where x >= 0, the logarithm where x > 0. An index of an axis, or a label, of m indices is
one of the first m. What stands after the first m along an axis has no good point there. Where an
axis is split in two, of which the second has s indices, (i s + j) div s is i, and mod s it is j.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypedDict, TypeVar

from . import claimed_motions, forms
from .claims import Factor
from .entries import read_at, replaced
from .form_program import FormProgram
from .forms import (
    Form,
    Lab,
    Minus,
    Modulo,
    Over,
    Place,
    Plus,
    SizePlace,
    Times,
    labels_of,
    view_places,
    view_sizes,
)
from .functions import TOTAL
from .motions import STILL, is_positive
from .report import Rejected, spend
from .sizes import ZERO, Size
from .text import boolean, fields, items, read_name, read_size

T = TypeVar("T")
#: A point: the places at which its indices are read.
Point = tuple[Place, ...]
#: The fact that a point is good, that it is not, or that the first of two indices is at most the
#: second.
Fact = tuple[str, Point]
#: Multiples of places, and a number.
Index = tuple[tuple[tuple[Place, Fraction], ...], Fraction]
GOOD, BAD, IN_ORDER = "good", "not good", "in order"
SETTLED, EVERYWHERE = 1, 2
F0, F1 = Fraction(0), Fraction(1)
NONNEGATIVE, POSITIVE = 1, 2
#: The largest number of points, of facts, and of multiples of places that are recorded of a line;
#: of parts of a place; and of bits of a number.
MOST, MOST_PARTS, MOST_BITS = 16, 32, 64
#: Functions f with f(x) = 0 just where x = 0; of these, those whose sign is that of x.
SAME_ZEROS = frozenset("cbrt sign sinh tanh arctan arcsinh erf abs sqrt".split())
#: Functions whose values are all >= 0, and all > 0.
NONNEGATIVE_VALUES = frozenset("abs sqrt not lt le gt ge eq ne and or".split())
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

    @property
    def is_still(self) -> bool:
        """True where no entry depends on what is moved."""
        return self.reads == frozenset()


def still(
    sign: int = 0,
    if_nonzero: frozenset[Fact] | None = frozenset(),
    if_zero: frozenset[Fact] | None = frozenset(),
    index: Index | None = None,
) -> Known:
    """Returns what is seen of a line that is a constant, or an argument that is not moved."""
    return Known(frozenset(), EVERYWHERE, True, sign, if_nonzero, if_zero, index)  # noqa: FBT003


@dataclass(frozen=True, slots=True)
class Good:
    """Which points are good.

    Attributes:
        mask: the number of the argument at whose entries they are, or None.
        holds: whether it holds at good points, or does not.
        first: the number of first indices, if these are the good points.
    """

    mask: int | None = None
    holds: bool = True
    first: Size | None = None


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
    moved = moved_arguments(factor, what.inputs, what.indices)
    if good.mask in moved:
        raise Rejected(f"{path}.way: a mask that is moved")
    known = follow(proof.program, moved, good)
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
    """Reads which points are good: ``["mask", name, holds]``, ``["first", size]`` or ``[]``."""
    match items(value, path, 3):
        case []:
            return Good()
        case ["mask", name, holds]:
            if read_name(name, path) not in names:
                raise Rejected(f"{path}: expected the name of an argument")
            return Good(mask=names.index(name), holds=boolean(holds, path))
        case ["first", size]:
            return Good(first=read_size(size, path, pins))
    raise Rejected(f"{path}: expected which points are good")


def follow(program: FormProgram, moved: frozenset[int], good: Good) -> list[Known]:
    """Returns what is seen of each line of a program."""
    following = _Following(program, moved, good)
    for form, shape in zip(program.lines, program.shapes, strict=True):
        spend(4 + len(forms.arguments_of(form)))
        found = following.of(form, len(shape))
        found = replace(found, reads=following.without_first(found.reads, enumerate(shape)))
        following.known.append(_settled(found))
    return following.known


def _settled(known: Known) -> Known:
    """Adds what follows where no entry depends on what is moved, or where all are positive."""
    if known.is_still:
        known = replace(known, defined=max(known.defined, SETTLED), is_zero_fixed=True)
    if known.sign == POSITIVE:
        known = replace(known, is_zero_fixed=True, if_zero=None)
    if max(map(len, (known.reads or (), known.if_nonzero or (), known.if_zero or ()))) > MOST:
        return replace(Known(), defined=known.defined, sign=known.sign)
    return known


class _Following:
    """The rules, form by form, for one program."""

    def __init__(self, program: FormProgram, moved: frozenset[int], good: Good) -> None:
        self.program = program
        self.moved = moved
        self.good = good
        self.known: list[Known] = []

    def of(self, form: Form, rank: int) -> Known:
        """Returns what is seen of the next line, which has so many axes."""
        match form:
            case forms.Input(number):
                return self._argument(number, rank)
            case forms.Scalar(value):
                return _number(value)
            case forms.Leaf(number):
                return self._constant(number)
            case forms.Delta():
                return still(NONNEGATIVE, _in_order((Lab(0), Lab(1)), (Lab(1), Lab(0))))
            case forms.Contract():
                return self._product(form)
            case forms.Add(arguments):
                return _sum([self.known[a] for a in arguments])
            case forms.Map(function, arguments):
                return self._function(function, [self.known[a] for a in arguments])
            case forms.Choose(condition, axes, chosen, other):
                at = tuple(map(Lab, axes))
                own = through(self.known[condition], at)
                return self._choice(own, self.known[chosen], self.known[other], rank)
            case forms.Join(rows, axis):
                return self._join(rows, axis, rank)
            case forms.View(view, argument, axis, first, second):
                return self._view(view, argument, axis, (first, second), rank)
            case forms.Fold(function, argument, axis, size):
                return self._fold(function, self.known[argument], axis, size, rank)
        return _of_still([self.known[a] for a in forms.arguments_of(form)])

    def without_first(
        self, reads: frozenset[Point] | None, labels: Iterable[tuple[int, Size]]
    ) -> frozenset[Point] | None:
        """Returns points without those that are labels of as many indices as there are good ones."""
        if reads is None or self.good.first is None:
            return reads
        return reads - {(Lab(label),) for label, size in labels if size == self.good.first}

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
                below, above = frozenset[Fact](), frozenset[Fact]()
                if offset <= 0:  # j <= i + offset where it is 1
                    below = _in_order((Lab(1), Lab(0)))
                if offset >= -1:  # j > i + offset where it is 0
                    above = _in_order((Lab(0), Lab(1)))
                return still(NONNEGATIVE, below, above)
            case ["counter"]:
                return still(NONNEGATIVE, index=(((Lab(0), F1),), F0))
        return still()

    # -- entry by entry
    # ------------------------------------------------------------------------------------------
    def _function(self, number: int, args: Sequence[Known]) -> Known:
        name = self.program.functions[number]
        reads = _union(a.reads for a in args)
        if not isinstance(name, str):
            return Known(reads, SETTLED * all(a.is_still for a in args))
        found = Known(reads, _definedness(name, args), sign=_sign_of(name, args))
        if name in SAME_ZEROS or name == "recip":
            (arg,) = args
            found = replace(found, is_zero_fixed=arg.is_zero_fixed)
            if name != "recip":
                found = replace(found, if_nonzero=arg.if_nonzero, if_zero=arg.if_zero)
        elif name == "not":
            (arg,) = args
            found = replace(
                found, is_zero_fixed=arg.is_zero_fixed, if_nonzero=arg.if_zero,
                if_zero=arg.if_nonzero,
            )  # fmt: skip
        elif name in ("and", "or"):
            both, one = [a.if_nonzero for a in args], [a.if_zero for a in args]
            if name == "and":
                found = replace(found, if_nonzero=_union(both), if_zero=_common(one))
            else:
                found = replace(found, if_nonzero=_common(both), if_zero=_union(one))
            found = replace(found, is_zero_fixed=all(a.is_zero_fixed for a in args))
        elif name in ("maximum", "minimum"):  # one of both
            found = replace(
                found, if_nonzero=_common([a.if_nonzero for a in args]),
                if_zero=_common([a.if_zero for a in args]),
            )  # fmt: skip
        elif name in ("lt", "le", "gt", "ge", "eq", "ne"):
            found = replace(found, **_compared(name, *(a.index for a in args)))
        return found

    def _choice(self, condition: Known, chosen: Known, other: Known, rank: int) -> Known:
        def is_own(place: Place) -> bool:
            return all(label < rank for label in labels_of(place))

        chosen_reads = self._without(chosen.reads, condition.if_nonzero, is_own)
        other_reads = self._without(other.reads, condition.if_zero, is_own)
        reads = _union([condition.reads, chosen_reads, other_reads])
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
            _common(
                [
                    _union([condition.if_nonzero, chosen.if_nonzero]),
                    _union([condition.if_zero, other.if_nonzero]),
                ]
            ),
            _common(
                [
                    _union([condition.if_nonzero, chosen.if_zero]),
                    _union([condition.if_zero, other.if_zero]),
                ]
            ),
        )

    def _without(
        self,
        reads: frozenset[Point] | None,
        facts: frozenset[Fact] | None,
        is_own: Callable[[Place], bool],
    ) -> frozenset[Point] | None:
        """Returns points without those that are good by facts, or with greater ones for them."""
        if facts is None:
            return frozenset()
        if reads is None:
            return _excluded(facts, is_own)
        found = set[Point]()
        for point in reads:
            if (GOOD, point) in facts:
                continue
            above = [point]
            if self.good.first is not None:
                for place in above:
                    spend(1 + len(facts))
                    above += [
                        (high,)
                        for kind, pair in facts
                        if kind == IN_ORDER and (pair[0],) == place
                        for high in pair[1:]
                        if (high,) not in above
                    ]
            own = [p for p in above if all(map(is_own, p))] or above
            known = [p for p in own if p in reads]
            found.add((known or own)[-1])
        return frozenset(found)

    # -- sums of products
    # ------------------------------------------------------------------------------------------
    def _product(self, form: forms.Contract) -> Known:
        rows = [through(self.known[line], places) for line, places in form.rows]
        facts = _union([row.if_nonzero for row in rows])

        def is_own(place: Place) -> bool:
            return all(label in form.out for label in labels_of(place))

        reads, settled = frozenset[Point](), all(row.defined for row in rows)
        lost = False
        for row in rows:
            own = self.without_first(row.reads, form.summed)
            left = self._without(own, facts, is_own)
            if left != own and not row.defined:
                left = own
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
            zero = _common([row.if_zero for row in rows])
            if zero is not None:
                zero = frozenset(f for f in zero if all(map(is_own, f[1])))
        index = _multiplied([row.index for row in rows])
        if form.summed or (index is not None and not all(is_own(p) for p, _ in index[0])):
            index = None
        found = Known(
            known_reads,
            settled and min((row.defined for row in rows), default=EVERYWHERE),
            zeros and settled,
            sign,
            nonzero,
            zero,
            index,
        )
        axes = {label: Lab(axis) for axis, label in enumerate(form.out)}
        return renamed(found, axes)

    # -- along axes
    # ------------------------------------------------------------------------------------------
    def _fold(self, number: int, arg: Known, axis: int, size: Size, rank: int) -> Known:
        name = self.program.functions[number]
        if name not in ("max", "min"):
            return _of_still([arg])
        rest: dict[int, Place] = {k: Lab(k - (k > axis)) for k in range(rank + 1) if k != axis}
        defined = arg.defined
        if not is_positive(size):
            defined = min(defined, SETTLED)
        found = renamed(arg, rest)
        return replace(found, defined=defined, is_zero_fixed=arg.sign == POSITIVE, index=None)

    def _join(self, rows: Sequence[tuple[int, Size]], axis: int, rank: int) -> Known:
        known = [self.known[line] for line, _ in rows]
        ends = accumulate((size for _, size in rows), initial=ZERO)
        reads, is_after = list[frozenset[Point] | None](), False
        for (line, _), start in zip(rows, ends, strict=False):
            if self.good.first is not None:
                beyond = start - self.good.first
                is_after = is_after or beyond == ZERO or is_positive(beyond)
            own = self.known[line]
            if own.is_still:
                reads.append(frozenset())
            elif is_after:
                reads.append(frozenset([(Lab(axis),)]))
            else:
                reads.append(self._kept(own.reads, axis))
        return Known(
            _union(reads),
            min((k.defined for k in known), default=EVERYWHERE),
            all(k.is_zero_fixed for k in known),
            min((k.sign for k in known), default=0),
        )

    def _kept(self, reads: frozenset[Point] | None, axis: int) -> frozenset[Point] | None:
        """Returns the points of a part as points of what it is joined to along an axis, or None.

        The index of an entry of a part is not above its index there.
        """
        first = self.good.first is not None
        for at in reads or ():
            if any(axis in labels_of(p) for p in at) and not (first and at == (Lab(axis),)):
                return None
        return reads

    def _view(
        self, view: str, argument: int, axis: int, sizes: tuple[Size, Size], rank: int
    ) -> Known:
        known, count = self.known[argument], len(view_sizes(view, *sizes))
        own = tuple(map(Lab, range(axis, axis + count)))
        seen = tuple(read_at(own, place) for place in view_places(view, *sizes))
        if view == "Cut" and sizes[0] == ZERO:
            seen = own
        places = (*map(Lab, range(axis)), *seen, *map(Lab, range(axis + count, rank)))
        found = through(known, places)
        if view == "Split":
            return _without_digits(found, seen[0], sizes[1], axis)
        return found


def _of_still(args: Sequence[Known]) -> Known:
    """Returns what is seen of any function of values: if none depends on what is moved, it does not."""
    if all(a.is_still for a in args):
        return Known(frozenset(), SETTLED)
    return Known()


def _number(value: int) -> Known:
    own: Index = ((), Fraction(value))
    if value == 0:
        return still(NONNEGATIVE, if_nonzero=None, index=own)
    return still(POSITIVE * (value > 0), if_zero=None, index=own)


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


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _multiplied(indices: Sequence[Index | None]) -> Index | None:
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
    """Returns which index is at most another where one sum of indices is at most another.

    p - q <= c with c < 1, or p - q < c with c <= 1, says p <= q.
    """
    if first is None or second is None:
        return frozenset()
    difference = _added([first, _multiplied([second, ((), -F1)])])
    if difference is None or len(difference[0]) != 2:
        return frozenset()
    ((p, one), (q, other)), number = difference
    if one < 0:
        p, q, one, other = q, p, other, one
    bound = -number / one
    if one != -other or one <= 0 or bound > 1 or (bound == 1 and not is_strict):
        return frozenset()
    return frozenset([(IN_ORDER, (p, q))])


def _sum(args: Sequence[Known]) -> Known:
    """Returns what is seen of a sum of values entry by entry."""
    sign = min((a.sign for a in args), default=NONNEGATIVE)
    if sign and any(a.sign == POSITIVE for a in args):
        sign = POSITIVE
    fixed = all(a.is_zero_fixed for a in args)
    settled = min((a.defined for a in args), default=EVERYWHERE)
    zero: frozenset[Fact] | None = frozenset()
    if len(args) == 1:
        zero = args[0].if_zero
    return Known(
        _union(a.reads for a in args),
        settled,
        fixed and settled > 0 and (sign > 0 or len(args) < 2),
        sign,
        _common([a.if_nonzero for a in args]),
        zero,
        _added([a.index for a in args]),
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


def _in_order(*pairs: Point) -> frozenset[Fact]:
    return frozenset((IN_ORDER, pair) for pair in pairs)


def _compared(name: str, first: Index | None, second: Index | None) -> _Facts:
    """Returns what is known where two indices compare so, and where they do not."""
    if name in ("gt", "ge"):
        return _compared({"gt": "lt", "ge": "le"}[name], second, first)
    below = _order(first, second, is_strict=name == "lt")
    above = _order(second, first, is_strict=name == "le")
    if name in ("lt", "le"):
        return {"if_nonzero": below, "if_zero": above}
    both = below | _order(second, first, is_strict=False)
    if name == "eq":
        return {"if_nonzero": both, "if_zero": frozenset()}
    return {"if_nonzero": frozenset(), "if_zero": both}


# -- sets of points and of facts
# ------------------------------------------------------------------------------------------------


def _union(sets: Iterable[frozenset[T] | None]) -> frozenset[T] | None:
    """Returns the union of sets; None if one is.

    Of points None says nothing, of facts that there is no such case: with any others, it stays so.
    """
    found = frozenset[T]()
    for one in sets:
        if one is None:
            return None
        found |= one
    return found


def _common(facts: Sequence[frozenset[Fact] | None]) -> frozenset[Fact] | None:
    """Returns the facts where one of some cases is; None if none can be."""
    cases = [one for one in facts if one is not None]
    if not cases:
        return None
    return frozenset.intersection(*cases)


def _excluded(facts: frozenset[Fact], is_own: Callable[[Place], bool]) -> frozenset[Point] | None:
    """Returns a point that, if it is good, contradicts the facts where a value is used, or None."""
    found = [point for kind, point in facts if kind == BAD and all(map(is_own, point))]
    if not found:
        return None
    return frozenset(found[:1])


# -- places
# ------------------------------------------------------------------------------------------------


def through(known: Known, places: Sequence[Place]) -> Known:
    """Returns what is seen of the entries of a line at places, over the labels of these."""
    return renamed(known, dict(enumerate(places)))


def _without_digits(known: Known, whole: Place, size: Size, axis: int) -> Known:
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


def renamed(known: Known, at: Mapping[int, Place]) -> Known:
    """Returns what is seen with a place for each label, but not what has other labels, or is long."""
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

    reads = known.reads
    if reads is not None:
        if all(has_place(p) for point in reads for p in point):
            reads = frozenset(tuple(map(place_at, point)) for point in reads)
        else:
            reads = None
    index = known.index
    if index is not None:
        terms, number = index
        index = None
        if all(has_place(place) for place, _ in terms):
            index = tuple((place_at(place), count) for place, count in terms), number
    return replace(
        known, reads=reads, if_nonzero=facts_at(known.if_nonzero),
        if_zero=facts_at(known.if_zero), index=index,
    )  # fmt: skip
