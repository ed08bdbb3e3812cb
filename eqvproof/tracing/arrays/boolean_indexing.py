"""Entries selected by a mask of the inputs, ``X[mask]``; no size of the signature counts them.

    y = X[mask]      sum y = sum of X where mask, 0 elsewhere      len(y) = sum of mask
    f(y) = f(X)[mask]      mean y = sum y / len(y)      max y = the largest entry of X where mask
    i, j = np.nonzero(mask)      X[i, j] = X[mask]      Y[i] = (Y in each column of a square)[mask]

The whole array is stored with the mask. Elementwise functions of the selected entries are traced,
and so are sums, counts and extremes of all of them; requests for single entries, or for their
order, are refused. Entries that are not selected may be undefined (a logarithm of a negative
number): a choice does not evaluate them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.programs import Builder
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays import masks
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.in_place_operators import ArithmeticInPlace
from eqvproof.tracing.arrays.node_functions import counted
from eqvproof.tracing.arrays.operators import refused, told_text
from eqvproof.tracing.arrays.pole_masks import negated
from eqvproof.tracing.arrays.refusals import name_of
from eqvproof.tracing.arrays.triangles import squared
from eqvproof.tracing.arrays.values import (
    Array,
    TracedSelection,
    Value,
    is_traced,
    make,
    node_of,
    xp,
)


def _compared(ufunc: Callable[..., bool]) -> Callable[[object, object], bool]:
    def method(self: object, other: object) -> bool:
        return ufunc(self, other)

    return method


class Picked(ArithmeticInPlace, TracedSelection):
    """The entries of an array at the places of a mask over its first axes.

    Args:
        values: the whole array, traced.
        mask: booleans, traced; its axes are the first ones of the array.
        copies: how many equal entries of the array represent one selected entry: 2 for a symmetric
            matrix.
    """

    __slots__ = ("_copies", "_mask", "_shared", "_values")
    _copies: int
    _mask: Array
    _shared: bool
    _values: Array

    def __init__(self, values: object, mask: object, copies: int = 1) -> None:
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_mask", mask)
        object.__setattr__(self, "_copies", copies)
        object.__setattr__(self, "_shared", False)

    def __setattr__(self, name: str, value: object) -> None:
        context_of(self).refuse(f"setting .{name} of entries that a mask picks is not traced")

    def __getattr__(self, name: str) -> object:
        context_of(self).refuse(f".{name} of entries that a mask picks is not traced", hint=HINT)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Returns the class that NumPy would give: an array with axes, for all inputs."""
        return np.ndarray

    def __array_ufunc__(
        self, ufunc: Callable[..., object], method: str, *inputs: object, **kwargs: object
    ) -> object:
        context = context_of(self)
        if method != "__call__" or kwargs:
            context.refuse(
                f"{name_of(ufunc)} of entries that a mask picks is not traced", hint=HINT
            )
        return Picked(
            ufunc(*(whole_array(context, self, x) for x in inputs)), self._mask, self._copies
        )

    def __array_function__(
        self, function: object, types: object, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        if (beside := _beside(self, function, args, kwargs)) is not None:
            return beside
        by_entries = _BY_ENTRIES.get(function)
        if by_entries is not None and not kwargs:
            return self._by_entries(by_entries, args)
        handler = REDUCTIONS.get(function)
        if handler is None or not args or type(args[0]) is not Picked or len(args) > 2:
            context_of(self).refuse(
                f"{name_of(function)} of entries that a mask picks is not traced", hint=HINT
            )
        return handler(args[0], *args[1:], **kwargs)

    def _by_entries(self, function: Callable[..., object], args: tuple[object, ...]) -> Picked:
        """Applies a function of entries; `np.clip` may be given the picked entries to write into."""
        is_written = function is np.clip and len(args) == 4 and args[3] is self
        given = args[:3] if is_written else args
        context = context_of(self)
        values = function(*(x if x is None else whole_array(context, self, x) for x in given))
        if not is_written:
            return Picked(values, self._mask, self._copies)
        object.__setattr__(self, "_values", values)
        return self

    __setitem__, __iter__ = map(refused, ("a write", "a loop"))

    def __getitem__(self, index: object) -> Picked:
        """Selects along the axes that the mask lacks, or some of the entries by another mask."""
        if type(index) is Picked and index._values._eqvproof.kind == "b":
            whole = whole_array(context_of(self), self, index)
            return Picked(self._values, xp.where(self._mask, whole, 0) > 0, self._copies)
        items = index if type(index) is tuple else (index,)
        is_whole = type(items[0]) is slice and items[0] == slice(None)
        if not is_whole and items[0] is not Ellipsis:
            refused("an index")(self)
        rest = items[1:] if is_whole else items
        part = Picked(
            self._values[(slice(None),) * self._mask.ndim + rest], self._mask, self._copies
        )
        for array in (self, part):  # one memory in NumPy
            object.__setattr__(array, "_shared", True)
        return part

    def hold(self, found: Picked) -> Picked:
        """Holds the result of an operation in place, as other names of it do; returns itself."""
        if self._shared or found.dtype != self.dtype:
            refused("a write into a part of it, or of another type,")(self)
        object.__setattr__(self, "_values", found._values)
        return self

    _changed = hold

    __bool__, __len__, __array__, __float__, __index__ = map(
        refused, ("a truth value", "len()", "an array", "float()", "an index")
    )
    __lt__, __le__, __gt__, __ge__, __eq__, __ne__ = map(
        _compared, (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
    )
    __contains__, __hash__ = map(refused, ("in", "hash()"))

    def __str__(self) -> str:
        """Returns a text that stands for every input, if it only leaves the function."""
        return told_text(context_of(self), "<entries that a mask picks>")

    __repr__ = __str__

    @property
    def _eqvproof(self) -> Value:
        return self._mask._eqvproof

    @property
    def dtype(self) -> object:
        """Returns the dtype of the entries."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """Returns the number of axes: the selected one, and those that the mask lacks."""
        return int(self._values.ndim - self._mask.ndim + 1)

    @property
    def shape(self) -> tuple[object, ...]:
        """Returns the number of selected entries, traced, and the sizes of the other axes."""
        return (_count(self, 0), *self._values.shape[self._mask.ndim :])

    @property
    def T(self) -> object:
        """Returns the transpose of selected rows."""
        if self.ndim == 1:
            object.__setattr__(self, "_shared", True)
            return self
        if self.ndim > 2:
            refused("a transpose of more than two axes")(self)
        return _COLUMNS.PickedColumns(self)

    @property
    def copies(self) -> int:
        """Returns how many equal entries of the array represent one selected entry."""
        return self._copies

    @property
    def size(self) -> Any:
        """Returns the number of entries."""
        count: object = _count(self, 0)
        for s in self._values.shape[self._mask.ndim :]:
            count = count * s
        return count

    def astype(self, dtype: object) -> Picked:
        """Returns the entries in another type."""
        return Picked(self._values.astype(dtype), self._mask, self._copies)

    def copy(self) -> Picked:
        """Returns the same entries in memory of their own."""
        return Picked(self._values, self._mask, self._copies)


_COLUMNS = LaterModule("eqvproof.tracing.arrays.picked_columns")
HINT = "write np.where(mask, X, 0) in place of X[mask]"


def context_of(picked: Picked) -> TraceContext:
    """Returns the trace to which selected entries belong."""
    context: TraceContext = picked._mask._eqvproof.context
    return context


def pick(context: TraceContext, values: Array, mask: Array) -> Picked:
    """Returns ``values[mask]`` for a mask over the first axes.

    A mask without axes picks a new first axis of one entry, or of none.
    """
    if not mask._eqvproof.shape:
        values, mask = xp.expand_dims(values, 0), xp.expand_dims(mask, 0)
    shape, places = values._eqvproof.shape, mask._eqvproof.shape
    if shape[: len(places)] != places:
        context.refuse("a mask whose axes are not the first ones of the array")
    infinite, chosen = values._eqvproof.infinite, node_of(mask)
    node = values._eqvproof.node
    if infinite is None:
        node = node_of(values)
    elif not _is_within(context.builder, chosen, infinite.numbers):
        context.refuse("infinite entries, some of which a mask picks")
    kept = make(context, chosen, "b")  # writes into the mask come later, and change no entry
    return Picked(make(context, node, values._eqvproof.kind), kept)


def _is_within(b: Builder, mask: int, other: int) -> bool:
    """Checks whether a mask is known to be 1 only where another one is."""
    if mask == other or negated(b, negated(b, mask)) == other:
        return True
    op = b.nodes[mask]
    return op.function == "and" and any(_is_within(b, x, other) for x in op.args)


def positions(mask: Array) -> tuple[Picked, ...]:
    """Returns ``np.nonzero(mask)``: the places where a mask is 1, one vector for each axis."""
    context, shape = mask._eqvproof.context, mask._eqvproof.shape
    rows = [counted(context.builder, shape, axis) for axis in range(len(shape))]
    kept = make(context, node_of(mask), "b")
    return tuple(Picked(make(context, row, "i", array=True, dtype=int), kept) for row in rows)


def holds_picked(index: object) -> bool:
    """Checks whether an index is, or contains, positions selected by a mask."""
    return any(type(i) is Picked for i in (index if type(index) is tuple else (index,)))


def at_positions(context: TraceContext, values: Array, index: object) -> Picked:
    """Returns ``values[i, j]`` for positions selected by one mask."""
    items = index if type(index) is tuple else (index,)
    picked = [i for i in items if type(i) is Picked]
    plain = all(p.ndim == 1 and p._values._eqvproof.kind == "i" for p in picked)
    if not plain or any(type(i) is not Picked for i in items[: len(picked)]):
        context.refuse("positions that a mask picks, beside other parts of an index", hint=HINT)
    whole = tuple(whole_array(context, picked[0], p) for p in picked)
    found = Picked(values[whole], picked[0]._mask, picked[0]._copies)
    if len(picked) < len(items):
        return found[(slice(None), *items[len(picked) :])]
    return found


def mask_of(context: TraceContext, index: object, new: object) -> tuple[Array, object]:
    """Replaces an index of positions selected by a mask with the mask, transposed for ``[j, i]``.

    Returns the mask and the number or entries to write there.
    """
    items = index if type(index) is tuple else (index,)
    b, mask = context.builder, items[0]._mask if type(items[0]) is Picked else None
    if mask is None or any(
        type(i) is not Picked or node_of(i._mask) != node_of(mask) for i in items
    ):
        context.refuse("a write at positions that a mask picks, beside other parts of an index")
    shape = mask._eqvproof.shape
    rows, found = (
        [counted(b, shape, k) for k in range(len(shape))],
        [node_of(i._values) for i in items],
    )
    if found == rows:
        return mask, new
    if len(rows) != 2 or found != rows[::-1]:
        context.refuse("a write at some of the positions that a mask picks", hint=HINT)
    turned = xp.transpose(mask)
    if type(new) is Picked:
        if node_of(new._mask) != node_of(mask) or new.ndim != 1:
            context.refuse("entries that two masks pick are combined", hint=HINT)
        new = Picked(xp.transpose(new._values), turned, new._copies)
    return turned, new


def put(context: TraceContext, mask: Array, picked: Picked, old: Array) -> Array:
    """Returns the array after ``old[mask] = picked``."""
    if not mask._eqvproof.shape:
        return xp.reshape(
            put(context, xp.expand_dims(mask, 0), picked, xp.expand_dims(old, 0)), old.shape
        )
    if node_of(mask) != node_of(picked._mask) or picked._copies > 1:
        context.refuse("entries that one mask picks, written at the places of another")
    if old._eqvproof.shape != picked._values._eqvproof.shape:
        context.refuse("entries that a mask picks, written into an array of another shape")
    return xp.where(_wide(picked), picked._values, old)


def _wide(picked: Picked) -> Array:
    """Returns the mask with axes for all of the array."""
    return picked._mask[(..., *[None] * (picked._values.ndim - picked._mask.ndim))]


def whole_array(context: TraceContext, picked: Picked, value: object) -> object:
    """Returns the whole array behind an operand.

    A number, or an array of the other axes, is returned as it is.
    """
    if type(value) is Picked:
        if node_of(value._mask) != node_of(picked._mask) or value._copies != picked._copies:
            context.refuse("entries that two masks pick are combined", hint=HINT)
        return value._values
    if type(value) in (int, float, bool) or (is_traced(value) and value.ndim < picked.ndim):
        return value
    if isinstance(value, (np.ndarray, np.generic)) and value.ndim < picked.ndim:
        return value
    context.refuse(
        "entries that a mask picks are combined with an array of their length", hint=HINT
    )


def _beside(
    picked: Picked, function: object, args: tuple[object, ...], kwargs: dict[str, object]
) -> Picked | None:
    """Applies a function along axes that the mask lacks; None for other axes or functions."""
    lead = picked._mask.ndim
    axis = kwargs.get("axis", args[1] if len(args) > 1 and function in REDUCTIONS else None)
    if (
        type(axis) is not int
        or function not in _ALONG
        or not -picked.ndim < axis < picked.ndim
        or not axis
    ):
        return None
    given = list(args[0]) if type(args[0]) in (list, tuple) else [args[0]]  # type: ignore[call-overload]
    whole = [whole_array(context_of(picked), picked, x) for x in given]
    options = {**kwargs, "axis": axis if axis < 0 else axis + lead - 1}
    values = _ALONG[function](whole if function in _JOINED else whole[0], **options)
    return Picked(values, picked._mask, picked._copies)


def _axes(picked: Picked, axis: object) -> list[int]:
    """Returns the axes of the whole array that a reduction is over: all, or those of the mask."""
    rank, lead = picked._values.ndim, picked._mask.ndim
    if axis is None:
        return list(range(rank))
    if type(axis) is not int or (axis != 0 and axis != -picked.ndim):
        context_of(picked).refuse(
            "a reduction of entries that a mask picks along another axis", hint=HINT
        )
    return list(range(lead))


def filled_rows(picked: Picked) -> Array:
    """Returns the whole array with 0 where entries are not selected."""
    filled: Array = xp.where(_wide(picked), picked._values, 0)
    return filled


def _sum(picked: Picked, axis: object = None) -> Array:
    return filled_rows(picked).sum(axis=tuple(_axes(picked, axis))) / picked._copies


def _count(picked: Picked, axis: object) -> Any:
    if axis is None:
        return picked.size
    return picked._mask.sum() / picked._copies


def _mean(picked: Picked, axis: object = None) -> object:
    return _sum(picked, axis) / _count(picked, axis)


def _extreme(fn: str) -> Callable[..., object]:
    def handler(picked: Picked, axis: object = None) -> Array:
        context = context_of(picked)
        context.may_raise = True  # NumPy has no largest entry of none
        b, sign = context.builder, 1 if fn == "max" else -1
        values = xp.where(_wide(picked), picked._values * sign, 0)
        alive = b.broadcast_to(node_of(_wide(picked)), b.shape(node_of(values)))
        node, inside = masks.top(b, node_of(values), alive, _axes(picked, axis)), values._eqvproof
        extreme: Array = make(context, node, inside.kind, dtype=inside.dtype)
        return extreme * sign

    return handler


def degrees_of_freedom(picked: Picked, ddof: object, axis: object = 0) -> Array:
    """Returns the number of selected entries less some, at least 0: no variance is defined then."""
    return xp.maximum(_count(picked, axis) - ddof, 0)


def _var(picked: Picked, axis: object = None, ddof: object = 0) -> object:
    gap = picked - _mean(picked, axis)
    return _sum(gap * gap, axis) / degrees_of_freedom(picked, ddof, axis)


def _std(picked: Picked, axis: object = None, ddof: object = 0) -> Array:
    return xp.sqrt(_var(picked, axis, ddof))


def _filled(picked: Picked, filler: object) -> Array:
    """Returns all entries in a row, with a number in place of those that are not selected."""
    if picked.ndim != 1 or picked._values.ndim != picked._mask.ndim:
        context_of(picked).refuse("an order of rows that a mask picks", hint=HINT)
    filled: Array = xp.ravel(xp.where(picked._mask, picked._values, filler))
    return filled


def _of_both_sides(picked: Picked) -> Picked:
    """Replaces entries of one triangle by those of both triangles if the array is symmetric.

    Each entry then occurs twice.
    """
    b, values = context_of(picked).builder, node_of(picked._values)
    found = squared(b, node_of(picked._mask), values)
    if found is None or picked._copies > 1:
        return picked
    return Picked(picked._values, make(context_of(picked), found, "b"), 2)


def _median(picked: Picked) -> object:
    """Returns the median: the middle entry after sorting, with the largest in place of the others.

    With each entry twice, as in a symmetric matrix, it is the same. Of no entries it is undefined:
    0 / 0.
    """
    picked = _of_both_sides(picked)
    row, count = xp.sort(_filled(picked, _extreme("max")(picked))), picked._mask.sum()
    context = context_of(picked)
    places = make(context, context.builder.iota(row._eqvproof.shape[0]), "i", dtype=int)
    gap = xp.abs(places - (count - 1) / 2)
    return (row * xp.maximum(0, 1 - gap)).sum() * (count / count)


def _histogram(picked: Picked, bins: object = 10, range: Any = None) -> object:
    if range is None:
        context_of(picked).refuse("bins that the inputs decide", hint="give range=")
    picked = _of_both_sides(picked)
    counts, edges = xp.histogram(_filled(picked, float(range[1]) + 1), bins=bins, range=range)
    return counts / picked._copies, edges


def _corrcoef(picked: Picked, other: object) -> object:
    """Returns the correlation matrix of two vectors; one vector alone, or rows, are refused."""
    if type(other) is not Picked or picked.ndim + other.ndim != 2:
        context_of(picked).refuse(
            "correlations of other than two vectors that a mask picks", hint=HINT
        )
    gaps = [x - _mean(x) for x in (picked, other)]
    norms = [xp.sqrt(_sum(g * g)) for g in gaps]
    rows = [[_sum(g * h) / (p * q) for h, q in zip(gaps, norms, strict=True)]
            for g, p in zip(gaps, norms, strict=True)]  # fmt: skip
    return xp.stack([xp.stack(row) for row in rows])


def _method(function: Callable[..., object]) -> Callable[..., object]:
    def method(picked: Picked, *args: object, **kwargs: object) -> object:
        return function(picked, *args, **kwargs)

    return method


REDUCTIONS: dict[object, Callable[..., object]] = {
    np.sum: _sum, np.mean: _mean, np.max: _extreme("max"), np.min: _extreme("min"), np.var: _var,
    np.std: _std,
    np.size: lambda picked: picked.size, np.median: _median, np.histogram: _histogram,
    np.corrcoef: _corrcoef, np.cov: _COLUMNS.function("covariance"),
}  # fmt: skip
_BY_ENTRIES: dict[object, Callable[..., object]] = {
    f: f for f in (np.clip, np.round, np.nan_to_num)
}
_JOINED = (np.concatenate, np.stack)
_ALONG: dict[object, Callable[..., object]] = {
    f: f
    for f in (np.sum, np.mean, np.max, np.min, np.var, np.std, np.prod, np.linalg.norm, *_JOINED)
}
for _name in ("sum", "mean", "max", "min", "var", "std"):
    setattr(Picked, _name, _method(getattr(np, _name)))
