"""Functions that select, drop or replace entries: copyto, extract, delete, interp, nanmean."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, cast

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays import poles
from eqvproof.tracing.arrays.boolean_indexing import positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.creation import arange, tri
from eqvproof.tracing.arrays.functions.logic import require_known
from eqvproof.tracing.arrays.functions.registry import Table, as_int, handles, lift, node_of, real
from eqvproof.tracing.arrays.inplace import as_written, overwrite
from eqvproof.tracing.arrays.numpy_code import own_code
from eqvproof.tracing.arrays.values import Array, Namespace, is_traced, xp

FUNCTIONS: Table = {}


def _written(context: TraceContext, old: object, new: object) -> None:
    if not is_traced(old):
        context.refuse(
            "a write into an array that is not traced", hint="make it inside the function"
        )
    overwrite(old, new)


@handles(FUNCTIONS, np.copyto)
def copyto(
    context: TraceContext, dst: Array, src: object, casting: str = "same_kind", where: object = True
) -> None:
    """Writes new entries where a condition holds."""
    _written(
        context,
        dst,
        xp.broadcast_to(src, dst.shape) if where is True else xp.where(where, src, dst),
    )


@handles(FUNCTIONS, np.putmask)
def putmask(context: TraceContext, a: Array, mask: object, values: object) -> None:
    """Writes one value, or an array of values, where a mask is 1."""
    new = lift(context, values)
    if new.ndim and new._eqvproof.shape != lift(context, a)._eqvproof.shape:
        context.refuse("np.putmask of values that are repeated")
    _written(context, a, xp.where(mask, new, a))


@handles(FUNCTIONS, np.place)
def place(context: TraceContext, arr: Array, mask: object, vals: object) -> None:
    """Writes one value where a mask is 1."""
    new = lift(context, vals)
    if new._eqvproof.shape not in ((), (Size.of(1),)):
        context.refuse("np.place of several values")
    _written(context, arr, xp.where(mask, new, arr))


@handles(FUNCTIONS, np.nonzero)
def nonzero(context: TraceContext, a: object) -> tuple[object, ...]:
    """Returns the places at which entries are not 0, one vector for each axis."""
    return positions(xp.not_equal(lift(context, a), 0))


def _triangle(
    context: TraceContext, n: object, k: object, m: object, *, upper: bool
) -> tuple[object, ...]:
    offset = as_int(context, k, "an offset")
    below = tri(context, n, m, offset - upper, dtype=bool)
    return positions(xp.logical_not(below) if upper else below)


@handles(FUNCTIONS, np.triu_indices)
def triu_indices(
    context: TraceContext, n: object, k: object = 0, m: object = None
) -> tuple[object, ...]:
    """Returns the places on and above a diagonal."""
    return _triangle(context, n, k, m, upper=True)


@handles(FUNCTIONS, np.tril_indices)
def tril_indices(
    context: TraceContext, n: object, k: object = 0, m: object = None
) -> tuple[object, ...]:
    """Returns the places on and below a diagonal."""
    return _triangle(context, n, k, m, upper=False)


@handles(FUNCTIONS, np.diag_indices)
def diag_indices(context: TraceContext, n: object, ndim: int = 2) -> tuple[object, ...]:
    """Returns the places on the diagonal."""
    return (arange(context, n),) * as_int(context, ndim, "a number of axes")


@handles(FUNCTIONS, np.diag_indices_from)
def diag_indices_from(context: TraceContext, arr: object) -> tuple[object, ...]:
    """Returns the places on the diagonal of an array."""
    x = lift(context, arr)
    return diag_indices(context, x.shape[0], x.ndim)


@handles(FUNCTIONS, np.compress)
def compress(
    context: TraceContext, condition: object, a: object, axis: int | None = None
) -> object:
    """Returns the entries along an axis, or of the raveled array, at which a condition holds."""
    x, mask = lift(context, a), lift(context, condition)
    if axis not in (None, 0):
        context.refuse("np.compress along another axis than the first")
    return (xp.ravel(x) if axis is None else x)[mask]


def _with_axis_in_front(x: Array, axis: int | None) -> Array:
    if axis is None:
        return xp.ravel(x)
    return xp.moveaxis(x, axis, 0)


@handles(FUNCTIONS, np.delete)
def delete(context: TraceContext, arr: object, obj: object, axis: int | None = None) -> Array:
    """Deletes one entry along an axis."""
    x = _with_axis_in_front(lift(context, arr), axis)
    at = as_int(context, obj, "a place")
    rest = xp.concatenate([x[:at], x[at + 1 :] if at != -1 else x[:0]])
    return xp.moveaxis(rest, 0, axis or 0)


@handles(FUNCTIONS, np.insert)
def insert(
    context: TraceContext, arr: object, obj: object, values: object, axis: int | None = None
) -> Array:
    """Inserts one entry along an axis."""
    x = _with_axis_in_front(lift(context, arr), axis)
    at, new = as_int(context, obj, "a place"), lift(context, values)
    if new.ndim >= max(x.ndim, 1):
        context.refuse("np.insert of several entries")
    new = as_written(context, new, x._eqvproof)
    parts = [x[:at], xp.broadcast_to(new, (1, *x.shape[1:])), x[at:]]
    return xp.moveaxis(xp.concatenate(parts), 0, axis or 0)


@handles(FUNCTIONS, np.meshgrid)
def meshgrid(
    context: TraceContext,
    *xi: object,
    copy: bool = True,
    sparse: bool = False,
    indexing: str = "xy",
) -> tuple[Array, ...]:
    """Returns each vector along its own axis; the first two axes swap unless indexing is "ij"."""
    vectors = [xp.ravel(lift(context, v)) for v in xi]
    order = list(range(len(vectors)))
    order[:2] = order[:2][::-1] if indexing == "xy" else order[:2]
    found = [
        xp.expand_dims(v, [k for k, j in enumerate(order) if j != i]) for i, v in enumerate(vectors)
    ]
    shape = tuple(vectors[k].shape[0] for k in order)
    return tuple(found if sparse else (xp.broadcast_to(v, shape) for v in found))


@handles(FUNCTIONS, np.vander)
def vander(
    context: TraceContext, x: object, N: int | None = None, increasing: bool = False
) -> Array:
    """Returns the powers of each entry, the largest first.

    Integers keep a type that holds them and int.
    """
    v = lift(context, x)
    if v._eqvproof.kind in "bi":
        v = v.astype(np.promote_types(v.dtype, int))
    count = as_int(context, v.shape[0] if N is None else N, "a number of powers")
    powers = [v**k if k else 0 * v + 1 for k in range(count)]
    return xp.stack(powers if increasing else powers[::-1], -1)


#: The largest number of the floats in which NumPy computes.
LARGEST = float(np.finfo(np.float64).max)


@handles(FUNCTIONS, np.nan_to_num)
def nan_to_num(
    context: TraceContext,
    x: object,
    copy: bool = True,
    nan: object = 0.0,
    posinf: object = None,
    neginf: object = None,
) -> Array:
    """Returns numbers in place of NaN and infinities; by default 0 and the largest numbers."""
    given, b = lift(context, x), context.builder
    node = node_of(given)
    if b.is_total(node):
        return given
    defaults = ((nan, 0.0), (posinf, LARGEST), (neginf, -LARGEST))
    nodes = [node_of(lift(context, (v, v0)[v is None])) for v, v0 in defaults]
    found = real(context, require_known(context, poles.replaced(b, node, *nodes)), given)
    if not copy:
        _written(context, given, found)
    return found


def _infinite_with_sign(function: object, sign: int) -> None:
    @handles(FUNCTIONS, function)
    def handler(context: TraceContext, x: object) -> Array:
        mask = poles.infinite(context.builder, node_of(lift(context, x)), sign)
        return real(context, require_known(context, mask), kind="b")


_infinite_with_sign(np.isposinf, 1)
_infinite_with_sign(np.isneginf, -1)


def _mean_of_numbers(x: Array, axis: object = None, keepdims: bool = False) -> Array:
    count = xp.sum(xp.logical_not(xp.isnan(x)), axis=axis, keepdims=keepdims)
    return xp.sum(xp.where(xp.isnan(x), 0.0, x), axis=axis, keepdims=keepdims) / count


def _variance_of_numbers(
    x: Array, axis: object = None, keepdims: bool = False, ddof: float = 0
) -> Array:
    off = x - _mean_of_numbers(x, axis, keepdims=True)
    squares = xp.where(xp.isnan(x), 0.0, xp.square(off))
    count = xp.sum(xp.logical_not(xp.isnan(x)), axis=axis, keepdims=keepdims)
    return xp.sum(squares, axis=axis, keepdims=keepdims) / (count - ddof)


def _spread_of_numbers(
    x: Array, axis: object = None, keepdims: bool = False, ddof: float = 0
) -> Array:
    return xp.sqrt(_variance_of_numbers(x, axis, keepdims=keepdims, ddof=ddof))


def _extreme_of_numbers(extreme: Callable[..., Array], beyond: float) -> Callable[..., Array]:
    def found(x: Array, axis: object = None, keepdims: bool = False) -> Array:
        return extreme(xp.where(xp.isnan(x), beyond, x), axis=axis, keepdims=keepdims)

    return found


#: Function that skips NaN -> its definition, where NumPy's own code asks traced values for floats.
_DEFINITIONS: dict[str, Callable[..., Array]] = {
    "mean": _mean_of_numbers,
    "var": _variance_of_numbers,
    "std": _spread_of_numbers,
    "max": _extreme_of_numbers(xp.max, -np.inf),
    "min": _extreme_of_numbers(xp.min, np.inf),
}


def _without_nan(name: str) -> None:
    function, plain = getattr(np, f"nan{name}"), getattr(np, name)

    def handler(context: TraceContext, a: object, *args: object, **kwargs: object) -> object:
        x = lift(context, a)
        code: Any = _DEFINITIONS.get(name, own_code(function))
        if context.builder.is_total(node_of(x)):
            code = plain
        elif name in _DEFINITIONS and (
            len(args) > 1 or kwargs.keys() - {"axis", "keepdims", "ddof"}
        ):
            code = own_code(function)
        return code(x, *args, **kwargs)

    FUNCTIONS[function] = handler


for _name in (
    "mean sum std var max min median percentile quantile prod cumsum cumprod argmax argmin".split()
):  # fmt: skip
    _without_nan(_name)


@handles(FUNCTIONS, np.allclose)
def allclose(
    context: TraceContext,
    a: object,
    b: object,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Array:
    """Checks whether all entries are close."""
    return xp.all(xp.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


@handles(FUNCTIONS, np.array_equal)
def array_equal(context: TraceContext, a1: object, a2: object, equal_nan: bool = False) -> object:
    """Checks whether two arrays have one shape and equal entries."""
    x, y = lift(context, a1), lift(context, a2)
    return x.shape == y.shape and xp.all(xp.equal(x, y))


@handles(FUNCTIONS, np.interp)
def interp(
    context: TraceContext,
    x: object,
    xp: object,
    fp: object,
    left: object = None,
    right: object = None,
    period: object = None,
) -> Any:
    """Interpolates linearly between knots.

    The result is the first value plus, for each interval between knots, its slope times the part of
    it that lies below x.
    """
    if is_traced(xp) or period is not None:
        context.refuse("np.interp between knots that depend on the inputs, or with a period")
    knots = np.asarray(xp, dtype=float)
    if knots.ndim != 1 or not (np.diff(knots) > 0).all():
        context.refuse("np.interp between knots that do not ascend")
    n, given, values = cast(Namespace, np), lift(context, x), lift(context, fp)
    found: Any = values[0] + 0 * given
    for k, (low, high) in enumerate(pairwise(knots)):
        found = found + (values[k + 1] - values[k]) * (
            (n.clip(given, low, high) - low) / (high - low)
        )
    if left is not None:
        found = n.where(given < knots[0], lift(context, left), found)
    if right is None:
        return found
    return n.where(given > knots[-1], lift(context, right), found)


@handles(FUNCTIONS, np.round, np.around)
def round_(context: TraceContext, a: object, decimals: int = 0) -> Array:
    """Rounds to multiples of 10^-decimals, halves to even multiples; integers keep their type."""
    x, power = lift(context, a), 10 ** abs(as_int(context, decimals, "a number of decimals"))
    if x._eqvproof.kind == "i":
        node = node_of(x if decimals >= 0 else xp.rint(x / power) * power)
        return real(context, node, x)
    if not decimals:
        return xp.rint(x)
    found: Array = xp.rint(x * power) / power if decimals > 0 else xp.rint(x / power) * power
    return found


@handles(FUNCTIONS, np.logaddexp.reduce)
def log_sum_exp(
    context: TraceContext, array: object, axis: object = 0, keepdims: bool = False
) -> Array:
    """Returns log sum exp(x)."""
    return xp.log(xp.sum(xp.exp(lift(context, array)), axis=axis, keepdims=keepdims))


@handles(FUNCTIONS, np.result_type)
def result_type(context: TraceContext, *given: object) -> np.dtype[Any]:
    """Returns the type of results computed from arrays of these types."""
    types: list[Any] = [v.dtype if is_traced(v) else v for v in given]
    return np.result_type(*types)
