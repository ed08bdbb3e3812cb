"""Cyclic indices, ``x[(i + np.arange(n)) % n]`` and similar ones, as shifts of an axis.

An index ``(a_0 + a_1 + c) mod n``, with a_0 = 0, 1, ..., n - 1 along one axis of the index array
and a_1 = 0, 1, ... or 0, -1, ... along another, selects the entries of a shifted axis, or of all
its shifts.
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.programs import Builder, Size
from eqvproof.tracing.arrays.positions import one_hot, range_of, size_of_node


@dataclass(frozen=True, slots=True)
class Affine:
    """A sum of counting vectors, given by a sign for each axis, and a constant."""

    signs: dict[int, int]
    constant: int


def affine(b: Builder, x: int) -> Affine | None:
    """Recognises a sum of counting vectors along different axes and a constant; None for others.

    A counting vector is 0, 1, ... or 0, -1, ...
    """
    op = b.nodes[x]
    value = b.scalar_value(x)
    if value is not None:
        if value.denominator == 1:
            return Affine({}, int(value))
        return None
    if op.is_counting:
        return Affine({0: 1}, 0)
    if op.terms:
        total = Affine({}, 0)
        for a in op.terms:
            part = affine(b, a)
            if part is None or part.signs.keys() & total.signs.keys():
                return None
            total = Affine({**total.signs, **part.signs}, total.constant + part.constant)
        return total
    product = op.as_product
    if product is None:
        return None
    factor, inner = 1, -1
    for k, (a, row) in enumerate(product.factors):
        number = b.scalar_value(a)
        if number is not None and not row and number in (1, -1):
            factor *= int(number)
        elif inner < 0:
            inner = k
        else:
            return None
    if inner < 0:
        return None
    x, row = product.factors[inner]
    found, output = affine(b, x), product.output
    if found is None or len(set(row)) != len(row) or any(row[k] not in output for k in found.signs):
        return None
    if any(k not in output and s != Size.of(1) for k, s in zip(row, b.shape(x), strict=True)):
        return None
    return Affine(
        {output.index(row[k]): s * factor for k, s in found.signs.items()}, found.constant * factor
    )


def looked_up(b: Builder, x: int, axis: int, index: int) -> int | None:
    """Returns the entries of an axis at a cyclic index; None if the index is of another form.

    The axes of the index stand in the place of that axis.
    """
    op, size = b.nodes[index], b.shape(x)[axis]
    if op.function != "mod" or size_of_node(b, op.args[1]) != size:
        return None
    shape = b.shape(index)
    found = affine(b, op.args[0])
    terms = b.nodes[op.args[0]].terms
    for counting, other in (terms, terms[::-1]) if len(terms) == 2 and shape == (size,) else ():
        view = b.nodes[other].single_factor
        if b.nodes[counting].is_counting and view is not None and not view[1]:
            return rolled(b, x, axis, view[0], back=True)
    if found is None or sorted(found.signs) != list(range(len(shape))):
        return None
    turned = b.roll(x, axis, -found.constant)
    if len(shape) == 1:
        if found.signs[0] == 1 and shape[0] == size:
            return turned
        return None
    if len(shape) != 2:
        return None
    for i, j in ((0, 1), (1, 0)):
        if found.signs[i] == 1 and shape[i] == size:
            rank = len(b.shape(x))
            last = b.transpose(turned, [*(k for k in range(rank) if k != axis), axis])
            all_shifts = b.circulant(last, shape[j], found.signs[j])
            order = list(range(rank - 1))
            pair = [rank - 1, rank] if i == 0 else [rank, rank - 1]
            return b.transpose(all_shifts, [*order[:axis], *pair, *order[axis:]])
    return None


def rolled(b: Builder, x: int, axis: int, shift: int, *, back: bool = False) -> int | None:
    """Shifts an axis by a number that is a position in it, or by the negative of one.

    Returns None for other numbers.

    Entry i of x shifted by p is ``x[(i - p) mod n] = sum_k [p = k] x[(i - k) mod n]``.

    Args:
        b: where the nodes are made.
        x: what is shifted.
        axis: along which axis, of size n.
        shift: a number p.
        back: whether entry i is ``x[(i + p) mod n]`` instead.
    """
    size, rank = b.shape(x)[axis], len(b.shape(x))
    product, sign, position = b.nodes[shift].as_product, 1 if back else -1, shift
    if product is not None:
        numbers = [v for a, _ in product.factors if (v := b.scalar_value(a)) is not None]
        others = [a for a, _ in product.factors if b.scalar_value(a) is None]
        if numbers == [-1] and len(others) == 1:
            sign, position = -sign, others[0]
    if b.shape(position) != () or range_of(b, position) != size:
        return None
    kept = [k for k in range(rank) if k != axis]
    every = b.circulant(b.transpose(x, [*kept, axis]), size, sign)
    return b.einsum([every, one_hot(b, position, size)], [[*kept, axis, rank], [rank]], range(rank))
