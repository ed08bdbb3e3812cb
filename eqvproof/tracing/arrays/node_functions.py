"""Functions of arrays that NumPy, ATen and jaxpr share, on nodes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ShapeError

REST = Size.of(-1)


def reshape(b: Builder, x: int, sizes: Sequence[Size | int]) -> int:
    """Reshapes a node; one of the sizes may be -1, for the size that is left.

    Raises:
        ShapeError: the rest is no polynomial in the sizes.
    """
    new = [Size.of(s) for s in sizes]
    if REST in new:
        place, total = new.index(REST), b.prod_sizes(x)
        others = prod([*new[:place], *new[place + 1 :]], start=Size.of(1))
        rest = _quotient(total, others)
        if rest is None or REST in new[place + 1 :]:
            raise ShapeError(
                f"a reshape of {total} entries into rows of {others}: not exact for all sizes",
                given=f"({', '.join(map(str, sizes))})", expected="one size -1 at most",
                hint="give sizes=, or write the sizes out",
            )  # fmt: skip
        new[place] = rest
    return b.reshape(x, new)


def _quotient(total: Size, part: Size) -> Size | None:
    """Returns total / part if that is a polynomial, by long division in one name; else None."""
    found = total.divide(part) if part.terms else None
    if found is not None or not part.terms:
        return found
    quotient, rest = Size.of(0), total
    lead = max(part.terms, key=lambda t: (len(t[0]), t[0]))
    for _ in range(32):
        if not rest.terms:
            return quotient
        top = max(rest.terms, key=lambda t: (len(t[0]), t[0]))
        step = Size((top,)).divide(Size((lead,)))
        if step is None:
            return None
        quotient, rest = quotient + step, rest - step * part
    return None


def diagonal(b: Builder, x: int, offset: int, first: int, second: int) -> int:
    """Returns a diagonal of the matrices in two axes, as the last axis.

    Raises:
        ShapeError: how long it is depends on the sizes.
    """
    if offset:
        cut = second if offset > 0 else first
        x = b.slice(x, cut, abs(offset), b.shape(x)[cut] - abs(offset))
    rows, columns = b.shape(x)[first], b.shape(x)[second]
    least = columns if (rows - columns).is_at_least(0) else rows
    if not all((s - least).is_at_least(0) for s in (rows, columns)) or not least.is_at_least(0):
        raise ShapeError(
            f"the diagonal of a matrix of {rows} x {columns}: its length depends on the sizes",
            given=f"offset {offset}", expected="one length for all sizes", hint="give sizes=",
        )  # fmt: skip
    if rows != columns:
        x = b.slice(b.slice(x, first, 0, least), second, 0, least)
    else:
        x = x
    rank = len(b.shape(x))
    labels = [rank if k in (first, second) else k for k in range(rank)]
    return b.einsum([x], [labels], [*(k for k in labels if k != rank), rank])


def triangle(b: Builder, x: int, *, lower: bool, unit: bool = False) -> int:
    """Sets the entries above the diagonal (else below it) to 0; with `unit`, the diagonal to 1."""
    shape = b.shape(x)
    kept = b.tri(shape[-1], shape[-1])
    kept = kept if lower else b.transpose(kept)
    found = b.select(b.broadcast_to(kept, shape), x, b.broadcast_to(b.const(0), shape))
    ones = b.broadcast_to(b.const(1), shape)
    if unit:
        return b.select(b.broadcast_to(b.eye(shape[-1]), shape), ones, found)
    return found


def vector_norm(b: Builder, x: int, order: object, axes: Sequence[int]) -> int:
    """Returns the norm of vectors along axes, which are dropped; ord is 0, 1, 2, p, inf or -inf.

    Raises:
        ShapeError: another one.
    """
    if order == 2:
        return b.map("sqrt", [b.sum(b.power(x, 2), axes)])
    size = b.map("abs", [x])
    if order == 1:
        return b.sum(size, axes)
    if order in (float("inf"), float("-inf")):
        return b.reduce("max" if order == float("inf") else "min", size, axes)
    if order == 0:
        return b.sum(b.map("ne", [x, b.const(0)]), axes)
    if not isinstance(order, (int, float)) or order <= 0:
        raise ShapeError(
            f"a norm with ord={order!r} is not traced",
            given=repr(order),
            expected="0, p > 0, inf or -inf",
            hint="write the norm out",
        )
    return b.power(b.sum(b.power(size, Fraction(order)), axes), 1 / Fraction(order))


def how_many(length: Size, step: int) -> Size | None:
    """Returns how many of `length` entries every `step`-th one is, rounded up, if that is a size.

    Returns None otherwise.
    """
    if length.constant is not None:
        return Size.of(-(-length.constant // step))
    return next((n for k in range(step) if (n := (length + k).divide(step)) is not None), None)


def counted(b: Builder, shape: Sequence[Size], axis: int) -> int:
    """Returns 0, 1, 2, ... along an axis of an array of this shape."""
    return b.einsum([b.iota(shape[axis])], [[axis]], range(len(shape)), dict(enumerate(shape)))


def padded(b: Builder, x: int, axis: int, before: Size, after: Size, filler: int) -> int:
    """Pads an axis with `filler` before and after; negative widths cut entries off."""
    zero = Size.of(0)
    ends = [s if s.is_at_least(0) else zero for s in (before, after)]
    cut = [zero if s.is_at_least(0) else -s for s in (before, after)]
    if any(s.terms for s in cut):
        x = b.slice(x, axis, cut[0], b.shape(x)[axis] - cut[0] - cut[1])
    shape = b.shape(x)
    front, back = (
        [b.broadcast_to(filler, [*shape[:axis], s, *shape[axis + 1 :]])] if s.terms else []
        for s in ends
    )
    return b.concat([*front, x, *back], axis)


def with_block(
    b: Builder, x: int, firsts: Sequence[Size], steps: Sequence[int], block: int, axis: int = 0
) -> int:
    """Returns x with the entries first, first + step, ... of every axis replaced by a block.

    Axes before `axis` are replaced already.
    """
    if axis == len(firsts):
        return block
    first, count, step = firsts[axis], b.shape(block)[axis], steps[axis]
    inner = with_block(b, b.slice(x, axis, first, count, step), firsts, steps, block, axis + 1)
    return with_part(b, x, axis, first, count, step, inner)


def with_part(b: Builder, x: int, axis: int, first: Size, count: Size, step: int, part: int) -> int:
    """Returns x with `count` entries first, first + step, ... along an axis replaced by a part."""
    if (
        step > 1
        and count != Size.of(1)
        and not (b.shape(x)[axis] - first - count * step).is_at_least(0)
    ):
        others = with_part(b, x, axis, first, count - 1, step, b.slice(part, axis, 0, count - 1))
        last, one = first + (count - 1) * step, Size.of(1)
        return with_part(b, others, axis, last, one, 1, b.slice(part, axis, count - 1, one))
    if step > 1 and count != Size.of(1):  # in blocks, each with one of them in front
        shape = list(b.shape(x))
        blocks = b.slice(x, axis, first, count * step)
        blocks = b.reshape(blocks, [*shape[:axis], count, Size.of(step), *shape[axis + 1 :]])
        part = b.concat(
            [b.expand(part, axis + 1), b.slice(blocks, axis + 1, 1, step - 1)], axis + 1
        )
        count = count * step
        part = b.reshape(part, [*shape[:axis], count, *shape[axis + 1 :]])
    after = b.shape(x)[axis] - first - count
    parts = [b.slice(x, axis, 0, first)] if first.terms else []
    parts += [part, b.slice(x, axis, first + count, after)] if after.terms else [part]
    return b.concat(parts, axis)
