"""Gathers in an order by keys, of entries that are equal wherever the keys are equal.

    y_i = y_j wherever k_i = k_j, for all i and j
    L_i entries have smaller keys than the i-th, E_i have an equal key, p_i is its position in the
    order
    -----------------------------------------------------------------------------------------------
    sum_i [p_i = m] y_i = sum_i w_im y_i / sum_i w_im,    w_im = [L_i <= m] [m < L_i + E_i]

The right side does not depend on the order of equal keys, so that it is invariant under
permutations of the entries, at ties as well.

Proof. Entries with equal keys form classes; those of one class C have one L and E = |C|, and the
order puts them at the positions L, ..., L + E - 1, each at one, whatever it does with equal keys.
So exactly one class has ``L <= m < L + E``: ``w_im`` is 1 for its members and else 0, and ``sum_i
w_im = E >= 1``. All its members have the same y, which is the entry at position m of the left side,
and the mean of which is the right side. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eqvproof.programs import Builder, Size
from eqvproof.programs.last_axis import with_last_axis
from eqvproof.programs.operations import WHOLE, Operation
from eqvproof.tracing.arrays import positions

#: Axes of at most this size are inspected entry by entry.
MOST_COLUMNS = 16
#: Largest number of values inspected.
MOST_VALUES = 256
#: A node, and the axis along which its entries are ordered.
Along = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The data of an order of the entries of one axis by keys.

    Attributes:
        keys: the nodes that are compared, each with the axis of the entries.
        ahead: for each entry, the number of entries with smaller keys.
        alike: for each entry, the number of entries with equal keys, including itself.
    """

    keys: tuple[Along, ...]
    ahead: int
    alike: int


def ranked(b: Builder, keys: Sequence[Along], ahead: int, equal: int) -> Ranking:
    """Returns the ranking by keys.

    Args:
        b: where the nodes are made.
        keys: what is compared.
        ahead: a matrix, [i, j] is 1 where entry j has a smaller key than entry i, else 0.
        equal: a matrix, [i, j] is 1 where the keys of i and j are equal, else 0.
    """
    (n, _) = b.shape(ahead)
    others = b.einsum([equal, b.sub(b.const(1), b.eye(n))], [[0, 1], [0, 1]], [0])
    alike = b.add([b.broadcast_to(b.const(1), [n]), others])
    return Ranking(tuple(keys), b.einsum([ahead], [[0, 1]], [0]), alike)


def gathered(b: Builder, x: int, index: int, axis: int) -> int | None:
    """Returns the entries of x along an axis at positions from an order, however it breaks ties.

    Returns None where the index does not come from such orders, or x is not known to be equal
    wherever their keys are.
    """
    weights = _weights(b, x, index, axis)
    if weights is None:
        return None
    result = _mean(b, weights, x, axis)
    if b.intervals.is_whole(x):
        b.integers.add(result)
    return result


def _mean(b: Builder, weights: int, x: int, axis: int) -> int:
    """Returns the weighted sums of entries of x along an axis; leaves out those of weight 0."""
    rank = len(b.shape(x))
    row = [rank if k == axis else k for k in range(rank)]
    if b.is_total(x):
        return b.einsum([weights, x], [[axis, rank], row], list(range(rank)))
    everything = list(range(rank + 1))
    sizes = {**dict(zip(row, b.shape(x), strict=True)), axis: b.shape(weights)[0]}
    is_in = positions.spread(b, b.map("ne", [weights, b.const(0)]), [axis, rank], everything, sizes)
    chosen = b.select(is_in, positions.spread(b, x, row, everything, sizes), b.const(0))
    return b.einsum([chosen, weights], [everything, [axis, rank]], list(range(rank)))


def _weights(b: Builder, x: int, index: int, axis: int) -> int | None:
    """Returns ``w_im / sum_i w_im``, the positions m in front, for an index into x."""
    op, size = b.nodes[index], b.shape(x)[axis]
    ranking = b.rankings.get(index)
    if ranking is not None:
        is_determined = b.shape(ranking.ahead) == (size,) and Determined(b, ranking.keys).holds(
            x, axis
        )
        if is_determined:
            return _of_classes(b, ranking)
        return None
    if not op.is_ordered and len(op.shape) == 1:
        sources = positions.moved_from(b, index)
    else:
        sources = ()
    if any(len(b.shape(a)) != 1 for a in sources):
        return None
    each = [_weights(b, x, a, axis) for a in sources]
    found = [w for w in each if w is not None]
    if found and len(found) == len(each):
        return with_last_axis(op, b, found, size)
    return None


def _of_classes(b: Builder, ranking: Ranking) -> int:
    (n,) = b.shape(ranking.ahead)
    here, there, both = [1], [0], [0, 1]
    sizes = {0: n, 1: n}
    place = positions.spread(b, b.iota(n), there, both, sizes)
    first = positions.spread(b, ranking.ahead, here, both, sizes)
    after = positions.spread(b, b.add([ranking.ahead, ranking.alike]), here, both, sizes)
    is_in = b.mul(b.map("le", [first, place]), b.map("lt", [place, after]))
    total = b.map("recip", [b.einsum([is_in], [both], there)])
    return b.einsum([is_in, total], [both, there], both)


class Determined:
    """The values whose entries are known to be equal wherever those of some keys are equal.

    Args:
        b: the nodes.
        keys: the nodes that are compared, each with the axis of the entries.
    """

    def __init__(self, b: Builder, keys: Sequence[Along]) -> None:
        self.b = b
        self.known: dict[Along, bool] = {}
        for node, axis in keys:
            self._enter(node, axis)

    def _enter(self, x: int, axis: int) -> None:
        """Enters a value, and the values all of whose entries it holds.

        Where entries of the value are equal, so are those of the other values. It may hold them
        multiplied by a number that is not 0, reversed along other axes or in another order of axes.
        """
        while True:
            self.known[x, axis] = True
            inner = _all_of(self.b, self.b.nodes[x], axis)
            if inner is None:
                return
            x, axis = inner

    def holds(self, x: int, axis: int) -> bool:
        """Checks whether x at i and j along an axis is equal whenever the keys at i and j are.

        False may mean unknown. Elementwise functions, sums, choices and products of such values,
        and of values that do not depend on i, are such values.
        """
        if len(self.known) > MOST_VALUES:
            return False
        if (x, axis) not in self.known:
            self.known[x, axis] = False
            self.known[x, axis] = self._by_arguments(x, axis) or self._by_columns(x, axis)
        return self.known[x, axis]

    def _by_arguments(self, x: int, axis: int) -> bool:
        op, b = self.b.nodes[x], self.b
        product = op.as_product
        if product is not None:
            label = product.output[axis]
            met = [(a, row) for a, row in product.factors if label in row]
            return all(row.count(label) == 1 and self.holds(a, row.index(label)) for a, row in met)
        is_known = op.function or op.terms or op.choice or op.extreme or op.as_reading
        if b.scalar_value(x) is not None:
            return True
        if not is_known and op.joined_axis in (None, axis):
            return False
        for k, a in enumerate(op.args):
            along = list(op.along(k, b.shape(a)))
            if along and axis not in along and b.scalar_value(a) is None:
                return False
            if axis in along and not self.holds(a, along.index(axis)):
                return False
        return True

    def _by_columns(self, x: int, axis: int) -> bool:
        """Checks whether each entry along some other axis is a key by itself."""
        b = self.b
        for other, size in enumerate(b.shape(x)):
            count = size.constant
            if other == axis or count is None or count > MOST_COLUMNS:
                continue
            columns = [b.squeeze(b.slice(x, other, k, 1), other) for k in range(count)]
            if all(self.known.get((c, axis - (other < axis)), False) for c in columns):
                return True
        return False


def _all_of(b: Builder, op: Operation, axis: int) -> Along | None:
    """Returns the value, and its axis, all of whose entries an operation holds; None for others."""
    product, reading = op.as_product, op.as_reading
    if product is not None:
        arrays = [(a, row) for a, row in product.factors if row]
        numbers = [b.scalar_value(a) for a, row in product.factors if not row]
        if len(arrays) != 1 or not all(numbers) or product.output[axis] not in arrays[0][1]:
            return None
        a, row = arrays[0]
        is_kept = len({*row}) == len(row) and {*row} <= {*product.output}
        if is_kept:
            return (a, row.index(product.output[axis]))
        return None
    if reading is None or b.shape(reading.args[0]) != op.shape or reading.places[axis] != WHOLE:
        return None
    one, places = Size.of(1), zip(reading.places, op.shape, strict=True)
    is_kept = all(
        p == WHOLE or (p.steps == (-1,) and p.start == n - one and not p.cyclic) for p, n in places
    )
    if is_kept:
        return (reading.args[0], axis)
    return None
