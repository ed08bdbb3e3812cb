"""The thirteen forms of `rocq/Programs.v`: what a program is for the checker, under the same names.

A program is a tuple of forms, each of which names earlier ones by their place. A value is a
function of a list of indices, one for each axis. `Place` says at which index an axis is read: at a
label, or at a number computed from labels. Naturals are checked to be naturals where they are
parsed: a Python integer may be negative, a `nat` of Rocq may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .report import Rejected, spend
from .sizes import Size, is_nonnegative
from .text import (
    MOST_NODES,
    MOST_RANK,
    fields,
    integer,
    items,
    one_of,
    read_pair,
    read_size,
)

# -- places
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lab:
    """The index that a label has."""

    label: int


@dataclass(frozen=True, slots=True)
class Num:
    """A number."""

    number: int


@dataclass(frozen=True, slots=True)
class SizePlace:
    """The size of an axis, `Size` in Rocq."""

    size: Size


@dataclass(frozen=True, slots=True)
class Plus:
    """The sum of two places."""

    first: Place
    second: Place


@dataclass(frozen=True, slots=True)
class Minus:
    """The difference of two places, 0 where it would be negative."""

    first: Place
    second: Place


@dataclass(frozen=True, slots=True)
class Times:
    """The product of two places."""

    first: Place
    second: Place


@dataclass(frozen=True, slots=True)
class Over:
    """The quotient of two places without its remainder."""

    first: Place
    second: Place


@dataclass(frozen=True, slots=True)
class Modulo:
    """The remainder of one place divided by another."""

    first: Place
    second: Place


Place = Lab | Num | SizePlace | Plus | Minus | Times | Over | Modulo
_OF_TWO: dict[str, Callable[[Place, Place], Place]] = {
    "Plus": Plus,
    "Minus": Minus,
    "Times": Times,
    "Over": Over,
    "Modulo": Modulo,
}


def labels_of(place: Place) -> Iterator[int]:
    """Yields the labels in a place."""
    match place:
        case Lab(label):
            yield label
        case Num() | SizePlace():
            return
        case Plus(a, b) | Minus(a, b) | Times(a, b) | Over(a, b) | Modulo(a, b):
            yield from labels_of(a)
            yield from labels_of(b)


# -- forms
# ------------------------------------------------------------------------------------------------

VIEWS = ("Cut", "Split", "Merge")
#: The fields of the forms of a certificate that hold the program.
LINES = ("shapes", "kinds", "lines")
#: An argument of a `Contract`, and where its axes are read.
Row = tuple[int, tuple[Place, ...]]


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of the function."""

    number: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array that does not depend on the arguments."""

    number: int


@dataclass(frozen=True, slots=True)
class Delta:
    """The identity matrix of a size."""

    size: Size


@dataclass(frozen=True, slots=True)
class Contract:
    """A sum over labels of products of entries.

    Attributes:
        rows: the factors, each with the places at which it is read.
        summed: the labels that are summed over, with their sizes.
        out: the labels of the result.
    """

    rows: tuple[Row, ...]
    summed: tuple[tuple[int, Size], ...]
    out: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of values, entry by entry."""

    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """A function of entries, entry by entry."""

    function: int
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """One value or another, by a condition that is read at some of the axes.

    Attributes:
        condition: the condition.
        axes: for each of its axes, the axis of the result at whose index it is read.
        chosen: the value where the condition holds.
        other: the value elsewhere.
    """

    condition: int
    axes: tuple[int, ...]
    chosen: int
    other: int


@dataclass(frozen=True, slots=True)
class Fold:
    """A function of the entries along an axis of a size, such as their maximum."""

    function: int
    argument: int
    axis: int
    size: Size


@dataclass(frozen=True, slots=True)
class Sort:
    """A function of the entries along an axis of a size, with an entry for each place of it."""

    function: int
    argument: int
    axis: int
    size: Size


@dataclass(frozen=True, slots=True)
class Join:
    """Values side by side along an axis, each with its size there."""

    rows: tuple[tuple[int, Size], ...]
    axis: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A function of arrays, such as the inverse.

    Attributes:
        function: the function.
        batch: the number of first axes that it does not see.
        arguments: the arguments, each with the sizes of the axes that it sees.
    """

    function: int
    batch: int
    arguments: tuple[tuple[int, tuple[Size, ...]], ...]


@dataclass(frozen=True, slots=True)
class View:
    """An array with one or two of its axes seen as others: "Cut", "Split" or "Merge".

    Attributes:
        view: a part of an axis; one axis as two, row-major; or two axes as one.
        argument: the array.
        axis: the first of the axes that are seen as others.
        first: where the part begins, or the size of the first of the two axes.
        second: the size of the part, or of the second axis.
    """

    view: str
    argument: int
    axis: int
    first: Size
    second: Size


Form = (
    Input
    | Scalar
    | Leaf
    | Delta
    | Contract
    | Add
    | Map
    | Choose
    | Fold
    | Sort
    | Join
    | Whole
    | View
)
Program = Sequence[Form]
T = TypeVar("T")
#: A reader of data at a path.
Read = Callable[[Any, str], Any]


def arguments_of(form: Form) -> tuple[int, ...]:
    """Returns the lines whose values a form uses, as `args_of` of `rocq/Motions.v`."""
    match form:
        case Input() | Scalar() | Leaf() | Delta():
            return ()
        case Contract(rows=rows) | Join(rows=rows) | Whole(arguments=rows):
            return tuple(row[0] for row in rows)
        case Add(arguments) | Map(_, arguments):
            return arguments
        case Choose(condition, _, chosen, other):
            return condition, chosen, other
        case Fold(_, argument) | Sort(_, argument) | View(_, argument):
            return (argument,)


def with_arguments(form: Form, lines: Sequence[int]) -> Form:
    """Returns a form that uses other lines, in the order of `arguments_of`."""
    match form:
        case Contract(rows, summed, out):
            pairs = zip(lines, rows, strict=True)
            return Contract(tuple((line, places) for line, (_, places) in pairs), summed, out)
        case Join(rows, axis):
            return Join(
                tuple((line, size) for line, (_, size) in zip(lines, rows, strict=True)), axis
            )
        case Whole(function, batch, arguments):
            sizes = zip(lines, arguments, strict=True)
            return Whole(function, batch, tuple((line, own) for line, (_, own) in sizes))
        case Add():
            return Add(tuple(lines))
        case Map(function):
            return Map(function, tuple(lines))
        case Choose(_, axes):
            condition, chosen, other = lines
            return Choose(condition, axes, chosen, other)
        case Fold(function, _, axis, size):
            return Fold(function, lines[0], axis, size)
        case Sort(function, _, axis, size):
            return Sort(function, lines[0], axis, size)
        case View(view, _, axis, first, second):
            return View(view, lines[0], axis, first, second)
    return form


def view_sizes(view: str, first: Size, second: Size) -> tuple[Size, ...]:
    """Returns the sizes of the axes of a view, in place of those that it sees."""
    match view:
        case "Split":
            return first, second
        case "Merge":
            return (first * second,)
    return (second,)


def view_places(view: str, first: Size, second: Size) -> tuple[Place, ...]:
    """Returns where the axes that a view sees are read, at labels 0 and 1 for its own axes."""
    match view:
        case "Split":
            return (Plus(Times(Lab(0), SizePlace(second)), Lab(1)),)
        case "Merge":
            return Over(Lab(0), SizePlace(second)), Modulo(Lab(0), SizePlace(second))
    return (Plus(SizePlace(first), Lab(0)),)


def lines_follow(
    program: Program, stated: Sequence[T], rule: Callable[[Sequence[T], Form, T], bool],
    kinds: Sequence[int] | None = None,
) -> bool:  # fmt: skip
    """Checks that what is stated of each line follows by a rule from what is stated of those before.

    Args:
        program: the lines.
        stated: of each line, as its type or its shape.
        rule: takes what is stated of the lines before, a line, and what is stated of it; of the
            lines before it asks only about those that the line uses.
        kinds: numbers, equal for lines that differ in nothing but the lines they use; a step of one
            kind between lines of which the same is stated is checked once. Rocq checks every step;
            one of a kind already checked has the same premises, so that its answer is the same.
    """
    if len(program) != len(stated) or not stated:
        return False
    before, seen = list[T](), set[tuple[int, ...]]()
    own = [*map(id, stated)]  # what is stated of several lines is one object, and long
    for line, (form, one) in enumerate(zip(program, stated, strict=True)):
        spend(1)
        used, is_known = arguments_of(form), False
        if kinds is not None and all(argument < line for argument in used):
            key = (kinds[line], own[line], *(own[argument] for argument in used))
            is_known = key in seen
            seen.add(key)
        if not is_known and not rule(before, form, one):
            return False
        before.append(one)
    return True


# -- parsing
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lines:
    """A program, with the shape and the number of the kind of each line."""

    program: list[Form]
    shapes: list[tuple[Size, ...]]
    kinds: list[int]


class FormReader:
    """Reads forms, and the sizes in them.

    Attributes:
        pins: the names of axes with one size, which stands in their place.
        lows: the least sizes of the other names.
    """

    def __init__(self, pins: Mapping[str, int], lows: Mapping[str, int]) -> None:
        self.pins = pins
        self.lows = lows
        natural, size, naturals = self.natural, self.size, self.listed(self.natural)
        rows, sized = self.listed(self._row), self.listed(self._sized)
        #: The class of each form, and the readers of its fields.
        self._forms: dict[str, tuple[Callable[..., Form], tuple[Read, ...]]] = {
            "Input": (Input, (natural,)),
            "Scalar": (Scalar, (integer,)),
            "Leaf": (Leaf, (natural,)),
            "Delta": (Delta, (size,)),
            "Contract": (Contract, (rows, sized, naturals)),
            "Add": (Add, (naturals,)),
            "Map": (Map, (natural, naturals)),
            "Choose": (Choose, (natural, naturals, natural, natural)),
            "Fold": (Fold, (natural, natural, natural, size)),
            "Sort": (Sort, (natural, natural, natural, size)),
            "Join": (Join, (sized, natural)),
            "Whole": (Whole, (natural, natural, self.listed(self._whole_argument))),
            "View": (View, (self._view, natural, natural, size, size)),
        }

    def natural(self, value: Any, path: str) -> int:
        """Reads a natural number."""
        return integer(value, path, 0)

    def size(self, value: Any, path: str) -> Size:
        """Reads a size, which is no negative number at any sizes in scope."""
        size = read_size(value, path, self.pins)
        if not is_nonnegative(size, self.lows):
            raise Rejected(f"{path}: a size that may be negative, or with the name of no axis")
        return size

    def listed(self, read: Read) -> Read:
        """Returns a reader of lists."""
        return lambda value, path: tuple(read(entry, path) for entry in items(value, path))

    def read_lines(self, value: Any, path: str) -> Lines:
        """Reads lines, each the number of its kind and the lines that it uses.

        Lines that differ in nothing but what they use are of one kind: the number of a shape, and a
        form that names its arguments 0, 1, ... in order.

        Raises:
            Rejected: it is malformed, or a line uses one that is not before it.
        """
        listed_shapes, listed_kinds, listed = fields(value, path, *LINES)
        shapes = [
            tuple(self.size(size, f"{path}.shapes") for size in items(one, path, MOST_RANK))
            for one in items(listed_shapes, f"{path}.shapes")
        ]
        known = list[tuple[Form, tuple[Size, ...]]]()
        for number, entry in enumerate(items(listed_kinds, f"{path}.kinds", MOST_NODES)):
            where = f"{path}.kinds[{number}]"
            shape, *form = items(entry, where) or [None]
            known.append(
                (self.form(form, where), shapes[integer(shape, where, 0, len(shapes) - 1)])
            )
            if arguments_of(known[-1][0]) != tuple(range(len(arguments_of(known[-1][0])))):
                raise Rejected(f"{where}: arguments that are not 0, 1, ... in order")
        found = Lines([], [], [])
        for number, entry in enumerate(items(listed, f"{path}.lines", MOST_NODES)):
            where = f"{path}.lines[{number}]"
            kind, *used = items(entry, where) or [None]
            spend(2 + len(used))
            own, its_shape = known[integer(kind, where, 0, len(known) - 1)]
            if len(used) != len(arguments_of(own)):
                raise Rejected(f"{where}: another number of lines than the form uses")
            for line in used:
                integer(line, where, 0, number - 1)
            found.program.append(with_arguments(own, used))
            found.shapes.append(its_shape)
            found.kinds.append(kind)
        return found

    def form(self, value: Any, path: str) -> Form:
        """Reads a form: a list of its name and its fields."""
        entry = items(value, path)
        if not entry:
            raise Rejected(f"{path}: expected a form")
        made, readers = self._forms[one_of(entry[0], path, self._forms)]
        if len(entry) != 1 + len(readers):
            raise Rejected(f"{path}: expected {len(readers)} fields after {entry[0]}")
        spend(1 + len(readers))
        return made(*(read(field, path) for read, field in zip(readers, entry[1:], strict=True)))

    def _view(self, value: Any, path: str) -> str:
        return one_of(value, path, VIEWS)

    def _sized(self, value: Any, path: str) -> tuple[int, Size]:
        number, size = read_pair(value, path)
        return self.natural(number, path), self.size(size, path)

    def _row(self, value: Any, path: str) -> Row:
        argument, places = read_pair(value, path)
        read = tuple(self._place(place, path) for place in items(places, path, MOST_RANK))
        return self.natural(argument, path), read

    def _whole_argument(self, value: Any, path: str) -> tuple[int, tuple[Size, ...]]:
        argument, sizes = read_pair(value, path)
        read = tuple(self.size(z, path) for z in items(sizes, path, MOST_RANK))
        return self.natural(argument, path), read

    def _place(self, value: Any, path: str) -> Place:
        spend(1)
        if type(value) is int:
            return Lab(self.natural(value, path))
        name, *parts = items(value, path, 3) or [None]
        match name, parts:
            case "Num", [number]:
                return Num(self.natural(number, path))
            case "Size", [size]:
                return SizePlace(self.size(size, path))
            case _, [first, second] if isinstance(name, str) and name in _OF_TWO:
                return _OF_TWO[name](self._place(first, path), self._place(second, path))
        raise Rejected(f"{path}: expected a place")
