"""Positions: values whose entries index an axis, as one-hot vectors.

A gather is a product with one-hot vectors, a scatter is one with their transposes: both then meet the rules
of products, sums, choices and maxima. The one-hot vectors of an array that was cut, joined or reordered are
those of the array, cut, joined or reordered; what remains is the one-hot operation of a Program on an input.
"""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof import operations as ops
from eqvproof.program import Builder, Size

Labels = Sequence[int]
ONE = Size.of(1)


def one_hot(b: Builder, x: int, size: Size) -> int:
    """The one-hot vectors of the entries, along a new last axis of this size.

    They are zero where an entry is no integer from 0 to size - 1.
    """
    known = b.hots.get((x, size))
    if known is not None:
        return known
    op, rank = b.nodes[x], len(b.shape(x))
    match op:
        case ops.Iota() if op.shape == (size,):
            return b.eye(size)
        case ops.Einsum() if is_view(b, op):
            last = max((*op.output, *op.inputs[0], 0)) + 1
            new = {k: s for k, s in zip(op.output, op.shape, strict=True) if k not in op.inputs[0]}
            inner = one_hot(b, op.args[0], size)
            return b.einsum([inner], [(*op.inputs[0], last)], (*op.output, last), new)
        case ops.Read():
            return b.read(one_hot(b, op.args[0], size), (*op.places, ops.WHOLE), (*op.shape, size))
        case ops.Concat():
            return b.concat([one_hot(b, a, size) for a in op.args], op.axis)
        case ops.Reshape():
            return b.reshape(one_hot(b, op.args[0], size), (*op.shape, size))
        case ops.Map() if op.fn == "mod" and size_of_node(b, op.args[1]) == size:
            turned = _turned(b, op.args[0], size)
            if turned is not None:
                return turned
        case ops.Select():
            c, *branches = op.args
            return b.select(b.expand(c, rank), *(one_hot(b, a, size) for a in branches))
    return b.onehot(x, size)


def _turned(b: Builder, x: int, size: Size) -> int | None:
    """The one-hot vectors of x mod size, where x is a position and a whole number; None for others.

    ``[(e + c) mod s = j] = [e = (j - c) mod s]``: those of e, shifted by c.
    """
    op = b.nodes[x]
    if range_of(b, x) == size:
        return one_hot(b, x, size)
    if not isinstance(op, ops.Add) or len(op.args) != 2:
        return None
    for position, other in (op.args, op.args[::-1]):
        shift = b.scalar_value(other)
        if shift is not None and shift.denominator == 1 and range_of(b, position) == size:
            return b.roll(one_hot(b, position, size), len(op.shape), int(shift))
    return None


def is_view(b: Builder, op: ops.Einsum) -> bool:
    """Whether an einsum moves and repeats the entries of one argument (sums are over axes of size 1)."""
    if len(op.args) != 1:
        return False
    labels = zip(op.inputs[0], b.shape(op.args[0]), strict=True)
    return all(k in op.output or size == ONE for k, size in labels)


def range_of(b: Builder, x: int) -> Size | None:
    """A size s such that all entries are known to be integers from 0 to s - 1, or None."""
    known = b.ranges.get(x)
    if known is not None:
        return known
    op = b.nodes[x]
    match op:
        case ops.Iota():
            return op.shape[0]
        case ops.Einsum() if is_view(b, op):
            return range_of(b, op.args[0])
        case ops.Read() | ops.Reshape() | ops.Sort():
            return range_of(b, op.args[0])
        case ops.Concat():
            return _common(b, op.args)
        case ops.Select():
            return _common(b, op.args[1:])
        case ops.Map() if op.fn == "mod" and is_integer(b, op.args[0]):
            return size_of_node(b, op.args[1])
    return None


def _common(b: Builder, nodes: Sequence[int]) -> Size | None:
    found = {range_of(b, x) for x in nodes}
    return found.pop() if len(found) == 1 else None


def size_of_node(b: Builder, x: int) -> Size | None:
    """The positive size that a node is at every entry."""
    op = b.nodes[x]
    if isinstance(op, ops.SizeOf):
        return op.size if op.size.is_at_least(1) else None
    if isinstance(op, ops.Einsum) and is_view(b, op):
        return size_of_node(b, op.args[0])
    value = b.scalar_value(x)
    return Size.of(int(value)) if value is not None and value.denominator == 1 and value > 0 else None


def is_integer(b: Builder, x: int) -> bool:
    """Whether every entry is known to be an integer."""
    op = b.nodes[x]
    if x in b.ranges:
        return True
    match op:
        case ops.Const():
            return all(v.denominator == 1 for v in op.values)
        case ops.SizeOf() | ops.Iota() | ops.Indicator():
            return True
        case ops.Map() if op.fn in ("floor", "ceil", "rint", "sign"):
            return b.is_total(op.args[0])
        case ops.Einsum() | ops.Add() | ops.Read() | ops.Reshape() | ops.Sort():
            return all(is_integer(b, a) for a in op.args)
        case ops.Reduce() | ops.Concat():
            return all(is_integer(b, a) for a in op.args)
        case ops.Select():
            return all(is_integer(b, a) for a in op.args[1:])
        case ops.Map() if op.fn in ("maximum", "minimum", "mod", "abs"):
            return all(is_integer(b, a) for a in op.args)
    return False


def looked_up(b: Builder, x: int, size: Size, *, wrap: bool = True) -> tuple[int, int | None]:
    """One-hot vectors of indices into an axis, and where they are in range (None: everywhere).

    With `wrap`, an index -k counts from the end, as NumPy has it.
    """
    top = _greatest(b, x)
    if range_of(b, x) == size or (top is not None and (size - top - 1).is_at_least(0)):
        return one_hot(b, x, size), None
    if wrap:
        x = b.select(b.map("lt", [x, b.const(0)]), b.add([x, b.size(size)]), x)
    hot = one_hot(b, x, size)
    return hot, b.sum(hot, [len(b.shape(x))])


def _greatest(b: Builder, x: int) -> int | None:
    """The greatest entry, where all are written out as integers from 0 up."""
    op = b.nodes[x]
    match op:
        case ops.Const() if all(v.denominator == 1 and v >= 0 for v in op.values):
            return int(max(op.values, default=0))
        case ops.Einsum() if is_view(b, op):
            return _greatest(b, op.args[0])
        case ops.Read() | ops.Reshape() | ops.Sort():
            return _greatest(b, op.args[0])
    return None


def undefined(b: Builder) -> int:
    """A number that is not defined."""
    return b.map("recip", [b.const(0)])


def spread(b: Builder, x: int, row: Labels, labels: Labels, sizes: dict[int, Size]) -> int:
    """A value with axes `row`, as one with axes `labels`: reordered, and repeated along new ones."""
    return b.einsum([x], [row], labels, {k: sizes[k] for k in labels if k not in row})


def contracted(b: Builder, hots: Sequence[tuple[int, Labels]], x: int, row: Labels, output: Labels) -> int:
    """The sum, over the labels that are not in `output`, of the entries of x where all hots are 1.

    Entries that are not chosen do not matter, be they undefined.
    """
    if b.is_total(x):
        return b.einsum([*(h for h, _ in hots), x], [*(r for _, r in hots), row], output)
    sizes: dict[int, Size] = {}
    for node, labels in (*hots, (x, row)):
        sizes.update(zip(labels, b.shape(node), strict=True))
    everything = list(sizes)
    mask = b.einsum([h for h, _ in hots], [r for _, r in hots], [k for k in everything if _in(k, hots)])
    mask = spread(b, mask, [k for k in everything if _in(k, hots)], everything, sizes)
    chosen = b.select(mask, spread(b, x, row, everything, sizes), b.const(0))
    return b.einsum([chosen], [everything], output)


def _in(label: int, hots: Sequence[tuple[int, Labels]]) -> bool:
    return any(label in row for _, row in hots)


def guarded(b: Builder, x: int, row: Labels, conditions: Sequence[tuple[int, Labels]]) -> int:
    """x where all conditions hold (of their labels, those not in `row` all of them), else undefined."""
    sizes = dict(zip(row, b.shape(x), strict=True))
    for node, labels in conditions:
        gone = [i for i, k in enumerate(labels) if k not in row]
        if gone:
            node = b.reduce("min", node, gone)
        kept = [k for k in labels if k in row]
        x = b.select(spread(b, node, kept, list(row), sizes), x, undefined(b))
    return x


def equal(b: Builder, x: int, y: int) -> int | None:
    """x == y for positions in one axis, as a product of one-hot vectors; None for other numbers.

    One of them at least is an array that indexes an axis: what is equal is equal after relabelling too.
    """
    size = range_of(b, x) if _is_indexed(b, x) else range_of(b, y)
    if size is None or not (_is_indexed(b, x) or _is_indexed(b, y)):
        return None
    shape = b.broadcast_shapes([b.shape(x), b.shape(y)])
    rank, rows, nodes = len(shape), [], []
    for node in (x, y):
        wide = b.broadcast_to(node, shape)
        nodes.append(one_hot(b, wide, size))
        rows.append([*range(rank), rank])
    return b.einsum(nodes, rows, range(rank))


def _is_indexed(b: Builder, x: int) -> bool:
    """Whether the entries are those of an index argument, moved about."""
    op = b.nodes[x]
    if isinstance(op, ops.Input):
        return x in b.ranges
    if (x, range_of(b, x)) in b.hots:
        return True
    moved = isinstance(op, (ops.Read, ops.Reshape, ops.Concat))
    if moved or (isinstance(op, ops.Einsum) and is_view(b, op)):
        return any(_is_indexed(b, a) for a in op.args)
    return isinstance(op, ops.Select) and any(_is_indexed(b, a) for a in op.args[1:])
