"""Masks of where a value is no number, and how they are combined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eqvproof.programs import Builder
from eqvproof.programs.signs import NEGATED


@dataclass(frozen=True, slots=True)
class Poles:
    """Where a value is no number, by masks in its shape that are 0 or 1 everywhere.

    Attributes:
        absent: where it is infinite or NaN.
        invalid: where it is NaN; None if that is not known.
        negative: where it is -inf if it is infinite at all; None if that is not known.
    """

    absent: int
    invalid: int | None
    negative: int | None


def negated(b: Builder, mask: int) -> int:
    """Returns the negation of a mask; a comparison with the other relation where it is one."""
    op = b.nodes[mask]
    known = b.scalar_value(mask)
    if known is not None:
        return b.broadcast_to(b.const(int(not known)), b.shape(mask))
    if op.function == "not" and b.intervals.of(op.args[0]) == (0, 1):
        return op.args[0]
    if op.function in ("eq", "ne") and all(map(b.is_total, op.args)):
        return b.map(NEGATED[op.function], op.args)
    view = op.single_factor
    if view is not None and set(view[1]) == set(view[2]) and len(view[1]) == len(view[2]):
        return b.einsum([negated(b, view[0])], [view[1]], view[2])
    if view is not None and set(view[1]) <= set(view[2]):
        sizes = dict(zip(view[2], op.shape, strict=True))
        return b.einsum([negated(b, view[0])], [view[1]], view[2], sizes)
    return b.map("not", [mask])


def is_nowhere(b: Builder, mask: int | None) -> bool:
    """Checks whether a mask is 0 at every entry."""
    return mask is not None and b.scalar_value(mask) == 0


def either(b: Builder, masks: Iterable[int]) -> int:
    """Returns 1 where one of the masks is 1."""
    found = b.const(0)
    for mask in dict.fromkeys(masks):
        if is_nowhere(b, found):
            found = b.broadcast_to(mask, b.broadcast_shapes([b.shape(found), b.shape(mask)]))
        elif not is_nowhere(b, mask) and mask != found:
            found = b.map("or", [found, mask])
    return found


def meet(b: Builder, first: int, second: int) -> int:
    """Returns 1 where both masks are 1."""
    shape = b.broadcast_shapes([b.shape(first), b.shape(second)])
    first, second = b.broadcast_to(first, shape), b.broadcast_to(second, shape)
    if first == second or b.scalar_value(second) == 1 or is_nowhere(b, first):
        return first
    if b.scalar_value(first) == 1 or is_nowhere(b, second):
        return second
    return b.map("and", [first, second])


def but(b: Builder, first: int, second: int) -> int:
    """Returns 1 where the first mask is 1 and the second is not."""
    shape = b.broadcast_shapes([b.shape(first), b.shape(second)])
    if b.broadcast_to(first, shape) == b.broadcast_to(second, shape):
        return b.broadcast_to(b.const(0), shape)
    return meet(b, first, negated(b, second))


#: Sign -> the mask of infinities of that sign, from those of infinities and of negative ones.
WITH_SIGN = {-1: meet, 1: but}
