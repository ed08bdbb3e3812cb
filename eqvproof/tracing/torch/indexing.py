"""ATen operations by positions: gathers, scatters (`scatter_add`, `index_put`), and sorting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import gathering, ordering, positions
from eqvproof.tracing.arrays.node_functions import with_part
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.torch.aten import Handler, Length, keep_reduced_axes, lift, op, reduced_axes
from eqvproof.tracing.torch.views import clipped_bound, index_from_start

WHOLE = slice(None)
#: Torch's names of the ways to combine several values for one place -> those of `gathering`.
REDUCTIONS = {
    "sum": "add",
    "add": "add",
    "amax": "max",
    "amin": "min",
    "prod": "prod",
    "multiply": "prod",
}


def items_of(b: Builder, x: int, indices: Sequence[int | None]) -> list[object]:
    """Returns an index of tensors as one item for each axis; None becomes a whole axis."""
    items = [WHOLE if i is None else int(i) for i in indices]
    return items + [WHOLE] * (len(b.shape(x)) - len(items))


@op("index")
def _index(b: Builder, x: int, indices: Sequence[int | None]) -> int:
    return gathering.gather(b, int(x), items_of(b, x, indices))


@op("index_select")
def _index_select(b: Builder, x: int, dim: int, index: int) -> int:
    items: list[object] = [WHOLE] * len(b.shape(x))
    items[b.axis(x, dim)] = int(index)
    return gathering.gather(b, int(x), items, wrap=False)


@op("embedding")
def _embedding(b: Builder, weight: int, index: int, *_: object) -> int:
    return gathering.gather(b, int(weight), [int(index), WHOLE], wrap=False)


@op("index_put", "_unsafe_index_put")
def _index_put(
    b: Builder,
    x: int,
    indices: Sequence[int | None],
    values: int,
    accumulate: object = False,  # noqa: FBT002
) -> int:
    how = "add" if accumulate else "set"
    return gathering.scatter(b, int(x), items_of(b, x, indices), int(values), how)


@op("gather")
def _gather(b: Builder, x: int, dim: int, index: int) -> int:
    axis = b.axis(x, dim)
    shape, own = list(b.shape(x)), b.shape(index)
    for i, size in enumerate(own):
        if i != axis and shape[i] != size:
            x, shape[i] = b.slice(int(x), i, 0, size), size
    return gathering.take_along(b, int(x), int(index), axis, wrap=False)


def written_along(
    b: Builder, x: int, dim: int, index: int, source: int, how: str, *, own: bool = True
) -> int:
    """Implements ``x.scatter(dim, index, source)``: writes each source entry to its place.

    The axis is `dim`. With how="mean" and others, `own` says whether the old entries count, too.
    """
    axis, shape, lengths = b.axis(x, dim), b.shape(x), b.shape(index)
    if not b.shape(source):
        source = b.broadcast_to(source, lengths)
    for i, (length, size) in enumerate(zip(lengths, shape, strict=True)):
        if b.shape(source)[i] != length:
            source = b.slice(source, i, 0, length)
        if i != axis and length != size:
            raise TraceError("a scatter with an index that does not cover the other axes")
    found = gathering.along(b, shape, index, axis, wrap=False)
    if found.bounds:
        raise TraceError("a scatter at positions that may be out of range")
    if how == "mean":
        total = written_along(b, x, dim, index, source, "sum", own=own)
        count = b.einsum([h for h, _ in found.hots], [r for _, r in found.hots], found.row)
        if own:
            base = b.add([count, b.const(1)])
        else:
            base = b.map("maximum", [count, b.const(1)])
        return b.div(total, base)
    if how == "set" and b.scalar_value(source) is None:
        raise TraceError("a scatter whose result depends on the order of equal positions")
    way = gathering.SCATTERS.get(REDUCTIONS.get(how, how))
    if way is None:
        raise TraceError("a scatter that is not read", given=how)
    return way(b, x, found, source, None, own=own)


@op("scatter_add")
def _scatter_add(b: Builder, x: int, dim: int, index: int, source: int) -> int:
    return written_along(b, int(x), dim, int(index), int(source), "sum")


@op("scatter_reduce")
def _scatter_reduce(
    b: Builder,
    x: int,
    dim: int,
    index: int,
    source: int,
    reduce: str,
    *,
    include_self: object = None,
) -> int:
    own = include_self is not False
    return written_along(b, int(x), dim, int(index), int(source), reduce, own=own)


@op("index_reduce")
def _index_reduce(
    b: Builder,
    x: int,
    dim: int,
    index: int,
    source: int,
    reduce: str,
    *,
    include_self: object = None,
) -> int:
    axis = b.axis(x, dim)
    wide = int(index)
    for i in range(len(b.shape(source))):
        if i != axis:
            wide = b.expand(wide, i)
    wide = b.broadcast_to(wide, b.shape(source))
    return written_along(b, int(x), dim, wide, int(source), reduce, own=include_self is not False)


@op("scatter")
def _scatter(
    b: Builder, x: int, dim: int, index: int, source: object, *, reduce: str = "set"
) -> int:
    return written_along(
        b, int(x), dim, int(index), lift(b, source), REDUCTIONS.get(reduce, reduce)
    )


@op("bincount")
def _bincount(b: Builder, x: int, weights: int | None = None, minlength: Length = 0) -> int:
    length = Size.of(minlength)
    if positions.range_of(b, int(x)) != length:
        raise TraceError("a bincount of numbers that may reach minlength")
    return positions.binned(b, int(x), length, weights)


@op("bucketize")
def _bucketize(b: Builder, x: int, bounds: int, *, right: bool = False) -> int:
    """Counts the ascending bounds that are less than each entry; with right, at most the entry."""
    listed = b.nodes[bounds].constant
    if listed is None or np.ndim(listed) != 1 or any(p > q for p, q in pairwise(listed)):
        raise TraceError("bounds of buckets that are not known to ascend")
    inside = b.map("ge" if right else "gt", [b.expand(int(x), len(b.shape(x))), int(bounds)])
    node = b.sum(inside, [len(b.shape(x))])
    b.ranges.setdefault(node, Size.of(len(listed) + 1))
    return node


@op("searchsorted")
def _searchsorted(
    b: Builder, bounds: int, x: int, *, right: bool = False, side: str | None = None
) -> int:
    return int(_bucketize(b, x, bounds, right=right or side == "right"))


@op("sort")
def _sort_with_order(
    b: Builder,
    x: int,
    dim: int = -1,
    descending: bool = False,  # noqa: FBT001, FBT002
    stable: bool = False,  # noqa: FBT001, FBT002
) -> tuple[int, int]:
    axis = b.axis(x, dim)
    values = ordering.in_turn(b, int(x), axis, descending=descending)
    if stable:
        algorithm = ""
    elif descending:
        algorithm = "torch.sort.descending"
    else:
        algorithm = "torch.sort.ascending"
    return values, ordering.order(b, int(x), axis, descending=descending, unstable=algorithm)


@op("topk")
def _topk(
    b: Builder,
    x: int,
    k: Length,
    dim: int = -1,
    largest: bool = True,  # noqa: FBT001, FBT002
    _sorted: object = None,
) -> tuple[int, int]:
    algorithm = f"torch.topk.{'largest' if largest else 'smallest'}"
    return ordering.largest(
        b, int(x), b.axis(x, dim), Size.of(k), greatest=largest, unstable=algorithm
    )


@op("kthvalue")
def _kthvalue(b: Builder, x: int, k: int, dim: int = -1, keepdim: object = None) -> tuple[int, int]:
    axis = b.axis(x, dim)
    found = b.sum(b.slice(b.sort(int(x), axis), axis, k - 1, 1), [axis])
    return keep_reduced_axes(b, found, [axis], keepdim), _undefined_positions(b)


def _one_axis(b: Builder, x: int, dim: int | None) -> tuple[int, int]:
    """Returns a tensor and the given axis; without one, all entries in a row and their axis."""
    if dim is None:
        return ordering.flattened(b, int(x), reduced_axes(b, x, None))
    return (int(x), b.axis(x, dim))


@op("median")
def _median(b: Builder, x: int, dim: int | None = None, keepdim: object = None) -> object:
    node, axis = _one_axis(b, x, dim)
    value = ordering.median(b, node, axis, lower=True)
    if dim is None:
        return value
    return (keep_reduced_axes(b, value, [axis], keepdim), _undefined_positions(b))


def _undefined_positions(b: Builder) -> int:
    """Returns an undefined value, for positions that torch does not define among equal entries."""
    return undefined(b)


def _positions(fn: str) -> Handler:
    def handler(b: Builder, x: int, dim: int | None = None, keepdim: object = None) -> int:
        node, axis = _one_axis(b, x, dim)
        found = ordering.first_extremum(b, node, axis, fn)
        if dim is None:
            return found
        return keep_reduced_axes(b, found, [axis], keepdim)

    return handler


def _with_positions(fn: str) -> Handler:
    """Returns the handler of max or min: of all entries, or along an axis with positions."""

    def handler(b: Builder, x: int, dim: int | None = None, keepdim: object = None) -> object:
        if dim is None:
            return b.reduce(fn, int(x), reduced_axes(b, x, None))
        axis = b.axis(x, dim)
        value = keep_reduced_axes(b, b.reduce(fn, int(x), [axis]), [axis], keepdim)
        return value, keep_reduced_axes(
            b, ordering.first_extremum(b, int(x), axis, fn), [axis], keepdim
        )

    return handler


def _running(fn: str) -> Handler:
    def handler(b: Builder, x: int, dim: int) -> int:
        return ordering.running(b, int(x), b.axis(x, dim), fn)

    return handler


def _running_pair(fn: str) -> Handler:
    def handler(b: Builder, x: int, dim: int) -> tuple[int, int]:
        return ordering.running(b, int(x), b.axis(x, dim), fn), _undefined_positions(b)

    return handler


for _fn in ("max", "min"):
    op(f"arg{_fn}")(_positions(_fn))
    op(_fn)(_with_positions(_fn))
    op(f"cum{_fn}")(_running_pair(_fn))
op("cumsum")(_running("sum"))
op("cumprod")(_running("prod"))


@op("logcumsumexp")
def _logcumsumexp(b: Builder, x: int, dim: int) -> int:
    return b.map("log", [ordering.running(b, b.map("exp", [int(x)]), b.axis(x, dim), "sum")])


@op("slice_scatter")
def _slice_scatter(
    b: Builder,
    x: int,
    source: int,
    dim: int = 0,
    start: Length | None = None,
    end: Length | None = None,
    step: int = 1,
) -> int:
    """Returns the value with a part of an axis replaced."""
    axis, count = b.axis(x, dim), b.shape(source)[b.axis(x, dim)]
    first = clipped_bound(b, int(x), axis, start, Size.of(0))
    if count.terms:
        return with_part(b, int(x), axis, first, count, step, int(source))
    return x


@op("select_scatter")
def _select_scatter(b: Builder, x: int, source: int, dim: int, index: Length) -> int:
    axis = b.axis(x, dim)
    first = index_from_start(b, int(x), axis, index)
    return int(_slice_scatter(b, x, b.expand(int(source), axis), axis, first, first + 1))


@op("diagonal_scatter")
def _diagonal_scatter(
    b: Builder, x: int, source: int, offset: int = 0, i: int = 0, j: int = 1
) -> int:
    """Returns square matrices with other entries on the diagonal."""
    shape = b.shape(x)
    rows, columns = b.axis(x, i), b.axis(x, j)
    if offset or shape[rows] != shape[columns]:
        raise TraceError(
            "a write into a diagonal beside the main one, or of matrices that are not square"
        )
    every = list(range(len(shape)))
    sizes = dict(zip(every, shape, strict=True))
    labels = [*(k for k in every if k not in (rows, columns)), rows]
    new = positions.spread(b, int(source), labels, every, sizes)
    there = positions.spread(b, b.eye(shape[rows]), [rows, columns], every, sizes)
    return b.select(there, new, int(x))
