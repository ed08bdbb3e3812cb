"""Writes Programs in the forms of `rocq/Programs.v`: operations, each on earlier lines.

A value that is the same all along an axis is written without that axis, and spread where an
operation needs it; an argument of indices is written as the indicators of its labels. Nothing here
depends on types or on lines of a proof: of each line only the node and the axes of the node that it
stands for are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.source import Node, Source, read_size
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.programs.program import numbers_text
from eqvproof.support.errors import ExportError

#: An operation: its name in Programs.v and its arguments: numbers, sizes, places, lists and pairs
#: of these.
Op = tuple[Any, ...]
AS_IT_IS = (Size(()), [1], False)
ONE, ZERO = Size.of(1), Size(())
#: Integers of at most this absolute value are written as numbers; others, to which Rocq would count
#: up, are arrays.
MOST_SCALAR = 64
#: Functions that take c^k to c^(k/r). Each use of one, or of a power, is stated separately, as a
#: function of arrays without axes.
ROOTS = {"sqrt": 2, "cbrt": 3}


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


def translated(source: Source, *, shares: bool = True) -> Translation:
    """Translates the program of a certificate.

    Args:
        source: the program, and what is claimed of it.
        shares: whether, under translations, rows of identity matrices are seen to sum to 1.

    Raises:
        ExportError: Programs.v does not have an operation; the message names it.
    """
    t = Translation(source, shares)
    for i, node in enumerate(source.nodes):
        write = WRITERS.get(node.op)
        if write is None:
            raise ExportError.of(node.op, "operations of rocq/Programs.v")
        t.starts.append(len(t.lines))
        indicators = dict[int, Held]()
        if node.op != "indicator":
            indicators = {
                a: t.held[a] for a in node.args if len(t.held[a].axes) > len(source.nodes[a].shape)
            }
        for argument in indicators:
            t.held[argument] = _write_numbers(t, argument)
        held = write(t, i, node)
        for argument, own in indicators.items():
            t.held[argument] = own
        t.held.append(held)
    last = t.held[source.output]
    if len(last.axes) > len(source.nodes[source.output].shape):
        raise ExportError.of(
            "a result that is indices", "indices only in comparisons with all labels"
        )
    every = range(len(source.nodes[source.output].shape))
    if last != Held(len(t.lines) - 1, tuple(every)):
        line = t.spread(source.output, every)
        if line != len(t.lines) - 1:
            labels = [*every]
            t.emit(
                ("Contract", [(line, [("Lab", k) for k in labels])], [], labels), source.output,
                [(source.output, a) for a in every],
            )  # fmt: skip
    return t


def _write_numbers(t: Translation, argument: int) -> Held:
    """Writes indices as numbers, where their indicators are held: sum_k k [x = k]."""
    held = t.held[argument]
    *axes, last = held.axes
    t.leaves.append(["counter"])
    counter = t.emit(("Leaf", len(t.leaves) - 1), argument, [None], [t.size(argument, last)])
    rows = [(held.line, [("Lab", a) for a in held.axes]), (counter, [("Lab", last)])]
    return t.own(("Contract", rows, [(last, t.size(argument, last))], axes), argument, axes)


def _union(t: Translation, node: Node) -> list[int]:
    return sorted({a for argument in node.args for a in t.held[argument].axes})


def _write_input(t: Translation, i: int, node: Node) -> Held:
    place = t.place(node)
    axes = [*range(len(node.shape))]
    if t.source.inputs[place].indexes is not None:
        axes.append(len(axes))
    return Held(t.emit(("Input", place), i, [(i, a) for a in axes]), tuple(axes))


def _write_const(t: Translation, i: int, node: Node) -> Held:
    values = set(node.at["values"])
    if values == {0}:
        return Held(None, ())
    if len(values) == 1 and (value := next(iter(values))) in range(-MOST_SCALAR, MOST_SCALAR + 1):
        return t.own(("Scalar", int(value)), i, ())
    if len(values) == 1:
        return _write_fraction(t, i, values.pop())
    if i not in t.source.readings and (found := _write_circulant(t, i, node)) is not None:
        return found
    if any(f.may_keep_tables for f in t.source.factors):
        return _write_table(t, i, node, ["numbers", node.at["text"]])
    return t.leaf(["numbers", node.at["text"]], i)


def _translates(t: Translation) -> bool:
    return any(f.family.kind.only_translates for f in t.source.factors)


def _sizes_of_parts(t: Translation) -> set[Size]:
    """Returns the sizes of the axes of arguments on whose parts a factor acts in several ways."""
    linear = [f for f in t.source.factors if not f.family.kind.only_translates]
    return {
        size
        for place in range(len(t.source.inputs))
        for factor in linear
        for act, size in zip(
            t.source.given(factor, place).acts, t.source.given_shape(place), strict=True
        )
        if len(act) > 1
    }


def _write_fraction(t: Translation, i: int, value: Fraction) -> Held:
    """Writes a number that is no small integer.

    Where points are translated, the checker computes with small fractions: one is an integer times 1
    over another.
    """
    top, bottom = value.numerator, value.denominator
    if not _translates(t) or abs(top) > MOST_SCALAR or bottom > MOST_SCALAR:
        return t.leaf(["numbers", numbers_text([value])], i, ())
    below = t.emit(("Scalar", bottom), i, [])
    inverse = t.own(("Map", t.number("recip"), [below]), i, ())
    if top == 1:
        return inverse
    above = t.emit(("Scalar", top), i, [])
    return t.own(("Contract", [(above, []), (inverse.line, [])], [], []), i, ())


def _write_circulant(t: Translation, i: int, node: Node) -> Held | None:
    """Returns a table that is invariant under turning all its axes by one, or None for others.

    It is written as its first slice, read at differences of labels.
    """
    turning = [f.size for f in t.source.factors if f.family.rocq == "C"]
    if len(node.shape) < 2 or {*node.shape} - {*turning} or len({*node.shape}) > 1:
        return None
    rank, whole = len(node.shape), node.shape[0]
    size, values = whole.constant or 0, node.at["values"]
    entries = dict(zip(product(range(size), repeat=rank), values, strict=True))
    if any(v != entries[tuple((k + 1) % size for k in at)] for at, v in entries.items()):
        return None
    first = [values[k] for k in range(size ** (rank - 1))]
    t.leaves.append(["numbers", numbers_text(first)])
    slice_ = t.emit(("Leaf", len(t.leaves) - 1), i, [None] * (rank - 1), [whole] * (rank - 1))
    places = [_cyclic_place(ZERO, (1, -1), (k, 0), whole) for k in range(1, rank)]
    return t.own(("Contract", [(slice_, places)], [], [*range(rank)]), i)


def _write_size(t: Translation, i: int, node: Node) -> Held:
    """Returns a size as the sum of that many ones."""
    one = t.emit(("Scalar", 1), i, [])
    return t.own(("Contract", [(one, [])], [(0, node.at["size"])], []), i, ())


def _write_einsum(t: Translation, i: int, node: Node) -> Held:
    output = node.at["output"]
    sizes: dict[int, Size] = {}
    rows, seen = [], set()
    zeros = [a for a in node.args if t.held[a].line is None]
    if len(zeros) == len(node.args):
        return Held(None, ())
    for argument, row in zip(node.args, node.at["inputs"], strict=True):
        held = t.held[argument]
        sizes.update(zip(row, t.source.nodes[argument].shape, strict=True))
        own = [row[a] for a in held.axes]
        seen.update(own)
        rows.append((held.line, own, argument))
    is_zero = any(t.held[a].line is None or t.held[a].is_zero for a in node.args)
    kept = [label for label in output if label in seen]
    summed = [(label, size) for label, size in sizes.items() if label not in output]
    # the checker looks for entries with an element of their own among the first labels
    counts = [factor.count for factor in t.source.factors if factor.each]
    summed.sort(key=lambda found: all(found[1].divide(count) is None for count in counts))
    axes = [a for a, label in enumerate(output) if label in seen]
    if len(rows) == 1 and not summed and rows[0][1] == kept:
        return Held(rows[0][0], tuple(axes), is_zero)
    listed = []
    for line, own, argument in rows:
        if line is None:
            line = t.spread(argument, ())
        listed.append((line, [("Lab", label) for label in own]))
    product = t.own(("Contract", listed, summed, kept), i, axes)
    return Held(product.line, product.axes, is_zero)


def _write_add(t: Translation, i: int, node: Node) -> Held:
    if all(t.held[a].line is None for a in node.args):
        return Held(None, ())
    axes = _union(t, node)
    return t.own(("Add", t.spread_all(node.args, axes, i)), i, axes)


def _write_map(t: Translation, i: int, node: Node) -> Held:
    if not node.args:
        return t.leaf(["function", node.at["fn"]], i)
    axes, fn = _union(t, node), node.at["fn"]
    if fn in (*ROOTS, "pow") and any(f.family.kind.multiplies for f in t.source.factors):
        number, constant = len(t.functions), None
        if fn in ROOTS:
            t.functions.append(fn)
        elif (constant := _constant_of(t, node.args[1])) is not None:
            t.powers[number] = i, constant
            t.functions.append({"power": str(t.source.nodes[constant].at["values"][0])})
        if number < len(t.functions):
            line = t.spread(node.args[0], axes, i)
            return t.own(("Whole", number, len(axes), [(line, [])]), i, axes)
    return t.own(("Map", t.number(fn), t.spread_all(node.args, axes, i)), i, axes)


def _constant_of(t: Translation, node: int) -> int | None:
    """Returns the constant of which a node is a copy along axes, all of whose entries are equal.

    None for other nodes.
    """
    found = t.source.nodes[node]
    if found.op == "einsum" and len(found.args) == 1:
        rows, output = found.at["inputs"], found.at["output"]
        if {*rows[0]} <= {*output}:
            return _constant_of(t, found.args[0])
    if found.op == "const" and len({*found.at["values"]}) == 1:
        return node
    return None


def _write_select(t: Translation, i: int, node: Node) -> Held:
    axes = _union(t, node)
    condition = t.held[node.args[0]].axes
    c = t.spread(node.args[0], condition)
    a, b = t.spread_all(node.args[1:], axes, i)
    return t.own(("Choose", c, [axes.index(a) for a in condition], a, b), i, axes)


def _write_first(t: Translation, line: int, node: int, axes: list[int], axis: int) -> int:
    """Returns a line with an axis of a node as the first one; reorders the list of its axes.

    Where points are translated, the checker follows functions along the first axis.
    """
    place = axes.index(axis)
    if place == 0:
        return line
    labels = [*range(len(axes))]
    order = [place, *labels[:place], *labels[place + 1 :]]
    axes[:] = [axes[k] for k in order]
    places = [("Lab", k) for k in labels]
    return t.emit(("Contract", [(line, places)], [], order), node, [(node, a) for a in axes])


def _write_reduce(t: Translation, i: int, node: Node) -> Held:
    argument = node.args[0]
    shape, reduced = t.source.nodes[argument].shape, list(node.at["axes"])
    axes = sorted({*t.held[argument].axes, *reduced})
    line = t.spread(argument, axes)
    number = t.number(node.at["fn"])
    for a in sorted(reduced, reverse=True):
        if _translates(t):
            line = _write_first(t, line, argument, axes, a)
        place = axes.index(a)
        axes.remove(a)
        line = t.emit(("Fold", number, line, place, shape[a]), i, [(argument, b) for b in axes])
    after = [a for a in range(len(shape)) if a not in reduced]
    own = tuple(after.index(a) for a in axes)
    last = t.lines.pop()
    return Held(t.emit(last.op, i, [(i, a) for a in own]), own)


def _write_concat(t: Translation, i: int, node: Node) -> Held:
    axis = node.at["axis"]
    axes = sorted({axis, *_union(t, node)})
    parts, start = list[tuple[int, Size]](), ZERO
    for argument in node.args:
        size = t.source.nodes[argument].shape[axis]
        part = Stretch(i, axis, start, size)
        parts.append((t.spread(argument, axes, i, i, part), size))
        start = start + size
    return t.own(("Join", parts, axes.index(axis)), i, axes)


def _size_as_place(size: Size) -> Any:
    """Returns a size as a place; the subtracted part is no more than the rest."""
    more = Size(tuple((names, c) for names, c in size.terms if c > 0))
    less = more - size
    text: Any = ("Size", more)
    if more.constant is not None:
        text = ("Num", more.constant)
    if less.terms:
        return ("Minus", text, _size_as_place(less))
    return text


def _cyclic_place(start: Size, steps: Sequence[int], labels: Sequence[int], size: Size) -> Any:
    """Returns the place of start plus the steps, modulo a size.

    Subtracting one is written as adding the size less one.
    """
    whole: Any = ("Size", size)
    if any(c < 0 for _, c in size.terms):
        whole = _size_as_place(size)
    back = ("Minus", whole, ("Num", 1))

    def times(count: int, place: Any) -> Any:
        if count < 0:
            place = ("Times", back, place)
        if abs(count) == 1:
            return place
        return ("Times", ("Num", abs(count)), place)

    if start.constant is None:
        raise ExportError.of("read", "a shift that is a number")
    terms = [times(step, ("Lab", label)) for step, label in zip(steps, labels, strict=True)]
    if start.constant > 0:
        terms.append(("Num", start.constant))
    elif start.constant < 0:
        terms.append(("Times", back, ("Num", -start.constant)))
    return ("Modulo", _sum_of_places(terms), whole)


def _sum_of_places(terms: Sequence[Any]) -> Any:
    found, *others = terms or [("Num", 0)]
    for term in others:
        found = ("Plus", found, term)
    return found


def _affine_place(start: Size, steps: Sequence[int], labels: Sequence[int]) -> Any:
    """Returns the place of start plus the steps; negative steps are subtracted at the end."""
    terms: list[tuple[int, Any]] = []
    for step, label in zip(steps, labels, strict=True):
        term: Any = ("Lab", label)
        if abs(step) != 1:
            term = ("Times", ("Num", abs(step)), term)
        terms.append((step, term))
    more = [_size_as_place(start)] if start.terms else []
    found = _sum_of_places([*more, *(term for step, term in terms if step > 0)])
    for step, term in terms:
        if step < 0:
            found = ("Minus", found, term)
    return found


def _write_read(t: Translation, i: int, node: Node) -> Held:
    """Writes a part of an array: parts of axes as views, others by places.

    Under translations they are read by places, but for parts on which the group acts in several
    ways: what the entries of a value sum to along an axis is followed through sums of products
    alone.
    """
    argument = node.args[0]
    in_parts = _sizes_of_parts(t) if _translates(t) else {*t.source.nodes[argument].shape}
    held, shape = t.held[argument], t.source.nodes[argument].shape
    places, axes, at = [], list[int](), 0
    plain, line, named = True, held.line, list[LineAxis]((argument, a) for a in held.axes)
    if ZERO in node.shape:
        line = None  # without entries, it is 0
    for a, ((start, steps, cyclic), size) in enumerate(zip(node.at["places"], shape, strict=True)):
        own = [*range(at, at + len(steps))]
        at += len(steps)
        if a not in held.axes:
            continue
        axes += own
        if line is not None and steps == [1] and not cyclic and size in in_parts:
            if (start, node.shape[own[0]]) != (ZERO, size):
                k = held.axes.index(a)
                named[k] = (i, own[0])
                line = t.emit(("View", "Cut", line, k, start, node.shape[own[0]]), i, named)
            places.append(("Lab", own[0]))
            continue
        if (start, steps, cyclic) == AS_IT_IS:
            places.append(("Lab", own[0]))
            plain = plain and node.shape[own[0]] == size
            continue
        plain = False
        if cyclic:
            places.append(_cyclic_place(start, steps, own, size))
        else:
            places.append(_affine_place(start, steps, own))
    if plain or line is None:
        return Held(line, tuple(axes))
    return t.own(("Contract", [(line, places)], [], axes), i, axes)


def groups(before: Sequence[Size], after: Sequence[Size]) -> list[tuple[list[int], list[int]]]:
    """Groups the axes before and after a reshape, so that groups have equal size.

    Axes of size 1 are left out.
    """
    left = [a for a, s in enumerate(before) if s != ONE]
    right = [a for a, s in enumerate(after) if s != ONE]
    found: list[tuple[list[int], list[int]]] = []
    while left or right:
        ours, theirs = left[:1], right[:1]
        left, right = left[1:], right[1:]
        while (p := prod((before[a] for a in ours), start=ONE)) != (
            q := prod((after[a] for a in theirs), start=ONE)
        ):
            grow = (p.divide(q) is None and q.divide(p) is not None) or not right
            if grow and left:
                ours.append(left.pop(0))
            elif right:
                theirs.append(right.pop(0))
            else:
                raise ExportError.of("reshape", "axes that are joined and split in groups")
        found.append((ours, theirs))
    return found


def _whole_size(size: Size) -> Any:
    """Returns a size as a place, in one piece if it can be, so that it equals that of an axis."""
    if any(count < 0 for _, count in size.terms):
        return _size_as_place(size)
    return ("Size", size)


def _write_reshape(t: Translation, i: int, node: Node) -> Held:
    """Writes a reshape: by views, or by places where axes are joined and split across each other.

    Raises:
        ExportError: they are, and a factor of the group acts along one of them.
    """
    argument = node.args[0]
    before, after, held = t.source.nodes[argument].shape, node.shape, t.held[argument]
    if held.line is None or ZERO in after:
        return Held(None, ())
    chosen = [group for group in groups(before, after) if {*group[0]} & {*held.axes}]
    needed = sorted({*held.axes, *(a for ours, _ in chosen for a in ours)})
    places: dict[int, Any] = dict.fromkeys(needed, ("Num", 0))
    named = list[LineAxis]()
    pieces = [_pieces(t, argument, i, group) for group in chosen]
    for (ours, theirs), made_of in zip(chosen, pieces, strict=True):
        if made_of is not None:
            places |= {a: ("Lab", len(named) + n) for n, a in enumerate(ours)}
            named += [(argument, a) for a in ours]
        else:
            places |= _places_of_group(before, after, (ours, theirs), len(named))
            named += [(i, a) for a in theirs]
    line = t.spread(argument, needed)
    if [places[a] for a in needed] != [("Lab", n) for n in range(len(named))]:
        row = (line, [places[a] for a in needed])
        line = t.emit(("Contract", [row], [], [*range(len(named))]), i, named)
    at = 0
    for group, made_of in zip(chosen, pieces, strict=True):
        if made_of is not None:
            line = _views_of_group(t, (argument, i), (group, made_of), (line, named, at))
        at += len(group[1])
    return Held(line, tuple(sorted(a for _, theirs in chosen for a in theirs)))


def _places_of_group(
    before: Sequence[Size], after: Sequence[Size], group: tuple[list[int], list[int]], label: int
) -> dict[int, Any]:
    """Returns where axes before a reshape are read, at labels of those after it."""
    ours, theirs = group
    flat: Any = ("Lab", label)
    for n, a in enumerate(theirs[1:], label + 1):
        flat = ("Plus", ("Times", flat, _whole_size(after[a])), ("Lab", n))
    found = {}
    for n, a in enumerate(ours):
        later = prod((before[b] for b in ours[n + 1 :]), start=ONE)
        place = flat
        if later != ONE:
            place = ("Over", place, _whole_size(later))
        if n > 0:
            place = ("Modulo", place, _whole_size(before[a]))
        found[a] = place
    return found


#: An axis that is one of axes before a reshape, or a part of one, and likewise of those after it:
#: its size, and their places.
Piece = tuple[Size, int, int]


def _pieces(
    t: Translation, argument: int, reshape: int, group: tuple[list[int], list[int]]
) -> list[Piece] | None:
    """Returns axes of which those before and those after a reshape are made, row-major.

    None if there are none such, as of 2 x 3 and 3 x 2.

    Raises:
        ExportError: there are none such, and a factor of the group acts along one of the axes.
    """
    found = list[Piece]()
    left = [*enumerate(t.size(argument, a) for a in group[0])]
    right = [*enumerate(t.size(reshape, a) for a in group[1])]
    while left and right:
        (i, ours), (j, theirs) = left.pop(), right.pop()
        more, fewer = ours.divide(theirs), theirs.divide(ours)
        if more is None and fewer is None:
            places = [*product([argument], group[0]), *product([reshape], group[1])]
            if any(t.is_moved(*place) for place in places):
                raise ExportError.of("reshape", "axes that are joined and split in groups")
            return None
        if fewer is None or ours == theirs:
            found.append((theirs, i, j))
        else:
            found.append((ours, i, j))
            right.append((j, fewer))
        if more is not None and ours != theirs:
            left.append((i, more))
    return found[::-1]


def _views_of_group(
    t: Translation,
    nodes: tuple[int, int],
    made: tuple[tuple[list[int], list[int]], Sequence[Piece]],
    held: tuple[int, list[LineAxis], int],
) -> int:
    """Splits axes from the right on, and joins the pieces from the left on.

    Args:
        t: the translation.
        nodes: the node that is reshaped, and the reshape.
        made: the axes before and after it, and what both are made of.
        held: the line; its axes, which are renamed; the first of the group among them.

    Returns:
        The last line.
    """
    (argument, i), ((ours, theirs), pieces), (line, named, at) = nodes, made, held

    def named_piece(piece: Piece) -> tuple[LineAxis, Size]:
        size, before, after = piece
        if [j for _, _, j in pieces].count(after) == 1:
            return (i, theirs[after]), size
        if [k for _, k, _ in pieces].count(before) == 1:
            return (argument, ours[before]), size
        return Together(((None, size),)), size

    def several(some: Sequence[Piece]) -> LineAxis:
        if len(some) == 1:
            return named_piece(some[0])[0]
        return Together(tuple(map(named_piece, some)))

    def emit(view: str, place: int, some: Sequence[Piece]) -> int:
        sizes = [size for size, _, _ in some]
        first = prod(sizes[:-1], start=ONE)
        return t.emit(("View", view, line, place, first, sizes[-1]), i, named)

    place = at
    for before in range(len(ours)):
        own = [piece for piece in pieces if piece[1] == before]
        for k in reversed(range(1, len(own))):
            named[place : place + 1] = [several(own[:k]), several(own[k : k + 1])]
            line = emit("Split", place, own[: k + 1])
        place += len(own)
    for after, b in enumerate(theirs, at):
        own = [piece for piece in pieces if piece[2] == after - at]
        for k in range(1, len(own)):
            named[after : after + 2] = [several(own[: k + 1])]
            if k + 1 == len(own):
                named[after] = (i, b)
            line = emit("Merge", after, own[: k + 1])
        named[after] = (i, b)
    return line


def _write_sort(t: Translation, i: int, node: Node) -> Held:
    axis, argument = node.at["axis"], node.args[0]
    axes = sorted({axis, *t.held[argument].axes})
    line, number, wanted = t.spread(argument, axes), t.number("sort"), [*axes]
    if not _translates(t):
        return t.own(("Sort", number, line, axes.index(axis), node.shape[axis]), i, axes)
    line = _write_first(t, line, argument, axes, axis)
    line = t.own(("Sort", number, line, 0, node.shape[axis]), i, axes).line or 0
    places = [("Lab", wanted.index(a)) for a in axes]
    return t.own(("Contract", [(line, places)], [], [*range(len(wanted))]), i, wanted)


def _write_whole(t: Translation, i: int, node: Node, number: int, batch: int) -> Held:
    """Returns a function of the arrays in all axes but the first `batch` ones."""
    rows = []
    for a in node.args:
        shape = t.source.nodes[a].shape
        rows.append((t.spread(a, range(len(shape))), list(shape[batch:])))
    return t.own(("Whole", number, batch, rows), i)


def _write_matrix(t: Translation, i: int, node: Node) -> Held:
    batch = len(t.source.nodes[node.args[0]].shape) - 2
    return _write_whole(t, i, node, t.number(node.at["fn"]), batch)


def _write_eigenvectors(t: Translation, i: int, node: Node) -> Held:
    """Writes eigenvectors as a further argument, after the line of their matrices."""
    argument = node.args[0]
    matrix = t.spread(argument, range(len(t.source.nodes[argument].shape)))
    t.eigenvectors.append((i, matrix, read_size(node.at["start"], t.source.pins)))
    return t.own(("Input", len(t.source.inputs) + len(t.eigenvectors) - 1), i)


def _opaque_function(node: Node) -> dict[str, Any]:
    return {key: node.at[key] for key in ("name", "symmetry")}


def _write_opaque(t: Translation, i: int, node: Node) -> Held:
    if node.at["symmetry"] == ENTRIES:
        axes = _union(t, node)
        number = t.number(_opaque_function(node))
        return t.own(("Map", number, t.spread_all(node.args, axes, i)), i, axes)

    def seen(node: Node) -> Any:
        return node.at, node.shape, [t.source.nodes[a].shape for a in node.args]

    number = next(
        (n for n, known in t.opaque.items() if seen(known) == seen(node)), len(t.functions)
    )
    if number == len(t.functions):
        t.functions.append(_opaque_function(node))
        t.opaque[number] = node
    return _write_whole(t, i, node, number, 0)


def _write_indicator(t: Translation, i: int, node: Node) -> Held:
    if not node.args:
        if node.at["offset"] is None:
            return _write_identity(t, i, node.shape[0])
        return t.leaf(["triangle", node.at["offset"]], i)
    argument = node.args[0]
    given = t.source.nodes[argument]
    if given.op == "input" and len(t.held[argument].axes) > len(given.shape):
        labels = next(x.labels for x in t.source.inputs if x.name == given.at["name"])
        if labels is not None and labels != node.shape[-1]:
            return _write_other_labels(t, i, argument, labels)
        return t.held[argument]
    last = len(node.shape) - 1
    axes = [*t.held[argument].axes, last]
    labels_ = [*range(len(axes))]
    counter = t.leaf(["counter"], i, (last,)).line
    line = t.spread(argument, axes[:-1])
    named = [(i, a) for a in axes]
    left = t.emit(
        ("Contract", [(line, [("Lab", k) for k in labels_[:-1]])], [], labels_), argument, named
    )
    right = t.emit(("Contract", [(counter, [("Lab", labels_[-1])])], [], labels_), i, named)
    return t.own(("Map", t.number("eq"), [left, right]), i, axes)


def _write_identity(t: Translation, i: int, size: Size) -> Held:
    """Writes an identity matrix.

    Where points are translated, its rows are divided by their sums, which are 1: the checker sees
    then that they sum to 1. Along axes that are moved it does not need to.
    """
    plain = t.own(("Delta", size), i)
    if not _translates(t) or not t.shares:
        return plain
    entries = [("Lab", 0), ("Lab", 1)]
    sums = t.emit(("Contract", [(plain.line, entries)], [(1, size)], [0]), i, [(i, 0)])
    inverse = t.emit(("Map", t.number("recip"), [sums]), i, [(i, 0)])
    rows = [(plain.line, entries), (inverse, [("Lab", 0)])]
    return t.own(("Contract", rows, [], [0, 1]), i)


def _write_other_labels(t: Translation, i: int, argument: int, labels: Size) -> Held:
    """Writes whether indices of one axis are the labels of another axis, which has another size.

    That is a sum over the labels of their own axis: [x = j] = sum_k [x = k] [k = j].
    """
    held, node = t.held[argument], t.source.nodes[i]
    last, ends = len(node.shape) - 1, (labels, node.shape[-1])
    sides = list[int]()
    for label, size in enumerate(ends):
        t.leaves.append(["counter"])
        counter = t.emit(("Leaf", len(t.leaves) - 1), i, [None], [size])
        row = (counter, [("Lab", label)])
        sides.append(t.emit(("Contract", [row], [], [0, 1]), i, [None, None], ends))
    equal = t.emit(("Map", t.number("eq"), sides), i, [None, None], ends)
    axes = [*range(last), last]
    own = (held.line, [("Lab", a) for a in (*range(last), last + 1)])
    rows = [own, (equal, [("Lab", last + 1), ("Lab", last)])]
    return t.own(("Contract", rows, [(last + 1, labels)], axes), i, axes)


def _write_table(t: Translation, i: int, node: Node, array: list[Any]) -> Held:
    """Writes an array as a function without arguments, of which the group may keep the value."""
    number = next(
        (n for n, known in t.tables.items() if t.source.nodes[known] == node), len(t.functions)
    )
    if number == len(t.functions):
        t.functions.append({"array": array})
        t.tables[number] = i
    return t.own(("Whole", number, 0, []), i)


def _write_form(t: Translation, i: int, node: Node) -> Held:
    return _write_table(t, i, node, ["form", node.at["signs"]])


WRITERS: dict[str, Callable[[Translation, int, Node], Held]] = {
    "input": _write_input,
    "const": _write_const,
    "parameter": lambda t, i, node: t.leaf(["digest", node.at["digest"]], i),
    "size": _write_size,
    "iota": lambda t, i, node: t.leaf(["counter"], i),
    "indicator": _write_indicator,
    "einsum": _write_einsum,
    "add": _write_add,
    "map": _write_map,
    "select": _write_select,
    "reduce": _write_reduce,
    "concat": _write_concat,
    "read": _write_read,
    "reshape": _write_reshape,
    "sort": _write_sort,
    "matrix_function": _write_matrix,
    "opaque": _write_opaque,
    "eigenvectors": _write_eigenvectors,
    "form": _write_form,
}
