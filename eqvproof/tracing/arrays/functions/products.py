"""Products and contractions: matmul, einsum, dot, tensordot, outer, kron, cross, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axes,
    as_axis,
    as_int,
    handles,
    lift,
    make,
    node_of,
    optional,
    real,
    require_float_dtype,
)
from eqvproof.tracing.arrays.values import Array, joint_kind, xp

FUNCTIONS: Table = {}
UFUNCS: Table = {}
ONE = Size.of(1)


def contract(
    context: TraceContext,
    operands: list[Array],
    inputs: list[list[int]],
    output: list[int],
    *,
    view: bool = False,
) -> Array:
    """Returns an einsum with NumPy's broadcasting: axes of size 1 match labels of any size."""
    b = context.builder
    sizes: dict[int, Size] = {}
    for x, row in zip(operands, inputs, strict=True):
        for label, size in zip(row, b.shape(node_of(x)), strict=True):
            if sizes.get(label, ONE) == ONE:
                sizes[label] = size
    fresh = max([0, *sizes]) + 1
    rows = []
    for x, row in zip(operands, inputs, strict=True):
        new = []
        for label, size in zip(row, b.shape(node_of(x)), strict=True):
            if size == ONE and sizes[label] != ONE:
                label, fresh = fresh, fresh + 1
            new.append(label)
        rows.append(new)
    kind = joint_kind(operands)
    if kind == "b" and (len(operands) > 1 or len(output) < len({i for r in rows for i in r})):
        context.refuse(
            "a product of booleans is a logical one", hint="make one of them floats: mask * 1.0"
        )
    node = b.einsum([node_of(x) for x in operands], rows, output)
    return make(context, node, kind, view_of=operands[0] if view else None)


@handles(UFUNCS, np.matmul)
@handles(FUNCTIONS, np.matmul)
def matmul(context: TraceContext, a: object, b: object) -> Array:
    """Returns a @ b."""
    left, right = lift(context, a), lift(context, b)
    if joint_kind([left, right]) == "b":
        context.refuse(
            "a product of booleans is a logical one", hint="make one of them floats: mask * 1.0"
        )
    return real(context, context.builder.matmul(node_of(left), node_of(right)), left, right)


@handles(FUNCTIONS, np.dot)
def dot(context: TraceContext, a: object, b: object) -> Array:
    """Returns the sum over the last axis of a and the last but one of b."""
    left, right = lift(context, a), lift(context, b)
    p, q = left.ndim, right.ndim
    if not p or not q:
        return xp.multiply(left, right)
    rows = list(range(p))
    columns = list(range(p, p + q))
    columns[-2 if q > 1 else -1] = p - 1
    return contract(
        context, [left, right], [rows, columns], [i for i in rows + columns if i != p - 1]
    )


@handles(FUNCTIONS, np.inner)
def inner(context: TraceContext, a: object, b: object) -> Array:
    """Returns the sum of products over the last axes."""
    left, right = lift(context, a), lift(context, b)
    p, q = left.ndim, right.ndim
    if not p or not q:
        return xp.multiply(left, right)
    rows, columns = list(range(p)), [*range(p, p + q - 1), p - 1]
    return contract(context, [left, right], [rows, columns], rows[:-1] + columns[:-1])


@handles(FUNCTIONS, np.vdot)
def vdot(context: TraceContext, a: object, b: object) -> Array:
    """Returns the sum of all products of corresponding entries."""
    left, right = lift(context, a), lift(context, b)
    if left._eqvproof.shape != right._eqvproof.shape:
        left, right = xp.ravel(left), xp.ravel(right)
    rows = list(range(left.ndim))
    return contract(context, [left, right], [rows, rows], [])


@handles(FUNCTIONS, np.outer, np.linalg.outer)
def outer(context: TraceContext, a: object, b: object) -> Array:
    """Returns all products of an entry of a and an entry of b."""
    left, right = xp.ravel(lift(context, a)), xp.ravel(lift(context, b))
    return contract(context, [left, right], [[0], [1]], [0, 1])


@handles(FUNCTIONS, np.tensordot, np.linalg.tensordot)
def tensordot(context: TraceContext, a: object, b: object, axes: Any = 2) -> Array:
    """Returns the sum of products over pairs of axes."""
    left, right = lift(context, a), lift(context, b)
    p, q = left.ndim, right.ndim
    if type(axes) in (tuple, list):
        pair = [list(x) if type(x) in (tuple, list) else [x] for x in axes]
        ours = [as_axis(context, x, p) for x in pair[0]]
        theirs = [as_axis(context, x, q) for x in pair[1]]
    else:
        count = as_int(context, axes)
        ours, theirs = list(range(p - count, p)), list(range(count))
    rows, columns = list(range(p)), list(range(p, p + q))
    for i, j in zip(ours, theirs, strict=True):
        columns[j] = i
    return contract(context, [left, right], [rows, columns], [i for i in rows if i not in ours] +
                    [j for k, j in enumerate(columns) if k not in theirs])  # fmt: skip


@handles(UFUNCS, optional(np, "vecdot"))
def vecdot(context: TraceContext, a: object, b: object, axis: int = -1) -> Array:
    """Returns the sum of products over one axis."""
    return xp.sum(xp.multiply(lift(context, a), lift(context, b)), axis=axis)


@handles(UFUNCS, optional(np, "matvec"))
def matvec(context: TraceContext, a: object, b: object) -> Array:
    """Returns matrices times vectors, in the last axes."""
    return xp.squeeze(xp.matmul(lift(context, a), xp.expand_dims(lift(context, b), -1)), -1)


@handles(UFUNCS, optional(np, "vecmat"))
def vecmat(context: TraceContext, a: object, b: object) -> Array:
    """Returns vectors times matrices, in the last axes."""
    return xp.squeeze(xp.matmul(xp.expand_dims(lift(context, a), -2), lift(context, b)), -2)


FUNCTIONS.update({np.linalg.vecdot: vecdot, np.linalg.matmul: matmul})


@handles(FUNCTIONS, np.einsum)
def einsum(
    context: TraceContext, *operands: object, optimize: object = False, dtype: Any = None
) -> Array:
    """Returns NumPy's einsum, with a text or lists of subscripts."""
    require_float_dtype(context, dtype)
    if type(operands[0]) is not str:
        return _einsum_lists(context, list(operands))
    text = operands[0].replace(" ", "")
    arrays = [lift(context, x) for x in operands[1:]]
    left, arrow, right = text.partition("->")
    subscripts = left.split(",")
    if len(subscripts) != len(arrays):
        context.refuse(f"einsum of {len(subscripts)} subscripts and {len(arrays)} arrays")
    letters: dict[str, int] = {}
    hidden = [
        x.ndim - len(s.replace("...", "")) if "..." in s else 0
        for s, x in zip(subscripts, arrays, strict=True)
    ]
    width = max(hidden)
    dots = list(range(1000, 1000 + width))
    if not arrow:
        plain = left.replace(",", "").replace("...", "")
        right = ("..." if "..." in left else "") + "".join(
            sorted(c for c in set(plain) if plain.count(c) == 1)
        )

    def labels(subscript: str, count: int) -> list[int]:
        before, found, after = subscript.partition("...")
        middle = dots[width - count :] if found else []
        return (
            [letters.setdefault(c, len(letters)) for c in before]
            + middle
            + [letters.setdefault(c, len(letters)) for c in after]
        )

    rows = [labels(s, k) for s, k in zip(subscripts, hidden, strict=True)]
    return contract(context, arrays, rows, labels(right, width), view=len(arrays) == 1)


def _einsum_lists(context: TraceContext, operands: list[Any]) -> Array:
    if any(Ellipsis in row for row in operands[1::2]):
        context.refuse(
            "einsum with lists that hold an Ellipsis", hint="write the subscripts as a text"
        )
    output = list(operands.pop()) if len(operands) % 2 else None
    arrays = [lift(context, x) for x in operands[::2]]
    rows = [list(r) for r in operands[1::2]]
    if output is None:
        flat = [i for row in rows for i in row]
        output = sorted(i for i in set(flat) if flat.count(i) == 1)
    return contract(context, arrays, rows, output, view=len(arrays) == 1)


@handles(FUNCTIONS, np.kron)
def kron(context: TraceContext, a: object, b: object) -> Array:
    """Returns the Kronecker product."""
    left, right = lift(context, a), lift(context, b)
    rank = max(left.ndim, right.ndim)
    nodes = [node_of(left), node_of(right)]
    for k in (0, 1):
        while len(context.builder.shape(nodes[k])) < rank:
            nodes[k] = context.builder.expand(nodes[k], 0)
    shapes = [context.builder.shape(n) for n in nodes]
    order = [i + k * rank for i in range(rank) for k in (0, 1)]
    node = context.builder.einsum(nodes, [range(rank), range(rank, 2 * rank)], order)
    sizes = [p * q for p, q in zip(*shapes, strict=True)]
    return real(context, context.builder.reshape(node, sizes), left, right)


LEVI_CIVITA = np.zeros((3, 3, 3), dtype=np.int64)
LEVI_CIVITA[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1
LEVI_CIVITA[[0, 2, 1], [2, 1, 0], [1, 0, 2]] = -1


@handles(FUNCTIONS, np.cross, np.linalg.cross)
def cross(
    context: TraceContext, a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1,
    axis: int | None = None,
) -> Array:  # fmt: skip
    """Returns the cross product of 3-vectors, as a contraction with the Levi-Civita symbol.

    It is written entry by entry where an entry may be undefined.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    left = xp.moveaxis(lift(context, a), axisa, -1)
    right = xp.moveaxis(lift(context, b), axisb, -1)
    if left._eqvproof.shape[-1] != Size.of(3) or right._eqvproof.shape[-1] != Size.of(3):
        context.refuse("a cross product of vectors that do not have three entries")
    # an entry needs two others only
    if not all(context.builder.is_whole(node_of(x)) for x in (left, right)):
        u, v = ([x[..., i] for i in range(3)] for x in (left, right))
        entries = [u[i] * v[j] - u[j] * v[i] for i, j in ((1, 2), (2, 0), (0, 1))]
        return xp.moveaxis(xp.stack(entries, axis=-1), -1, axisc)
    rank = max(left.ndim, right.ndim) - 1
    rows = [[*range(rank - x.ndim + 1, rank), 100 + k] for k, x in enumerate((left, right))]
    symbol = lift(context, LEVI_CIVITA)
    result = contract(context, [symbol, left, right], [[102, 100, 101], *rows], [*range(rank), 102])
    return xp.moveaxis(result, -1, axisc)


@handles(FUNCTIONS, np.trace)
def trace(
    context: TraceContext, a: object, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Array:
    """Returns the sum of a diagonal."""
    return xp.sum(diagonal(context, a, offset, axis1, axis2), axis=-1)


@handles(FUNCTIONS, np.diagonal)
def diagonal(
    context: TraceContext, a: object, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Array:
    """Returns a diagonal, as a view."""
    from eqvproof.tracing.arrays import node_functions

    x = lift(context, a)
    first, second = as_axis(context, axis1, x.ndim), as_axis(context, axis2, x.ndim)
    if first == second:
        as_axes(context, (axis1, axis2), x.ndim)
    node = node_functions.diagonal(
        context.builder, node_of(x), as_int(context, offset, "an offset"), first, second
    )
    return make(context, node, x._eqvproof.kind, view_of=x)
