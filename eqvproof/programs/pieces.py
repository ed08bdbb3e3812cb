"""Folds slices of concatenations, and concatenations of slices, where the result is simpler.

Every step is an identity of tensors, undefined entries included: a part of copies, a part of a
part, a part of a joined array that lies within its pieces, also if that is read along other axes,
neighbouring parts of one array, and the end of an array before its beginning, which is the array
shifted cyclically (as circular padding and np.roll by hand have it).
"""

from __future__ import annotations

from itertools import accumulate

from eqvproof.claims.size import Size
from eqvproof.programs.node_table import NodeTable
from eqvproof.programs.operations import WHOLE

ZERO = Size.of(0)


def fold_slice(b: NodeTable, x: int, axis: int, start: Size, count: Size, step: int) -> int | None:
    """Returns a simpler node for a part of an axis, or None."""
    op = b.nodes[x]
    product = op.as_product
    if product is not None and all(product.output[axis] not in row for row in product.inputs):
        sizes = dict(
            zip(product.output, (*op.shape[:axis], count, *op.shape[axis + 1 :]), strict=True)
        )
        return b.einsum(list(product.args), list(product.inputs), product.output, sizes)
    source, along, before = b.wraps.get(x, (x, -1, 0))
    if (
        along == axis
        and step == 1
        and start.constant is not None
        and count == b.shape(source)[axis]
    ):
        return b.roll(source, axis, before - start.constant)
    reading = op.as_reading
    if reading is not None and range(axis, axis + 1) in reading.axes():
        inner = reading.axes().index(range(axis, axis + 1))
        if reading.places[inner] == WHOLE and b.nodes[reading.args[0]].joined_axis == inner:
            part = fold_slice(b, reading.args[0], inner, start, count, step)
            if part is not None:
                return b.read(
                    part, reading.places, (*op.shape[:axis], count, *op.shape[axis + 1 :])
                )
    if op.joined_axis not in (None, axis):
        if not _are_parts(b, op.args):
            return None
        return b.concat([b.slice(a, axis, start, count, step) for a in op.args], op.joined_axis)
    if op.joined_axis is None or step != 1 or not count.is_at_least(1):
        return None
    lengths = [b.shape(a)[axis] for a in op.args]
    ends = list(accumulate(lengths))
    firsts, lasts = _pieces_at(start, lengths, ends), _pieces_at(start + count, lengths, ends)
    if not firsts or not lasts or firsts[-1] > lasts[0]:
        return None
    first, last = firsts[-1], lasts[0]
    pieces = []
    for k in range(first, last + 1):
        begin = ends[k] - lengths[k]
        low, high = ZERO, lengths[k]
        if k == first:
            low = start - begin
        if k == last:
            high = start + count - begin
        pieces.append(b.slice(op.args[k], axis, low, high - low))
    return b.concat(pieces, axis)


def _are_parts(b: NodeTable, nodes: tuple[int, ...]) -> bool:
    """Checks whether some nodes are joined arrays or reads: parts of these are simpler."""
    return any(b.nodes[x].joined_axis is not None or b.nodes[x].as_reading for x in nodes)


def _pieces_at(at: Size, lengths: list[Size], ends: list[Size]) -> list[int]:
    """Returns the pieces in which a position lies for all sizes, their ends included."""
    found = []
    for k, (length, stop) in enumerate(zip(lengths, ends, strict=True)):
        if (at - stop + length).is_at_least(0) and (stop - at).is_at_least(0):
            found.append(k)
    return found


def fold_concat(b: NodeTable, args: list[int], axis: int) -> int | None:
    """Returns a simpler node for joined arrays, or None."""
    flat: list[int] = []
    for a in args:
        op = b.nodes[a]
        if op.joined_axis == axis:
            flat.extend(op.args)
        else:
            flat.append(a)
    merged: list[int] = []
    for a in flat:
        joined = None
        if merged:
            joined = _join_neighbours(b, merged[-1], a, axis)
        if joined is None:
            merged.append(a)
        else:
            merged[-1] = joined
    if len(merged) == 1:
        return merged[0]
    if len(merged) == 2:
        turned = _as_cyclic_shift(b, merged[0], merged[1], axis)
        if turned is not None:
            return turned
    if merged != args:
        return b.concat(merged, axis)
    return None


def scaled_parts(b: NodeTable, x: int) -> tuple[int, list[tuple[list[int], Size]]] | None:
    """Recognises the parts of one array in their order, each times scalars, joined.

    Returns the array, and the scalars and the size of each part; None for others. Products with
    scalars in place of entries are undefined where their scalars are.
    """
    op = b.nodes[x]
    if op.joined_axis is None:
        return None
    source, reached, found = -1, ZERO, list[tuple[list[int], Size]]()
    for a in op.args:
        scalars, part = _split_scalars(b, a)
        if b.shape(part) != b.shape(a):
            return None
        whole, start, count = _as_part(b, part, op.joined_axis)
        if source not in (-1, whole) or start != reached:
            return None
        source, reached = whole, reached + count
        found.append((scalars, count))
    if source != -1 and b.shape(source) == op.shape:
        return (source, found)
    return None


def _split_scalars(b: NodeTable, x: int) -> tuple[list[int], int]:
    """Splits a product into scalars and one array with the same axes, those of size 1 aside."""
    scalars: list[int] = []
    while (op := b.nodes[x].as_product) is not None:
        sizes, rest = op.labels(b.nodes), [f for f in op.factors if f[1]]
        long = [
            [k for k in row if sizes[k].constant != 1]
            for row in (*(row for _, row in rest), op.output)
        ]
        if len(rest) != 1 or long[0] != long[1] or len({*rest[0][1]}) != len(rest[0][1]):
            break
        scalars += [a for a, row in op.factors if not row]
        x = rest[0][0]
    return scalars, x


def _as_part(b: NodeTable, x: int, axis: int) -> tuple[int, Size, Size]:
    """Returns (array, start, size) of which a node is a part along an axis; itself if of none."""
    op, alone = b.nodes[x].as_reading, range(axis, axis + 1)
    if op is not None and alone in op.axes():
        along = op.axes().index(alone)
        place, size = op.places[along], b.shape(op.args[0])[along]
        if place.steps == (1,) and not place.cyclic:
            places = (*op.places[:along], WHOLE, *op.places[along + 1 :])
            whole = b.read(op.args[0], places, (*op.shape[:axis], size, *op.shape[axis + 1 :]))
            return whole, place.start, op.shape[axis]
    return x, ZERO, b.shape(x)[axis]


def _join_neighbours(b: NodeTable, left: int, right: int, axis: int) -> int | None:
    """Joins two neighbouring parts of one array into one part, or returns None."""
    (x, start, count), (y, begin, more) = _as_part(b, left, axis), _as_part(b, right, axis)
    if x != y or start + count != begin:
        return None
    return b.slice(x, axis, start, count + more)


def _as_cyclic_shift(b: NodeTable, left: int, right: int, axis: int) -> int | None:
    """Recognises the end of an array, then its beginning, as a cyclic shift, or returns None."""
    (x, start, count), (y, begin, more) = _as_part(b, left, axis), _as_part(b, right, axis)
    size = b.shape(x)[axis]
    if x != y or begin.terms or start != more or start + count != size:
        return None
    if count.constant is not None:
        return b.roll(x, axis, count.constant)
    if start.constant is not None:
        return b.roll(x, axis, -start.constant)
    return None
