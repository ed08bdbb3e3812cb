"""Arrays of positions as indices: ``X[idx]``, ``A[src, dst]``, ``np.add.at(out, idx, values)``.

NumPy's rules: several index arrays are broadcast together; their common axes stand where the first
of them stood when all are neighbours (integers count as arrays of no axes), else in front. An index
-k counts from the end. An index out of range raises in NumPy; here it makes the result undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ShapeError
from eqvproof.tracing.arrays import cyclic, positions, tied_entries
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.sizes import SymbolicSize, size_of
from eqvproof.tracing.arrays.values import is_traced, node_of

HINT = "give sizes=, so that the index is in range"
Hots = list[tuple[int, list[int]]]


@dataclass(frozen=True, slots=True)
class Places:
    """The entries that an index with arrays selects, as labelled one-hot factors.

    Attributes:
        row: a label for each axis of the array (new axes of size 1 left out).
        output: the labels of ``array[index]``.
        hots: for each indexed axis, one-hot vectors, and their labels; the last is the axis' own.
        bounds: nodes that are 1 where an index is in range, with their labels.
        common: the labels of the index arrays, but for axes that these share with the array.
        sizes: label -> size.
    """

    row: list[int]
    output: list[int]
    hots: Hots
    bounds: Hots
    common: list[int]
    sizes: dict[int, Size]


#: Arguments: builder, array, selected places, values, flags of existing values; `own`: whether the
#: array's own entries count.
Scatter = Callable[..., int]


def as_nodes(context: TraceContext, shape: tuple[Size, ...], items: list[object]) -> list[object]:
    """Returns the items of an index with nodes in place of arrays and integers.

    Whole slices and None stay.
    """
    b = context.builder
    found: list[Any] = []
    axis = 0
    for item in items:
        if item is None or type(item) is slice:
            if item is not None and item != slice(None):
                context.refuse(
                    "a slice beside an array of positions in one index", hint="slice first"
                )
            found.append(item)
        elif is_traced(item):
            found.append(node_of(item))
        elif type(item) in (int, SymbolicSize):
            found.append(_position(context, item, shape[axis]))
        elif type(item) is np.ndarray and item.dtype.kind == "i":
            found.append(b.const(item))
        else:
            context.refuse("a mask beside an array of positions in one index")
        axis += item is not None
    return found


def index_start(context: TraceContext, item: object, size: Size) -> Size:
    """Returns the position, counted from the front, of an integer index."""
    position = size_of(item)
    if position is None:
        context.refuse(f"an index that is a {type(item).__name__}")
    if position.is_at_least(0):
        return _in_range(context, position, position, size - position - 1)
    if (position + 1).constant is not None or (-position).is_at_least(1):
        return _in_range(context, position, size + position, size + position)
    refuse_sign(context, f"the index {position}, negative for some sizes", position)


def refuse_sign(context: TraceContext, message: str, size: Size) -> NoReturn:
    """Refuses a trace that depends on whether a size is negative, while that is not known."""
    context.refuse_for_some(
        message, size.names, lambda: size.is_at_least(0) or (-size).is_at_least(1), hint=HINT
    )


def _in_range(context: TraceContext, item: Size, start: Size, room: Size) -> Size:
    """Returns the start if it lies in the axis for all sizes; refuses the index otherwise."""
    if room.is_at_least(0):
        return start
    context.refuse_for_some(
        f"the index {item} is out of range for some sizes", room.names, lambda: room.is_at_least(0)
    )


def _position(context: TraceContext, item: object, size: Size) -> int:
    b = context.builder
    start = index_start(context, item, size)
    node = b.size(start)
    b.ranges.setdefault(node, size)
    return node


def places(b: Builder, shape: tuple[Size, ...], items: list[Any], *, wrap: bool = True) -> Places:
    """Returns the places that an index selects.

    The index has one item for each axis, a whole slice or a node, and None for new axes.

    With `wrap`, an index -k counts from the end.
    """
    arrays = [i for i in items if type(i) is int]
    shared = b.broadcast_shapes([b.shape(a) for a in arrays])
    rank = len(shared)
    common, fresh = list(range(rank)), rank
    sizes = dict(enumerate(shared))
    row: list[int] = []
    output: list[int] = []
    hots: Hots = []
    bounds: Hots = []
    seen: list[int] = []
    first = -1
    for number, item in enumerate(items):
        label, fresh = fresh, fresh + 1
        if item is None:
            output.append(label)
            sizes[label] = Size.of(1)
            continue
        size = sizes[label] = shape[len(row)]
        row.append(label)
        if type(item) is slice:
            output.append(label)
            continue
        seen.append(number)
        first = len(output) if first < 0 else first
        hot, inside = positions.looked_up(b, b.broadcast_to(item, shared), size, wrap=wrap)
        hots.append((hot, [*common, label]))
        if inside is not None:
            bounds.append((inside, common))
    together = seen == list(range(seen[0], seen[0] + len(seen)))
    at = first if together else 0
    return Places(row, [*output[:at], *common, *output[at:]], hots, bounds, common, sizes)


def gather(b: Builder, node: int, items: list[Any], *, wrap: bool = True) -> int:
    """Returns ``array[index]``."""
    node, items = _split(b, node, items)
    arrays = [k for k, i in enumerate(items) if type(i) is int]
    if len(arrays) == 1 and None not in items and positions.range_of(b, node) is None:
        turned = cyclic.looked_up(b, node, arrays[0], items[arrays[0]])
        if turned is not None:
            return turned
    if len(b.shape(node)) == len(items) == len(arrays) == 1:
        ordered = positions.in_order(b, node, items[0], 0)
        if ordered is not None:
            return ordered
    if len(arrays) == 1 and None not in items and positions.range_of(b, node) is None:
        even = tied_entries.gathered(b, node, items[arrays[0]], arrays[0])
        if even is not None:
            return even
    found = places(b, b.shape(node), items, wrap=wrap)
    new = [k for k in found.output if k not in found.row and k not in found.common]
    output = [k for k in found.output if k not in new]
    result = positions.contracted(b, found.hots, node, found.row, output)
    result = positions.guarded(b, result, output, found.bounds)
    _remember(b, node, found, output, result)
    return positions.spread(b, result, output, found.output, found.sizes)


def _split(b: Builder, node: int, items: list[Any]) -> tuple[int, list[Any]]:
    """Splits an axis that joins several, and the positions in it, into these axes."""
    sizes, wide, split = iter(b.shape(node)), list[Size](), list[Any]()
    for item in items:
        size = None if item is None else next(sizes)
        parts = positions.digits(b, item) if type(item) is int else []
        if math.prod([s for _, s in parts], start=positions.ONE) != size or len(parts) < 2:
            parts = [] if size is None else [(item, size)]
        split += [d for d, _ in parts] or [item]
        wide += [s for _, s in parts]
    return b.reshape(node, [*wide, *sizes]), split


def _remember(b: Builder, node: int, found: Places, output: list[int], result: int) -> None:
    """Records that positions looked up by positions are positions."""
    size = positions.range_of(b, node)
    if size is None or found.bounds:
        return
    last = max(found.sizes) + 1
    hot = positions.one_hot(b, node, size)
    b.ranges.setdefault(result, size)
    rows = [*(r for _, r in found.hots), [*found.row, last]]
    looked_up = b.einsum([*(h for h, _ in found.hots), hot], rows, [*output, last])
    b.hots.setdefault((result, size), looked_up)


def scatter(
    b: Builder, node: int, items: list[object], values: int, how: str, alive: int | None = None, *,
    wrap: bool = True, drops: bool = False,
) -> int:  # fmt: skip
    """Returns the array after ``ufunc.at(array, index, values)``, or after a write (how="set").

    Several values for one place give their sum, product, maximum or minimum with the entry there; a
    write keeps the last one. Where `alive` is 0 there is no value (of maxima and minima).
    """
    joined = b.shape(node)
    node, items = _split(b, node, items)
    shape = b.shape(node)
    found = places(b, shape, items, wrap=wrap)
    if any(k not in found.row and k not in found.common for k in found.output):
        raise ShapeError(
            "a new axis in the index of a write",
            given="None or np.newaxis",
            expected="slices, numbers or arrays of positions",
            hint="reshape what is written instead",
        )
    full = [found.sizes[k] for k in found.output]
    if any(not size.terms for size in full):  # no place at all: nothing is written
        return b.reshape(node, joined)
    values = b.broadcast_to(values, full)
    alive = None if alive is None else b.broadcast_to(alive, full)
    result = SCATTERS[how](b, node, found, values, alive, own=True)
    for inside, _ in () if drops else found.bounds:
        everywhere = b.reduce("min", inside, range(len(b.shape(inside))))
        result = b.select(b.broadcast_to(everywhere, shape), result, undefined(b))
    return b.reshape(result, joined)


def _all(b: Builder, found: Places) -> tuple[int, list[int]]:
    """Returns 1 where an index selects a place, and the labels: the index's, then the array's."""
    labels = [*dict.fromkeys((*found.common, *(k for _, r in found.hots for k in r)))]
    return b.einsum([h for h, _ in found.hots], [r for _, r in found.hots], labels), labels


def named(b: Builder, found: Places) -> int:
    """Returns a mask: 1 at the places of the array that are selected, else 0."""
    (mask, labels), rank = _all(b, found), len(found.common)
    return positions.spread(
        b, b.reduce("max", mask, range(rank)), labels[rank:], found.row, found.sizes
    )


def _added(
    b: Builder, node: int, found: Places, values: int, alive: int | None, *, own: bool
) -> int:
    if own:
        base = node
    else:
        base = b.select(named(b, found), b.const(0), node)
    return b.add([base, positions.contracted(b, found.hots, values, found.output, found.row)])


def _folded(fn: str) -> Scatter:
    """Returns the scatter that takes products, maxima or minima, as `fn` says."""

    def fold(
        b: Builder, node: int, found: Places, values: int, alive: int | None, *, own: bool
    ) -> int:
        labels = [*found.common, *found.row]
        wide = positions.spread(b, *_all(b, found), labels, found.sizes)
        new = positions.spread(b, values, found.output, labels, found.sizes)
        axes = range(len(found.common))
        if alive is not None:
            wide = b.mul(wide, positions.spread(b, alive, found.output, labels, found.sizes))
        if fn == "prod":
            filler = b.const(1)
        else:  # never beats a value
            if own:
                worst = node
            else:
                worst = b.reduce("min" if fn == "max" else "max", new, axes)
            filler = positions.spread(b, worst, found.row, labels, found.sizes)
        best = b.reduce(fn, b.select(wide, new, filler), axes)
        if not own:
            return b.select(named(b, found), best, node)
        if fn == "prod":
            return b.mul(node, best)
        return b.map(f"{fn}imum", [node, best])

    return fold


def _set(b: Builder, node: int, found: Places, values: int, alive: int | None, *, own: bool) -> int:
    """Returns the last value for each place in index order, else the old entry."""
    labels, hit = [*found.common, *found.row], named(b, found)
    mask, given = _all(b, found)
    rank = len(found.common)
    if b.scalar_value(values) is not None or rank == 0:
        new = [k for k in found.output if k not in found.common]
        flat = b.reduce("max", values, [i for i, k in enumerate(found.output) if k in found.common])
        return b.select(hit, positions.spread(b, flat, new, found.row, found.sizes), node)
    count = b.prod_sizes(mask, range(rank))
    flat = b.reshape(mask, [count, *(found.sizes[k] for k in given[rank:])])
    others = list(range(2, 2 + len(given) - rank))
    later = b.einsum(
        [b.sub(b.const(1), b.tri(count, count)), flat], [[0, 1], [1, *others]], [0, *others]
    )
    last = b.mul(flat, b.map("eq", [later, b.const(0)]))
    last = b.reshape(last, b.shape(mask))
    wide = positions.spread(b, last, given, labels, found.sizes)
    wide_values = positions.spread(b, values, found.output, labels, found.sizes)
    chosen = b.sum(b.select(wide, wide_values, b.const(0)), range(rank))
    return b.select(hit, chosen, node)


SCATTERS: dict[str, Scatter] = {
    "add": _added,
    "max": _folded("max"),
    "min": _folded("min"),
    "prod": _folded("prod"),
    "set": _set,
}


def along(
    b: Builder, shape: tuple[Size, ...], index: int, axis: int, *, wrap: bool = True
) -> Places:
    """Returns the places that an index selects along one axis, as in ``np.take_along_axis``.

    Raises:
        ShapeError: the index has another number of axes.
    """
    own = b.shape(index)
    if len(shape) != len(own):
        raise ShapeError(
            "an index along an axis has another number of axes than the array",
            given="an index array",
            expected="as many axes as the array has",
            hint="expand the index",
        )
    rank, one = len(shape), Size.of(1)
    wide = [own[i] if i == axis or own[i] != one else shape[i] for i in range(rank)]
    hot, inside = positions.looked_up(b, b.broadcast_to(index, wide), shape[axis], wrap=wrap)
    row = [rank if i == axis else i if shape[i] == wide[i] else rank + 1 + i for i in range(rank)]
    every, sizes = [*range(rank)], {**dict(zip(row, shape, strict=True)), **dict(enumerate(wide))}
    bounds = [] if inside is None else [(inside, every)]
    return Places(row, every, [(hot, [*every, rank])], bounds, [axis], sizes)


def take_along(b: Builder, x: int, index: int, axis: int, *, wrap: bool = True) -> int:
    """Returns ``np.take_along_axis``."""
    if index in b.orders and (ordered := positions.in_order(b, x, index, axis)) is not None:
        return ordered
    if len(b.shape(x)) == 1 and (even := tied_entries.gathered(b, x, index, axis)) is not None:
        return even
    found = along(b, b.shape(x), index, axis, wrap=wrap)
    result = positions.contracted(b, found.hots, x, found.row, found.output)
    return positions.guarded(b, result, found.output, found.bounds)
