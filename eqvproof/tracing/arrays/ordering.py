"""Order statistics and running folds, as sums and choices over comparisons.

Ties: argmax takes the first of equal entries, as NumPy's does, and a stable sort keeps the order of
equal entries. A sort that promises nothing for equal entries orders them by an unknown function of
the results of the comparisons: a proof holds for every such order. A position is a number that
changes under permutations of the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eqvproof.programs import Builder, Size
from eqvproof.programs.evaluate.library_functions import TIES
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.support.errors import ShapeError
from eqvproof.tracing.arrays import positions, tied_entries
from eqvproof.tracing.arrays.node_functions import counted


def first_extremum(b: Builder, x: int, axis: int, fn: str) -> int:
    """Returns the position of the first largest (fn="max") or smallest entry along an axis."""
    shape, found = b.shape(x), b.reduce(fn, x, [axis])
    best = b.expand(found, axis)
    places = b.select(b.map("eq", [x, best]), counted(b, shape, axis), b.size(shape[axis]))
    result = b.reduce("min", places, [axis])
    b.ranges.setdefault(result, shape[axis])
    b.orders.setdefault(result, (x, axis, found))
    b.orders.setdefault(b.expand(result, axis), (x, axis, best))
    return result


def in_turn(b: Builder, x: int, axis: int, *, descending: bool = False) -> int:
    """Returns the entries in ascending, or in descending, order along an axis."""
    if descending:
        return b.neg(b.sort(b.neg(x), axis))
    return b.sort(x, axis)


def order(
    b: Builder,
    x: int,
    axis: int,
    *,
    descending: bool = False,
    unstable: str = "",
    kept: Size | None = None,
) -> int:
    """Returns argsort: the k-th entry is the position of the k-th smallest (largest).

    Args:
        b: where the nodes are made.
        x: what is sorted.
        axis: along which.
        descending: whether the greatest comes first.
        unstable: the name of the algorithm, where it promises no order of equal entries; else the
            order that they have.
        kept: how many are asked of the algorithm, where not all.
    """
    shape, rank = b.shape(x), len(b.shape(x))
    n = shape[axis]
    here = list(range(rank))
    both = [*here, rank]  # the last label runs over the others
    if b.orders.get(x, (-1, -1))[1] == axis and not descending:
        known = b.hots.get((x, n))
    else:
        known = None
    # all of 0, ..., n - 1, each once: the inverse order, in which nothing ties
    if known is not None:
        return _positions(
            b, known, [rank if i == axis else axis if i == rank else i for i in both], axis
        )
    sizes = {**dict(zip(here, shape, strict=True)), rank: n}
    ahead, equal = _compare_along_axis(b, x, axis, descending=descending)
    if unstable:
        others = b.mul(
            equal, positions.spread(b, b.sub(b.const(1), b.eye(n)), [axis, rank], both, sizes)
        )
        tied = b.select(
            others, _unknown_order(b, ahead, others, axis, unstable, kept or n), b.const(0)
        )
        result = _in_places(b, [ahead, tied], axis)
    else:
        result = _in_stable_order(b, ahead, equal, axis)
    b.orders.setdefault(result, (x, axis, in_turn(b, x, axis, descending=descending)))
    if rank == 1:
        b.rankings.setdefault(result, tied_entries.ranked(b, [(x, 0)], ahead, equal))
    return result


def lexicographic(b: Builder, keys: Sequence[int], axis: int) -> int:
    """Returns the positions in lexicographic order of several keys, the first key compared first.

    Entries whose keys all tie keep their order. Stable sorts by the last key, ..., the first key,
    one after the other, give the same order, since a stable sort by k keeps the order of entries
    with equal k.

    Args:
        b: where the nodes are made.
        keys: of one shape, at least one.
        axis: along which they are put in order.
    """
    ahead, equal = _compare_along_axis(b, keys[-1], axis)
    for key in keys[-2::-1]:
        before, same = _compare_along_axis(b, key, axis)
        ahead, equal = b.add([before, b.mul(same, ahead)]), b.mul(same, equal)
    result = _in_stable_order(b, ahead, equal, axis)
    if len(b.shape(keys[0])) == 1:
        b.rankings.setdefault(
            result, tied_entries.ranked(b, [(key, 0) for key in keys], ahead, equal)
        )
    return result


def lexicographic_along(b: Builder, keys: int, axis: int) -> int:
    """Returns `lexicographic` for keys along the first axis of one value, the last key first.

    Args:
        b: where the nodes are made.
        keys: each entry along its first axis is one key.
        axis: the axis of `keys` along which they are put in order.

    With ``s_k = [key k is equal]``, key k decides where it is less and all later ones are equal:
    ``sum_k [key k is less] prod_{l > k} s_l`` is 1 where the entry stands ahead, and else 0.
    """
    count, rank = b.shape(keys)[0], len(b.shape(keys))
    before, same = _compare_along_axis(b, keys, axis)
    sizes = dict(enumerate((*b.shape(same), count)))
    every, labels = list(range(rank + 2)), list(range(rank + 1))
    later = positions.spread(b, b.sub(b.const(1), b.tri(count, count)), [0, rank + 1], every, sizes)
    others = positions.spread(b, same, [rank + 1, *labels[1:]], every, sizes)
    decides = b.reduce("min", b.select(later, others, b.const(1)), [rank + 1])
    ahead = b.einsum([before, decides], [labels, labels], labels[1:])
    equal = b.reduce("min", same, [0])
    result = _in_stable_order(b, ahead, equal, axis - 1)
    if rank == 2:
        b.rankings.setdefault(result, tied_entries.ranked(b, [(keys, 1)], ahead, equal))
    return result


def _compare_along_axis(
    b: Builder, x: int, axis: int, *, descending: bool = False
) -> tuple[int, int]:
    """Compares the entries along an axis with those along a new last axis.

    Returns two masks: where the entry along the new axis stands ahead of the other, and where both
    are equal.
    """
    shape, rank = b.shape(x), len(b.shape(x))
    here, both = list(range(rank)), list(range(rank + 1))
    sizes = {**dict(zip(here, shape, strict=True)), rank: shape[axis]}
    mine = positions.spread(b, x, here, both, sizes)
    other = positions.spread(b, x, [rank if i == axis else i for i in here], both, sizes)
    return b.map("gt" if descending else "lt", [other, mine]), b.map("eq", [other, mine])


def _in_stable_order(b: Builder, ahead: int, equal: int, axis: int) -> int:
    """Returns the positions in an order that keeps the order of equal entries."""
    shape = b.shape(ahead)
    rank, n = len(shape) - 1, shape[-1]
    earlier = positions.spread(
        b, b.tri(n, n, -1), [axis, rank], list(range(rank + 1)), dict(enumerate(shape))
    )
    return _in_places(b, [ahead, b.mul(equal, earlier)], axis)


def _in_places(b: Builder, before: Sequence[int], axis: int) -> int:
    """Returns the positions in an order, from masks of the entries that precede each other."""
    both = list(range(len(b.shape(before[0]))))
    *here, rank = both
    place = b.einsum([b.add(before)], [both], here)  # of each entry in the order
    # [..., axis, ..., k] = 1 where the entry is the k-th
    hot = b.onehot(place, b.shape(before[0])[-1])
    return _positions(b, hot, [*(rank if i == axis else i for i in here), axis], axis)


def _positions(b: Builder, hot: int, turned: Sequence[int], axis: int) -> int:
    """Returns the positions given by one-hot vectors whose axes are in another order."""
    rank = len(turned) - 1
    both, here = list(range(rank + 1)), list(range(rank))
    hot = b.einsum([hot], [both], turned)
    n = b.shape(hot)[axis]
    result = b.einsum([hot, b.iota(n)], [both, [rank]], here)
    b.ranges.setdefault(result, n)
    # 1, written so that weights are seen to sum to 1
    total = b.map("recip", [b.einsum([hot], [both], here)])
    b.hots.setdefault((result, n), b.einsum([hot, total], [both, here], both))
    return result


def _unknown_order(
    b: Builder, ahead: int, equal: int, axis: int, algorithm: str, kept: Size
) -> int:
    """Returns an unknown order of ties: 1 where the second of two equal entries comes first.

    An algorithm that compares entries learns of them which is less: the matrix of comparisons. It
    enters as one number, ``sum_ij [x_j < x_i] 2^-(i n + j)``, so that the function goes entry by
    entry over other axes.
    """
    shape = b.shape(ahead)
    last, n = len(shape) - 1, shape[-1]
    labels = list(range(last + 1))
    place = b.add([b.mul(b.expand(b.iota(n), 1), b.size(n)), b.iota(n)])
    weights = b.map("pow", [b.const(Fraction(1, 2)), place])
    code = b.einsum(
        [ahead, weights], [labels, [axis, last]], [i for i in labels if i not in (axis, last)]
    )
    code = b.restore(code, [axis, last])
    mine = positions.spread(b, b.iota(n), [axis], labels, dict(enumerate(shape)))
    args = [code, equal, mine, b.iota(n), b.size(n), b.size(kept)]
    return b.opaque(TIES + algorithm, [b.broadcast_to(a, shape) for a in args], shape, ENTRIES)


def largest(
    b: Builder, x: int, axis: int, count: Size, *, greatest: bool = True, unstable: str = ""
) -> tuple[int, int]:
    """Returns the largest (smallest) entries in order, and their positions."""
    values = in_turn(b, x, axis, descending=greatest)
    places = order(b, x, axis, descending=greatest, unstable=unstable, kept=count)
    return b.slice(values, axis, 0, count), b.slice(places, axis, 0, count)


def quantile(b: Builder, x: int, axis: int, q: int) -> int:
    """Returns the entry at position q (n - 1) of the sorted axis, interpolated linearly.

    q is a scalar node.

    The k-th entry has the weight max(0, 1 - |k - q (n - 1)|).
    """
    n = b.shape(x)[axis]
    at = b.mul(q, b.size(n - 1))
    gap = b.map("abs", [b.sub(b.iota(n), at)])
    weights = b.map("maximum", [b.sub(b.const(1), gap), b.const(0)])
    return weighted(b, b.sort(x, axis), axis, weights)


def median(b: Builder, x: int, axis: int, *, lower: bool = False) -> int:
    """Returns the median; of an even number of entries the mean of two, or the lower one."""
    if not lower:
        return quantile(b, x, axis, b.const(Fraction(1, 2)))
    n = b.shape(x)[axis]
    middle = b.map("floor", [b.mul(b.const(Fraction(1, 2)), b.size(n - 1))])
    return weighted(b, b.sort(x, axis), axis, b.map("eq", [b.iota(n), middle]))


def weighted(b: Builder, x: int, axis: int, weights: int) -> int:
    """Returns the sum over an axis of entries times weights."""
    labels = list(range(len(b.shape(x))))
    return b.einsum([x, weights], [labels, [axis]], [i for i in labels if i != axis])


def running(b: Builder, x: int, axis: int, fn: str) -> int:
    """Returns the sum, product, largest or smallest of all entries up to each entry."""
    shape, rank = b.shape(x), len(b.shape(x))
    n = shape[axis]
    here = list(range(rank))
    if fn == "sum" and b.is_total(x):
        return b.einsum(
            [x, b.tri(n, n)], [here, [rank, axis]], [rank if i == axis else i for i in here]
        )
    both = [*here, rank]  # here[axis] runs over the result, the last label over the entries
    sizes = {**dict(zip(here, shape, strict=True)), rank: n}
    entries = positions.spread(b, x, [rank if i == axis else i for i in here], both, sizes)
    upto = positions.spread(b, b.tri(n, n), [axis, rank], both, sizes)
    if fn in ("sum", "prod"):
        chosen = b.select(upto, entries, b.const(int(fn == "prod")))
        if fn == "sum":
            return b.sum(chosen, [rank])
        return b.reduce("prod", chosen, [rank])
    own = positions.spread(b, x, here, both, sizes)
    return b.reduce(fn, b.select(upto, entries, own), [rank])


def flattened(b: Builder, x: int, axes: Sequence[int]) -> tuple[int, int]:
    """Joins some axes into one last axis; returns the value and the number of that axis."""
    shape = b.shape(x)
    kept = [i for i in range(len(shape)) if i not in axes]
    if not axes:
        raise ShapeError(
            "an order over no axis",
            given="a scalar",
            expected="an array with an axis",
            hint="order a vector",
        )
    moved = b.transpose(x, [*kept, *sorted(axes)])
    count = b.prod_sizes(x, axes)
    return b.reshape(moved, [*(shape[i] for i in kept), count]), len(kept)
