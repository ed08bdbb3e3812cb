"""Reshapes values that do not vary along some axes by reshaping the other axes alone.

A broadcast axis holds copies. Where a reshape joins or splits broadcast axes only among themselves,
the reshaped value holds copies along the new axes, and the rest is reshaped alone: row-major
positions of the one group of axes do not depend on those of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.claims.size import Size
from eqvproof.programs.node_table import NodeTable

ONE = Size.of(1)


def reshape_copies(b: NodeTable, x: int, new: Sequence[Size]) -> int | None:
    """Reshapes an einsum that repeats its value along some axes; None if no axis separates."""
    op = b.nodes[x].as_product
    if op is None:
        return None
    used = {label for row in op.inputs for label in row}
    copies = [label not in used for label in op.output]
    if not any(copies):
        return None
    groups = align_shapes(op.shape, new)
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


def align_shapes(
    old: Sequence[Size], new: Sequence[Size]
) -> list[tuple[list[int], list[int]]] | None:
    """Splits two shapes into consecutive groups (old axes, new axes) of equal products.

    The groups are as small as the sizes show.

    The product of the sizes up to the end of a group is the same on both sides, so the positions
    within a group are read by themselves. Returns None if the products never agree.
    """
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        left, right = _next_group_end(old, new, i, j)
        if left is None or right is None:
            return None
        groups.append((list(range(i, left)), list(range(j, right))))
        i, j = left, right
    return groups


def _next_group_end(
    old: Sequence[Size], new: Sequence[Size], i: int, j: int
) -> tuple[int | None, int | None]:
    """Returns the ends of the next group: the first places at which the two products agree.

    The products are those of the sizes from i and from j on.
    """
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
