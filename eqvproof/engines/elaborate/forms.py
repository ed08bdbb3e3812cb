"""Writes Programs in the forms of `rocq/Programs.v`: operations, each on earlier lines.

There is one writer for each operation; an argument of indices is written as the indicators of its
labels. Nothing here depends on types or on lines of a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.source import Node, Source, read_size
from eqvproof.engines.elaborate.translation import (
    ONE,
    Held,
    LineAxis,
    Stretch,
    Together,
    Translation,
)
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.programs.program import numbers_text
from eqvproof.support.errors import ExportError
from eqvproof.support.lazy import LaterModule

if TYPE_CHECKING:
    from eqvproof.engines.elaborate import places as places_in_forms
else:  # most programs read no other entries of arrays, and join no axes
    places_in_forms = LaterModule("eqvproof.engines.elaborate.places")

AS_IT_IS = (Size(()), [1], False)
ZERO = Size(())
#: Integers of at most this absolute value are written as numbers; others, to which Rocq would count
#: up, are arrays.
MOST_SCALAR = 64
#: Functions that take c^k to c^(k/r). Each use of one, or of a power, is stated separately, as a
#: function of arrays without axes.
ROOTS = {"sqrt": 2, "cbrt": 3}


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
    every = range(len(source.nodes[source.output].shape))
    last = t.held[source.output]
    if len(last.axes) > len(every):  # indices, which are written as numbers at the end
        last = _write_numbers(t, source.output)
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
    """Returns the sizes of axes on whose parts a linear factor may act in several ways.

    They are those of arguments where it does, and those of a number of entries that are joined of
    parts, as values in irreps are.
    """
    linear = [f for f in t.source.factors if not f.family.kind.only_translates]
    if not linear:
        return set()
    given = {
        size
        for place in range(len(t.source.inputs))
        for factor in linear
        for act, size in zip(
            t.source.given(factor, place).acts, t.source.given_shape(place), strict=True
        )
        if len(act) > 1
    }
    joined = (node.shape[node.at["axis"]] for node in t.source.nodes if node.op == "concat")
    return given.union(size for size in joined if size.constant is not None)


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
    places = [places_in_forms.cyclic_place(ZERO, (1, -1), (k, 0), whole) for k in range(1, rank)]
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
            places.append(places_in_forms.cyclic_place(start, steps, own, size))
        else:
            places.append(places_in_forms.affine_place(start, steps, own))
    if plain or line is None:
        return Held(line, tuple(axes))
    return t.own(("Contract", [(line, places)], [], axes), i, axes)


def _write_reshape(t: Translation, i: int, node: Node) -> Held:
    """Writes a reshape: by views, or by places where axes are joined and split across each other.

    Raises:
        ExportError: they are, and a factor of the group acts along one of them.
    """
    argument = node.args[0]
    before, after, held = t.source.nodes[argument].shape, node.shape, t.held[argument]
    if held.line is None or ZERO in after:
        return Held(None, ())
    chosen = [
        group
        for group in places_in_forms.groups_of_axes(before, after)
        if {*group[0]} & {*held.axes}
    ]
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
        flat = ("Plus", ("Times", flat, places_in_forms.whole_size(after[a])), ("Lab", n))
    found = {}
    for n, a in enumerate(ours):
        later = prod((before[b] for b in ours[n + 1 :]), start=ONE)
        place = flat
        if later != ONE:
            place = ("Over", place, places_in_forms.whole_size(later))
        if n > 0:
            place = ("Modulo", place, places_in_forms.whole_size(before[a]))
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
