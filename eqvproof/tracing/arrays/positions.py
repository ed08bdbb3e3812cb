"""Positions: values whose entries index an axis, as one-hot vectors.

A gather is a product with one-hot vectors, and a scatter is one with their transposes, so that the
rules of products, sums, choices and maxima apply to both. The one-hot vectors of an array that was
cut, joined or reordered are those of the array, cut, joined or reordered; on an input they are the
one-hot operation of a Program.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.programs.comparisons import decide_comparison, is_view
from eqvproof.programs.intervals import LARGEST
from eqvproof.programs.last_axis import with_last_axis
from eqvproof.programs.operations import Operation
from eqvproof.tracing.arrays.poles import undefined

Labels = Sequence[int]
ONE = Size.of(1)


def one_hot(b: Builder, x: int, size: Size) -> int:
    """Returns the one-hot vectors of the entries, along a new last axis of this size.

    They are zero where an entry is no integer from 0 to size - 1.
    """
    known = b.hots.get((x, size))
    if known is not None:
        return known
    op = b.nodes[x]
    if op.shape == (size,) and op.is_counting:
        return b.eye(size)
    if op.function == "mod" and size_of_node(b, op.args[1]) == size:
        found = _turned(b, op.args[0], size)
    else:
        found = _shifted(b, x, size)
    if found is not None:
        return found
    parts = digits(b, x)
    if math.prod([s for _, s in parts], start=ONE) == size and len(parts) > 1:
        rank = len(op.shape)
        rows = [[*range(rank), rank + k] for k in range(len(parts))]
        hots = [one_hot(b, part, s) for part, s in parts]
        return b.reshape(b.einsum(hots, rows, range(rank + len(parts))), (*op.shape, size))
    sources = moved_from(b, x) if not op.is_ordered else ()
    if sources:
        wide = with_last_axis(op, b, [one_hot(b, a, size) for a in sources], size)
    else:
        wide = None
    if wide is None:
        return b.onehot(x, size)
    return wide


def _turned(b: Builder, x: int, size: Size) -> int | None:
    """Returns the one-hot vectors of (e + c) mod size, for a position e and an integer c.

    Returns None for other values.

    ``[(e + c) mod s = j] = [e = (j - c) mod s]``: those of e, shifted by c.
    """
    op = b.nodes[x]
    if range_of(b, x) == size:
        return one_hot(b, x, size)
    for position, other in (op.terms, op.terms[::-1]) if len(op.terms) == 2 else ():
        shift = b.scalar_value(other)
        if shift is not None and shift.denominator == 1 and range_of(b, position) == size:
            return b.roll(one_hot(b, position, size), len(op.shape), int(shift))
    count, first = _counted(b, x) or (None, None)
    if (
        count != size
        or first is None
        or not (first.is_at_least(1) and (size - first).is_at_least(1))
    ):
        return None
    return b.concat([_band(b, size - first, first, size), _band(b, first, Size.of(0), size)], 0)


def _shifted(b: Builder, x: int, size: Size) -> int | None:
    """Returns the one-hot vectors of c, c + 1, ..., all below size; None for other values.

    They are an identity matrix between zeros.
    """
    count, first = _counted(b, x) or (None, None)
    if count is None or first is None:
        after = None
    else:
        after = size - first - count
    if (
        count is None
        or first is None
        or after is None
        or not (after == Size.of(0) or after.is_at_least(1))
    ):
        return None
    return _band(b, count, first, size)


def _counted(b: Builder, x: int) -> tuple[Size, Size] | None:
    """Returns the number of entries and the first entry of c, c + 1, ...; None for other values.

    c is a size.
    """
    op = b.nodes[x]
    if op.is_counting:
        return op.shape[0], Size.of(0)
    for position, other in (op.terms, op.terms[::-1]) if len(op.terms) == 2 else ():
        first = size_of_node(b, other)
        if b.nodes[position].is_counting and first is not None:
            return op.shape[0], first
    return None


def _band(b: Builder, count: Size, first: Size, size: Size) -> int:
    """Returns the matrix [j = i + first] with these rows and columns; each row has one 1."""
    widths = [first, size - first - count]
    before, after = (
        [b.broadcast_to(b.const(0), (count, w))] if w != Size.of(0) else [] for w in widths
    )
    return b.concat([*before, b.eye(count), *after], 1)


def moved_from(b: Builder, x: int) -> tuple[int, ...]:
    """Returns the nodes whose entries a node rearranges; none where entries are computed."""
    if is_view(b, x):
        return b.nodes[x].args
    return b.nodes[x].sources


def _rearranged_alike(b: Builder, op: Operation, x: int) -> int:
    """Rearranges x as an operation rearranges its first argument; a mask stays its second."""
    return b.node(dataclasses.replace(op, args=(x, *op.args[1:])))


def digits(b: Builder, x: int) -> list[tuple[int, Size]]:
    """Splits a node into positions and their axis sizes, of which it is the row-major index.

    Returns an empty list for other nodes.

    In axes of m and n entries joined, ``n p + q`` is the place of (p, q), for q from 0 to n - 1.
    """
    op, moved = b.nodes[x], moved_from(b, x)
    if len(moved) == 1 and not op.is_ordered:
        return [(_rearranged_alike(b, op, part), s) for part, s in digits(b, moved[0])]
    left = {step: part for part, step in (_multiple(b, a) for a in op.terms)}
    found: list[tuple[int, Size]] = []
    step, size = ONE, ONE if len(left) == len(op.terms) else None
    while left and size is not None:
        part = left.pop(step, None)
        size = None if part is None else range_of(b, part)
        if part is not None and size is not None:
            found.insert(0, (part, size))
            step *= size
    if size is None:
        return []
    return found


def _multiple(b: Builder, x: int) -> tuple[int, Size]:
    """Returns a node as a multiple of another, and the size by which it is multiplied."""
    product = b.nodes[x].as_product
    factors = [] if product is None else product.factors
    steps = {
        k: s
        for k, (a, row) in enumerate(factors)
        if not row and (s := size_of_node(b, a)) is not None
    }
    rest = [f for k, f in enumerate(factors) if k not in steps]
    if product is None or len(rest) != 1:
        return x, ONE
    part = b.einsum([rest[0][0]], [rest[0][1]], product.output, product.labels(b.nodes))
    return part, math.prod(steps.values(), start=ONE)


def in_order(b: Builder, x: int, index: int, axis: int) -> int | None:
    """Returns the entries of x at positions given by sorting it along an axis; None for others.

    The index may also hold some of these positions.
    """
    source, along, values = b.orders.get(index, (-1, -1, -1))
    if along == axis and source in (x, b.neg(x)):
        if source == x:
            return values
        return b.neg(values)
    op = b.nodes[index]
    if len(b.shape(x)) != 1 or len(op.sources) != 1 or op.is_ordered:
        return None
    whole = in_order(b, x, op.sources[0], axis)
    if whole is None:
        return None
    return _rearranged_alike(b, op, whole)


def range_of(b: Builder, x: int) -> Size | None:
    """Returns a size s if all entries are known to be integers from 0 to s - 1, else None."""
    known = b.ranges.get(x)
    if known is not None:
        return known
    op = b.nodes[x]
    if op.is_counting:
        return op.shape[0]
    found = {range_of(b, a) for a in moved_from(b, x)}
    if len(found) == 1:
        return found.pop()
    if op.terms and (parts := digits(b, x)):
        return math.prod([s for _, s in parts], start=ONE)
    if op.function == "mod" and is_integer(b, op.args[0]):
        return size_of_node(b, op.args[1])
    return None


def size_of_node(b: Builder, x: int) -> Size | None:
    """Returns the positive size that a node equals at every entry; None for other nodes."""
    if is_view(b, x):
        return size_of_node(b, b.nodes[x].args[0])
    size = b.nodes[x].as_size
    if size is not None:
        if size.is_at_least(1):
            return size
        return None
    value = b.scalar_value(x)
    if value is not None and value.denominator == 1 and value > 0:
        return Size.of(int(value))
    return None


def is_integer(b: Builder, x: int) -> bool:
    """Checks whether every entry is known to be an integer."""
    return x in b.ranges or b.intervals.is_whole(x)


def looked_up(b: Builder, x: int, size: Size, *, wrap: bool = True) -> tuple[int, int | None]:
    """Returns one-hot vectors of indices into an axis, and where they are in range.

    The second value is None if they are in range everywhere. With `wrap`, an index -k counts from
    the end, as in NumPy.
    """
    if lie_within(b, x, size):
        return one_hot(b, x, size), None
    if wrap:
        x = b.select(b.map("lt", [x, b.const(0)]), b.add([x, b.size(size)]), x)
    hot = one_hot(b, x, size)
    return hot, b.sum(hot, [len(b.shape(x))])


def binned(b: Builder, x: int, size: Size, weights: int | None) -> int:
    """Counts how often each position of an axis occurs in a vector, or sums the weights there."""
    hot = one_hot(b, x, size)
    if weights is None:
        return b.sum(hot, [0])
    return contracted(b, [(hot, [0, 1])], weights, [0], [1])


def lie_within(b: Builder, x: int, size: Size) -> bool:
    """Checks whether all entries are known to be integers from 0 to size - 1."""
    most, counted = range_of(b, x), _counted(b, x)
    if most is None and counted is not None:
        most = counted[0] + counted[1]
    if most is not None:
        return (size - most).is_at_least(0)
    sources, array = moved_from(b, x), b.nodes[x].constant
    if array is None:
        low, high = b.intervals.of(x)
        if (
            is_integer(b, x)
            and low >= 0
            and high < LARGEST
            and (size - int(high) - 1).is_at_least(0)
        ):
            return True
        return bool(sources) and all(lie_within(b, a, size) for a in sources)
    whole = bool(np.all(array % 1 == 0) and np.all(array >= 0))
    return whole and (size - int(max(array.flat, default=0)) - 1).is_at_least(0)


def limited(b: Builder, x: int, size: Size) -> int:
    """Returns the minimum of size - 1 and whole numbers.

    If these are not negative, the results are positions in an axis of that size.
    """
    node = b.map("minimum", [x, b.size(size - 1)])
    if size.is_at_least(1) and is_integer(b, x) and b.intervals.of(x)[0] >= 0:
        b.ranges.setdefault(node, size)
    return node


def clipped(b: Builder, x: int, size: Size) -> int:
    """Returns the position in an axis that is nearest to a whole number."""
    return limited(b, b.map("maximum", [x, b.const(0)]), size)


def spread(b: Builder, x: int, row: Labels, labels: Labels, sizes: dict[int, Size]) -> int:
    """Returns a value with axes `row` as one with axes `labels`, reordered and repeated."""
    return b.einsum([x], [row], labels, {k: sizes[k] for k in labels if k not in row})


def contracted(
    b: Builder, hots: Sequence[tuple[int, Labels]], x: int, row: Labels, output: Labels
) -> int:
    """Sums the entries of x where all hots are 1, over the labels that are not in `output`.

    Entries that are not chosen do not matter, even if they are undefined.
    """
    if b.is_total(x):
        return b.einsum([*(h for h, _ in hots), x], [*(r for _, r in hots), row], output)
    sizes: dict[int, Size] = {}
    for node, labels in (*hots, (x, row)):
        sizes.update(zip(labels, b.shape(node), strict=True))
    everything = list(sizes)
    mask = b.einsum(
        [h for h, _ in hots], [r for _, r in hots], [k for k in everything if _in(k, hots)]
    )
    mask = spread(b, mask, [k for k in everything if _in(k, hots)], everything, sizes)
    chosen = b.select(mask, spread(b, x, row, everything, sizes), b.const(0))
    return b.einsum([chosen], [everything], output)


def _in(label: int, hots: Sequence[tuple[int, Labels]]) -> bool:
    return any(label in row for _, row in hots)


def guarded(b: Builder, x: int, row: Labels, conditions: Sequence[tuple[int, Labels]]) -> int:
    """Returns x where all conditions hold, else undefined.

    Labels of a condition that are not in `row` must all satisfy it.
    """
    sizes = dict(zip(row, b.shape(x), strict=True))
    for node, labels in conditions:
        gone = [i for i, k in enumerate(labels) if k not in row]
        if gone:
            node = b.reduce("min", node, gone)
        kept = [k for k in labels if k in row]
        x = b.select(spread(b, node, kept, list(row), sizes), x, undefined(b))
    return x


def equal(b: Builder, x: int, y: int) -> int | None:
    """Returns x == y for positions in one axis as a product of one-hot vectors; None for others.

    At least one of them must index an axis, since equal positions stay equal after relabelling; or
    both are positions in one axis, such as those where a mask is true.
    """
    size = range_of(b, x) if _is_indexed(b, x) else range_of(b, y)
    are_places = _are_places(b, x) and _are_places(b, y) and range_of(b, x) == size
    if size is None or not (are_places or _is_indexed(b, x) or _is_indexed(b, y)):
        return None
    shape, answer = b.broadcast_shapes([b.shape(x), b.shape(y)]), decide_comparison(b, "eq", x, y)
    if answer is not None:
        return b.broadcast_to(b.const(answer), shape)
    rank, rows, nodes = len(shape), [], []
    for node in (x, y):
        wide = b.broadcast_to(node, shape)
        nodes.append(one_hot(b, wide, size))
        rows.append([*range(rank), rank])
    return b.einsum(nodes, rows, range(rank))


def _are_places(b: Builder, x: int) -> bool:
    """Checks whether the entries are rearranged entries of 0, 1, 2, ..."""
    sources = moved_from(b, x)
    if sources:
        return all(_are_places(b, a) for a in sources)
    return b.nodes[x].is_counting


def _is_indexed(b: Builder, x: int) -> bool:
    """Checks whether the entries are rearranged entries of an index argument."""
    if (x, range_of(b, x)) in b.hots or (b.nodes[x].input_name is not None and x in b.ranges):
        return True
    return not b.nodes[x].is_ordered and any(_is_indexed(b, a) for a in moved_from(b, x))
