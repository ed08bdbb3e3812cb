"""Minus infinity in scores: a node of numbers, and one that is 0 where the entry is minus infinity."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.program import Builder, ops


def top(b: Builder, node: int, alive: int, axes: Sequence[int]) -> int:
    """The largest real entry along axes, which are dropped; undefined where there is none.

    An entry -inf is replaced by the smallest number of its line, which is never above a real entry.
    """
    least = b.reduce("min", node, axes)
    for axis in sorted(axes):
        least = b.expand(least, axis)
    largest = b.reduce("max", b.select(alive, node, least), axes)
    return b.select(b.reduce("max", alive, axes), largest, b.map("recip", [b.const(0)]))


def is_positive(b: Builder, node: int) -> bool:
    """Whether a value is positive at every entry, for all inputs and sizes (False may mean unknown)."""
    op = b.nodes[node]
    if isinstance(op, ops.Const):
        return all(v > 0 for v in op.values)
    if isinstance(op, ops.SizeOf):
        return op.size.is_at_least(1)
    if isinstance(op, ops.Map) and op.fn in ("exp", "pi"):
        return True
    if isinstance(op, ops.Einsum) or (isinstance(op, ops.Map) and op.fn in ("sqrt", "recip")):
        return all(is_positive(b, a) for a in op.args)
    return False
