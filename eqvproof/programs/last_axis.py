"""Applies an operation to each slice along a new last axis of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

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


@singledispatch
def with_last_axis(op: Operation, b: Builder, args: Sequence[int], size: Size) -> int | None:
    """Builds an operation on arguments with one more last axis, of this size.

    Returns None for operations without a registered function. A choice keeps its condition: `args`
    are its other arguments.
    """
    return None


@with_last_axis.register
def _concat(op: Concat, b: Builder, args: Sequence[int], size: Size) -> int:
    return b.concat(args, op.axis)


@with_last_axis.register
def _einsum(op: Einsum, b: Builder, args: Sequence[int], size: Size) -> int:
    first = op.inputs[0]
    last = max((*op.output, *first, 0)) + 1
    new = {k: s for k, s in zip(op.output, op.shape, strict=True) if k not in first}
    return b.einsum(args, [(*first, last)], (*op.output, last), new)


@with_last_axis.register
def _read(op: Read, b: Builder, args: Sequence[int], size: Size) -> int:
    return b.read(args[0], (*op.places, WHOLE), (*op.shape, size))


@with_last_axis.register
def _reshape(op: Reshape, b: Builder, args: Sequence[int], size: Size) -> int:
    return b.reshape(args[0], (*op.shape, size))


@with_last_axis.register
def _select(op: Select, b: Builder, args: Sequence[int], size: Size) -> int:
    return b.select(b.expand(op.args[0], len(op.shape)), *args)
