"""Choices by masks, triangles and diagonals: where, clip, select, tril, triu, diag."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from eqvproof.tracing.arrays.boolean_indexing import positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.products import diagonal
from eqvproof.tracing.arrays.functions.registry import Table, as_int, handles, lift, node_of, real
from eqvproof.tracing.arrays.inplace import as_written, overwrite
from eqvproof.tracing.arrays.masks import choose, is_masked
from eqvproof.tracing.arrays.values import Array, joint_kind, make, xp

FUNCTIONS: Table = {}


@handles(FUNCTIONS, np.where)
def where(context: TraceContext, condition: object, /, *choices: object) -> object:
    """Returns a where the condition holds, else b; for a condition alone, its places."""
    if not choices:
        return positions(xp.not_equal(lift(context, condition), 0))
    return _one_of(context, condition, *choices)


def _one_of(context: TraceContext, condition: object, /, *choices: object) -> Array:
    c, a, b = (lift(context, v) for v in (condition, *choices))
    return choose(context, node_of(c), a, b, joint_kind([a, b]))


@handles(FUNCTIONS, np.select)
def select(
    context: TraceContext,
    condlist: Iterable[object],
    choicelist: Iterable[object],
    default: object = 0,
) -> Array:
    """Returns the first choice whose condition holds."""
    result = lift(context, default)
    for condition, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        result = _one_of(context, condition, choice, result)
    return result


@handles(FUNCTIONS, np.clip)
def clip(
    context: TraceContext,
    a: object,
    a_min: object = None,
    a_max: object = None,
    *,
    min: object = None,
    max: object = None,
) -> Array:
    """Limits entries to an interval."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    x = lift(context, a)
    result = xp.positive(x) if x._eqvproof.kind != "b" else x
    if low is not None and not _is_infinite(low):
        result = xp.maximum(result, low)
    if high is not None and not _is_infinite(high):
        result = xp.minimum(result, high)
    return result


def _is_infinite(bound: object) -> bool:
    return type(bound) is float and bound in (float("inf"), float("-inf"))


def _kept(context: TraceContext, x: Array, mask: int) -> Array:
    """Returns the entries where a 0/1 matrix is 1, else 0, even where an entry is undefined."""
    b, shape = context.builder, x._eqvproof.shape
    wide = b.broadcast_to(mask, shape)
    if is_masked(x):
        return choose(context, wide, x, lift(context, 0.0), "f")
    node = node_of(x)
    if b.is_total(node):
        kept = b.mul(wide, node)
    else:
        kept = b.select(wide, node, b.const(0))
    if x._eqvproof.kind == "b":
        return make(context, kept, "b", array=True)
    return real(context, kept, x)


@handles(FUNCTIONS, np.tril)
def tril(context: TraceContext, m: object, k: object = 0) -> Array:
    """Returns the lower triangle."""
    x = lift(context, m)
    rows, columns = x._eqvproof.shape[-2:]
    return _kept(context, x, context.builder.tri(rows, columns, as_int(context, k, "an offset")))


@handles(FUNCTIONS, np.triu)
def triu(context: TraceContext, m: object, k: object = 0) -> Array:
    """Returns the upper triangle."""
    x, b = lift(context, m), context.builder
    rows, columns = x._eqvproof.shape[-2:]
    below = b.tri(rows, columns, as_int(context, k, "an offset") - 1)
    return _kept(context, x, b.sub(b.const(1), below))


@handles(FUNCTIONS, np.diag)
def diag(context: TraceContext, v: object, k: object = 0) -> Array:
    """Returns the diagonal of a matrix, or the matrix with that diagonal."""
    x, offset = lift(context, v), as_int(context, k, "an offset")
    if x.ndim == 2:
        return diagonal(context, x, offset)
    if x.ndim != 1 or offset:
        context.refuse("np.diag is traced for vectors (k = 0) and matrices")
    return diagflat(context, x)


@handles(FUNCTIONS, np.diagflat)
def diagflat(context: TraceContext, v: object, k: object = 0) -> Array:
    """Returns the matrix with a vector on its diagonal."""
    x = xp.ravel(lift(context, v))
    b = context.builder
    if as_int(context, k, "an offset"):
        context.refuse("np.diagflat is traced for k = 0")
    if is_masked(x):
        (size,) = x._eqvproof.shape
        wide = xp.broadcast_to(xp.expand_dims(x, 1), x.shape * 2)
        return choose(context, b.eye(size), wide, lift(context, 0), "f")
    node, (size,) = node_of(x), b.shape(node_of(x))
    if b.is_total(node):
        return real(context, b.einsum([b.eye(size), node], [[0, 1], [0]], [0, 1]), x)
    spread = b.broadcast_to(b.expand(node, 1), (size, size))
    return real(context, b.select(b.eye(size), spread, b.const(0)), x)


@handles(FUNCTIONS, np.fill_diagonal)
def fill_diagonal(context: TraceContext, a: object, val: object, wrap: bool = False) -> None:
    """Writes one number on the diagonal, in place."""
    x, value, b = lift(context, a), lift(context, val), context.builder
    shape = x._eqvproof.shape
    if len(shape) != 2 or shape[0] != shape[1] or value.ndim > 1:
        context.refuse("np.fill_diagonal is traced for square matrices")
    value = as_written(context, xp.expand_dims(value, 1) if value.ndim else value, x._eqvproof)
    overwrite(x, choose(context, b.eye(shape[0]), value, x, x._eqvproof.kind))


@handles(FUNCTIONS, np.sinc)
def sinc(context: TraceContext, x: object) -> Array:
    """Returns sin(pi x) / (pi x), and 1 at 0."""
    b, node = context.builder, node_of(lift(context, x))
    angle = b.mul(b.pi(), node)
    value = b.div(b.map("sin", [angle]), angle)
    return real(context, b.select(b.map("eq", [node, b.const(0)]), b.const(1), value), kind="f")


@handles(FUNCTIONS, np.isscalar)
def is_scalar(context: TraceContext, element: object) -> bool:
    """Checks whether NumPy gives a scalar, not an array."""
    return bool(lift(context, element)._eqvproof.scalar)


@handles(FUNCTIONS, np.iscomplexobj)
def is_complex(context: TraceContext, x: object) -> bool:
    """Returns False: entries are real."""
    return False


@handles(FUNCTIONS, np.isrealobj)
def is_real(context: TraceContext, x: object) -> bool:
    """Returns True: entries are real."""
    return True
