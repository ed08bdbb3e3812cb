"""The checker of one element for each entry: `rocq/Each.v` in Python, under the same names.

Under ``G each b`` there is an element g_b for each entry b of an axis. That axis is followed
through a program: if entry b of an argument is as if g_b acted on all entries, so is entry b of
each line that is computed entry by entry; and a line whose type says that no element changes it
does not change at all. `each_sound` in `rocq/Each.v` proves it.

Of each line is kept at which entry b an index stands, as a place over the line's axes, or None
where no element changes the line. A reshape may join the axis with others, so that b is a part of
an index; the ranges of axes by which it is known again are kept beside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .checker import RType, Rules, check
from .claims import Claim, Factor
from .form_program import least_sizes
from .forms import (
    Add,
    Choose,
    Contract,
    Delta,
    Fold,
    Form,
    Input,
    Join,
    Lab,
    Leaf,
    Map,
    Minus,
    Modulo,
    Num,
    Over,
    Place,
    Plus,
    Program,
    Scalar,
    SizePlace,
    Sort,
    Times,
    View,
    Whole,
    labels_of,
    view_places,
    view_sizes,
)
from .motions import Law, Motion, Motions, check_shifts, insert, is_positive, stays
from .report import spend
from .sizes import Size

#: A label, or an axis, that is less than a size.
Bound = tuple[int, Size]
Bounds = tuple[Bound, ...]
#: At which entry an index of a line stands, None where no element changes it; where that is said.
Mark = tuple[Place | None, Bounds]
#: The labels over which a line goes, an earlier line, and where that is read.
Reading = tuple[Bounds, tuple[int, tuple[Place, ...]]]
#: The number of axes of each line, and its mark.
Context = Sequence[tuple[int, Mark]]
#: Whether no element changes a form after some lines, with a number of axes.
Still = Callable[[int, Form, int], bool]
NO_MARK: Mark = (None, ())
#: How many entries of a list are copied for one unit of work.
COPIED = 500


def factor_of(size: Size, other: Size) -> Size | None:
    """Returns the copies of one monomial by which a size is a multiple of another, or None."""
    if not size.terms or not other.terms:
        return None
    names = list(size.terms[0][0])
    for name in other.terms[0][0]:
        if name in names:
            names.remove(name)
    count = sum(c for _, c in other.terms)
    if count == 0:  # as of n - 1
        return None
    copies = sum(c for _, c in size.terms) // count
    found = Size.collect([(tuple(names), copies)])
    if size == other * found:
        return found
    return None


def as_size(place: Place) -> Size | None:
    """Returns the size that a place is, if it is one whatever the labels are."""
    match place:
        case Num(number):
            return Size.of(number)
        case SizePlace(size):
            return size
    return None


# -- places
# ------------------------------------------------------------------------------------------------


def quotient(place: Place, size: Size) -> tuple[Place, Bounds]:
    """Returns a place divided by a size, and the bounds of labels that make it so."""
    plain: tuple[Place, Bounds] = Over(place, SizePlace(size)), ()
    match place:
        case Over(inner, SizePlace(divisor)):
            return quotient(inner, divisor * size)
        case Plus(Times(x, y), Lab(label)):
            step = as_size(y)
            if step is None:
                return plain
            if step == size:
                return x, ((label, step),)
            rest = factor_of(size, step)
            if rest is None:
                return plain
            found, bounds = quotient(x, rest)
            return found, ((label, step), *bounds)
    return plain


def remainder(place: Place, size: Size) -> tuple[Place, Bounds]:
    """Returns the remainder of a place by a size, and the bounds of labels that make it so."""
    plain: tuple[Place, Bounds] = Modulo(place, SizePlace(size)), ()
    match place:
        case Plus(Times(_, y), Lab(label) as last):
            step = as_size(y)
            if step is None:
                return plain
            if step == size:
                return last, ((label, step),)
            if factor_of(step, size) is not None:
                return Modulo(last, SizePlace(size)), ()
    return plain


def simplify(place: Place) -> tuple[Place, Bounds]:
    """Returns a place without the quotients and remainders that undo products and sums."""
    match place:
        case Over(a, b) | Modulo(a, b):
            size = as_size(b)
            if size is None:
                return place, ()
            inner, bounds = simplify(a)
            if isinstance(place, Over):
                found, more = quotient(inner, size)
            else:
                found, more = remainder(inner, size)
            return found, (*bounds, *more)
    return place, ()


def replaced(place: Place, of_label: Callable[[int], Place]) -> Place:
    """Returns a place with a place for each label."""
    match place:
        case Lab(label):
            return of_label(label)
        case Num() | SizePlace():
            return place
        case Plus(a, b) | Minus(a, b) | Times(a, b) | Over(a, b) | Modulo(a, b):
            return type(place)(replaced(a, of_label), replaced(b, of_label))


def read_at(places: Sequence[Place], place: Place) -> Place:
    """Returns a place over axes, where these are read at places."""
    return replaced(place, lambda k: places[k] if k < len(places) else Num(0))


def over_axes(out: Sequence[int], place: Place) -> Place:
    """Returns a place over labels as one over the axes that they are."""
    return replaced(place, lambda x: Lab(out.index(x) if x in out else len(out)))


# -- lines
# ------------------------------------------------------------------------------------------------


def labels_of_line(rank: int, form: Form) -> tuple[int, ...]:
    """Returns the labels of the axes of a line."""
    if isinstance(form, Contract):
        return form.out
    return tuple(range(rank))


def own(rank: int) -> tuple[Place, ...]:
    """Returns the axes of a line as places."""
    return tuple(map(Lab, range(rank)))


def put(axis: int, place: Place, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Returns places with another one at an axis."""
    return (*places[:axis], place, *places[axis + 1 :])


def readings(rank: int, form: Form) -> tuple[Reading, ...]:
    """Returns how a line with a number of axes reads earlier ones."""
    plain = own(rank)
    match form:
        case Input() | Scalar() | Leaf() | Delta():
            return ()
        case Contract(rows, summed, _):
            return tuple((summed, row) for row in rows)
        case Add(arguments) | Map(_, arguments):
            return tuple(((), (a, plain)) for a in arguments)
        case Choose(condition, axes, chosen, other):
            at = tuple(map(Lab, axes))
            return ((), (condition, at)), ((), (chosen, plain)), ((), (other, plain))
        case Fold(_, argument, axis, size):
            return ((((rank, size),), (argument, insert(axis, Lab(rank), plain))),)
        case Sort(_, argument, axis, size):
            return ((((rank, size),), (argument, put(axis, Lab(rank), plain))),)
        case Join(rows, axis):
            read = put(axis, Lab(rank), plain)
            return tuple((((rank, size),), (argument, read)) for argument, size in rows)
        case Whole(_, batch, arguments):
            return tuple(
                (
                    tuple(enumerate(sizes, rank)),
                    (a, (*plain[:batch], *map(Lab, range(rank, rank + len(sizes))))),
                )
                for a, sizes in arguments
            )
        case View(view, argument, axis, first, second):
            end = axis + len(view_sizes(view, first, second))
            own_axes = tuple(map(Lab, range(axis, end)))
            read = tuple(read_at(own_axes, place) for place in view_places(view, first, second))
            return (((), (argument, (*plain[:axis], *read, *plain[end:]))),)


def bounds_at(places: Sequence[Place], bounds: Bounds, lows: Mapping[str, int]) -> Bounds | None:
    """Returns bounds of the axes of an argument as bounds of labels, or None."""
    found = list[Bound]()
    for axis, size in bounds:
        place: Place = places[axis] if axis < len(places) else Lab(0)
        match place:
            case Lab(label):
                if axis >= len(places):
                    return None
                found.append((label, size))
            case Num(0):
                if not is_positive(size, lows):
                    return None
            case Plus(Times(Lab(label), y), Lab(last)):
                inner = as_size(y)
                outer = None if inner is None else factor_of(size, inner)
                if inner is None or outer is None or axis >= len(places):
                    return None
                found += (label, outer), (last, inner)
            case Over(Lab(label), y):
                divisor = as_size(y)
                if divisor is None or axis >= len(places):
                    return None
                found.append((label, size * divisor))
            case Modulo(_, y):
                if as_size(y) != size or not is_positive(size, lows):
                    return None
            case _:
                return None
    return tuple(found)


def bound_ok(out: Sequence[int], summed: Bounds, bound: Bound) -> bool:
    """Checks a bound: of a label over which the line goes, by its size; others are of its axes."""
    label, size = bound
    for other, own_size in summed:
        if other == label:
            return own_size == size
    return label in out


def outer_bounds(out: Sequence[int], summed: Bounds, bounds: Bounds) -> Bounds:
    """Returns those bounds that are of axes of the line, by axis."""
    labels = [label for label, _ in summed]
    return tuple(
        (out.index(label) if label in out else len(out), size)
        for label, size in bounds
        if label not in labels
    )


def mark_of_reading(
    context: Context, out: Sequence[int], reading: Reading, lows: Mapping[str, int]
) -> Mark | None:
    """Returns the mark that one reading gives, its place over the axes of the line."""
    summed, (line, places) = reading
    labels = [label for label, _ in summed]
    if line >= len(context) or len(places) != context[line][0]:
        return None
    if len({*labels}) != len(labels) or any(label in out for label in labels):
        return None
    place, bounds = context[line][1]
    found = bounds_at(places, bounds, lows)
    if found is None:
        return None
    if place is not None:
        place, more = simplify(read_at(places, place))
        found = (*found, *more)
    inside = place is None or all(label in out for label in labels_of(place))
    if not inside or not all(bound_ok(out, summed, bound) for bound in found):
        return None
    at = None if place is None else over_axes(out, place)
    return at, outer_bounds(out, summed, found)


def both(mark: Mark, other: Mark) -> Mark | None:
    """Returns the mark of what has two marks, or None where their places differ."""
    bounds = tuple(dict.fromkeys((*mark[1], *other[1])))
    if mark[0] is not None and other[0] is not None and mark[0] != other[0]:
        return None
    return other[0] if mark[0] is None else mark[0], bounds


@dataclass(frozen=True, slots=True)
class Marks:
    """The rules by which marks follow, line by line.

    Attributes:
        starts: for each argument the axis each entry of which has an element, or None.
        still: whether by its type no element changes a form after so many lines, with so many axes.
        lows: the least sizes of names of axes; others are >= 1.
    """

    starts: Sequence[int | None]
    still: Still
    lows: Mapping[str, int] = field(default_factory=dict)

    def mark_of(self, context: Context, rank: int, form: Form) -> Mark | None:
        """Returns the mark of a line, by what it reads."""
        if isinstance(form, Input):
            if form.number >= len(self.starts):
                return None
            start = self.starts[form.number]
            return (None if start is None else Lab(start)), ()
        out, found = labels_of_line(rank, form), NO_MARK
        if len(out) != rank:
            return None
        for reading in reversed(readings(rank, form)):
            spend(1 + len(reading[0]))
            one = mark_of_reading(context, out, reading, self.lows)
            if one is None:
                return None
            together = both(one, found)
            if together is None:
                return None
            found = together
        return found

    def mark_by_type(self, context: Context, rank: int, form: Form) -> Mark | None:
        """Returns the mark of a line; it has no place where no element changes the line."""
        found = self.mark_of(context, rank, form)
        if found is None or found[0] is None or not self.still(len(context), form, rank):
            return found
        return None, found[1]

    def mark_of_sum(self, context: Context, rank: int, form: Contract, count: int) -> Mark | None:
        """Returns the mark of a sum of products that, with its first labels left, do not change."""
        left = (*form.out, *(label for label, _ in form.summed[:count]))
        inner = Contract(form.rows, form.summed[count:], left)
        found = self.mark_by_type(context, rank + count, inner)
        if found is None or found[0] is not None:
            return None
        outer = Contract(((len(context), tuple(map(Lab, left))),), form.summed[:count], form.out)
        return self.mark_of([*context, (rank + count, found)], rank, outer)

    def mark_of_line(self, context: Context, rank: int, form: Form) -> Mark | None:
        """Returns the mark of a line, or None where no rule gives one."""
        found = self.mark_by_type(context, rank, form)
        if found is not None or not isinstance(form, Contract) or len(form.out) != rank:
            return found
        known = {*form.out, *(label for label, _ in form.summed)}
        if any(x not in known for _, places in form.rows for p in places for x in labels_of(p)):
            return None
        for count in range(1, len(form.summed) + 1):
            found = self.mark_of_sum(context, rank, form, count)
            if found is not None:
                return found
        return None

    def follows(
        self, ranks: Sequence[int], program: Program, stop: int | None, shape: Sequence[Size]
    ) -> bool:
        """Checks that the last line has entry b at entry b of the axis `stop`, within its shape.

        Or no element changes it.
        """
        if len(ranks) != len(program):
            return False
        context = list[tuple[int, Mark]]()
        for rank, form in zip(ranks, program, strict=True):
            spend(1)
            found = self.mark_of_line(context, rank, form)
            if found is None:
                return False
            context.append((rank, found))
        if not context:
            return False
        rank, (place, bounds) = context[-1]
        return (
            rank == len(shape)
            and (place is None or (stop is not None and place == Lab(stop)))
            and all(axis < len(shape) and shape[axis] == size for axis, size in bounds)
        )


# -- the checkers
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entries:
    """The axis each entry of which has an element of its own.

    Attributes:
        starts: for each argument that axis, or None.
        stop: that axis of the result, or None.
        shape: the shape of the result.
        lows: the least sizes of names of axes; others are >= 1.
    """

    starts: Sequence[int | None]
    stop: int | None
    shape: Sequence[Size]
    lows: Mapping[str, int] = field(default_factory=dict)


def axes_of_elements(claim: Claim, factor: Factor, result: Sequence[Size]) -> Entries:
    """Returns the axis with an element of the factor for each entry, in arguments and result."""
    starts = [
        factor.place(axes) if factor.moves(axes) or claim.indices.get(name) == factor.axis else None
        for name, axes in claim.inputs
    ]
    stop = factor.place(claim.output) if factor.moves(claim.output) else None
    return Entries(starts, stop, result, least_sizes(claim))


def still_by_types(rules: Rules, types: Sequence[RType]) -> Still:
    """Returns whether by the types of the lines before a form no element changes it."""

    def still(line: int, form: Form, rank: int) -> bool:
        spend(line // COPIED)
        return rules.rule(types[:line], form, (((),) * rank, 0))

    return still


def check_each(
    rules: Rules, program: Program, types: Sequence[RType], claimed: RType, entries: Entries
) -> bool:
    """Checks a program under one element for each entry of an axis, by types."""
    ranks = [len(axes) for axes, _ in types]
    return (
        check(rules, program, types, claimed)
        and len(entries.starts) == len(rules.given)
        and Marks(entries.starts, still_by_types(rules, types), entries.lows).follows(
            ranks, program, entries.stop, entries.shape
        )
    )


def check_shifts_each(
    laws: Sequence[Law],
    given: Sequence[Motion],
    program: Program,
    claimed: Motion,
    ranks: Sequence[int],
    entries: Entries,
) -> bool:
    """Checks a program under one translation for each entry of an axis."""
    if not check_shifts(laws, given, program, claimed, entries.lows):
        return False
    motions = Motions(laws, given, entries.lows)
    for form in program:
        found = motions.motion_of(form)
        if found is None:
            return False
        motions.context.append(found)

    def moves_nothing(line: int, form: Form, rank: int) -> bool:
        spend(line // COPIED)
        earlier = Motions(laws, given, entries.lows)
        earlier.context = motions.context[:line]
        found = earlier.motion_of(form)
        return found is not None and stays(found)

    return len(entries.starts) == len(given) and Marks(
        entries.starts, moves_nothing, entries.lows
    ).follows(ranks, program, entries.stop, entries.shape)
