"""Reshapes of values that do not vary along some axes: those axes are cut apart from the others.

A broadcast axis holds copies. Where a reshape joins or splits broadcast axes only among themselves, the
reshaped value holds copies along the new axes, and the rest is reshaped alone: row-major positions of the one
group of axes do not depend on those of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.size import Size

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder

ONE = Size.of(1)
#: How entries are taken to other places.
_MOVES: Any = SimpleNamespace(
    take=lambda array, axis, places: array.take(list(places), axis),
    reshape=lambda array, shape: array.reshape(shape),
)
#: Constants of so many entries at most are written out with their copies.
MOST_ENTRIES = 4096


def reshape_copies(b: Builder, x: int, new: Sequence[Size]) -> int | None:
    """A reshape of an einsum that repeats its value along some axes; None where no axis can be cut off."""
    op = b.nodes[x].as_product
    if op is None:
        return None
    used = {label for row in op.inputs for label in row}
    copies = [label not in used for label in op.output]
    groups = aligned(op.shape, new) if any(copies) else None
    if groups is None:
        return None
    free = [bool(old) and all(copies[i] for i in old) for old, _ in groups]
    if not any(free):
        return None
    kept_old = [i for (old, _), f in zip(groups, free, strict=True) if not f for i in old]
    kept_new = [j for (_, fresh), f in zip(groups, free, strict=True) if not f for j in fresh]
    sizes = {op.output[i]: op.shape[i] for i in kept_old}
    core = b.einsum(list(op.args), list(op.inputs), [op.output[i] for i in kept_old], sizes)
    core = b.reshape(core, [new[j] for j in kept_new])
    return b.einsum([core], [kept_new], list(range(len(new))), dict(enumerate(new)))


def constant_of(b: Builder, x: int) -> Any:
    """The array of numbers that a node is: a constant, entries of one, or a product of such without a sum.

    None for others, for unknown sizes, and for more than `MOST_ENTRIES`. Copies along a joined axis
    (one weight for all entries of an irrep) show in the constant itself which neighbours are equal.
    """
    op, product = b.nodes[x], b.nodes[x].as_product
    shape = [s.constant for s in op.shape if s.constant is not None]
    if len(shape) < len(op.shape) or prod(shape) > MOST_ENTRIES:
        return None
    if op.constant is not None:
        return op.constant
    if op.keeps_order or op.as_reading is not None:
        array = constant_of(b, op.args[0])
        return None if array is None else op.evaluate(_MOVES, [array], {})
    if product is None:
        return None
    value = np.full(shape, Fraction(1), dtype=object)
    for a, row in zip(product.args, product.inputs, strict=True):
        array = constant_of(b, a)
        if array is None or len(set(row)) < len(row):
            return None
        gone = [k for k, label in enumerate(row) if label not in product.output]
        if any(array.shape[k] != 1 for k in gone):  # a sum
            return None
        order = [*(row.index(label) for label in product.output if label in row), *gone]
        exact = np.array([Fraction(v) for v in array.ravel().tolist()], dtype=object).reshape(array.shape)
        ones = [n if label in row else 1 for label, n in zip(product.output, shape, strict=True)]
        value = value * exact.transpose(order).reshape(ones)
    return value


def aligned(old: Sequence[Size], new: Sequence[Size]) -> list[tuple[list[int], list[int]]] | None:
    """Consecutive groups (old axes, new axes) of equal products, as small as they can be read off.

    The product of the sizes up to the end of a group is the same on both sides, so the positions within a
    group are read by themselves. None where the products never meet before the end.
    """
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        left, right = _meeting(old, new, i, j)
        if left is None or right is None:
            return None
        groups.append((list(range(i, left)), list(range(j, right))))
        i, j = left, right
    return groups


def _meeting(old: Sequence[Size], new: Sequence[Size], i: int, j: int) -> tuple[int | None, int | None]:
    """The ends of the next group: the first places at which the products from i and from j on agree."""
    products: dict[Size, int] = {}
    size = ONE
    for end in range(j + 1, len(new) + 1):
        size = size * new[end - 1]
        products.setdefault(size, end)
    size = ONE
    if ONE in products:
        return i, products[ONE]
    for end in range(i + 1, len(old) + 1):
        size = size * old[end - 1]
        if size in products:
            return end, products[size]
        if size == ONE:
            return end, j
    return None, None
