"""Applies an operation to each slice along a new last axis of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.claims.size import Size
from eqvproof.programs.builder import Builder
from eqvproof.programs.operations import (
    WHOLE,
    Concat,
    Einsum,
    Operation,
    Read,
    Reshape,
    Select,
)


def with_last_axis(b: Builder, op: Operation, args: Sequence[int], size: Size) -> int | None:
    """Builds an operation on arguments with one more last axis, of this size.

    None for operations for which no way is known. A choice keeps its condition: `args` are its
    other arguments.
    """
    match op:
        case Concat():
            return b.concat(args, op.axis)
        case Einsum():
            first = op.inputs[0]
            last = max((*op.output, *first, 0)) + 1
            new = {k: s for k, s in zip(op.output, op.shape, strict=True) if k not in first}
            return b.einsum(args, [(*first, last)], (*op.output, last), new)
        case Read():
            return b.read(args[0], (*op.places, WHOLE), (*op.shape, size))
        case Reshape():
            return b.reshape(args[0], (*op.shape, size))
        case Select():
            return b.select(b.expand(op.args[0], len(op.shape)), *args)
        case _:
            return None
