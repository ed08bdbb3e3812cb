"""Infinities in torch: scores that are -inf where they are not to count, distances that are +inf.

A tensor with such entries is a pair of nodes, as in `eqvproof.arrays.functions.masking`: numbers, and
where the entries are numbers (1) and where -inf (0). Operations without an entry here refuse such tensors.
What is done where entries are +inf is done to the negatives, by the operation of the other order. No tensor
has both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.arrays import masks, positions
from eqvproof.errors import TraceError
from eqvproof.frontends.entering import entering
from eqvproof.frontends.torch.aten import TABLE, Axes, Node, dims, kept, lift
from eqvproof.program import Builder

#: Kinds of numbers that are kept as they are; others become float64.
_KEPT = ("torch.float64", "torch.float32", "torch.float16", "torch.int64")

MASKED: dict[str, Callable[..., Any]] = {}


class Masked(Node):
    """The node of the numbers, with `alive`: the node that is 0 where entries are -inf, or +inf if `high`."""

    alive: int
    high: bool


def pair(b: Builder, node: int, alive: int, *, high: bool = False) -> Node:
    """A tensor with infinite entries where `alive` is 0."""
    wide = b.broadcast_to(alive, b.shape(node))
    if b.scalar_value(wide) == 1:
        return Node(node)
    made = Masked(node)
    made.alive, made.high = wide, high
    return made


def is_minus_infinity(x: object) -> bool:
    """Whether it is the number -inf."""
    return isinstance(x, float) and x == -math.inf


def is_high(x: object) -> bool:
    """Whether +inf occurs in an argument."""
    if isinstance(x, list | tuple):
        return any(map(is_high, x))
    return x.high if isinstance(x, Masked) else isinstance(x, float) and x == math.inf


def is_masked(x: object) -> bool:
    """Whether -inf occurs in an argument, or a tensor with entries +inf."""
    if isinstance(x, list | tuple):
        return any(map(is_masked, x))
    return isinstance(x, Masked) or is_minus_infinity(x)


def is_infinite(name: str, arguments: list[object]) -> bool:
    """Whether an operation meets infinite entries, or makes such."""
    return is_masked(arguments) or (name in MIRRORED and name not in _SAME and is_high(arguments))


def mirror(b: Builder, x: Any) -> Any:
    """-x, of tensors and numbers, where -inf becomes +inf and the other way round."""
    if isinstance(x, list | tuple):
        return [mirror(b, v) for v in x]
    if isinstance(x, Masked):
        return pair(b, b.neg(int(x)), x.alive, high=not x.high)
    return Node(b.neg(x)) if isinstance(x, Node) else -x


def _node(made: int) -> Node:
    return made if isinstance(made, Node) else Node(made)


def handler_of(name: str, arguments: list[Any]) -> Callable[..., Any] | None:
    """How an operation with infinite entries is read; None where it is not."""
    mirrored = MIRRORED.get(name)
    low = MASKED.get(name)
    if mirrored is None or (low is not None and not is_high(arguments)):
        return low
    other, places = mirrored

    def handler(b: Builder, *args: Any, **options: Any) -> Any:
        made = MASKED[other](b, *(mirror(b, a) if k in places else a for k, a in enumerate(args)), **options)
        if name in _SAME:
            return made
        return (mirror(b, _node(made[0])), *made[1:]) if isinstance(made, tuple) else mirror(b, _node(made))

    return handler


def _require_low(x: object) -> None:
    if is_high(x):
        raise TraceError("entries -inf and +inf in one operation")


def number(b: Builder, x: object) -> int:
    """The numbers of a tensor; 0 for the number -inf."""
    _require_low(x)
    return b.const(0) if is_minus_infinity(x) else lift(b, x)


def alive(b: Builder, x: object) -> int:
    """1 where a tensor has numbers."""
    _require_low(x)
    if isinstance(x, Masked):
        return x.alive
    return b.const(int(not is_minus_infinity(x)))


masked = entering(MASKED)


@masked("where")
def _where(b: Builder, c: Any, x: object, y: object) -> Node:
    node = b.select(int(c), number(b, x), number(b, y))
    return pair(b, node, b.select(int(c), alive(b, x), alive(b, y)))


@masked("masked_fill")
def _masked_fill(b: Builder, x: int, mask: int, value: object) -> Node:
    return pair(
        b, b.select(int(mask), number(b, value), int(x)), b.select(int(mask), alive(b, value), alive(b, x))
    )


@masked("add")
def _add(b: Builder, x: object, y: object, *, alpha: object = 1) -> Node:
    if alpha != 1:
        raise TraceError("a multiple of -inf is added")
    return pair(b, b.add([number(b, x), number(b, y)]), b.mul(alive(b, x), alive(b, y)))


@masked("sub")
def _sub(b: Builder, x: object, y: object, *, alpha: object = 1) -> Node:
    if is_masked(y) or alpha != 1:
        raise TraceError("-inf is subtracted")
    return pair(b, b.sub(number(b, x), lift(b, y)), alive(b, x))


def _scaled(fn: str) -> Callable[..., Node]:
    def handler(b: Builder, x: object, y: object) -> Node:
        low, factor = (x, y) if is_masked(x) or fn == "div" else (y, x)
        value = None if is_masked(factor) else b.scalar_value(lift(b, factor))
        if value is None or value <= 0:
            raise TraceError("-inf times or over a number that is not a positive constant")
        combine = b.mul if fn == "mul" else b.div
        return pair(b, combine(number(b, low), lift(b, factor)), alive(b, low))

    return handler


masked("mul")(_scaled("mul"))
masked("div")(_scaled("div"))


def _moved(name: str) -> Callable[..., Node]:
    """An operation that moves entries about, on the numbers and on the places of -inf."""

    def handler(b: Builder, x: object, *args: object, **options: object) -> Node:
        if isinstance(x, list | tuple):
            numbers = [Node(number(b, v)) for v in x]
            places = [Node(b.broadcast_to(alive(b, v), b.shape(n))) for v, n in zip(x, numbers, strict=True)]
            return pair(b, TABLE[name](b, numbers, *args), TABLE[name](b, places, *args))
        if is_masked(args):
            raise TraceError("-inf where none is read")
        node = TABLE[name](b, Node(number(b, x)), *args, **options)
        return pair(b, node, TABLE[name](b, Node(alive(b, x)), *args, **options))

    return handler


_MOVES = (
    "view", "reshape", "_unsafe_view", "permute", "t", "transpose", "expand", "unsqueeze", "squeeze",
    "select", "slice", "clone", "alias", "detach", "contiguous", "lift_fresh", "flip", "roll",
    "cat", "stack", "index", "index_select", "diagonal",
)  # fmt: skip
MASKED.update({name: _moved(name) for name in _MOVES})


@masked("copy")
def _copy(b: Builder, x: object, source: object) -> Node:
    return pair(b, TABLE["copy"](b, x, Node(number(b, source))), TABLE["copy"](b, x, Node(alive(b, source))))


@masked("_to_copy")
def _cast(b: Builder, x: object, *, dtype: Any = None, **_: object) -> Any:
    if dtype is not None and not dtype.is_floating_point:
        raise TraceError("entries -inf are made integers or booleans", given=str(dtype))
    return x


@masked("full", "scalar_tensor", "full_like")
def _full(b: Builder, *args: Any, **_: object) -> Node:
    """The number -inf everywhere; the shape is the argument before it, or that of the tensor before it."""
    if len(args) == 1:
        return pair(b, b.const(0), b.const(0))
    like = isinstance(args[0], Node) and len(args) == 2
    shape: Sequence[Any] = b.shape(args[0]) if like else args[-2]
    return pair(b, b.broadcast_to(b.const(0), shape), b.const(0))


@masked("_softmax", "_safe_softmax")
def _softmax(b: Builder, x: int, dim: int, *_: object) -> int:
    return masks.softmax(b, int(x), alive(b, x), [b.axis(int(x), dim)])


@masked("_log_softmax")
def _log_softmax(b: Builder, x: int, dim: int, *_: object) -> Node:
    return pair(b, b.sub(int(x), _logsumexp(b, x, dim, keepdim=True)), alive(b, x))


def _logsumexp(b: Builder, x: int, dim: Axes, keepdim: object = None) -> int:
    axes = dims(b, int(x), dim)
    return kept(b, masks.logsumexp(b, int(x), alive(b, x), axes), axes, keepdim)


@masked("neg")
def _neg(b: Builder, x: Masked) -> object:
    return mirror(b, x)


@masked("exp")
def _exp(b: Builder, x: int) -> int:
    return b.select(alive(b, x), b.map("exp", [int(x)]), b.const(0))


@masked("max")
def _max(b: Builder, x: object, dim: Axes = None, keepdim: object = None) -> object:
    if dim is None:
        return _amax(b, x)
    return _amax(b, x, dim, keepdim), b.map("recip", [b.const(0)])


def _ordered(name: str, place: int) -> Callable[..., Any]:
    """Entries in order, and positions, with numbers beyond all others in place of what is infinite."""

    def handler(b: Builder, x: Masked, *args: Any, **options: Any) -> Any:
        dim = options.get("dim", args[place] if len(args) > place else _AXIS.get(name))
        fn, one = ("max", b.const(1)) if x.high else ("min", b.const(-1))
        end = b.add([b.restore(b.reduce(fn, int(x), dims(b, int(x), dim)), dims(b, int(x), dim)), one])
        made = TABLE[name](b, Node(b.select(x.alive, int(x), end)), *args, **options)
        if not isinstance(made, tuple):
            return made
        ends = x.alive if not x.high else b.map("not", [x.alive])  # in order as the entries are
        alive = int(TABLE[name](b, Node(ends), *args, **options)[0])
        return pair(b, int(made[0]), b.map("not", [alive]) if x.high else alive, high=x.high), *made[1:]

    return handler


#: Operation -> which argument after the tensor is the axis.
_ORDERED = {"sort": 0, "topk": 1, "kthvalue": 1, "argmax": 0, "argmin": 0}
_AXIS = {"sort": -1, "topk": -1, "kthvalue": -1}
MASKED.update({name: _ordered(name, place) for name, place in _ORDERED.items()})


@masked("amax")
def _amax(b: Builder, x: int, dim: Axes = None, keepdim: object = None) -> int:
    axes = dims(b, int(x), dim)
    return kept(b, masks.top(b, int(x), alive(b, x), axes), axes, keepdim)


@masked("maximum")
def _maximum(b: Builder, x: object, y: object) -> int:
    if is_masked(x) and is_masked(y):
        raise TraceError("the maximum of two tensors with entries -inf")
    low, other = (x, y) if is_masked(x) else (y, x)
    return b.select(alive(b, low), b.map("maximum", [number(b, low), lift(b, other)]), lift(b, other))


def _compared(*, equal: bool) -> Callable[..., int]:
    def handler(b: Builder, x: object, y: object) -> int:
        if not is_minus_infinity(y):
            raise TraceError("entries -inf are compared with numbers")
        places = b.broadcast_to(alive(b, x), b.shape(number(b, x)))
        return b.map("not", [places]) if equal else places

    return handler


masked("eq")(_compared(equal=True))
masked("ne")(_compared(equal=False))


@masked("isinf")
def _isinf(b: Builder, x: object) -> int:
    return b.beside(number(b, x), b.map("not", [alive(b, x)]))


@masked("isnan")
def _never(b: Builder, x: object) -> int:
    return b.beside(number(b, x), b.const(0))


#: What is done to +inf: the operation on the negatives, and which arguments are negated.
MIRRORED: dict[str, tuple[str, tuple[int, ...]]] = {
    "where": ("where", (1, 2)), "masked_fill": ("masked_fill", (0, 2)), "add": ("add", (0, 1)),
    "sub": ("sub", (0, 1)), "min": ("max", (0,)), "amin": ("amax", (0,)), "minimum": ("maximum", (0, 1)),
    "full": ("full", (1,)), "full_like": ("full_like", (1,)), "scalar_tensor": ("scalar_tensor", (0,)),
    "eq": ("eq", (0, 1)), "ne": ("ne", (0, 1)), "isinf": ("isinf", (0,)), "isnan": ("isnan", (0,)),
    "_to_copy": ("_to_copy", (0,)), "copy": ("copy", (1,)), **{name: (name, (0,)) for name in _MOVES},
}  # fmt: skip
#: Of these the result is the same for the negatives.
_SAME = frozenset({"eq", "ne", "isinf", "isnan"})


def constant(b: Builder, tensor: Any) -> Node:
    """A parameter, buffer or constant as the rationals that its entries are, some of them -inf."""
    tensor = tensor.detach().cpu()
    array = np.asarray((tensor if str(tensor.dtype) in _KEPT else tensor.double()).numpy())
    real = np.isfinite(array)
    if real.all():
        return Node(b.const(array))
    infinite = array[~real]
    if not (
        (infinite == -np.inf).all() or (infinite == np.inf).all()
    ):  # entries that are no real numbers have no value
        known = b.const(np.where(real, array, 0.0))
        return Node(b.select(b.const(real.astype(np.int64)), known, positions.undefined(b)))
    high = bool(infinite[0] > 0)
    return pair(b, b.const(np.where(real, array, 0.0)), b.const(real.astype(np.int64)), high=high)
