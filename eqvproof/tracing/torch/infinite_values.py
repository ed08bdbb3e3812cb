"""Infinite entries in torch: scores that are -inf where they do not count, distances that are +inf.

A tensor with such entries is a traced array over the reader's nodes, and an ATen operation acts on
it as the NumPy function that is named here. Operations without an entry here refuse such tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.creation import filled
from eqvproof.tracing.arrays.functions.registry import handles, real
from eqvproof.tracing.arrays.functions.special import log_softmax, softmax
from eqvproof.tracing.arrays.lifting import lift as lifted
from eqvproof.tracing.arrays.masks import beyond, finite, is_high
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.values import Array, is_traced, node_of, xp
from eqvproof.tracing.framework_arrays import (
    Node,
    as_array,
    number_flags,
    rearrange,
    with_infinite_entries,
)
from eqvproof.tracing.torch.aten import TABLE, Axes, Handler, Length, lift, reduced_axes

#: Operation -> its function for arguments some of which are infinite.
FUNCTIONS: dict[str, Callable[..., object]] = {}
on_infinite = partial(handles, FUNCTIONS)


def is_infinite(x: object, *, numbers: bool = True) -> bool:
    """Checks whether infinite entries occur in an argument; without `numbers`, in a tensor."""
    if isinstance(x, list | tuple):
        return any(is_infinite(v, numbers=numbers) for v in x)
    return is_traced(x) or (numbers and isinstance(x, float) and math.isinf(x))


def has_infinite_arguments(name: str, arguments: Sequence[object]) -> bool:
    """Checks whether an operation has infinite arguments.

    Comparisons decide infinite numbers themselves.
    """
    return is_infinite(arguments, numbers=name in FUNCTIONS and name not in COMPARED)


def shape_of(b: Builder, x: object) -> tuple[Size, ...]:
    """Returns the sizes of a tensor."""
    if is_traced(x):
        return x._eqvproof.shape
    return b.shape(lift(b, x))


def handler_of(context: TraceContext, name: str) -> Handler | None:
    """Returns the handler of an operation with infinite entries; None if there is none."""
    function = FUNCTIONS.get(name)
    if function is None:
        return None
    return lambda b, *args, **options: function(context, *args, **options)


def _as_traced_array(context: TraceContext, x: object) -> Array:
    """Returns a tensor, a size or a number as a traced array."""
    if isinstance(x, Size):
        x = Node(context.builder.size(x))
    return lifted(context, as_array(context, x))


def _on_arrays(function: Callable[..., object]) -> Callable[..., object]:
    def handler(context: TraceContext, *args: object, **options: object) -> object:
        return function(*(_as_traced_array(context, a) for a in args), **options)

    return handler


def _plus_product(x: Array, a: Array, b: Array, beta: float = 1, alpha: float = 1) -> Array:
    """Returns beta x + alpha a b; with beta = 0 without the first term."""
    product = xp.multiply(xp.matmul(a, b), alpha)
    if beta == 0:
        return product
    return xp.add(xp.multiply(x, beta), product)


def _multiple(x: Array, factor: float) -> Array:
    """Returns factor x; x itself for the factor 1."""
    if factor == 1:
        return x
    return xp.multiply(x, factor)


#: Comparisons, which decide a plain infinite number without a traced array.
COMPARED = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip
_OF_ARRAYS: dict[str, Callable[..., object]] = {
    **COMPARED,
    "mul": np.multiply,
    "div": np.true_divide,
    "neg": np.negative,
    "exp": np.exp,
    "exp2": np.exp2,
    "sqrt": np.sqrt,
    "reciprocal": np.reciprocal,
    "pow": np.power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "where": np.where,
    "logaddexp": np.logaddexp,
    "logaddexp2": np.logaddexp2,
    "masked_fill": lambda x, mask, value: xp.where(mask, value, x),
    "add": lambda x, y, alpha=1: xp.add(x, _multiple(y, alpha)),
    "sub": lambda x, y, alpha=1: xp.subtract(x, _multiple(y, alpha)),
    "isinf": xp.isinf,
    "isnan": xp.isnan,
    "addmm": _plus_product,
    "baddbmm": _plus_product,
}
FUNCTIONS.update({name: _on_arrays(function) for name, function in _OF_ARRAYS.items()})


def _rearranging(name: str) -> Callable[..., object]:
    """Returns the handler of an operation that rearranges entries."""

    def handler(context: TraceContext, x: object, *args: object, **options: object) -> object:
        if is_infinite(args):
            raise TraceError("infinite entries where none are read")
        handler = TABLE[name]
        if isinstance(x, list | tuple):

            def move(nodes: Sequence[int]) -> int:
                return int(handler(context.builder, [*map(Node, nodes)], *args, **options))

            return rearrange(context, [_as_traced_array(context, v) for v in x], move)

        def move_one(nodes: Sequence[int]) -> int:
            return int(handler(context.builder, Node(nodes[0]), *args, **options))

        return rearrange(context, [_as_traced_array(context, x)], move_one)

    return handler


@on_infinite("scatter_reduce")
def _scatter_reduce(
    context: TraceContext, x: Array, dim: int, index: Node, source: object, reduce: str, *,
    include_self: object = None,
) -> object:  # fmt: skip
    """Takes extremes into an infinite array: each place gets the extreme of its given values.

    A place without a value stays infinite. What is looked up by the same index is therefore a
    number.
    """
    if reduce != ("amin" if is_high(x) else "amax") or is_infinite(source) or is_infinite(index):
        raise TraceError("infinite entries where none are read")
    b, old, flags = context.builder, Node(finite(x)._eqvproof.node), number_flags(x)
    axis = b.axis(int(old), dim)

    def written(before: Node, given: object, how: str, *, own: bool) -> int:
        return int(TABLE["scatter_reduce"](b, before, dim, index, given, how, include_self=own))

    found = written(old, source, reduce, own=False)
    if include_self is not False:
        found = b.select(flags, written(old, source, reduce, own=True), found)
    ones = Node(b.broadcast_to(b.const(1), shape_of(b, source)))
    given = written(Node(flags), ones, "amax", own=True)
    looked_up = [TABLE["gather"](b, Node(given), dim, index)]
    source_of, row, output = b.nodes[int(index)].single_factor or (int(index), (0,), (0,))
    if len(row) == 1 and output.index(row[0]) == axis:  # one position for all other axes
        places = [*[None] * axis, Node(source_of)]
        looked_up.append(TABLE["index"](b, Node(given), places))
        looked_up.append(TABLE["index_select"](b, Node(given), dim, Node(source_of)))
    context.sure |= {int(node) for node in looked_up}
    return with_infinite_entries(context, found, given, high=is_high(x))


_MOVES = (
    "view reshape _unsafe_view permute t transpose expand unsqueeze squeeze select slice clone"
    " alias detach "
    "contiguous lift_fresh flip roll cat stack index index_select diagonal gather"
)
FUNCTIONS.update({name: _rearranging(name) for name in _MOVES.split()})


@on_infinite("copy")
def _copy(context: TraceContext, x: object, source: object, *non_blocking: object) -> object:
    return xp.broadcast_to(_as_traced_array(context, source), shape_of(context.builder, x))


@on_infinite("_to_copy")
def _cast(context: TraceContext, x: object, *, dtype: torch.dtype | None = None) -> object:
    if dtype is not None and not dtype.is_floating_point:
        raise TraceError("infinite entries are made integers or booleans", given=str(dtype))
    return x


@on_infinite("full")
def _filled_tensor(context: TraceContext, shape: Sequence[Length], value: object) -> object:
    return filled(context, [Size.of(s) for s in shape], value, np.float64)


FUNCTIONS |= {
    "full_like": lambda context, x, value: _filled_tensor(
        context, shape_of(context.builder, x), value
    ),
    "scalar_tensor": lambda context, value: _filled_tensor(context, (), value),
    "_softmax": lambda context, x, dim, half_to_float: softmax(context, x, dim),
    "_log_softmax": lambda context, x, dim, half_to_float: log_softmax(context, x, dim),
}


def _extremum(function: Callable[..., Array], *, with_positions: bool) -> Callable[..., object]:
    def handler(
        context: TraceContext, x: Array, dim: Axes = None, keepdim: object = None
    ) -> object:
        axes: object = dim
        if isinstance(dim, Sequence):
            axes = tuple(dim) or None
        found = function(x, axis=axes, keepdims=bool(keepdim))
        if with_positions and dim is not None:
            return (found, undefined(context.builder))
        return found

    return handler


for _fn, _function in (("max", np.max), ("min", np.min)):
    on_infinite(_fn)(_extremum(_function, with_positions=True))
    on_infinite(f"a{_fn}")(_extremum(_function, with_positions=False))


def _sorting(name: str, place: int, default: int | None) -> Callable[..., object]:
    """Returns the handler of a sort, with numbers beyond all others for infinite entries."""

    def handler(context: TraceContext, x: Array, *args: int, **options: int) -> object:
        b, flags = context.builder, number_flags(x)
        dim = options.get("dim", default)
        if len(args) > place:
            dim = args[place]
        numbers = Node(node_of(beyond(x, reduced_axes(b, finite(x)._eqvproof.node, dim))))
        made = TABLE[name](b, numbers, *args, **options)
        if not isinstance(made, tuple):
            return made
        values, *others = made
        if is_high(x):  # +inf is the largest entry, and 1 the larger flag
            last = TABLE[name](b, Node(b.map("not", [flags])), *args, **options)[0]
            return with_infinite_entries(context, values, b.map("not", [last]), high=True), *others
        sorted_flags = TABLE[name](b, Node(flags), *args, **options)[0]
        return with_infinite_entries(context, values, sorted_flags), *others

    return handler


@on_infinite("sum")
def _sum_with_infinite(
    context: TraceContext, x: Array, dim: Axes = None, keepdim: object = None
) -> object:
    """Returns the sum: infinite where an entry is, and undefined where one is."""
    b, axes = context.builder, tuple(reduced_axes(context.builder, finite(x)._eqvproof.node, dim))
    lost = real(context, b.map("not", [number_flags(x)]), kind="b")
    numbers, some = (
        op(v, axis=axes, keepdims=bool(keepdim))
        for op, v in ((xp.sum, xp.where(lost, 0.0, finite(x))), (xp.any, lost))
    )
    ends = b.defined_where(node_of(numbers), node_of(some))
    return with_infinite_entries(context, node_of(numbers), b.map("not", [ends]), high=is_high(x))


#: Operation -> position of the axis among the arguments after the tensor, and its default.
_ORDERED = {
    "sort": (0, -1),
    "topk": (1, -1),
    "kthvalue": (1, -1),
    "argmax": (0, None),
    "argmin": (0, None),
}
FUNCTIONS.update({name: _sorting(name, *axis) for name, axis in _ORDERED.items()})
