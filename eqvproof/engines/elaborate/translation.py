"""The lines of a Program in forms while they are written, and what each of them stands for.

A value that is the same all along an axis is held without that axis, and spread where an operation
needs it. Of each line the node and the axes of the node that it stands for are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.source import Node, Source

#: An operation: its name in Programs.v and its arguments: numbers, sizes, places, lists and pairs
#: of these.
Op = tuple[Any, ...]
ONE = Size.of(1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of an axis of a node, by where it begins and its size."""

    node: int
    axis: int
    start: Size
    size: Size


@dataclass(frozen=True, slots=True)
class Together:
    """Several axes in one, row-major, each with its size."""

    axes: tuple[tuple[LineAxis, Size], ...]


#: What an axis of a line is: an axis of a node, a part of one, several in one, or one on which
#: nothing acts.
LineAxis = tuple[int, int] | Stretch | Together | None


@dataclass(frozen=True, slots=True)
class Line:
    """An operation, with its node and the axes of nodes that its axes are.

    The value has the power of the character that its node has. The shape is the sizes of the axes.
    """

    op: Op
    node: int
    axes: tuple[LineAxis, ...]
    shape: tuple[Size, ...]


def arguments_of(op: Op) -> list[int]:
    """Returns the earlier lines that a form uses, in order."""
    match op:
        case "Contract", rows, _, _:
            return [row[0] for row in rows]
        case ("Join", rows, _) | ("Whole", _, _, rows):
            return [row[0] for row in rows]
        case ("Add", lines) | ("Map", _, lines):
            return [*lines]
        case "Choose", condition, _, chosen, other:
            return [condition, chosen, other]
        case (("Fold" | "Sort" | "View"), _, argument, *_):
            return [argument]
    return []


def with_arguments(op: Op, names: Sequence[Any]) -> Op:
    """Returns a form with names in place of the lines that it uses, in the order of `arguments_of`."""
    match op:
        case "Contract", rows, summed, out:
            return (
                "Contract",
                [(n, at) for n, (_, at) in zip(names, rows, strict=True)],
                summed,
                out,
            )
        case "Join", rows, axis:
            return "Join", [(n, size) for n, (_, size) in zip(names, rows, strict=True)], axis
        case "Whole", number, batch, rows:
            pairs = zip(names, rows, strict=True)
            return "Whole", number, batch, [(n, sizes) for n, (_, sizes) in pairs]
        case "Add", _:
            return "Add", [*names]
        case "Map", number, _:
            return "Map", number, [*names]
        case "Choose", _, axes, _, _:
            condition, chosen, other = names
            return "Choose", condition, axes, chosen, other
        case ("Fold" | "Sort") as name, number, _, axis, size:
            return name, number, names[0], axis, size
        case "View", view, _, *seen:
            return "View", view, names[0], *seen
    return op


@dataclass(frozen=True, slots=True)
class Held:
    """The line that stands for a node (None for 0), and the axes of the node that it has.

    Along the other axes the value is constant. A product with 0 is 0 where it is defined.
    """

    line: int | None
    axes: tuple[int, ...]
    is_zero: bool = False


@dataclass(frozen=True, slots=True)
class Translation:
    """The translated lines of a program.

    Attributes:
        shares: whether, under translations, rows of identity matrices are seen to sum to 1.
        leaves: the arrays that do not depend on the arguments, as certificates hold them.
        functions: the functions of entries, along axes, and of arrays, by number: their names, or
            the name and the symmetry of an opaque one, or the array that one without arguments is.
        opaque: a node for each function of which at most a symmetry is assumed, by number.
        tables: a node for each function without arguments: an array of constants that a group may
            keep, or the matrix of a form, by number.
        powers: for each function that is a power of values that are multiplied, by number, the node
            of the power and the constant that is the exponent.
        starts: for each node the first of the lines that were written for it.
        eigenvectors: the further arguments that hold eigenvectors: of each the node, the line of
            its matrices, and the first column.
    """

    source: Source
    shares: bool = True
    lines: list[Line] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    leaves: list[list[Any]] = field(default_factory=list)
    functions: list[Any] = field(default_factory=list)
    opaque: dict[int, Node] = field(default_factory=dict)
    tables: dict[int, int] = field(default_factory=dict)
    powers: dict[int, tuple[int, int]] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    eigenvectors: list[tuple[int, int, Size]] = field(default_factory=list)

    def number(self, function: Any) -> int:
        """Returns the number of a function, which is listed if it is new."""
        if function not in self.functions:
            self.functions.append(function)
        return self.functions.index(function)

    def size(self, node: int, axis: int) -> Size:
        """Returns the size of an axis of a node; the last one of an argument may be its labels."""
        found = self.source.nodes[node]
        if axis < len(found.shape):
            return found.shape[axis]
        return self.source.given_shape(self.place(found))[axis]

    def length(self, axis: tuple[int, int] | Stretch | Together) -> Size:
        """Returns the size of an axis of a line."""
        if isinstance(axis, Stretch):
            return axis.size
        if isinstance(axis, Together):
            return prod((size for _, size in axis.axes), start=ONE)
        return self.size(*axis)

    def is_moved(self, node: int, axis: int) -> bool:
        """Checks whether a factor of the group acts along an axis of a node."""
        return any(
            node in own.types and axis < len(own.types[node].acts) and own.types[node].acts[axis]
            for own in self.source.types
        )

    def place(self, argument: Node) -> int:
        """Returns the place of an argument among those of the claim."""
        return [given.name for given in self.source.inputs].index(argument.at["name"])

    def standing_for(self, node: int) -> Held:
        """Returns the line that stands for a node in proofs: for the result it is the last line."""
        if node != self.source.output:
            return self.held[node]
        return Held(len(self.lines) - 1, tuple(range(len(self.source.nodes[node].shape))))

    def emit(
        self,
        op: Op,
        node: int,
        axes: Sequence[LineAxis],
        shape: Sequence[Size] | None = None,
    ) -> int:
        """Adds a line, and returns its number; its shape is that of axes of nodes if none is given."""
        if shape is None:
            shape = [self.length(axis) for axis in axes if axis is not None]
        self.lines.append(Line(op, node, tuple(axes), tuple(shape)))
        return len(self.lines) - 1

    def own(self, op: Op, node: int, axes: Sequence[int] | None = None) -> Held:
        """Adds a line that stands for a node, with all or some of its axes."""
        if axes is None:
            axes = range(len(self.source.nodes[node].shape))
        return Held(self.emit(op, node, [(node, a) for a in axes]), tuple(axes))

    def leaf(self, array: list[Any], node: int, axes: Sequence[int] | None = None) -> Held:
        """Adds a line for an array that does not depend on the arguments."""
        self.leaves.append(array)
        return self.own(("Leaf", len(self.leaves) - 1), node, axes)

    def spread_all(
        self, arguments: Sequence[int], axes: Sequence[int], like: int | None = None
    ) -> list[int]:
        """Returns lines for the arguments of a node, with at least the given axes.

        A 0 among them has the power of the first of the others.
        """
        beside = next((a for a in arguments if self.held[a].line is not None), None)
        return [self.spread(a, axes, like, beside) for a in arguments]

    def spread(
        self,
        argument: int,
        axes: Sequence[int],
        like: int | None = None,
        beside: int | None = None,
        part: Stretch | None = None,
    ) -> int:
        """Returns a line for an argument with at least these axes.

        New axes are those of the node `like`; of one of them it is a part, where `part` says so.
        """
        held, shape = self.held[argument], [self.size(argument, a) for a in axes]
        named = list[LineAxis]()
        for a in axes:
            if a in held.axes or like is None:
                named.append((argument, a))
            elif part is not None and a == part.axis:
                named.append(part)
            else:
                named.append((like, a))
        if held.line is None:
            if beside is None:
                beside = argument
            return self.emit(("Add", []), beside, named, shape)
        if tuple(axes) == held.axes:
            return held.line
        if held.is_zero:
            # whatever acts along the new axes, 0 stays 0: either choice is 0
            zero = self.emit(("Add", []), argument, named, shape)
            at = [axes.index(a) for a in held.axes]
            return self.emit(("Choose", held.line, at, zero, zero), argument, named, shape)
        places = [("Lab", axes.index(a)) for a in held.axes]
        op: Op = ("Contract", [(held.line, places)], [], [*range(len(axes))])
        return self.emit(op, argument, named, shape)
