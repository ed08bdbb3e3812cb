"""Comparisons and logic, with booleans as 0 and 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import formulas, positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import Handler, Table, handles, node_of, real
from eqvproof.tracing.arrays.poles import UNKNOWN, UNKNOWN_HINT, poles
from eqvproof.tracing.arrays.values import Array

UFUNCS: Table = {}

COMPARISONS: dict[str, object] = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
    "ne": np.not_equal, "and": np.logical_and, "or": np.logical_or, "not": np.logical_not,
}  # fmt: skip


#: The result of comparing a value with itself, from the flags that are 1 where it is NaN.
_WITH_ITSELF: dict[str, Callable[[Builder, int], int]] = {
    **dict.fromkeys(("eq", "le", "ge"), lambda b, invalid: b.map("not", [invalid])),
    "ne": lambda b, invalid: invalid,
    **dict.fromkeys(("lt", "gt"), lambda b, invalid: b.mul(b.const(0), invalid)),
}  # fmt: skip


def _compared(fn: str) -> Callable[..., object]:
    def handler(context: TraceContext, *args: Array) -> Array:
        b, nodes = context.builder, [node_of(a) for a in args]
        if fn in _WITH_ITSELF and nodes[0] == nodes[1]:
            return real(context, _WITH_ITSELF[fn](b, invalid_node(context, args[0])), kind="b")
        if fn in ("eq", "ne"):
            same = positions.equal(b, *nodes)
        else:
            same = None
        if same is not None:
            return real(context, same if fn == "eq" else b.sub(b.const(1), same), kind="b")
        return real(context, b.map(fn, nodes), kind="b")

    return handler


for _fn, _ufunc in COMPARISONS.items():
    UFUNCS[_ufunc] = _compared(_fn)


def _logic(fn: str) -> Callable[..., object]:
    def handler(context: TraceContext, *args: Array) -> Array:
        if any(a._eqvproof.kind != "b" for a in args):
            context.refuse("& | ^ ~ of numbers", hint="they are traced for booleans (comparisons)")
        return real(context, context.builder.map(fn, [node_of(a) for a in args]), kind="b")

    return handler


for _fn, _ufunc in {
    "and": np.bitwise_and, "or": np.bitwise_or, "not": np.invert, "ne": np.bitwise_xor,
}.items():  # fmt: skip
    UFUNCS[_ufunc] = _logic(_fn)


@handles(UFUNCS, np.logical_xor)
def logical_xor(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns 1 where exactly one of both is true."""
    return real(context, formulas.logical_xor(context.builder, node_of(a), node_of(b)), kind="b")


def _poles(context: TraceContext, x: Array) -> tuple[int, int]:
    known = poles(context.builder, node_of(x))
    if known is None:
        context.refuse(UNKNOWN, hint=UNKNOWN_HINT, code="trace.value")
    return known


def invalid_node(context: TraceContext, x: Array) -> int:
    """Returns 1 where a value is NaN, else 0."""
    return _poles(context, x)[1]


def _special(answer: Callable[[Builder, int, int], int]) -> Handler:
    """Returns the handler of a function of where a value is infinite and where it is NaN."""

    def handler(context: TraceContext, x: Array) -> Array:
        return real(context, answer(context.builder, *_poles(context, x)), kind="b")

    return handler


UFUNCS |= {
    np.isinf: _special(lambda b, infinite, invalid: infinite),
    np.isnan: _special(lambda b, infinite, invalid: invalid),
    np.isfinite: _special(lambda b, *both: b.map("not", [b.map("or", [*both])])),
}
