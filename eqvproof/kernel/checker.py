"""The checker: the rules of `rocq/Checker.v` in Python, under the same names.

``check(rules, program, types, claimed)`` says whether the types of the
lines of a program follow by the rules, one for each form; `sound` in `rocq/Checked.v` proves that
the program is then equivariant. The type of a value says, for each axis, how the group acts along
it, and which power of the character multiplies the value. An axis is a tuple of parts, one after
another: nothing acts on the part, or the group's matrix, or its dual, or a matrix of a
representation of the group, by its number; or one of these times the determinant; or, along a part
that is two axes in one, row-major, one of these along each. The empty tuple is an axis on which
nothing acts. `Std` and `Dual` on a part of another size than the group's are the identity, as
`part_matrix` in `rocq/Checked.v` says.

A list of Rocq is a tuple here. An extent, a list of products of variables, is a polynomial
(`sizes.Size`), so that ``==`` stands for `same_size`, `same_kind` and `same_part` of Rocq. A
polynomial may also have negative coefficients, as n - 1, which Rocq reads as a variable of its own:
what is accepted here because (n - 1) + 1 is n may be refused by Rocq, where these are two sizes.
It is sound: with each name n written as its least size plus u >= 0, all sizes of a program that is
accepted are polynomials in the u without negative coefficients, and ``==`` is Rocq's equality.
Some functions are a part of one of Rocq (`_part_of_view`), and some definitions of Rocq have
another form here; tests/kernel/test_ported_names.py is the table of these, and
tests/rocq/test_agreement.py compares the answers of both checkers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

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
    Place,
    Plus,
    Program,
    Row,
    Scalar,
    SizePlace,
    Sort,
    Times,
    View,
    Whole,
    labels_of,
    lines_follow,
    view_places,
    view_sizes,
)
from .report import spend
from .sizes import ZERO, Size

FIX, STD, DUAL = "Fix", "Std", "Dual"


@dataclass(frozen=True, slots=True)
class Irr:
    """The kind of parts along which a representation of the group acts, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Det:
    """The kind of parts along which another kind acts, times the determinant."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Prod:
    """The kind of parts that are two axes in one, with how the group acts along each, and sizes."""

    first: Kind
    first_size: Size
    second: Kind
    second_size: Size


Kind = str | Irr | Det | Prod
Part = tuple[Kind, Size]
#: The parts of an axis; `claims.Axis` has the terms that the claim writes, from which
#: `claimed_types` makes these.
Axis = tuple[Part, ...]
Axes = tuple[Axis, ...]
#: How the group acts along each axis; the power of the character.
RType = tuple[Axes, int]
#: A place at which an axis is read, and how the group acts along that axis.
Occurrence = tuple[Place, Axis]
ALONG_NOTHING: Axis = ()
#: The type `ty0`, in place of that of a line that is not there.
NOTHING: RType = ((), 0)

#: Permutations, without odd ones, cyclic shifts; signs; orthogonal matrices, without reflections;
#: invertible matrices, those of determinant 1; multiples.
FAMILIES = ("S", "A", "C", "Signs", "O", "SO", "GL", "SL", "Scale")
#: The families whose character is 1.
WITHOUT_CHARACTER = ("A", "C", "SO", "SL")


@dataclass(frozen=True, slots=True)
class Fact:
    """What is supposed of a function, as `fact` of `rocq/Checker.v`.

    Attributes:
        name: the constructor.
        degree: of "Degree", the power.
        given: of "Typed", the types of the arguments.
        result: of "Typed", the type of the value.
    """

    name: str
    degree: int = 0
    given: tuple[RType, ...] = ()
    result: RType = ((), 0)


def still(kind: Kind) -> bool:
    """Checks whether no entries of parts of a kind are moved or mixed."""
    if isinstance(kind, Det):
        return still(kind.kind)
    return kind == FIX


def times_det(kind: Kind) -> Kind:
    """Returns a kind times the determinant, whose square is 1."""
    if isinstance(kind, Det):
        return kind.kind
    return Det(kind)


def exchanged(kind: Kind) -> Kind:
    """Returns a kind with the group's matrix and its dual exchanged."""
    match kind:
        case "Std":
            return DUAL
        case "Dual":
            return STD
        case Prod(a, z, b, w):
            return Prod(exchanged(a), z, exchanged(b), w)
    return kind


def fixed(axis: Axis) -> bool:
    """Checks whether an axis is written as one on which nothing acts, ()."""
    return axis == ()


def width(axis: Axis) -> Size:
    """Returns the size of an axis along which something acts: the sum of its parts."""
    total = ZERO
    for _, size in axis:
        total = total + size
    return total


def fits(axis: Axis, size: Size) -> bool:
    """Checks whether an axis of a size can have a type."""
    return fixed(axis) or width(axis) == size


def parts_of(axis: Axis, size: Size) -> Axis:
    """Returns the parts of an axis of a size; one on which nothing acts is one part."""
    if fixed(axis):
        return ((FIX, size),)
    return axis


def merged(axis: Axis) -> Axis:
    """Joins neighbouring parts of one kind of which no entries are moved."""
    spend(len(axis))
    found: list[Part] = []
    for kind, size in axis:
        if found and found[-1][0] == kind and still(kind):
            found[-1] = kind, found[-1][1] + size
        else:
            found.append((kind, size))
    return tuple(found)


def same_parts(axis: Axis, other: Axis) -> bool:
    """Checks whether two axes are the same but for parts that `merged` joins."""
    return merged(axis) == merged(other)


# -- parts of an axis, and two axes in one
# ------------------------------------------------------------------------------------------------


def with_det(axis: Axis) -> Axis:
    """Returns the parts of an axis times the determinant."""
    return tuple((times_det(kind), size) for kind, size in axis)


def minus_size(size: Size, other: Size) -> Size | None:
    """Returns a size without another one, or None where it has not each monomial as often."""
    rest = size - other
    if any(count < 0 for _, count in rest.terms):
        return None
    return rest


def cut_at(axis: Axis, size: Size) -> tuple[Axis, Axis] | None:
    """Returns the first parts of an axis, of a size together, and the others, or None.

    Parts that move no entries may be cut.
    """
    for k, (kind, own) in enumerate(axis):
        if size == ZERO:
            return axis[:k], axis[k:]
        rest = minus_size(size, own)
        if rest is None:
            left = minus_size(own, size)
            if left is None or not still(kind):
                return None
            return (*axis[:k], (kind, size)), ((kind, left), *axis[k + 1 :])
        size = rest
    if size == ZERO:
        return axis, ()
    return None


def part_at(axis: Axis, start: Size, size: Size) -> tuple[Axis, Axis, Axis] | None:
    """Returns the parts before a place, those of a size from there on, and those after them."""
    before = cut_at(axis, start)
    if before is None:
        return None
    after = cut_at(before[1], size)
    if after is None:
        return None
    return before[0], *after


def of_sizes(size: Size, first: Size, second: Size) -> bool:
    """Checks whether a size is the product of two."""
    return size == first * second


def pair_part(kind: Kind, size: Size, other: Part) -> Part:
    """Returns the part that is two parts in one, row-major.

    Products are joined to the right, and so are neighbours on which nothing acts.
    """
    plain = Prod(kind, size, *other), size * other[1]
    match kind, other[0]:
        case Prod(a, z, b, w), _ if of_sizes(size, z, w):
            return pair_part(a, z, pair_part(b, w, other))
        case "Fix", "Fix":
            return FIX, size * other[1]
        case "Fix", Prod("Fix", z, b, w) if of_sizes(other[1], z, w):
            return Prod(FIX, size * z, b, w), size * other[1]
    return plain


def units(part: Part) -> bool:
    """Checks whether a part is a number of entries on which nothing acts."""
    return part[0] == FIX and part[1].constant is not None


def is_whole(axis: Axis) -> bool:
    """Checks whether an axis is one part on which nothing acts, or on whose first factor."""
    if len(axis) != 1:
        return False
    kind = axis[0][0]
    return kind == FIX or (isinstance(kind, Prod) and kind.first == FIX)


def part_times(axis: Axis, part: Part) -> Axis | None:
    """Returns the parts of two axes in one, of which the first is one part, or None.

    Each of so many entries on which nothing acts gives the parts of the second axis; for other
    parts that must be one part.
    """
    if units(part) and not is_whole(axis):
        spend(part[1].number * len(axis))
        return axis * part[1].number
    if len(axis) == 1:
        return (pair_part(*part, axis[0]),)
    return None


def axis_times(first: Axis, second: Axis) -> Axis | None:
    """Returns the parts of two axes in one, row-major, or None."""
    found = list[Part]()
    for part in first:
        one = part_times(second, part)
        if one is None:
            return None
        found += one
    return tuple(found)


def view_ok(form: View, seen: Axes, own: Axes, *, flips: bool) -> bool:
    """Checks the axes of a view by those that it sees.

    Args:
        form: the view.
        seen: how the group acts along the axes of the argument.
        own: how it acts along those of the view.
        flips: whether its character is the determinant times that of the argument.
    """
    z, w = form.first, form.second
    if all_fixed(seen) and all_fixed(own) and not flips:
        return True
    match form.view, seen, own:
        case "Cut", (u,), (t,):
            part = _part_of_view(u, z, w)
            if part is None or not fits(t, w):
                return False
            return same_parts(with_det(part) if flips else part, parts_of(t, w))
        case ("Split", (t,), (t1, t2)) | ("Merge", (t1, t2), (t,)):
            if flips or not (fits(t1, z) and fits(t2, w) and fits(t, z * w)):
                return False
            whole = axis_times(parts_of(t1, z), parts_of(t2, w))
            return whole is not None and same_parts(whole, parts_of(t, z * w))
    return False


def _part_of_view(axis: Axis, start: Size, size: Size) -> Axis | None:
    """Returns the parts of an axis from a place on, of a size together."""
    if fixed(axis):
        return ((FIX, size),)
    found = part_at(axis, start, size)
    if found is None:
        return None
    before, part, after = found
    same = same_parts(axis, (*before, *part, *after))
    if same and width(before) == start and width(part) == size:
        return part
    return None


def all_fixed(axes: Axes) -> bool:
    """Checks whether nothing acts along any of some axes."""
    return all(map(fixed, axes))


def axes_of(context: Sequence[RType], line: int) -> Axes:
    """Returns how the group acts along the axes of an earlier line."""
    return (context[line] if line < len(context) else NOTHING)[0]


def power_of(context: Sequence[RType], line: int) -> int:
    """Returns the power of the character that multiplies an earlier line."""
    return (context[line] if line < len(context) else NOTHING)[1]


def seen_of(context: Sequence[RType], batch: int, line: int) -> RType:
    """Returns what a function of arrays sees of the type of an argument."""
    return axes_of(context, line)[batch:], power_of(context, line)


def det_known(axis: Axis) -> bool:
    """Checks whether the determinant along an axis is known."""
    if any(has_product(kind) for kind, _ in axis):
        return False
    return all(size.constant is not None for kind, size in axis if isinstance(kind, Det))


def has_product(kind: Kind) -> bool:
    """Checks whether a kind is of two axes in one, or the determinant times such a kind."""
    if isinstance(kind, Det):
        return has_product(kind.kind)
    return isinstance(kind, Prod)


@dataclass(frozen=True)
class Rules:
    """The rules for one factor of a group.

    Attributes:
        family: the family of `FAMILIES`.
        group_size: the size of the axes that the group acts on.
        facts: what is supposed of each function, by number.
        given: the types of the arguments.
    """

    family: str
    group_size: Size
    facts: Sequence[Fact | None]
    given: Sequence[RType]

    @cached_property
    def mixes(self) -> bool:
        """True if the group mixes entries, rather than moving them."""
        return self.family in ("O", "SO", "GL", "SL")

    @cached_property
    def linear(self) -> bool:
        """True if the dual of the group's matrix is another matrix."""
        return self.family in ("GL", "SL")

    @cached_property
    def signed(self) -> bool:
        """True if the group changes signs."""
        return self.family == "Signs"

    @cached_property
    def scales(self) -> bool:
        """True if the group multiplies all values."""
        return self.family == "Scale"

    @cached_property
    def moves(self) -> bool:
        """True if the group moves entries without changing signs."""
        return not self.mixes and not self.signed

    def fact_of(self, function: int) -> Fact | None:
        """Returns what is supposed of a function."""
        if function < len(self.facts):
            return self.facts[function]
        return None

    def degree(self, function: int) -> int | None:
        """Returns the degree that is supposed of a function, or None."""
        found = self.fact_of(function)
        if found is not None and found.name == "Degree":
            return found.degree
        return None

    # -- characters and axes

    def same(self, power: int, other: int) -> bool:
        """Checks whether two powers of the character are equal for all elements."""
        if self.family in WITHOUT_CHARACTER:
            return True
        if self.family in ("S", "Signs", "O"):
            return (power - other) % 2 == 0
        return power == other

    def dual(self, axis: Axis) -> Axis:
        """Returns the dual of how the group acts along an axis."""
        return tuple((self.dual_kind(kind), size) for kind, size in axis)

    def dual_kind(self, kind: Kind) -> Kind:
        """Returns the kind of the dual of a part."""
        if self.linear:
            return exchanged(kind)
        return kind

    def known(self, context: Sequence[RType], axes: Axes, argument: int) -> bool:
        """Checks whether an earlier line has some axes."""
        return argument < len(context) and axes_of(context, argument) == axes

    def alike(self, context: Sequence[RType], axes: Axes, power: int, argument: int) -> bool:
        """Checks whether an earlier line has some axes and a power of the character."""
        return self.known(context, axes, argument) and self.same(power_of(context, argument), power)

    def plain(self, context: Sequence[RType], axes: Axes, argument: int) -> bool:
        """Checks whether an earlier line has some axes, and no character."""
        return self.alike(context, axes, 0, argument)

    def along_ok(
        self, function: int, context: Sequence[RType], axes: Axes, power: int, argument: int
    ) -> bool:
        """Checks the argument of a function along an axis: no character, or that of its degree."""
        if self.plain(context, axes, argument) and self.same(0, power):
            return True
        degree = self.degree(function)
        return (
            degree is not None
            and not self.mixes
            and self.known(context, axes, argument)
            and self.same(power_of(context, argument) * degree, power)
        )

    # -- functions of arrays

    def orthonormal(self, axis: Axis) -> bool:
        """Checks whether the matrices along an axis are orthogonal."""
        return not self.linear or fixed(axis)

    @cached_property
    def determinants(self) -> bool:
        """True if the determinant is a power of the character."""
        return self.family not in ("C", "Scale")

    def det_of(self, axis: Axis) -> int:
        """Returns the power of the character that the determinant along an axis is."""
        return sum(self.det_power(kind, size) for kind, size in axis)

    def det_power(self, kind: Kind, size: Size) -> int:
        """Returns the power of the character det(g) that the determinant of a part is.

        The irrep of degree l and parity (-1)^l has 2 l + 1 rows. Its determinant is 1 at rotations,
        which are connected with the identity, and (-1)^l at -1; so it is det(g)^l. A part that is
        neither of the group's size nor an irrep is the identity, of determinant 1. Parts that are
        two axes in one have no power: `det_known` leaves them out.
        """
        match kind:
            case Irr(degree):
                return degree
            case Det(inner):
                return self.det_power(inner, size) + size.number
        if isinstance(kind, Prod) or kind == FIX or size != self.group_size:
            return 0
        if self.linear and kind == DUAL:
            return -1
        return 1

    def scaled(self, power: int, other: int) -> bool:
        """Checks powers of the character for values that are multiplied as their arguments are."""
        if self.scales:
            return self.same(power, other)
        return self.same(power, 0) and self.same(0, other)

    def admits(self, function: int, given: tuple[RType, ...], result: RType) -> bool:
        """Checks whether a function of arrays may take arguments of types to a value of a type."""
        fact, (axes, power) = self.fact_of(function), result
        if fact is None:
            return False
        if fact.name == "Typed":
            return given == fact.given and result == fact.result
        match fact.name, given:
            case "Inverse", (((a, b), e),):
                return axes == (self.dual(b), self.dual(a)) and self.same(-e, power)
            case "Pseudoinverse", (((a, b), e),):
                orthogonal = self.orthonormal(a) and self.orthonormal(b)
                return orthogonal and axes == (b, a) and self.same(-e, power)
            case "Number", (((a, b), e),):
                if axes != () or not self.same(e, 0):
                    return False
                if b == self.dual(a) and self.same(0, power):
                    return True
                known = self.determinants and det_known(a) and det_known(b)
                return known and self.same(self.det_of(a) + self.det_of(b), power)
            case "List", (((a, b), e),):
                return b == a and self.orthonormal(a) and axes == ((),) and self.scaled(e, power)
            case "Conjugate", (((a, b), e),):
                kept = b == self.dual(a) and axes == (a, b)
                return kept and self.same(e, 0) and self.same(0, power)
            case "Weighted", (((a, b), e), ((w,), f)):
                kept = b == a and self.orthonormal(a) and fixed(w) and axes == (a, a)
                return kept and (self.scales or self.same(e, 0)) and self.scaled(f, power)
        return False

    # -- places

    def round(self, along: Callable[[int], Axis], occurrence: Occurrence) -> bool:
        """Checks a place that goes round with the shifts of a cycle."""
        place, axis = occurrence
        if self.family != "C" or not isinstance(place, Modulo):
            return False
        if place.second != SizePlace(self.group_size):
            return False
        count = self.steps(along, place.first)
        if fixed(axis):
            return count == 0
        return axis == self.whole and count == 1

    @cached_property
    def whole(self) -> Axis:
        """An axis along which the group acts."""
        return ((STD, self.group_size),)

    def steps(self, along: Callable[[int], Axis], place: Place) -> int | None:
        """Returns by how much a place goes on, modulo the group's size, when moving labels do by 1."""
        match place:
            case Lab(label):
                return {(): 0, self.whole: 1}.get(along(label))
            case Num() | SizePlace():
                return 0
            case Plus(first, second):
                x, y = self.steps(along, first), self.steps(along, second)
                if x is None or y is None:
                    return None
                return x + y
            case Times(Num(k), second):
                y = self.steps(along, second)
                if y is None:
                    return None
                return k * y
            case Times(Minus(SizePlace(z), Num(1)), second):
                y = self.steps(along, second)
                if y is None or z != self.group_size:
                    return None
                return -y
        return None

    def place_ok(
        self, labels: Labels, along: Callable[[int], Axis], occurrence: Occurrence
    ) -> bool:
        """Checks one place at which an entry is read.

        Nothing acts where it is read at anything but a label, or at a place that goes round.
        """
        place, axis = occurrence
        if isinstance(place, Lab):
            if self.moves:
                return axis == along(place.label)
            return not self.signed or fixed(axis) or axis == labels.act_of(place.label)
        if fixed(axis) and (self.signed or all(fixed(along(x)) for x in labels_of(place))):
            return True
        return self.round(along, occurrence)

    def kept_ok(self, labels: Labels, along: Callable[[int], Axis], label: int) -> bool:
        """Checks a label of the result."""
        axis = along(label)
        if self.moves:
            return True
        if self.signed:
            if len(labels.acted(label)) % 2:
                return axis == labels.act_of(label)
            return fixed(axis)
        if fixed(axis):
            return all(map(fixed, labels.seen(label)))
        return labels.seen(label) == [axis]

    def summed_ok(
        self, labels: Labels, along: Callable[[int], Axis], label: int, size: Size
    ) -> bool:
        """Checks a label that is summed over."""
        axis = along(label)
        if self.moves:
            return fits(axis, size)
        if self.signed:
            return len(labels.acted(label)) % 2 == 0
        if fixed(axis):
            return all(map(fixed, labels.seen(label)))
        return labels.seen(label) == [axis, self.dual(axis)] and fits(axis, size)

    # -- the rules

    def rule(self, context: Sequence[RType], form: Form, stated: RType) -> bool:
        """Checks whether a line of a form has the stated type, by the types of those before it."""
        axes, power = stated
        match form:
            case Input(number):
                return number < len(self.given) and self.given[number] == stated
            case Scalar() | Leaf():
                return all_fixed(axes) and self.same(0, power)
            case Delta(size):
                paired = len(axes) == 2 and axes[1] == self.dual(axes[0])
                return paired and fits(axes[0], size) and self.same(0, power)
            case Contract():
                return self.contract(context, form, axes, power)
            case Add(arguments):
                return all(self.alike(context, axes, power, a) for a in arguments)
            case Map(function, arguments):
                return self.map(context, function, arguments, axes, power)
            case Choose():
                return self.choose(context, form, axes, power)
            case Fold(function, argument, axis, size):
                if axis > len(axes):
                    return False
                before, after = axes[:axis], axes[axis:]
                return self.along(context, (function, argument, axis, size), (before, after), power)
            case Sort(function, argument, axis, size):
                if axis >= len(axes) or not fixed(axes[axis]):
                    return False
                before, after = axes[:axis], axes[axis + 1 :]
                return self.along(context, (function, argument, axis, size), (before, after), power)
            case Join(rows, axis):
                return self.join(context, rows, axis, axes, power)
            case Whole():
                return self.whole_ok(context, form, axes, power)
            case View():
                return self.view(context, form, axes, power)

    def contract(self, context: Sequence[RType], form: Contract, axes: Axes, power: int) -> bool:
        """Checks a sum of products."""
        spend(len(form.summed) + len(form.out))
        summed = [label for label, _ in form.summed]
        bound = {*form.out, *summed}
        if any(a >= len(context) or len(places) != len(context[a][0]) for a, places in form.rows):
            return False
        if len(axes) != len(form.out) or len(bound) != len(form.out) + len(summed):
            return False
        labels = Labels(context, form.rows)
        if not labels.names <= bound:
            return False
        own = dict(zip(form.out, axes, strict=True))

        def along(label: int) -> Axis:
            if label in own:
                return own[label]
            return labels.act_of(label)

        return (
            all(self.place_ok(labels, along, occurrence) for occurrence in labels.occurrences)
            and all(self.kept_ok(labels, along, label) for label in form.out)
            and all(self.summed_ok(labels, along, label, size) for label, size in form.summed)
            and self.same(sum(context[a][1] for a, _ in form.rows), power)
        )

    def map(
        self, context: Sequence[RType], function: int, arguments: tuple[int, ...], axes: Axes,
        power: int,
    ) -> bool:  # fmt: skip
        """Checks a function of entries."""
        held = self.mixes or self.signed
        if not held or all_fixed(axes):
            if all(self.plain(context, axes, a) for a in arguments) and self.same(0, power):
                return True
        degree = self.degree(function)
        if degree is None or not arguments or arguments[0] >= len(context):
            return False
        theirs, own = context[arguments[0]]
        expected = theirs
        if self.signed and degree % 2 == 0:
            expected = (ALONG_NOTHING,) * len(theirs)
        return (
            all(self.alike(context, theirs, own, a) for a in arguments)
            and not (self.mixes and not all_fixed(theirs))
            and self.same(own * degree, power)
            and axes == expected
        )

    def choose(self, context: Sequence[RType], form: Choose, axes: Axes, power: int) -> bool:
        """Checks a choice."""
        if any(p >= len(axes) for p in form.axes):
            return False
        read = tuple(axes[p] for p in form.axes)
        if self.mixes and not all_fixed(read):
            return False
        if self.signed:
            read = (ALONG_NOTHING,) * len(form.axes)
        return (
            self.plain(context, read, form.condition)
            and self.alike(context, axes, power, form.chosen)
            and self.alike(context, axes, power, form.other)
        )

    def along(
        self, context: Sequence[RType], called: tuple[int, int, int, Size], rest: tuple[Axes, Axes],
        power: int,
    ) -> bool:  # fmt: skip
        """Checks a function along an axis, whose value has the other axes `rest`."""
        function, argument, axis, size = called
        before, after = rest
        if argument >= len(context) or axis >= len(context[argument][0]):
            return False
        own = context[argument][0][axis]
        if (self.mixes or self.signed) and not all_fixed((own, *before, *after)):
            return False
        axes = (*before, own, *after)
        return self.along_ok(function, context, axes, power, argument) and fits(own, size)

    def join(
        self, context: Sequence[RType], rows: tuple[tuple[int, Size], ...], axis: int, axes: Axes,
        power: int,
    ) -> bool:  # fmt: skip
        """Checks values side by side along an axis, whose parts come one after another."""
        if axis >= len(axes):
            return False
        joined, parts = axes[axis], list[Part]()
        for argument, size in rows:
            theirs = axes_of(context, argument)
            own = theirs[axis] if axis < len(theirs) else ALONG_NOTHING
            expected = (*axes[:axis], own, *axes[axis + 1 :])
            if not self.known(context, expected, argument) or not fits(own, size):
                return False
            alike = self.same(power_of(context, argument), power)
            if not alike and (not self.reflects or fixed(joined)):
                return False
            if fixed(joined) and not fixed(own):
                return False
            parts += self.part_in(context, power, axis, (argument, size))
        return fixed(joined) or same_parts(tuple(parts), joined)

    @cached_property
    def reflects(self) -> bool:
        """True if the determinant is the character, and -1 or 1."""
        return self.family == "O"

    def part_in(
        self, context: Sequence[RType], power: int, axis: int, row: tuple[int, Size]
    ) -> Axis:
        """Returns the parts of an argument of a join.

        Where it has another power of the determinant than the result, they are times that.
        """
        argument, size = row
        theirs = axes_of(context, argument)
        parts = parts_of(theirs[axis] if axis < len(theirs) else ALONG_NOTHING, size)
        if self.same(power_of(context, argument), power):
            return parts
        return with_det(parts)

    def view(self, context: Sequence[RType], form: View, axes: Axes, power: int) -> bool:
        """Checks a view, by the axes of its argument and its own."""
        p, a = form.axis, form.argument
        count = len(view_sizes(form.view, form.first, form.second))
        seen = axes_of(context, a)[p : p + len(view_places(form.view, form.first, form.second))]
        flips = not self.same(power_of(context, a), power)
        return (
            p + count <= len(axes)
            and len(seen) == len(view_places(form.view, form.first, form.second))
            and self.known(context, (*axes[:p], *seen, *axes[p + count :]), a)
            and (self.reflects or not flips)
            and view_ok(form, seen, axes[p : p + count], flips=flips)
        )

    def whole_ok(self, context: Sequence[RType], form: Whole, axes: Axes, power: int) -> bool:
        """Checks a function of arrays."""
        batch, rest = axes[: form.batch], axes[form.batch :]
        if form.batch > len(axes) or ((self.mixes or self.signed) and not all_fixed(batch)):
            return False
        given = list[RType]()
        for argument, sizes in form.arguments:
            if argument >= len(context) or context[argument][0][: form.batch] != batch:
                return False
            seen, own = context[argument][0][form.batch :], context[argument][1]
            if len(seen) != len(sizes) or not all(map(fits, seen, sizes)):
                return False
            given.append((seen, own))
        plain = all(all_fixed(seen) and self.same(own, 0) for seen, own in given)
        if plain and all_fixed(rest) and self.same(0, power):
            return True
        return self.admits(form.function, tuple(given), (rest, power))


class Labels:
    """The places of a `Contract`: for each label, how the group acts where it is read.

    Attributes:
        occurrences: the places, each with how the group acts along the axis read there.
        names: all labels in places.
    """

    def __init__(self, context: Sequence[RType], rows: Sequence[Row]) -> None:
        self.occurrences: list[Occurrence] = []
        self.names: set[int] = set()
        self._seen: dict[int, list[Axis]] = {}
        for argument, places in rows:
            spend(1 + len(places))
            for place, axis in zip(places, context[argument][0], strict=True):
                self.occurrences.append((place, axis))
                self.names.update(labels_of(place))
                if isinstance(place, Lab):
                    self._seen.setdefault(place.label, []).append(axis)

    def seen(self, label: int) -> list[Axis]:
        """Returns how the group acts along the axes that are read at a label alone."""
        return self._seen.get(label, [])

    def acted(self, label: int) -> list[Axis]:
        """Returns those of `seen` along which something acts."""
        return [axis for axis in self.seen(label) if not fixed(axis)]

    def act_of(self, label: int) -> Axis:
        """Returns the first of `acted`, or that nothing acts."""
        return next(iter(self.acted(label)), ALONG_NOTHING)


def check(
    rules: Rules, program: Program, types: Sequence[RType], claimed: RType,
    kinds: Sequence[int] | None = None,
) -> bool:  # fmt: skip
    """Checks that each line follows by a rule from those before it; the last is as claimed.

    Args:
        rules: the rules for the family of groups, the facts and the types of the arguments.
        program: the lines.
        types: the type of each line.
        claimed: the type claimed of the last line.
        kinds: the numbers of the kinds of lines, see `forms.lines_follow`.
    """
    return lines_follow(program, types, rules.rule, kinds) and types[-1] == claimed
