"""Values of variables of a jaxpr: nodes, known numbers, or integers known for all sizes.

Indices are computed before they are used: ``x[-1]`` is ``gather(x, select(-1 < 0, n - 1, -1))``.
Integers are therefore stored as numbers (`Known`), or as affine functions of their position
(`Affine`: sizes, ranges, and sums with these), as long as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.node_functions import counted
from eqvproof.tracing.arrays.pairs import Pair
from eqvproof.tracing.arrays.poles import not_a_number
from eqvproof.tracing.arrays.values import Numbers, TracedArray
from eqvproof.tracing.framework_arrays import Node


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """An array of known numbers: a literal, a closed-over array, or a result of these."""

    array: Numbers


@dataclass(frozen=True, slots=True)
class Affine:
    """Integers low + sum of steps[k] i_k at position i of an array.

    Attributes:
        shape: the sizes of the axes.
        low: the first of them.
        steps: by how much they grow along each axis.
    """

    shape: tuple[Size, ...]
    low: Size
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Index vectors: the affine arrays along the last axis, each without that axis."""

    parts: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Entries start, ..., limit - 1 of an axis, where these are no polynomials in the sizes."""

    node: int
    axis: int
    start: object
    limit: object


#: A traced array has infinite entries; a pair of traced arrays has complex ones.
Value = Node | Known | Affine | Columns | Part | TracedArray | Pair


def as_affine(value: Value) -> Affine | None:
    """Returns a value as an affine array, also a constant integer array; None for others."""
    if isinstance(value, Affine):
        return value
    if isinstance(value, Known) and value.array.dtype.kind in "iuf" and value.array.size:
        first = value.array.reshape(-1)[0]
        if (value.array == first).all() and np.isfinite(first) and float(first).is_integer():
            shape = tuple(Size.of(s) for s in value.array.shape)
            return Affine(shape, Size.of(int(first)), (0,) * len(shape))
    return None


def add_affine(x: Affine, y: Affine, sign: int) -> Affine:
    """Returns x + sign y for arrays that broadcast."""
    rank = max(len(x.shape), len(y.shape))
    one = Size.of(1)

    def padded(a: Affine) -> tuple[tuple[Size, ...], tuple[int, ...]]:
        missing = rank - len(a.shape)
        return (one,) * missing + a.shape, (0,) * missing + a.steps

    (sx, tx), (sy, ty) = padded(x), padded(y)
    shape = tuple(b if a == one else a for a, b in zip(sx, sy, strict=True))
    return Affine(
        shape, x.low + y.low * sign, tuple(a + sign * b for a, b in zip(tx, ty, strict=True))
    )


def scale_affine(x: Affine, factor: Size) -> Affine | None:
    """Returns a multiple; a factor that is no integer needs a constant array, else None."""
    number = factor.constant
    if number is not None:
        return Affine(x.shape, x.low * number, tuple(s * number for s in x.steps))
    if not any(x.steps):
        return Affine(x.shape, x.low * factor, x.steps)
    return None


def extreme_entries(x: Affine) -> tuple[Size, Size]:
    """Returns the smallest and the largest entry."""
    low = high = x.low
    for size, step in zip(x.shape, x.steps, strict=True):
        low, high = low + (size - 1) * min(step, 0), high + (size - 1) * max(step, 0)
    return low, high


def entry_bounds(b: Builder, x: Affine) -> tuple[int, int]:
    """Returns bounds of all entries for all sizes."""
    low, high = b.intervals.size(x.low)
    for size, step in zip(x.shape, x.steps, strict=True):
        last = step * max(b.intervals.length(size)[1] - 1, 0)
        low, high = low + min(last, 0), high + max(last, 0)
    return low, high


def compare_affine(fn: str, x: Affine, y: Affine) -> bool | None:
    """Decides a comparison if it is the same at every entry and for all sizes; else None."""
    low, high = extreme_entries(add_affine(x, y, -1))
    known = {
        "lt": (_below(high, 0), low.is_at_least(0)),
        "le": (_below(high, 1), low.is_at_least(1)),
        "gt": (low.is_at_least(1), _below(high, 1)),
        "ge": (low.is_at_least(0), _below(high, 0)),
        "eq": (not low.terms and not high.terms, low.is_at_least(1) or _below(high, 0)),
        "ne": (low.is_at_least(1) or _below(high, 0), not low.terms and not high.terms),
    }[fn]
    if known[0]:
        return True
    if known[1]:
        return False
    return None


def _below(size: Size, bound: int) -> bool:
    """Checks that size < bound for all sizes."""
    return (-size).is_at_least(1 - bound)


def lift(b: Builder, value: Value) -> int:
    """Returns a value as a node."""
    if isinstance(value, Node):
        return int(value)
    if isinstance(value, Known):
        if value.array.dtype.kind == "f" and value.array.size and np.isnan(value.array).all():
            return b.broadcast_to(not_a_number(b), value.array.shape)
        if value.array.dtype.kind == "f" and not np.isfinite(value.array).all():
            raise TraceError("an infinite or undefined constant", code="trace.constant")
        if value.array.dtype.name == "bfloat16":
            return constant_node(b, value.array.astype(np.float32))
        if value.array.dtype.kind not in "fiub":
            raise TraceError(f"a constant of dtype {value.array.dtype}", code="trace.constant")
        return constant_node(b, value.array)
    if isinstance(value, Affine):
        moving = [axis for axis, step in enumerate(value.steps) if step]
        terms = [
            b.mul(b.const(value.steps[axis]), counted(b, value.shape, axis)) for axis in moving
        ]
        return b.broadcast_to(b.add([b.size(value.low), *terms]), value.shape)
    if isinstance(value, Columns):
        return b.concat(
            [b.expand(lift(b, p), len(p.shape)) for p in value.parts], len(value.parts[0].shape)
        )
    if isinstance(value, Pair):
        raise TraceError("complex numbers where real ones are read", code="trace.constant")
    if isinstance(value, TracedArray):
        raise TraceError(
            "infinite entries outside of a softmax, a maximum or a minimum",
            hint="masks are read where exp follows",
            code="trace.constant",
        )
    raise TraceError(
        "a slice whose ends are no polynomials in the sizes",
        given=f"{value.start} to {value.limit}",
        code=ErrorCode.TRACE_SIZE,
    )


def constant_node(b: Builder, array: Numbers) -> int:
    """Returns an array of numbers as a node; one with equal entries as a repeated number."""
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
    if array.size > 1 and (array == array.reshape(-1)[0]).all():
        return b.broadcast_to(b.const(array.reshape(-1)[0].item()), array.shape)
    return b.const(array)


def shape_of(b: Builder, value: Value) -> tuple[Size, ...]:
    """Returns the sizes of the axes."""
    if isinstance(value, Known):
        return tuple(Size.of(s) for s in value.array.shape)
    if isinstance(value, Affine):
        return value.shape
    if isinstance(value, Columns):
        return (*value.parts[0].shape, Size.of(len(value.parts)))
    if isinstance(value, Pair):
        return value.real._eqvproof.shape
    if isinstance(value, TracedArray):
        return value._eqvproof.shape
    if isinstance(value, Part):
        return b.shape(value.node)
    return b.shape(int(value))
