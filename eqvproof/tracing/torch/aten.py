"""ATen operations: the table of handlers, and what a handler takes and returns; arithmetic.

A handler adds nodes to a Program. It is called with the builder and the arguments of the operation,
in which tensors are nodes. It returns a `Result`: the index of the node of its result, or one for
each result of the operation. An operation that is not in the table is refused by name. All are read
over the reals: dtypes and memory formats do not matter, and a comparison with an infinity is
decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from eqvproof.programs import Builder, Size, keeps_roundings
from eqvproof.programs.evaluate.library_functions import MEAN, SOFTMAX, SQUARES
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import formulas, masks, poles, positions
from eqvproof.tracing.arrays import node_functions as arrays
from eqvproof.tracing.arrays.functions.registry import handles
from eqvproof.tracing.arrays.values import is_complex, is_traced
from eqvproof.tracing.framework_arrays import Node

#: A size as torch gives it, and the axes of a reduction.
Length = Size | int
Axes = int | Sequence[int] | None
#: What a handler returns: a node (int), a traced array with infinite entries, a complex array, or a
#: size; a sequence of these for an operation with several results.
Result: TypeAlias = Any
#: A function that translates one operation; it takes the builder, then the operation's arguments.
Handler = Callable[..., Result]
TABLE: dict[str, Handler] = {}


op = partial(handles, TABLE)


class UnreadArgument(TraceError):
    """An argument that an operation cannot read; the reader adds the operation's name."""


def lift(b: Builder, x: object) -> int:
    """Returns a tensor or a number as a node."""
    if isinstance(x, Node):
        return int(x)
    if isinstance(x, Size):
        return b.size(x)
    if is_traced(x) or (isinstance(x, float) and math.isinf(x)):
        raise UnreadArgument(
            "infinite entries", given="" if is_traced(x) else str(x), code="trace.nonfinite"
        )
    if is_complex(x):
        raise UnreadArgument("complex numbers where real ones are read", code="trace.complex")
    if isinstance(x, float) and math.isnan(x):
        return poles.not_a_number(b)
    return b.const(x)


def _elementwise(formula: formulas.Formula) -> Handler:
    """Returns the handler of an elementwise function."""
    return lambda b, *args: formula(b, *(lift(b, a) for a in args))


for _name, _formula in formulas.NAMED.items():
    op(_name)(_elementwise(_formula))
for _fn, _names in {
    "sign": "sgn", "recip": "reciprocal", "not": "logical_not bitwise_not",
    "and": "logical_and bitwise_and", "or": "logical_or bitwise_or", "mod": "remainder",
    "maximum": "maximum", "minimum": "minimum",
}.items():  # fmt: skip
    op(*_names.split())(_elementwise(formulas.mapped(_fn)))
op("logical_xor", "bitwise_xor")(_elementwise(formulas.composed(formulas.logical_xor)))
op("trunc")(_elementwise(formulas.composed(formulas.trunc)))


@op("round")
def _round(b: Builder, x: int, *, decimals: int = 0) -> int:
    if not decimals:
        return b.map("rint", [x])
    unit = Fraction(10) ** decimals
    rounded = b.map("rint", [b.mul(b.const(unit), x)])
    return b.mul(b.const(1 / unit), rounded)


def comparison(fn: str) -> Handler:
    """Returns the handler of a comparison; one with an infinity is decided for every real."""

    def handler(b: Builder, x: object, y: object) -> int:
        if isinstance(y, float) and math.isinf(y):
            return poles.beside_infinity(b, fn, lift(b, x), y > 0)
        is_same = isinstance(x, Node) and isinstance(y, Node) and int(x) == int(y)
        if is_same and not keeps_roundings():  # one of them may have been cast
            return poles.beside_itself(b, fn, lift(b, x))
        if fn in ("eq", "ne"):
            same = _identity_from_ranges(b, x, y) or positions.equal(b, lift(b, x), lift(b, y))
            if same is not None:
                if fn == "eq":
                    return same
                return b.sub(b.const(1), same)
        return b.map(fn, [lift(b, x), lift(b, y)])

    return handler


def _identity_from_ranges(b: Builder, x: object, y: object) -> int:
    """Returns an identity matrix for i == j over two ranges; 0 for other operands."""
    if not (isinstance(x, Node) and isinstance(y, Node)):
        return 0
    shape = b.broadcast_shapes([b.shape(x), b.shape(y)])
    if len(shape) != 2 or shape[0] != shape[1]:
        return 0
    n = shape[0]
    rows, columns = b.expand(b.iota(n), 1), b.iota(n)
    if (x, y) in ((rows, columns), (columns, rows)):
        return b.eye(n)
    return 0


for _fn in ("eq", "ne", "lt", "le", "gt", "ge"):
    op(_fn)(comparison(_fn))


@op("add")
def _add_scaled(b: Builder, x: object, y: object, *, alpha: object = 1) -> int:
    return b.add([lift(b, x), b.mul(lift(b, alpha), lift(b, y))])


@op("sub")
def _sub(b: Builder, x: object, y: object, *, alpha: object = 1) -> int:
    return b.sub(lift(b, x), b.mul(lift(b, alpha), lift(b, y)))


@op("div")
def _div(b: Builder, x: object, y: object, *, rounding_mode: str | None = None) -> int:
    quotient = b.div(lift(b, x), lift(b, y))
    if rounding_mode is None:
        return quotient
    if rounding_mode == "floor":
        return b.map("floor", [quotient])
    return formulas.trunc(b, quotient)


@op("pow")
def _pow(b: Builder, x: object, y: object) -> int:
    if isinstance(y, (int, float)) and not isinstance(y, Node):
        return b.power(lift(b, x), Fraction(y))
    return b.map("pow", [lift(b, x), lift(b, y)])


@op("silu")
def _silu(b: Builder, x: int) -> int:
    return b.library_value(b.mul(x, formulas.expit(b, x)))


@op("mish")
def _mish(b: Builder, x: int) -> int:
    """Computes mish as torch's kernels do.

    Torch's own decomposition is x tanh x beyond 20.
    """
    softplus = formulas.log1p(b, b.map("exp", [x]))
    return b.library_value(b.mul(x, b.map("tanh", [softplus])))


@op("leaky_relu")
def _leaky_relu(b: Builder, x: int, slope: float = 0.01) -> int:
    return b.select(b.map("gt", [x, b.const(0)]), x, b.mul(b.const(slope), x))


@op("elu")
def _elu(
    b: Builder, x: int, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0
) -> int:
    below = b.mul(
        b.const(alpha), b.library_value(formulas.expm1(b, b.mul(b.const(input_scale), x)))
    )
    return b.mul(b.const(scale), b.select(b.map("gt", [x, b.const(0)]), x, below))


@op("gelu")
def _gelu(b: Builder, x: int, *, approximate: str = "none") -> int:
    if approximate == "tanh":
        inner = b.add([x, b.mul(b.const(0.044715), b.power(x, 3))])
        root = b.map("sqrt", [b.div(b.const(2), b.pi())])
        last = b.add([b.const(1), b.map("tanh", [b.mul(root, inner)])])
        return b.library_value(b.mul(b.mul(b.const(0.5), x), last))
    root = b.map("sqrt", [b.const(Fraction(1, 2))])
    return b.library_value(
        b.mul(b.mul(b.const(0.5), x), b.add([b.const(1), b.map("erf", [b.mul(root, x)])]))
    )


@op("clamp")
def _clamp(b: Builder, x: int, min: object = None, max: object = None) -> int:
    if min not in (None, -math.inf):
        x = b.map("maximum", [x, lift(b, min)])
    if max in (None, math.inf):
        return x
    return b.map("minimum", [x, lift(b, max)])


@op("hardtanh")
def _hardtanh(b: Builder, x: int, low: object = -1, high: object = 1) -> int:
    return int(_clamp(b, x, low, high))


#: Operations that act on each entry, or on entries at the same place.
ENTRYWISE = frozenset(TABLE) | {"mul", "neg", "relu", "where", "masked_fill"}


@op("addmm", "baddbmm", "addmv")
def _addmm(b: Builder, c: int, x: int, y: int, *, beta: object = 1, alpha: object = 1) -> int:
    product = b.mul(lift(b, alpha), b.matmul(x, y))
    if alpha != 1:  # libraries multiply by alpha before or after the product
        product = b.alternative_rounding(product, lambda: b.matmul(b.mul(lift(b, alpha), x), y))
    return b.add([b.mul(lift(b, beta), c), product])


def reduced_axes(b: Builder, x: int, dim: Axes) -> list[int]:
    """Returns the axes that a dim argument names; None and [] mean all.

    A scalar counts as having one axis.
    """
    if dim is None or dim == [] or (not b.shape(x) and dim in (0, -1, [0], [-1])):
        return list(range(len(b.shape(x))))
    if not isinstance(dim, Sequence):
        dim = [dim]
    return [b.axis(x, d) for d in dim]


def keep_reduced_axes(b: Builder, x: int, axes: Sequence[int], keep: object) -> int:
    """Returns a reduced value, with the reduced axes kept as axes of size 1 if `keep`."""
    if keep:
        return b.restore(x, axes)
    return x


def squared_deviations(b: Builder, x: int, axes: Sequence[int]) -> int:
    """Returns sum x^2 - (sum x)^2 / n, the sum of (x - mean x)^2 as one-pass kernels compute it."""
    total = b.sum(x, axes)
    return b.sub(
        b.sum(b.power(x, 2), axes), b.mul(total, b.div(total, b.size(b.prod_sizes(x, axes))))
    )


def moments(b: Builder, x: int, axes: Sequence[int]) -> tuple[int, int]:
    """Returns the mean along axes, which are kept, and the sum of squared deviations from it."""
    mean = b.restore(b.computed_by_updates(MEAN, b.mean(x, axes), x, axes), axes)
    squares = b.sum(b.power(b.sub(x, mean), 2), axes)
    return mean, b.computed_by_updates(SQUARES, squares, x, axes)


@op("var")
def _var(
    b: Builder, x: int, dim: Axes = None, *, correction: int | None = 1, keepdim: object = None
) -> int:
    axes = reduced_axes(b, x, dim)
    if correction is None:
        correction = 1
    count = b.prod_sizes(x, axes) - int(correction)
    if count.is_at_least(0):
        divisor = b.size(count)
    else:
        divisor = b.map("maximum", [b.size(count), b.const(0)])
    return keep_reduced_axes(b, b.div(moments(b, x, axes)[1], divisor), axes, keepdim)


def reduction(reduced: Callable[[Builder, int, list[int]], int]) -> Handler:
    """Returns the handler of a reduction along axes."""

    def handler(b: Builder, x: int, dim: Axes = None, keepdim: object = None) -> int:
        axes = reduced_axes(b, x, dim)
        return keep_reduced_axes(b, reduced(b, x, axes), axes, keepdim)

    return handler


TABLE |= {
    "mul": lambda b, x, y: b.mul(lift(b, x), lift(b, y)),
    "neg": lambda b, x: b.neg(x),
    "relu": lambda b, x: b.map("maximum", [x, b.const(0)]),
    "where": lambda b, c, x, y: b.select(c, lift(b, x), lift(b, y)),
    "masked_fill": lambda b, x, mask, value: b.select(mask, lift(b, value), x),
    "mm": lambda b, x, y: b.matmul(x, y),
    "sum": reduction(lambda b, x, axes: b.sum(x, axes)),
    "mean": reduction(lambda b, x, axes: b.mean(x, axes)),
    "amax": reduction(lambda b, x, axes: b.reduce("max", x, axes)),
    "amin": reduction(lambda b, x, axes: b.reduce("min", x, axes)),
    "prod": reduction(lambda b, x, axes: b.reduce("prod", x, axes)),
    "any": reduction(lambda b, x, axes: b.reduce("max", b.map("ne", [x, b.const(0)]), axes)),
    "all": reduction(lambda b, x, axes: b.reduce("min", b.map("ne", [x, b.const(0)]), axes)),
}
TABLE |= {"_neg_view": TABLE["neg"], "bmm": TABLE["mm"]}


@op("linalg_vector_norm")
def _norm(b: Builder, x: int, p: object = 2, dim: Axes = None, keepdim: object = None) -> int:
    axes = reduced_axes(b, x, dim)
    return keep_reduced_axes(b, arrays.vector_norm(b, x, p, axes), axes, keepdim)


@op("_softmax")
def _softmax(b: Builder, x: int, dim: int, _widened: object = None) -> int:
    def steps(rows: int, axes: Sequence[int]) -> int:
        return b.library_value(masks.softmax(b, rows, None, axes))

    return b.function_of_rows(SOFTMAX, steps, x, [b.axis(x, dim)])


@op("_log_softmax")
def _log_softmax(b: Builder, x: int, dim: int, _widened: object = None) -> int:
    axes = [b.axis(x, dim)]
    largest, found = masks.powers(b, x, None, axes)
    # the log of a softmax is undefined where it is rounded to 0
    shifted = b.sub(x, b.restore(largest, axes))
    return b.library_value(b.sub(shifted, b.restore(b.map("log", [b.sum(found, axes)]), axes)))


@op("linalg_cross")
def _cross(b: Builder, x: int, y: int, dim: int | None = -1) -> int:
    """Returns the cross product entry by entry: an entry depends on two entries of each vector."""
    shape = b.broadcast_shapes([b.shape(x), b.shape(y)])
    three = Size.of(3)
    if dim is not None:
        axis = dim % len(shape)
    elif three in shape:
        axis = shape.index(three)
    else:
        axis = len(shape) - 1
    if shape[axis] != three:
        raise TraceError(
            "a cross product of vectors that do not have three entries", code="trace.operation"
        )
    u, v = ([b.slice(b.broadcast_to(a, shape), axis, i, 1) for i in range(3)] for a in (x, y))
    entries = [b.sub(b.mul(u[i], v[j]), b.mul(u[j], v[i])) for i, j in ((1, 2), (2, 0), (0, 1))]
    return b.concat(entries, axis)
