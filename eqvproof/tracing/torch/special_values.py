"""Infinite and complex entries in torch: scores -inf where they do not count, Fourier transforms.

A tensor with such entries is a traced array, or a complex array, over the reader's nodes, and an
ATen operation acts on it as the NumPy function that is named here. Operations without an entry here
refuse such tensors, and NumPy functions refuse entries that they do not know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import transforms
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.fourier_transforms import spectrum_of, transform
from eqvproof.tracing.arrays.functions.creation import filled
from eqvproof.tracing.arrays.functions.registry import handles
from eqvproof.tracing.arrays.functions.special import log_softmax, softmax
from eqvproof.tracing.arrays.lifting import lift as lifted
from eqvproof.tracing.arrays.masks import beyond, finite, is_high, number_flags, with_infinities
from eqvproof.tracing.arrays.pairs import Pair
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.values import Array, is_complex, is_traced, node_of, xp
from eqvproof.tracing.framework_arrays import (
    COMPARISONS,
    ELEMENTWISE,
    Node,
    as_array,
    as_complex,
    rearrange,
)
from eqvproof.tracing.torch.aten import TABLE, Axes, Handler, Length, lift, reduced_axes

#: Operation -> its function for arguments some of which are infinite or complex.
FUNCTIONS: dict[str, Callable[..., object]] = {}
on_special = partial(handles, FUNCTIONS)


def has_complex(x: object) -> bool:
    """Checks whether a complex tensor occurs in an argument."""
    if isinstance(x, list | tuple):
        return any(map(has_complex, x))
    return is_complex(x)


def is_infinite(x: object, *, numbers: bool = True) -> bool:
    """Checks whether infinite entries occur in an argument; without `numbers`, in a tensor."""
    if isinstance(x, list | tuple):
        return any(is_infinite(v, numbers=numbers) for v in x)
    return is_traced(x) or (numbers and isinstance(x, float) and math.isinf(x))


def has_infinite_arguments(name: str, arguments: Sequence[object]) -> bool:
    """Checks whether an operation has infinite arguments.

    Comparisons decide infinite numbers themselves.
    """
    return is_infinite(arguments, numbers=name in FUNCTIONS and name not in COMPARISONS)


def shape_of(b: Builder, x: object) -> tuple[Size, ...]:
    """Returns the sizes of a tensor."""
    if is_complex(x):
        return shape_of(b, x.real)
    if is_traced(x):
        return x._eqvproof.shape
    return b.shape(lift(b, x))


def handler_of(context: TraceContext, name: str) -> Handler | None:
    """Returns the handler of an operation with infinite or complex entries, or None."""
    function = FUNCTIONS.get(name)
    if function is None:
        return None
    return lambda b, *args, **options: function(context, *args, **options)


def _as_special(context: TraceContext, x: object) -> object:
    """Returns a tensor, a size or a number as a traced or complex array, or a complex number."""
    if is_complex(x) or type(x) is complex:
        return x
    if isinstance(x, Size):
        x = Node(context.builder.size(x))
    return lifted(context, as_array(context, x))


def _on_arrays(function: Callable[..., object]) -> Callable[..., object]:
    def handler(context: TraceContext, *args: object, **options: object) -> object:
        return function(*(_as_special(context, a) for a in args), **options)

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


_OF_ARRAYS: dict[str, Callable[..., object]] = {
    **ELEMENTWISE,
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
    "mm": np.matmul,
    "bmm": np.matmul,
    "mv": np.matmul,
    "dot": np.matmul,
    "_conj": np.conjugate,
    "_conj_physical": np.conjugate,
    "complex": Pair,
    "angle": lambda x: xp.arctan2(x.imag, x.real),
    "view_as_real": lambda x: xp.stack([x.real, x.imag], axis=-1),
}
FUNCTIONS |= {name: _on_arrays(function) for name, function in _OF_ARRAYS.items()}


def _rearranging(name: str) -> Callable[..., object]:
    """Returns the handler of an operation that rearranges entries."""

    def handler(context: TraceContext, x: object, *args: object, **options: object) -> object:
        if is_infinite(args):
            raise TraceError("infinite entries where none are read")
        several = isinstance(x, list | tuple)

        def move(nodes: list[Node]) -> object:
            given = nodes if several else nodes[0]
            return TABLE[name](context.builder, given, *args, **options)

        arrays = x if isinstance(x, list | tuple) else [x]
        return rearrange(context, [_as_special(context, v) for v in arrays], move)

    return handler


@on_special("scatter_reduce")
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
    return with_infinities(as_array(context, Node(found)), given, high=is_high(x))


_MOVES = (
    "view reshape _unsafe_view _reshape_alias permute t transpose expand unsqueeze squeeze select"
    " slice flip roll repeat cat stack split unbind index index_select diagonal gather"
)
FUNCTIONS |= {name: _rearranging(name) for name in _MOVES.split()}
FUNCTIONS |= dict.fromkeys(
    ("clone", "alias", "detach", "contiguous", "lift_fresh"), lambda context, x: x
)


@on_special("copy")
def _copy(context: TraceContext, x: object, source: object, *non_blocking: object) -> object:
    return xp.broadcast_to(_as_special(context, source), shape_of(context.builder, x))


@on_special("_to_copy")
def _cast(context: TraceContext, x: object, *, dtype: torch.dtype | None = None) -> object:
    if dtype is None:
        return x
    if dtype.is_complex:
        return as_complex(_as_special(context, x))
    if is_complex(x):
        raise TraceError("complex numbers are made real ones", given=str(dtype))
    if not dtype.is_floating_point:
        raise TraceError("infinite entries are made integers or booleans", given=str(dtype))
    return x


def _transform(
    context: TraceContext,
    x: object,
    axes: Sequence[int],
    norm: int,
    *,
    forward: bool,
    half: bool = False,
) -> object:
    given = as_array(context, x)
    return transform(context, given, axes, forward=forward, norm=norm, half=half)


FUNCTIONS |= {
    "_fft_c2c": lambda context, x, axes, norm, forward: _transform(
        context, x, axes, norm, forward=bool(forward)
    ),
    "_fft_r2c": lambda context, x, axes, norm, half: _transform(
        context, x, axes, norm, forward=True, half=bool(half)
    ),
}


@on_special("_fft_c2r")
def _complex_to_real(
    context: TraceContext, x: object, axes: Sequence[int], norm: int, length: Length
) -> int:
    if norm != transforms.WHOLE:
        raise TraceError("an inverse transform to real numbers with a scale of its own")
    s = spectrum_of(context, x)
    return transforms.real_again(context.builder, s, list(axes), Size.of(length))


@on_special("full")
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


def _reduction(
    function: Callable[..., Array], *, with_positions: bool = False
) -> Callable[..., object]:
    """Returns the handler of a reduction along axes, by the NumPy function."""

    def handler(
        context: TraceContext, x: object, dim: Axes = None, keepdim: object = None
    ) -> object:
        axes: object = dim
        if isinstance(dim, Sequence):
            axes = tuple(dim) or None
        found = function(_as_special(context, x), axis=axes, keepdims=bool(keepdim))
        if with_positions and dim is not None:
            return (found, undefined(context.builder))
        return found

    return handler


FUNCTIONS |= {
    "sum": _reduction(xp.sum),
    "mean": _reduction(xp.mean),
    "amax": _reduction(xp.max),
    "amin": _reduction(xp.min),
    "max": _reduction(xp.max, with_positions=True),
    "min": _reduction(xp.min, with_positions=True),
}


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
        found = as_array(context, Node(values))
        if is_high(x):  # +inf is the largest entry, and 1 the larger flag
            last = TABLE[name](b, Node(b.map("not", [flags])), *args, **options)[0]
            return with_infinities(found, b.map("not", [last]), high=True), *others
        sorted_flags = TABLE[name](b, Node(flags), *args, **options)[0]
        return with_infinities(found, int(sorted_flags)), *others

    return handler


#: Operation -> position of the axis among the arguments after the tensor, and its default.
_ORDERED = {
    "sort": (0, -1),
    "topk": (1, -1),
    "kthvalue": (1, -1),
    "argmax": (0, None),
    "argmin": (0, None),
}
FUNCTIONS |= {name: _sorting(name, *axis) for name, axis in _ORDERED.items()}
