"""The twelve forms of `rocq/Programs.v`: what a program is for the checker, under the same names.

A program is a tuple of forms, each of which names earlier ones by their place. A value is a
function of a list of indices, one for each axis. `Place` says at which index an axis is read: at a
label, or at a number computed from labels. Naturals are checked to be naturals where they are
parsed: a Python integer may be negative, a `nat` of Rocq may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .report import Rejected, spend
from .sizes import Size
from .text import MOST_NODES, MOST_RANK, integer, items, one_of, read_pair, read_size

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


Form = Input | Scalar | Leaf | Delta | Contract | Add | Map | Choose | Fold | Sort | Join | Whole
Program = tuple[Form, ...]


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
        case Fold(_, argument) | Sort(_, argument):
            return (argument,)


# -- parsing
# ------------------------------------------------------------------------------------------------


def read_forms(value: Any, path: str) -> Program:
    """Reads a program: a list of forms, each a list of its name and its fields.

    Raises:
        Rejected: it is malformed, or a form uses a line that is not before it.
    """
    found: list[Form] = []
    for number, entry in enumerate(items(value, path, MOST_NODES)):
        form = _read_form(entry, f"{path}[{number}]")
        if any(argument >= number for argument in arguments_of(form)):
            raise Rejected(f"{path}[{number}]: uses a line that is not before it")
        found.append(form)
    return tuple(found)


def _natural(value: Any, path: str) -> int:
    return integer(value, path, 0)


def _naturals(value: Any, path: str) -> tuple[int, ...]:
    return tuple(_natural(x, path) for x in items(value, path))


def _size(value: Any, path: str) -> Size:
    size = read_size(value, path, {})
    if any(c < 0 for _, c in size.terms):
        raise Rejected(f"{path}: a size with a negative coefficient")
    return size


def _sized(value: Any, path: str) -> tuple[int, Size]:
    number, size = read_pair(value, path)
    return _natural(number, path), _size(size, path)


def _row(value: Any, path: str) -> Row:
    argument, places = read_pair(value, path)
    read = tuple(_read_place(place, path) for place in items(places, path, MOST_RANK))
    return _natural(argument, path), read


def _whole_argument(value: Any, path: str) -> tuple[int, tuple[Size, ...]]:
    argument, sizes = read_pair(value, path)
    return _natural(argument, path), tuple(_size(z, path) for z in items(sizes, path, MOST_RANK))


def _listed(read: Callable[[Any, str], Any]) -> Callable[[Any, str], tuple[Any, ...]]:
    return lambda value, path: tuple(read(entry, path) for entry in items(value, path))


def _integer(value: Any, path: str) -> int:
    return integer(value, path)


#: The class of each form, and the readers of its fields.
_FORMS: dict[str, tuple[Callable[..., Form], tuple[Callable[[Any, str], Any], ...]]] = {
    "Input": (Input, (_natural,)),
    "Scalar": (Scalar, (_integer,)),
    "Leaf": (Leaf, (_natural,)),
    "Delta": (Delta, (_size,)),
    "Contract": (Contract, (_listed(_row), _listed(_sized), _naturals)),
    "Add": (Add, (_naturals,)),
    "Map": (Map, (_natural, _naturals)),
    "Choose": (Choose, (_natural, _naturals, _natural, _natural)),
    "Fold": (Fold, (_natural, _natural, _natural, _size)),
    "Sort": (Sort, (_natural, _natural, _natural, _size)),
    "Join": (Join, (_listed(_sized), _natural)),
    "Whole": (Whole, (_natural, _natural, _listed(_whole_argument))),
}


def _read_form(value: Any, path: str) -> Form:
    entry = items(value, path)
    if not entry:
        raise Rejected(f"{path}: expected a form")
    made, readers = _FORMS[one_of(entry[0], path, _FORMS)]
    if len(entry) != 1 + len(readers):
        raise Rejected(f"{path}: expected {len(readers)} fields after {entry[0]}")
    spend(1 + len(readers))
    return made(*(read(field, path) for read, field in zip(readers, entry[1:], strict=True)))


def _read_place(value: Any, path: str) -> Place:
    spend(1)
    if type(value) is int:
        return Lab(_natural(value, path))
    name, *fields = items(value, path, 3) or [None]
    match name, fields:
        case "Num", [number]:
            return Num(_natural(number, path))
        case "Size", [size]:
            return SizePlace(_size(size, path))
        case _, [first, second] if isinstance(name, str) and name in _OF_TWO:
            return _OF_TWO[name](_read_place(first, path), _read_place(second, path))
    raise Rejected(f"{path}: expected a place")
